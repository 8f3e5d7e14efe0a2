// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Accelerated Jacobi (algorithms.md 3, AJ): momentum from Nesterov's sequence, as a heavy ball. Boosted, the
// step grows with the momentum (omega (1 + beta)), which pairs them as Chebyshev does.
#include <algorithm>

#include "solve/jacobi_sweep.h"
#include "solve/momentum.h"
#include "solve/relaxation.h"
#include "solve/solver.h"

namespace repose {

StepResult solveAcceleratedJacobi(const Model& model, State& state, const StepParams& params, Workspace& work,
                                  Backend& backend) {
  const SolverParams& solver = params.solver;
  const float omega = jacobiOmega(model, state, params, work, backend);
  NesterovMomentum momentum;
  return launchUntilDone(model, state, params, work, backend, [&](int iteration) {
    const float beta = std::min(momentum.next(), solver.momentumcap);
    const float gain = solver.boost ? omega * (1 + beta) : omega;
    jacobiSweep(model, state, work, backend, iteration, gain, beta);
  });
}

}  // namespace repose
