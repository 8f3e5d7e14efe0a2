// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How far a Jacobi iteration goes: the relaxation factor omega, given or chosen in one of the ways of
// algorithms.md 3.1.
#pragma once
#include "solve/step.h"

namespace repose {

// split_gain: the factor when the masses are split; any below 2 converges, momentum may ask for less.
float jacobiOmega(const Model& model, State& state, const StepParams& params, Workspace& work,
                  Backend& backend, float split_gain = 1.8f);

// Spectral radius of D^-1 A around the current places, by power iteration (algorithms.md 3.1 a).
float rowRadius(const Model& model, State& state, Workspace& work, Backend& backend);

// How much of the residual a plain iteration leaves after `iterations` of them, on the linearised map from
// the current residual: what Chebyshev calls rho, for the count that will be used (algorithms.md 7.3 i).
float contraction(const Model& model, State& state, Workspace& work, Backend& backend, float omega,
                  int iterations);

// Estimates cost as much as the iterations of a step, so they are made once in so many substeps and kept in
// the state.
inline constexpr int kSubstepsBetweenEstimates = 24;
inline bool estimateIsDue(const State& state, float last) {
  return last <= 0 || state.substep % kSubstepsBetweenEstimates == 0;
}

}  // namespace repose
