// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Nesterov's method proper (algorithms.md 3, APGD): first go on in the last direction, then evaluate the rows
// there. In scalar form it diverges on cloth; here the direction is a displacement of the points. It asks for
// omega rho <= 1, half of what accelerated Jacobi bears. It starts anew when the step turns against the
// direction.
#include <algorithm>

#include "solve/jacobi_sweep.h"
#include "solve/linear_sweep.h"
#include "solve/momentum.h"
#include "solve/relaxation.h"
#include "solve/solver.h"

namespace repose {

StepResult solveNesterov(const Model& model, State& state, const StepParams& params, Workspace& work,
                         Backend& backend) {
  const float omega = jacobiOmega(model, state, params, work, backend, 1.0f);
  LinearSweep linear(model, state, work, backend);
  NesterovMomentum momentum;
  return iterateUntilDone(model, state, params, work, backend, [&](int iteration) {
    const float beta = std::min(momentum.next(), params.solver.momentumcap);
    // of the first iteration momentum is zero, and what the arrays hold is of the last step
    if (iteration > 0) linear.blend(linear.current(), 1, linear.direction(), beta);
    jacobiSweep(model, state, work, backend, iteration, omega, 0);
    linear.blend(linear.direction(), iteration > 0 ? beta : 0, linear.lastStep(), 1);
    if (linear.dot(linear.lastStep(), linear.direction()) < 0) momentum = {};
  });
}

}  // namespace repose
