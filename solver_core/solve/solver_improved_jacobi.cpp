// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Improved Jacobi (algorithms.md 3, IJ): momentum that grows with the iteration by a power law, formula (B).
// Most of it comes near the last iteration, so a run that stops early on a tolerance gains little.
#include "solve/jacobi_sweep.h"
#include "solve/momentum.h"
#include "solve/relaxation.h"
#include "solve/solver.h"

namespace repose {

StepResult solveImprovedJacobi(const Model& model, State& state, const StepParams& params, Workspace& work,
                               Backend& backend) {
  const float omega = jacobiOmega(model, state, params, work, backend);
  return launchUntilDone(model, state, params, work, backend, [&](int iteration) {
    const float beta = powerLawMomentum(iteration, params.solver.iterations);
    jacobiSweep(model, state, work, backend, iteration, omega, beta);
  });
}

}  // namespace repose
