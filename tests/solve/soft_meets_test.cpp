// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies of the multilevel solver meet the others: floor, each other, rigid bodies, grains, cloth,
// bones.
#include <algorithm>
#include <cmath>

#include "garment_scene.h"
#include "shape/convex.h"
#include "soft_world.h"

namespace repose {

namespace {

Body jelly(const char* name, Vec3f size, const std::array<int, 3>& divisions, Vec3f centre) {
  Body body = softBox(size, divisions, centre);
  body.name = name;
  body.soft.base.youngsmodulus = 1e5f;
  body.soft.base.poissonratio = 0.4f;
  body.soft.base.stiffdamping = 0.01f;
  body.soft.base.friction = 0.5f;
  body.soft.base.selfcollision = true;
  return body;
}

Scene onFloor(Body body) {
  Scene scene = softScene(std::move(body));
  scene.world.base.substeps = 2;
  scene.colliders.emplace_back();
  return scene;
}

struct Extent {
  Vec3f low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
  float fastest = 0;
};
Extent extentOf(const Simulation& simulation, int body) {
  BodyView view;
  simulation.readBody(body, view);
  Extent e;
  for (std::size_t k = 0; k < view.positions.size(); ++k) {
    const Vec3f p = view.positions[k];
    e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y), std::min(e.low.z, p.z)};
    e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y), std::max(e.high.z, p.z)};
    e.fastest = std::max(e.fastest, length(view.velocities[k]));
  }
  return e;
}

}  // namespace

// 1 m of it under its own weight, free to slide: it sinks by rho g H^2 / 2E on top, as a column does.
TEST(SoftMeets, ABoxComesToRestOnTheFloor) {
  Body box = jelly("box", {1, 1, 1}, {5, 5, 5}, {0, 0.55f, 0});
  box.soft.base.friction = box.soft.base.dynamicfriction = 0;
  box.soft.base.poissonratio = 0;
  const Scene scene = onFloor(box);
  auto simulation = start(scene, 2);
  advanceFrames(*simulation, 72);
  const Extent e = extentOf(*simulation, 0);
  EXPECT_LT(e.fastest, 0.02f);
  EXPECT_NEAR(e.low.y, 0.005f, 0.006f);
  EXPECT_NEAR(e.high.y - e.low.y, 1 - 1000 * 9.8 / (2 * 1e5), 0.006);
}

// A stick lands almost flat in steps of 16 ms: within one of them its far end turns by more than a straight
// line can say. Newton steps that nobody tests give it 4e8 J.
TEST(SoftMeets, AStiffStickThrownOntoTheFloorNeitherSinksNorBursts) {
  for (const float youngs : {1e6f, 5e6f, 5e7f})
    for (const SoftSmoothing smoothing : {SoftSmoothing::none, SoftSmoothing::edges}) {
      Body stick = softBox({0.1f, 0.1f, 1}, {2, 2, 20});
      for (std::vector<Vec3f>* points : {&stick.geometry.points, &stick.tets.geometry.points})
        for (Vec3f& p : *points)
          p = {p.x, std::cos(0.2f) * p.y - std::sin(0.2f) * p.z + 0.65f,
               std::sin(0.2f) * p.y + std::cos(0.2f) * p.z};
      stick.soft.base.youngsmodulus = youngs;
      stick.soft.base.poissonratio = 0.42f;
      stick.soft.base.smoothing = smoothing;
      stick.velocity = {0, -15, 0};
      Scene scene = onFloor(std::move(stick));
      scene.world.base.fps = 62.5f, scene.world.base.substeps = 1;
      auto simulation = start(scene, 2);
      const double thrown = 10 * (0.5 * 15 * 15 + 9.8 * 0.65);  // [J]
      StepReport report;
      for (int f = 0; f < 60; ++f) {
        const Status moved = simulation->advance(1, report);
        ASSERT_TRUE(moved.ok()) << youngs << " Pa: " << moved.message();
        // impulses of a linear solve may give a little too much at once
        ASSERT_LT(report.energy, 1.1 * thrown) << youngs << " Pa, frame " << f;
        EXPECT_LT(report.max_penetration, 0.03f) << youngs << " Pa, frame " << f;
      }
      EXPECT_LT(report.energy, thrown) << youngs << " Pa";
    }
}

// Weight over friction: on a slope of tan 0.3 with friction 0.5 it stays, with 0.1 it slides.
TEST(SoftMeets, FrictionHoldsABoxOnASlope) {
  for (const float mu : {0.5f, 0.1f}) {
    Body box = jelly("box", {0.6f, 0.3f, 0.6f}, {4, 2, 4}, {0, 0.157f, 0});
    box.soft.base.youngsmodulus = 1e6f;
    box.soft.base.friction = mu;
    Scene scene = onFloor(box);
    scene.colliders[0].params.base.friction = mu;
    const float tan = 0.3f, cos = 1 / std::sqrt(1 + tan * tan);
    scene.world.base.gravity = {9.8f * tan * cos, -9.8f * cos, 0};
    auto simulation = start(scene, 2);
    advanceFrames(*simulation, 36);
    const float way = 0.5f * (extentOf(*simulation, 0).low.x + extentOf(*simulation, 0).high.x);
    if (mu > 0.3f)
      EXPECT_LT(std::abs(way), 0.02f);
    else
      EXPECT_NEAR(way, 0.5 * 9.8 * cos * (tan - mu) * 1.5 * 1.5, 0.2);
  }
}

