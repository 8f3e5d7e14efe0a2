// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "solve/residual.h"

namespace repose {

// A test costs about half an iteration, so it is made only now and then.
inline constexpr int kIterationsBetweenTests = 5;

// Whether the tolerance is looked at after this iteration, so that sweeps leave behind what the test needs.
inline bool isTested(const SolverParams& solver, int iteration) {
  return solver.tolerance > 0 &&
         ((iteration + 1) % kIterationsBetweenTests == 0 || iteration + 1 == solver.iterations);
}

// Whether the tolerance is met now, and by how much stress is wrong.
inline void testTolerance(const Model& model, const State& state, const StepParams& params, Workspace& work,
                          Backend& backend, StepResult& result) {
  const float tolerance = params.solver.tolerance;
  result.strain_error = largestStrainError(work, backend);
  result.converged = result.strain_error <= tolerance &&
                     largestStretch(model, state, params.cloth, work, backend) <= tolerance;
}

// Sweeps up to the next test or to the last one; whether there is a test.
template <class Sweep>
bool sweepOn(const SolverParams& solver, int& iterations, const Sweep& sweep) {
  while (iterations < solver.iterations) {
    const int iteration = iterations++;
    sweep(iteration);
    if (isTested(solver, iteration)) return true;
  }
  return false;
}

template <class Sweep>
StepResult iterateUntilDone(const Model& model, State& state, const StepParams& params, Workspace& work,
                            Backend& backend, const Sweep& sweep) {
  StepResult result;
  while (sweepOn(params.solver, result.iterations, sweep)) {
    testTolerance(model, state, params, work, backend, result);
    if (result.converged) break;
  }
  return result;
}

template <class Sweep>
StepResult launchUntilDone(const Model& model, State& state, const StepParams& params, Workspace& work,
                           Backend& backend, const Sweep& sweep) {
  StepResult result;
  for (bool more = true; more;) {
    backend.inOrder([&] { more = sweepOn(params.solver, result.iterations, sweep); });
    if (!more) break;
    testTolerance(model, state, params, work, backend, result);
    more = !result.converged;
  }
  return result;
}

}  // namespace repose
