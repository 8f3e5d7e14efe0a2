// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Minimum residual and conjugate residuals (algorithms.md 3), preconditioned with the diagonal of the Jacobi
// family: the step length makes the linearised residual least, and conjugate residuals keep part of the last
// direction. Rows are evaluated anew in every iteration, so the directions are conjugate only as far as the
// cloth is straight.
#include <algorithm>
#include <cmath>

#include "solve/jacobi_sweep.h"
#include "solve/linear_sweep.h"
#include "solve/solver.h"

namespace repose {

namespace {

constexpr double kLongestStep = 100;

StepResult solveResidual(const Model& model, State& state, const StepParams& params, Workspace& work,
                         Backend& backend, bool conjugate) {
  LinearSweep linear(model, state, work, backend);
  double last_energy = 0;
  return iterateUntilDone(model, state, params, work, backend, [&](int iteration) {
    jacobiStep(model, state, work, backend, iteration, 1, 0);
    const double energy = linear.dot(linear.lastStep(), linear.lastStep());
    const bool keeps = conjugate && iteration > 0 && last_energy > 0;
    const double beta = keeps ? std::min(energy / last_energy, 1.0) : 0.0;
    last_energy = energy;
    linear.blend(linear.direction(), static_cast<float>(beta), linear.lastStep(), 1);
    linear.respond();
    const double length =
        linear.dot(linear.lastStep(), linear.direction()) / linear.dot(linear.response(), linear.direction());
    const float alpha =
        std::isfinite(length) ? static_cast<float>(std::clamp(length, 0.0, kLongestStep)) : 0.0f;
    // the sweep has already added its step to the multipliers
    linear.takeBackMultipliers();
    linear.blend(linear.current(), 1, linear.direction(), alpha);
  });
}

}  // namespace

StepResult solveMinimumResidual(const Model& model, State& state, const StepParams& params, Workspace& work,
                                Backend& backend) {
  return solveResidual(model, state, params, work, backend, false);
}

StepResult solveConjugateResiduals(const Model& model, State& state, const StepParams& params,
                                   Workspace& work, Backend& backend) {
  return solveResidual(model, state, params, work, backend, true);
}

}  // namespace repose
