// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Jacobi: all rows from the same state, no momentum. The slowest; the ground on which the others stand.
#include "solve/jacobi_sweep.h"
#include "solve/relaxation.h"
#include "solve/solver.h"

namespace repose {

StepResult solveJacobi(const Model& model, State& state, const StepParams& params, Workspace& work,
                       Backend& backend) {
  const float omega = jacobiOmega(model, state, params, work, backend);
  return launchUntilDone(model, state, params, work, backend, [&](int iteration) {
    jacobiSweep(model, state, work, backend, iteration, omega, 0);
  });
}

}  // namespace repose
