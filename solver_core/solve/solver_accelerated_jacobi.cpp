// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Accelerated Jacobi (algorithms.md 3, AJ): momentum from Nesterov's sequence, as a heavy ball. Boosted, the step
// grows with the momentum (omega (1 + beta)), which pairs them as Chebyshev does.
#include <algorithm>
#include <cmath>

#include "solve/jacobi_sweep.h"
#include "solve/solver.h"

namespace repose {

StepResult solveAcceleratedJacobi(const Model& model, State& state, const StepParams& params, Workspace& work,
                                  Backend& backend) {
  const SolverParams& solver = params.solver;
  const float omega = jacobiOmega(solver);
  double theta = 1;
  return iterateUntilDone(model, state, params, work, backend, [&](int iteration) {
    const double next = 0.5 * theta * (std::sqrt(theta * theta + 4) - theta);
    const double nesterov = theta * (1 - theta) / (theta * theta + next);
    theta = next;
    const float beta = std::min(static_cast<float>(nesterov), solver.momentumcap);
    const float gain = solver.boost ? omega * (1 + beta) : omega;
    jacobiSweep(model, state, work, backend, iteration, gain, beta);
  });
}

}  // namespace repose