TEST(SoftMeets, SoftBoxesAndARigidOneStack) {
  Scene scene = onFloor(jelly("low", {1, 0.5f, 1}, {6, 3, 6}, {0, 0.26f, 0}));
  scene.bodies.push_back(jelly("high", {0.6f, 0.4f, 0.6f}, {4, 3, 4}, {0.05f, 0.75f, 0}));
  Body crate;
  crate.name = "crate", crate.kind = BodyKind::rigid;
  crate.rigid.base.density = 500;
  crate.shapes.push_back({{}, {makeBox(Vec3f{0.3f, 0.3f, 0.3f})}, 0});
  RigidPiece piece;
  piece.name = "crate", piece.place.origin = {0, 1.15f, 0};
  crate.pieces.push_back(piece);
  scene.bodies.push_back(std::move(crate));
  auto simulation = start(scene, 2);
  advanceFrames(*simulation, 72);
  const Extent low = extentOf(*simulation, 0), high = extentOf(*simulation, 1);
  RigidView view;
  simulation->readRigid(2, view);
  EXPECT_NEAR(low.high.y, 0.5f, 0.03f);
  EXPECT_NEAR(high.low.y, low.high.y, 0.04f);
  EXPECT_NEAR(view.poses[0].origin.y, high.high.y + 0.15f, 0.04f);
  EXPECT_LT(std::max({low.fastest, high.fastest, length(view.velocities[0])}), 0.15f);
}

TEST(SoftMeets, ClothAndGrainsLieOnASoftBox) {
  Scene scene = onFloor(jelly("box", {1, 0.5f, 1}, {6, 3, 6}, {0, 0.26f, 0}));
  Body cloth;
  cloth.name = "cloth";
  cloth.geometry = makeGrid(24, 24, 1.6f, 1.6f);
  for (Vec3f& p : cloth.geometry.points) p += Vec3f{-0.8f, 0.6f, -0.8f};
  cloth.cloth.base.selfcollision = true;
  scene.bodies.push_back(std::move(cloth));
  Body sand;
  sand.name = "sand", sand.kind = BodyKind::grain;
  for (int x = 0; x < 5; ++x)
    for (int z = 0; z < 5; ++z) {
      sand.geometry.points.push_back(
          {0.1f * static_cast<float>(x - 2), 0.75f, 0.1f * static_cast<float>(z - 2)});
      sand.radii.push_back(0.03f);
    }
  scene.bodies.push_back(std::move(sand));
  auto simulation = start(scene, 2);
  advanceFrames(*simulation, 36);
  const Extent box = extentOf(*simulation, 0), sheet = extentOf(*simulation, 1);
  EXPECT_NEAR(box.high.y, 0.5f, 0.03f);
  EXPECT_NEAR(sheet.high.y, box.high.y, 0.05f);
  EXPECT_LT(sheet.low.y, 0.3f);  // it hangs down the sides
  EXPECT_LT(box.fastest, 0.5f);
}

// A beam of flesh on a bone by formula that turns and travels: what is attached goes with it exactly, what
// hangs on it comes after.
TEST(SoftMeets, AttachmentsFollowAnAnimatedBone) {
  const auto turn = [](Vec3f p, double frame) {
    const double angle = 0.03 * (frame - 1);
    const auto c = static_cast<float>(std::cos(angle)), s = static_cast<float>(std::sin(angle));
    return Vec3f{c * p.x - s * p.y, s * p.x + c * p.y + 0.02f * static_cast<float>(frame - 1), p.z};
  };
  for (const SolverMethod method : {SolverMethod::multilevel, SolverMethod::gauss_seidel_coloured}) {
    Body beam = jelly("beam", {0.8f, 0.2f, 0.2f}, {8, 2, 2}, {0.4f, 0, 0});
    pinWhere(beam, [](Vec3f p) { return p.x < 0.25f; });
    Geometry bone = makeGrid(1, 1, 0.3f, 0.1f);
    beam.pins[0].to =
        std::make_shared<AnchorMesh>(AnchorMesh{bone, std::make_shared<FormulaMotion>(bone.points, turn)});
    Scene scene = softScene(beam);
    scene.world.base.gravity = {};
    scene.solver.base.method = method;
    auto simulation = start(scene);
    BodyView view;
    StepReport report;
    for (int f = 2; f <= 30; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      simulation->readBody(0, view);
      for (const int p : beam.pins[0].points)
        EXPECT_LT(length(view.positions[p] - turn(beam.geometry.points[p], f)), 2e-6f) << "frame " << f;
    }
    for (std::size_t p = 0; p < view.positions.size(); ++p)
      EXPECT_LT(length(view.positions[p] - turn(beam.geometry.points[p], 30)), 0.1f)
          << static_cast<int>(method);
    EXPECT_EQ(report.inverted, 0);
  }
}

}  // namespace repose
