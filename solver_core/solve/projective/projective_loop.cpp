// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The loop of projective dynamics (algorithms.md 7): gradient, which holds the local step; global step; and
// Chebyshev's momentum over both, which begins anew where it would go up.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/projective/projective_loop.h"
#include "solve/solver.h"
#include "solve/workspace.h"

namespace repose {

namespace {

constexpr int kRatioProducts = 64;
constexpr float kDepth = 10;  // a fortieth is left of what can be resolved
constexpr float kLargestRadius = 0.99999f;
// Of 2/largest, where the fastest part of the error would turn round in each iteration.
constexpr float kPlainGain = 1.8f;
constexpr int kTuneEvery = 24, kTuneSteps = 8;  // substeps; sections
constexpr int kFirstCycle = 10;                 // where a tolerance may end the step; each is twice the last
constexpr float kLargestDirectRadius = 0.95f;

// Libraries round this differently.
float tenToThe(double power) {
  const double x = power * 2.302585092994046 / 64;
  double e = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5))));
  for (int k = 0; k < 6; ++k) e *= e;
  return static_cast<float>(e);
}

}  // namespace

ProjectiveLoop::ProjectiveLoop(const Model& model, State& state, const SolverParams& solver, Projective& pd,
                               Backend& backend)
    : model_(model),
      state_(state),
      solver_(solver),
      pd_(pd),
      backend_(backend),
      way_(solver.globalstep),
      accelerated_(solver.chebyshev && way_ != GlobalStep::conjugate_gradients),
      measuring_(accelerated_ && way_ == GlobalStep::direct && solver.spectralradius <= 0),
      guarded_(accelerated_),
      delay_(measuring_ ? std::max(solver.delay, 2) : solver.delay),
      weights_(0, 0) {}

void ProjectiveLoop::beginCycle(int k, int count) {
  first_ = k, end_ = k + count;
  radius_ = choosePace(count);
  weights_ = ChebyshevWeights(radius_, k + delay_);
}

void ProjectiveLoop::iterate(int k) {
  pd_.findGradient(model_, state_, backend_);
  if (way_ == GlobalStep::conjugate_gradients) return pd_.conjugate(state_, k == 0, backend_);
  if (measuring_ && k <= first_ + delay_) measureRatio(k);
  // The energy curves down where springs are pressed together, and the radius may be wrong: momentum that
  // goes up begins anew, with a polynomial for what is left of the cycle.
  if (guarded_ && k > first_ && pd_.uphill(state_, backend_) > 0) {
    beginCycle(k, end_ - k);
    if (solver_.radiusestimate == RadiusEstimate::ratio) pd_.findGradient(model_, state_, backend_);
  }
  takeStep(accelerated_ ? weights_.at(k) : 1.0f);
}

void ProjectiveLoop::takeStep(float weight) {
  switch (way_) {
    case GlobalStep::direct:
      pd_.direct();
      break;
    case GlobalStep::gauss_seidel:
    case GlobalStep::gauss_seidel_coloured:
    case GlobalStep::red_black:
      pd_.gaussSeidel(sweepOmega(), accelerated_, backend_);
      break;
    default:
      pd_.jacobi(backend_);
  }
  pd_.move(state_, gain_ * weight, weight - 1, backend_);
}

// The gain of plain iterations and the spectral radius they then have: the interval form of algorithms.md 3.
float ProjectiveLoop::choosePace(int count) {
  const bool jacobi = way_ == GlobalStep::jacobi;
  gain_ = jacobi || way_ == GlobalStep::direct ? sweepOmega() : 1.0f;
  if (way_ == GlobalStep::direct || way_ == GlobalStep::conjugate_gradients) return solver_.spectralradius;
  const bool choosing = !(jacobi && solver_.omega > 0);
  if (!accelerated_ && (!jacobi || !choosing)) return 0;
  const Spectrum& spectrum = pd_.spectrum(way_, sweepOmega(), backend_);
  const auto least = static_cast<float>(spectrum.least), largest = static_cast<float>(spectrum.largest);
  float radius = (largest - least) / (largest + least);
  if (accelerated_) radius = std::min({radius, kLargestRadius, resolvableRadius(count, kDepth)});
  if (solver_.spectralradius > 0) radius = solver_.spectralradius;
  if (choosing)
    gain_ = (accelerated_ ? 1 + radius : std::min(1 + radius, kPlainGain)) / largest;
  else if (solver_.spectralradius <= 0)
    radius = std::min(std::max(1 - gain_ * least, gain_ * largest - 1), kLargestRadius);
  if (!accelerated_) return 0;
  return solver_.spectralradius > 0 ? radius : estimateRadius(radius, count);
}

