// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One spring to a pin, pulled along itself: implicit Euler in closed form (algorithms.md 2.3).
#pragma once
#include <gtest/gtest.h>

#include "model/build.h"
#include "solve/step.h"
#include "solve/workspace.h"

namespace repose {

// tolerance: of the place after each of 20 steps [m].
inline void expectImplicitEuler(const SolverParams& solver, double tolerance) {
  ModelBuilder builder;
  builder.beginBody("spring");
  builder.addPoints({{0, 0, 0}, {1.1f, 0, 0}}, {1, 2}, {}, {0, 1});
  builder.pin(0, 0, 0);
  builder.addDistance(RowKind::stretch, 0, 1, 1, 1);
  builder.endBody();
  Built built = builder.finish();
  StepParams params;
  params.h = 0.01f;
  params.world.gravity = {}, params.world.airdensity = 0;
  params.solver = solver;
  params.cloth.resize(1), params.soft.resize(1);
  params.cloth[0].stretchstiffness = 3000, params.cloth[0].stretchdamping = 0.004f;
  params.pin_targets.push_back({0, 0, 0});
  Workspace work(built.model, params);
  auto backend = makeTbbBackend(1);
  StageSeconds seconds{};
  double x = 0.1, v = 0;
  const double h = 0.01, k = 3000, m = 2, rho = 0.004;
  for (int f = 0; f < 20; ++f) {
    step(built.model, built.state, params, work, *backend, seconds);
    v = (v - h * k * x / m) / (1 + h * h * k / m + h * k * rho / m);
    x += h * v;
    EXPECT_NEAR(built.state.x[1].x, 1 + x, tolerance) << "step " << f;
  }
}

}  // namespace repose
