// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies on multipliers among planes and grains, in wind and under pressure; and what the solvers
// refuse.
#include <cstdlib>

#include "base/hash.h"
#include "scene/scene.h"
#include "scene/validate.h"
#include "soft_scene.h"
#include "solve/choose_method.h"

namespace repose {

Scene boxOnPlane(SoftMaterial material) {
  Scene scene =
      softScene({3, 3, 3, {0.3f, 0.3f, 0.3f}, {0, 0.05f, 0}}, material, SolverMethod::gauss_seidel_coloured);
  scene.world.base.fps = 24;
  scene.world.base.substeps = 2;
  scene.solver.base.iterations = 10;
  SoftParams& soft = scene.bodies[0].soft.base;
  soft.youngsmodulus = 3e4f, soft.poissonratio = 0.4f, soft.stiffdamping = 0.005f;
  Collider plane;
  plane.name = "floor";
  scene.colliders.push_back(plane);
  return scene;
}

TEST(SoftContact, ABoxComesToRestOnAPlane) {
  for (const SoftMaterial material :
       {SoftMaterial::neohookean, SoftMaterial::corotated, SoftMaterial::stvk}) {
    const Scene scene = boxOnPlane(material);
    auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 48; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    EXPECT_LT(report.max_speed, 0.02f);
    EXPECT_GT(report.least_volume, 0.5f);
    expectLyingBox(*simulation);
  }
}

TEST(SoftContact, GrainsRestOnASoftBox) {
  Scene scene = boxOnPlane(SoftMaterial::neohookean);
  Body grains;
  grains.name = "grains", grains.kind = BodyKind::grain;
  grains.grain.base.radius = 0.02f;
  for (int k = 0; k < 9; ++k)
    grains.geometry.points.push_back(
        {0.09f + 0.06f * static_cast<float>(k % 3), 0.4f, 0.09f + 0.06f * static_cast<float>(k / 3)});
  grains.radii.assign(9, 0.02f);
  scene.bodies.push_back(grains);
  auto simulation = start(scene);
  StepReport report;
  for (int f = 0; f < 48; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  BodyView view;
  simulation->readBody(1, view);
  ASSERT_EQ(view.positions.size(), 9u);
  for (const Vec3f p : view.positions) EXPECT_GT(p.y, 0.28f);
  EXPECT_GT(report.contacts, 9);
}

TEST(SoftContact, PressureBlowsUpAndWindPushes) {
  Scene scene = softScene({2, 2, 2, {0.2f, 0.2f, 0.2f}, {0, 0, 0}}, SoftMaterial::neohookean,
                          SolverMethod::gauss_seidel_coloured);
  scene.world.base.gravity = {};
  scene.world.base.substeps = 4;
  SoftParams& soft = scene.bodies[0].soft.base;
  soft.youngsmodulus = 1e4f, soft.poissonratio = 0.3f, soft.stiffdamping = 0.02f;
  soft.pressure = 300;
  auto blown = start(scene);
  advanceFrames(*blown, 60);
  // 3 (1 - 2 nu) p / E of its volume
  EXPECT_NEAR(volumesOf(*blown, scene).whole, 1 + 3 * 0.4f * 300 / 1e4f, 0.006f);
  soft.pressure = 0;
  scene.world.base.airdensity = 1.2f;
  scene.world.base.wind = {10, 0, 0};
  auto pushed = start(scene);
  advanceFrames(*pushed, 60);
  BodyView view;
  pushed->readBody(0, view);
  EXPECT_GT(view.velocities[0].x, 0.05f);
}

// Multipliers as far as they hold the stiffness, implicit steps beyond; cloth alone always has these.
TEST(SoftContact, TheMethodGoesByStiffnessUnlessItIsNamed) {
  Scene scene =
      softScene({4, 2, 2, {0.4f, 0.2f, 0.2f}, {0, 0, 0}}, SoftMaterial::neohookean, SolverMethod::automatic);
  scene.bodies[0].soft.base.youngsmodulus = 2e4f;
  EXPECT_EQ(chosenMethod(scene), SolverMethod::gauss_seidel_coloured);
  scene.bodies[0].soft.base.youngsmodulus = 1e8f;
  EXPECT_EQ(chosenMethod(scene), SolverMethod::multilevel);
  scene.world.base.substeps = 500;
  EXPECT_EQ(chosenMethod(scene), SolverMethod::gauss_seidel_coloured);
  scene.solver.base.method = SolverMethod::jacobi;
  EXPECT_EQ(chosenMethod(scene), SolverMethod::jacobi);
  EXPECT_EQ(chosenMethod(sceneOf(makeGrid(2, 2, 1, 1))), SolverMethod::multilevel);
}

TEST(SoftContact, MethodsThatCannotAreRefused) {
  for (const SolverMethod method : {SolverMethod::nesterov, SolverMethod::chebyshev,
                                    SolverMethod::minimum_residual, SolverMethod::conjugate_residuals}) {
    const std::vector<Finding> findings = validateScene(softScene({}, SoftMaterial::stvk, method));
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_TRUE(findings[0].error);
    EXPECT_NE(findings[0].sentence.find("gauss_seidel_coloured"), std::string::npos);
  }
  EXPECT_TRUE(validateScene(softScene({}, SoftMaterial::stvk, SolverMethod::jacobi)).empty());
}

// The inversion guard: a box of 78 kg lies on few points of a torus of 30 kPa. Without it elements stay
// inside out under its edge.
TEST(SoftContact, AHeavyBoxLeavesNothingInsideOut) {
  SceneLoad loaded = loadScene(REPOSE_SOURCE_DIR "/examples_hip/soft_torus.json", {});
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  auto simulation = start(loaded.scene, 2);
  StepReport report;
  for (int frame = 1002; frame <= 1070; ++frame) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    EXPECT_LE(report.inverted, frame > 1040 ? 0 : 8) << "frame " << frame;
  }
}

// The creature falls down the stairs in steps of 16 ms: whole, the right side out, and the same for any
// thread count. REPOSE_LONG runs all of it.
TEST(SoftContact, ACreatureFallsDownStairs) {
  const bool all = std::getenv("REPOSE_LONG") != nullptr;
  SceneLoad loaded =
      loadScene(REPOSE_SOURCE_DIR "/examples_hip/creature_on_stairs.json", {"fps=62.5", "substeps=1"});
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  std::string expected;
  for (const int threads : {1, 2, 3, 7}) {
    auto simulation = start(loaded.scene, threads);
    StepReport report;
    float deepest = 0;
    for (int f = 0; f < (all ? 300 : 25); ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      deepest = std::max(deepest, report.max_penetration);
    }
    EXPECT_LE(report.inverted, all ? 0 : 20);
    EXPECT_LT(report.max_speed, 15);
    EXPECT_LT(deepest, 0.05f);
    if (expected.empty()) expected = hexHash(report.hash);
    EXPECT_EQ(hexHash(report.hash), expected) << threads << " threads";
  }
}

// The same of stiff matter, which takes implicit steps. REPOSE_LONG runs on to where it sank 40 cm into the
// stairs when steps with contacts were not tested by their energy.
TEST(SoftContact, ACreatureOfStiffMatterDoesNotSinkIntoStairs) {
  SceneLoad loaded = loadScene(REPOSE_SOURCE_DIR "/examples_hip/creature_on_stairs.json",
                               {"fps=62.5", "substeps=1", "creature.youngsmodulus=5e6"});
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  auto simulation = start(loaded.scene, 2);
  StepReport report;
  for (int f = 0; f < (std::getenv("REPOSE_LONG") != nullptr ? 300 : 40); ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    EXPECT_LT(report.max_penetration, 0.05f) << "frame " << f;
    EXPECT_LT(report.max_speed, 30) << "frame " << f;
    EXPECT_EQ(report.inverted, 0) << "frame " << f;
  }
}

}  // namespace repose
