// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Projective dynamics meets the colliders, friction and self collision of the other methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "scene/validate.h"
#include "soft_scene.h"

namespace repose {
namespace {

using M = SolverMethod;
using G = GlobalStep;

Collider plane(float friction) {
  Collider c;
  c.name = "floor";
  c.params.base.friction = friction;
  return c;
}

Collider ball(float radius) {
  Collider c;
  c.name = "ball";
  c.shape = Collider::Shape::volume;
  c.volume.shape = Volume::Shape::sphere, c.volume.radius = radius;
  return c;
}

// The sheet of reference.md (d): on a sphere of 0.5 m, 0.1 m off its middle.
Scene sheetOnSphere(float friction) {
  Scene scene = sceneOf(makeGrid(39, 39, 1.95f, 1.95f));
  for (Vec3f& p : scene.bodies[0].geometry.points) p = p + Vec3f{-0.875f, 0.52f, -0.975f};
  scene.solver.base.method = M::projective;
  scene.solver.base.iterations = 30;
  scene.world.base.fps = 60, scene.world.base.substeps = 1;
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.stretchstiffness = 2000, cloth.shearstiffness = 500, cloth.bendstiffness = 1e-3f;
  cloth.friction = friction, cloth.thickness = 0.01f;
  scene.colliders.push_back(ball(0.5f));
  scene.colliders.back().params.base.friction = friction;
  return scene;
}

Vec3f centroid(const Simulation& simulation) {
  BodyView view;
  simulation.readBody(0, view);
  Vec3f sum;
  for (const Vec3f& p : view.positions) sum = sum + p;
  return sum * (1 / static_cast<float>(view.positions.size()));
}

TEST(ProjectiveContact, FrictionDecidesWhetherASheetStaysOnASphere) {
  for (const float friction : {0.0f, 0.5f}) {
    auto simulation = start(sheetOnSphere(friction));
    StepReport report;
    float deepest = 0;
    for (int f = 0; f < 240; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      deepest = std::max(deepest, report.max_penetration);
    }
    EXPECT_LT(deepest, 0.01f);
    if (friction > 0)
      EXPECT_LT(std::abs(centroid(*simulation).x), 0.15f);
    else
      EXPECT_LT(centroid(*simulation).y, -1);
  }
}

TEST(ProjectiveContact, ASoftBoxComesToRestOnAPlane) {
  for (const G way : {G::jacobi, G::gauss_seidel_coloured, G::direct}) {
    Scene scene =
        softScene({3, 3, 3, {0.3f, 0.3f, 0.3f}, {0, 0.05f, 0}}, SoftMaterial::corotated, M::projective);
    scene.world.base.fps = 24, scene.world.base.substeps = 2;
    scene.solver.base.globalstep = way;
    SoftParams& soft = scene.bodies[0].soft.base;
    soft.youngsmodulus = 3e4f, soft.poissonratio = 0, soft.stiffdamping = 0.005f;
    scene.colliders.push_back(plane(0.5f));
    auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 72; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    EXPECT_LT(report.max_speed, 0.02f);
    EXPECT_EQ(report.inverted, 0);
    expectLyingBox(*simulation);
  }
}

TEST(ProjectiveContact, SameBitsOnAnyNumberOfThreads) {
  Scene scene = sheetOnSphere(0.3f);
  scene.bodies[0].cloth.base.selfcollision = true;
  const auto hashOn = [&](int threads) {
    auto simulation = start(scene, threads);
    advanceFrames(*simulation, 40);
    return hexHash(simulation->stateHash());
  };
  const std::string expected = hashOn(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(hashOn(threads), expected);
}

Scene grid(float shear) {
  Scene scene = sceneOf(makeGrid(8, 8, 1, 1));
  scene.solver.base.method = M::projective, scene.solver.base.globalstep = G::red_black;
  scene.bodies[0].cloth.base.shearstiffness = shear;
  scene.bodies[0].cloth.base.bendmodel = BendModel::none;
  return scene;
}

TEST(ProjectiveContact, RedBlackRefusesRingsOfAnOddNumber) {
  EXPECT_TRUE(Simulation::create(grid(0), 1).ok());
  const auto refused = Simulation::create(grid(10), 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), Code::bad_input);
  for (const char* word : {"red_black", "odd", "gauss_seidel_coloured", "4 colours"})
    EXPECT_NE(refused.status().message().find(word), std::string::npos) << refused.status().message();
}

// Neighbours whose springs differ by 1e8: the stiffest are named, the softest still pull.
TEST(ProjectiveContact, StiffnessRatiosOfAHundredMillionAreNamed) {
  for (const G way : {G::jacobi, G::red_black, G::direct}) {
    Scene scene = grid(0);
    scene.solver.base.globalstep = way;
    Body& body = scene.bodies[0];
    body.cloth.base.stretchstiffness = 100;
    std::vector<float> scale(body.geometry.points.size(), 1.0f);
    for (std::size_t p = 0; p < scale.size(); p += 2) scale[p] = 1e8f;
    Attribute attribute;
    attribute.name = "stretchstiffness", attribute.floats = scale;
    body.geometry.attributes.push_back(attribute);
    body.pins.push_back({"corner", {0}, {}, false});
    auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 48; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    EXPECT_LT(report.max_speed, 20);
    ASSERT_EQ(simulation->notes().size(), 1u);
    EXPECT_NE(simulation->notes()[0].find("stiffness is limited"), std::string::npos);
  }
}

// A sheet on its corners: wherever the radius comes from, it hangs as the one that is measured.
TEST(ProjectiveContact, EveryWayToTheRadius) {
  for (const RadiusEstimate way :
       {RadiusEstimate::spectrum, RadiusEstimate::ratio, RadiusEstimate::power, RadiusEstimate::tuned}) {
    Scene scene = sceneOf(makeGrid(20, 20, 1, 1));
    Body& body = scene.bodies[0];
    body.pins.push_back({"corners", {0, 20, 420, 440}, {}, false});
    body.cloth.base.density = 0.3f;
    body.cloth.base.stretchstiffness = 500, body.cloth.base.shearstiffness = 100;
    scene.solver.base.method = SolverMethod::projective, scene.solver.base.iterations = 40;
    scene.solver.base.radiusestimate = way;
    auto simulation = start(scene);
    advanceFrames(*simulation, 12);
    StepReport report;
    ASSERT_TRUE(simulation->measure(report).ok());
    EXPECT_GT(report.residual, 0.005f);
    EXPECT_LT(report.residual, 0.2f);
    EXPECT_LT(report.max_speed, 5);
  }
}

TEST(ProjectiveContact, RefusesFibres) {
  Scene scene = softScene({1, 1, 1, {1, 1, 1}, {}}, SoftMaterial::corotated, M::projective);
  scene.bodies[0].soft.base.fibrestiffness = 1e4f;
  const std::vector<Finding> findings = validateScene(scene);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].error);
  EXPECT_NE(findings[0].sentence.find("fibrestiffness"), std::string::npos);
  EXPECT_NE(findings[0].sentence.find("multilevel"), std::string::npos);
}

}  // namespace
}  // namespace repose
