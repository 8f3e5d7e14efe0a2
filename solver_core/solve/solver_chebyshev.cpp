// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Chebyshev's semi-iteration on the Jacobi map (algorithms.md 3): a heavy ball whose step and momentum follow
// from the spectral radius rho of the map. rho is given, or measured on the linearised map for the number of
// iterations in use. Cloth punishes a rho that is too large; the guard starts anew, more carefully, when the
// error grows.
#include <algorithm>

#include "solve/jacobi_sweep.h"
#include "solve/relaxation.h"
#include "solve/residual.h"
#include "solve/solver.h"

namespace repose {

namespace {

constexpr int kMostProducts = 50;
constexpr float kLargestRadius = 0.985f;  // above it cloth rings or explodes (reference.md b, pitfall 5)
constexpr int kGrowthsBeforeRestart = 3;  // algorithms.md 7.3
constexpr float kExplosion = 4;           // times the stretch at the start of the step

class ChebyshevWeights {
 public:
  ChebyshevWeights(float rho, int delay) : rho_(rho), begin_(delay) {}
  // Of iteration k, which counts from 0. A weight of 1 is a plain iteration without momentum.
  float at(int k) {
    if (k < begin_) return 1;
    weight_ = k == begin_ ? 2 / (2 - rho_ * rho_) : 4 / (4 - rho_ * rho_ * weight_);
    return weight_;
  }
  // After iteration k: forgets the momentum and goes on with half the trust in rho.
  void restart(int k) {
    rho_ = std::max(0.0f, 1 - 2 * (1 - rho_));
    begin_ = k + 2;
  }

 private:
  float rho_, weight_ = 1;
  int begin_;
};

// Says when the error grew often or much.
class GrowthGuard {
 public:
  explicit GrowthGuard(float start) : start_(start), last_(start) {}
  bool tooMuch(float error) {
    growths_ = error > last_ ? growths_ + 1 : 0;
    last_ = error;
    if (growths_ < kGrowthsBeforeRestart && error <= kExplosion * start_) return false;
    growths_ = 0;
    return true;
  }

 private:
  float start_, last_;
  int growths_ = 0;
};

// With few iterations a radius near 1 asks for more than a polynomial of that degree can give, and amplifies.
float largestRadius(int iterations) {
  const auto k = static_cast<float>(iterations);
  return std::min(kLargestRadius, 1 / (1 + 3.4f / (k * k)));
}

float mapRadius(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend,
                float omega) {
  const SolverParams& solver = params.solver;
  if (solver.spectralradius > 0) return solver.spectralradius;
  if (estimateIsDue(state, state.map_radius)) {
    const int products = std::min(solver.iterations, kMostProducts);
    state.map_radius = contraction(model, state, work, backend, omega, products);
  }
  return std::min(state.map_radius, largestRadius(solver.iterations));
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