// spectral: as the spectrum says, for so many iterations.
float ProjectiveLoop::estimateRadius(float spectral, int count) {
  switch (solver_.radiusestimate) {
    case RadiusEstimate::ratio:
      pd_.findGradient(model_, state_, backend_);
      return std::min(spectral,
                      pd_.contraction(way_, sweepOmega(), gain_, std::min(count, kRatioProducts), backend_));
    case RadiusEstimate::power:
      return std::min(spectral, pd_.powerRadius(way_, sweepOmega(), gain_, backend_));
    case RadiusEstimate::tuned:
      if (state_.map_radius == 0 || state_.substep % kTuneEvery == 0) state_.map_radius = tuneRadius(count);
      return state_.map_radius;
    default:
      return spectral;
  }
}

// Golden section on the logarithm of 1 - radius (algorithms.md 7.3): the iterations of this very step are
// tried and taken back.
float ProjectiveLoop::tuneRadius(int count) {
  const std::vector<Vec4f> x = state_.x;
  const auto left = [&](double logarithm) {
    ChebyshevWeights weights(1 - tenToThe(logarithm), delay_);
    pd_.forgetLast(state_);
    for (int k = 0; k < count; ++k) {
      pd_.findGradient(model_, state_, backend_);
      takeStep(weights.at(k));
    }
    pd_.findGradient(model_, state_, backend_);
    const double norm = pd_.gradientNorm(backend_);
    state_.x = x;
    return std::isfinite(norm) ? norm : std::numeric_limits<double>::max();
  };
  constexpr double kGolden = 0.618033988749895;
  double low = -5, high = -1;
  double at[2] = {high - kGolden * (high - low), low + kGolden * (high - low)};
  double norm[2] = {left(at[0]), left(at[1])};
  for (int k = 0; k < kTuneSteps; ++k) {
    const bool lower = norm[0] < norm[1];
    (lower ? high : low) = at[lower ? 1 : 0];
    at[lower ? 1 : 0] = at[lower ? 0 : 1], norm[lower ? 1 : 0] = norm[lower ? 0 : 1];
    const int fresh = lower ? 0 : 1;
    at[fresh] = lower ? high - kGolden * (high - low) : low + kGolden * (high - low);
    norm[fresh] = left(at[fresh]);
  }
  pd_.forgetLast(state_);
  return 1 - tenToThe(norm[0] < norm[1] ? at[0] : at[1]);
}

void ProjectiveLoop::measureRatio(int k) {
  const double now = pd_.gradientNorm(backend_);
  if (k == first_ + delay_ && last_norm_ > 0)
    weights_.setRadius(radius_ = std::min(static_cast<float>(now / last_norm_), kLargestDirectRadius));
  last_norm_ = now;
}

StepResult solveProjective(const Model& model, State& state, const StepParams& params, Workspace& work,
                           Backend& backend) {
  work.projective->begin(state, work.x_start);
  ProjectiveLoop loop(model, state, params.solver, *work.projective, backend);
  const bool testing = params.solver.tolerance > 0;
  StepResult result;
  for (int cycle = testing ? kFirstCycle : params.solver.iterations;; cycle *= 2) {
    const int left = params.solver.iterations - result.iterations, count = std::min(cycle, left);
    if (count == 0) return result;
    loop.beginCycle(result.iterations, count);
    for (int k = 0; k < count; ++k) loop.iterate(result.iterations++);
    if (testing) testTolerance(model, state, params, work, backend, result);
    if (testing && result.converged) return result;
  }
}

}  // namespace repose
