// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "solve/residual.h"

namespace repose {

// A test costs about half an iteration, so it is made only now and then.
inline constexpr int kIterationsBetweenTests = 5;

template <class Sweep>
StepResult iterateUntilDone(const Model& model, State& state, const StepParams& params, Workspace& work,
                            Backend& backend, const Sweep& sweep) {
  const SolverParams& solver = params.solver;
  const auto met = [&] {
    return largestStretch(model, state, params.cloth, work, backend) <= solver.tolerance;
  };
  StepResult result;
  while (result.iterations < solver.iterations) {
    sweep(result.iterations++);
    if (solver.tolerance > 0 && result.iterations % kIterationsBetweenTests == 0 && met()) return result;
  }
  result.converged = solver.tolerance <= 0 || met();
  return result;
}

}  // namespace repose
