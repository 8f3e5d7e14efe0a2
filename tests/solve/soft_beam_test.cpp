// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies by the multilevel solver: the cantilever of reference.md (g).
#include <cmath>
#include <cstdio>

#include "soft_world.h"

namespace repose {

namespace {

constexpr double kBeamTheory = 0.03793, kBeamTheoryNarrowing = 0.03828;  // nu = 0, .3 at E = 1e7

// How far the tip sinks at rest: steps of a second are statics.
float sag(Scene scene, int frames = 8) {
  scene.world.base.fps = 1;
  scene.world.base.substeps = 1;
  scene.solver.base.cycles = 60;
  auto simulation = start(scene);
  StepReport report;
  for (int f = 0; f < frames; ++f) EXPECT_TRUE(simulation->advance(1, report).ok());
  if (std::getenv("REPOSE_SHOW"))
    std::printf("tip %.5f iterations %d converged %d\n", -tipOf(*simulation, scene), report.iterations,
                report.converged);
  return -tipOf(*simulation, scene);
}

double ratioToTheory(int cells, float nu, SoftSmoothing smoothing) {
  return sag(cantilever(cells, 1e7f, nu, SoftMaterial::stvk, smoothing)) /
         (nu > 0 ? kBeamTheoryNarrowing : kBeamTheory);
}

}  // namespace

TEST(SoftBeam, PlainTetrahedraSagAsTheNewtonSolutionOfTheReference) {
  const auto ratio = [](int cells, float nu) { return ratioToTheory(cells, nu, SoftSmoothing::none); };
  EXPECT_NEAR(ratio(1, 0.3f), 0.240, 0.0025);
  EXPECT_NEAR(ratio(2, 0.3f), 0.508, 0.005);
  EXPECT_NEAR(ratio(4, 0.3f), 0.778, 0.008);
  EXPECT_NEAR(ratio(2, 0), 0.556, 0.0055);
  EXPECT_NEAR(ratio(4, 0), 0.826, 0.008);
  EXPECT_NEAR(sag(cantilever(2, 1e6f, 0.3f, SoftMaterial::stvk, SoftSmoothing::none)), 0.1883, 0.002);
}

// Plain: .508 and .778, as above.
TEST(SoftBeam, SmoothedStrainTakesMostOfTheLockingAway) {
  const auto ratio = [](int cells, float nu) { return ratioToTheory(cells, nu, SoftSmoothing::edges); };
  EXPECT_NEAR(ratio(1, 0.3f), 0.583, 0.01);
  EXPECT_NEAR(ratio(2, 0.3f), 0.900, 0.01);
  EXPECT_NEAR(ratio(4, 0.3f), 0.973, 0.01);
  EXPECT_NEAR(ratio(2, 0), 0.954, 0.01);
  EXPECT_NEAR(ratio(4, 0), 1.002, 0.01);
}

}  // namespace repose
