// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Improved Jacobi (algorithms.md 3, IJ): momentum that grows with the iteration by a power law, formula (B).
// Most of it comes near the last iteration, so a run that stops early on a tolerance gains little.
#include <algorithm>
#include <cmath>

#include "solve/jacobi_sweep.h"
#include "solve/relaxation.h"
#include "solve/solver.h"

namespace repose {

namespace {

// x^0.6 by our own arithmetic: libraries round pow differently. y = x^(1/5) by Newton's method in double,
// then y^3.
float powerThreeFifths(float x) {
  if (x <= 0) return 0;
  double y = 1;
  for (int k = 0; k < 60; ++k) y -= (y * y * y * y * y - x) / (5 * y * y * y * y);
  return static_cast<float>(y * y * y);
}

}  // namespace

StepResult solveImprovedJacobi(const Model& model, State& state, const StepParams& params, Workspace& work,
                               Backend& backend) {
  const float omega = jacobiOmega(model, state, params, work, backend);
  const auto last = static_cast<float>(params.solver.iterations);
  return iterateUntilDone(model, state, params, work, backend, [&](int iteration) {
    const float beta = std::min(powerThreeFifths(static_cast<float>(iteration) / last), 1.0f);
    jacobiSweep(model, state, work, backend, iteration, omega, beta);
  });
}

}  // namespace repose
