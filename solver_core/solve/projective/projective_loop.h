// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The iterations of a step of projective dynamics, one at a time.
#pragma once
#include "solve/chebyshev.h"
#include "solve/projective/projective.h"

namespace repose {

class ProjectiveLoop {
 public:
  // After pd.weigh() and pd.begin().
  ProjectiveLoop(const Model& model, State& state, const SolverParams& solver, Projective& pd,
                 Backend& backend);
  // Chooses how far an iteration goes, for `count` of them from iteration k on. Chebyshev's polynomial has
  // this degree: cut short it would leave parts of the error turned round, which swing up from step to step.
  void beginCycle(int k, int count);
  void iterate(int k);  // k counts from 0
  // Momentum goes on where it goes up, as that of reference.md (f) does.
  void leaveUnguarded() { guarded_ = false; }

  float gain() const { return gain_; }      // of an iteration before Chebyshev's weights
  float radius() const { return radius_; }  // that these believe in; 0: none yet

 private:
  float sweepOmega() const { return solver_.omega > 0 ? solver_.omega : 1.0f; }
  float choosePace(int count);
  float estimateRadius(float spectral, int count);
  float tuneRadius(int count);
  void takeStep(float weight);  // from the last gradient, with this weight of Chebyshev's
  void measureRatio(int k);

  const Model& model_;
  State& state_;
  const SolverParams& solver_;
  Projective& pd_;
  Backend& backend_;
  GlobalStep way_;
  bool accelerated_, measuring_, guarded_;
  int delay_, first_ = 0, end_ = 0;  // plain iterations of a cycle, its first and its end
  float gain_ = 1, radius_ = 0;
  ChebyshevWeights weights_;
  double last_norm_ = 0;
};

}  // namespace repose
