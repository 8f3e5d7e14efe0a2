// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies that flow and grow, and the fields that are written of them.
#include "kernel/lane1.h"
#include "soft_scene.h"

namespace repose {

TEST(SoftPlastic, LogarithmAndExponential) {
  for (float a = 1e-4f; a < 1e4f; a *= 1.37f) {
    EXPECT_NEAR(lane1::re_log(a), std::log(a), 2e-6f * std::max(1.0f, std::abs(std::log(a))));
    EXPECT_NEAR(lane1::re_exp(lane1::re_log(a)), a, 2e-6f * a * std::max(1.0f, std::abs(std::log(a))));
  }
}

// A bar between two walls, one of which moves away by `stretch` of its length in half a second.
Scene pulledBar(float stretch, SoftMaterial material) {
  Scene scene =
      softScene({6, 2, 2, {0.6f, 0.2f, 0.2f}, {0, 0, 0}}, material, SolverMethod::gauss_seidel_coloured);
  scene.world.base.gravity = {};
  scene.world.base.substeps = 10;
  scene.solver.base.iterations = 4;
  SoftParams& soft = scene.bodies[0].soft.base;
  soft.youngsmodulus = 1e5f, soft.poissonratio = 0.45f, soft.stiffdamping = 0.01f;
  const std::vector<Vec3f>& points = scene.bodies[0].tets.geometry.points;
  Pin left, right;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (points[p].x < 1e-6f) left.points.push_back(static_cast<int>(p));
    if (points[p].x > 0.599f) right.points.push_back(static_cast<int>(p));
  }
  right.translate.keys = {{1, {0, 0, 0}}, {31, {0.6f * stretch, 0, 0}}};
  scene.bodies[0].pins = {left, right};
  return scene;
}

float meanOf(const Simulation& simulation, OutputField field) {
  BodyView view;
  simulation.readBody(0, view);
  std::vector<float> values;
  simulation.readField(field, 0, view, values);
  double sum = 0;
  for (const float v : values) sum += v;
  return static_cast<float>(sum / static_cast<double>(values.size()));
}

// Held for many times the time constant, the strain that is left is the yield, and the volume did not flow.
TEST(SoftPlastic, StrainBeyondTheYieldFlowsAway) {
  Scene scene = pulledBar(0.4f, SoftMaterial::neohookean);
  auto elastic = start(scene);
  scene.bodies[0].soft.base.plasticyield = 0.05f;
  scene.bodies[0].soft.base.plastictime = 0.05f;
  auto plastic = start(scene);
  advanceFrames(*elastic, 90);
  advanceFrames(*plastic, 90);
  EXPECT_GT(meanOf(*elastic, OutputField::strain), 0.3f);
  EXPECT_LT(meanOf(*plastic, OutputField::strain), 0.08f);
  EXPECT_LT(meanOf(*plastic, OutputField::stress), 0.3f * meanOf(*elastic, OutputField::stress));
  EXPECT_NEAR(volumesOf(*plastic, scene).whole, 1, 0.05f);
}

// What may stay is bounded: the bar pulls back once it has reached the limit.
TEST(SoftPlastic, TheLimitHolds) {
  Scene scene = pulledBar(0.6f, SoftMaterial::corotated);
  scene.bodies[0].soft.base.plasticyield = 0.02f;
  scene.bodies[0].soft.base.plastictime = 0.02f;
  scene.bodies[0].soft.base.plasticlimit = 0.1f;
  auto simulation = start(scene);
  advanceFrames(*simulation, 60);
  EXPECT_GT(meanOf(*simulation, OutputField::strain), 0.25f);
}

TEST(SoftPlastic, BodiesGrow) {
  for (const SolverMethod method : {SolverMethod::gauss_seidel_coloured, SolverMethod::accelerated_jacobi}) {
    Scene scene = softScene({2, 2, 2, {0.3f, 0.3f, 0.3f}, {0, 0, 0}}, SoftMaterial::stvk, method);
    scene.world.base.gravity = {};
    scene.world.base.substeps = 4;
    SoftParams& soft = scene.bodies[0].soft.base;
    soft.youngsmodulus = 1e5f, soft.stiffdamping = 0.02f;
    soft.restscale = 1.5f;
    auto simulation = start(scene);
    advanceFrames(*simulation, 60);
    EXPECT_NEAR(volumesOf(*simulation, scene).whole, 1.5f * 1.5f * 1.5f, 0.05f);
    EXPECT_NEAR(meanOf(*simulation, OutputField::volume), 1, 0.02f);
  }
}

// A bar in uniform tension: its stress is Young's modulus times its strain.
TEST(SoftPlastic, FieldsOfAStretchedBar) {
  for (const SoftMaterial material :
       {SoftMaterial::neohookean, SoftMaterial::corotated, SoftMaterial::stvk}) {
    Scene scene = pulledBar(0.01f, material);
    scene.bodies[0].soft.base.poissonratio = 0;
    scene.bodies[0].soft.base.stiffdamping = 0.1f;
    auto simulation = start(scene);
    advanceFrames(*simulation, 90);
    EXPECT_NEAR(meanOf(*simulation, OutputField::strain), 0.01f, 3e-4f);
    EXPECT_NEAR(meanOf(*simulation, OutputField::stress), 1e5f * 0.01f, 60);
    EXPECT_NEAR(meanOf(*simulation, OutputField::volume), 1.01f, 3e-4f);
  }
}

TEST(SoftPlastic, FlowGivesTheSameBitsEverywhere) {
  Scene scene = pulledBar(0.4f, SoftMaterial::neohookean);
  scene.bodies[0].soft.base.plasticyield = 0.05f;
  std::uint64_t expected = 0;
  for (const Isa isa : supportedIsas())
    for (const int threads : {1, 3}) {
      auto simulation = Simulation::create(scene, makeTbbBackend(threads, isa));
      ASSERT_TRUE(simulation.ok());
      advanceFrames(**simulation, 20);
      if (expected == 0) expected = (*simulation)->stateHash();
      EXPECT_EQ((*simulation)->stateHash(), expected) << isaName(isa) << threads;
    }
}

}  // namespace repose
