// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Chebyshev's semi-iteration on the Jacobi map (algorithms.md 3): a heavy ball whose step and momentum follow
// from the spectral radius rho of the map. rho is given, or measured on the linearised map for the number of
// iterations in use. Cloth punishes a rho that is too large; the guard starts anew, more carefully, when the
// error grows.
#include <algorithm>

#include "solve/chebyshev.h"
#include "solve/jacobi_sweep.h"
#include "solve/relaxation.h"
#include "solve/residual.h"
#include "solve/solver.h"

namespace repose {

namespace {

constexpr int kMostProducts = 50;
constexpr float kDepth = 3.4f;
constexpr float kLargestRadius = 0.985f;  // above it cloth rings or explodes (reference.md b, pitfall 5)

float mapRadius(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend,
                float omega) {
  const SolverParams& solver = params.solver;
  if (solver.spectralradius > 0) return solver.spectralradius;
  if (estimateIsDue(state, state.map_radius)) {
    const int products = std::min(solver.iterations, kMostProducts);
    state.map_radius = contraction(model, state, work, backend, omega, products);
  }
  return std::min({state.map_radius, kLargestRadius, resolvableRadius(solver.iterations, kDepth)});
}

}  // namespace

StepResult solveChebyshev(const Model& model, State& state, const StepParams& params, Workspace& work,
                          Backend& backend) {
  const float omega = jacobiOmega(model, state, params, work, backend);
  ChebyshevWeights weights(mapRadius(model, state, params, work, backend, omega), params.solver.delay);
  GrowthGuard guard(largestStretch(model, state, params.cloth, work, backend));
  return iterateUntilDone(model, state, params, work, backend, [&](int iteration) {
    const float weight = weights.at(iteration);
    jacobiSweep(model, state, work, backend, iteration, omega * weight, weight - 1);
    if ((iteration + 1) % kIterationsBetweenTests == 0 &&
        guard.tooMuch(largestStretch(model, state, params.cloth, work, backend)))
      weights.restart(iteration);
  });
}

}  // namespace repose
