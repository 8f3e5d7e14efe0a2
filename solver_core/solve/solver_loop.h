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

// go_on(iterations) sweeps on, and says whether there is a test.
template <class GoOn>
StepResult testUntilDone(const Model& model, State& state, const StepParams& params, Workspace& work,
                         Backend& backend, const GoOn& go_on) {
  StepResult result;
  while (go_on(result.iterations)) {
    testTolerance(model, state, params, work, backend, result);
    if (result.converged) break;
  }
  return result;
}

template <class Sweep>
StepResult iterateUntilDone(const Model& model, State& state, const StepParams& params, Workspace& work,
                            Backend& backend, const Sweep& sweep) {
  return testUntilDone(model, state, params, work, backend,
                       [&](int& iterations) { return sweepOn(params.solver, iterations, sweep); });
}

template <class Sweep>
StepResult launchUntilDone(const Model& model, State& state, const StepParams& params, Workspace& work,
                           Backend& backend, const Sweep& sweep) {
  return testUntilDone(model, state, params, work, backend, [&](int& iterations) {
    bool tested = false;
    backend.inOrder([&] { tested = sweepOn(params.solver, iterations, sweep); });
    return tested;
  });
}

}  // namespace repose
