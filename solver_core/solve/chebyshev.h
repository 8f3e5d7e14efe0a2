// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Chebyshev's semi-iteration on any map whose eigenvalues are real (algorithms.md 3): a heavy ball whose step
// and momentum follow from the spectral radius rho of the map, and the guard that starts it anew, more
// carefully, when the error grows (algorithms.md 7.3).
#pragma once
#include <algorithm>

namespace repose {

// With few iterations a radius near 1 asks for more than a polynomial of that degree can give: it would leave
// all parts of the error alike, or amplify them. Of the parts within the radius 1/cosh(sqrt(2 depth)) is
// left.
inline float resolvableRadius(int iterations, float depth) {
  const auto k = static_cast<float>(iterations);
  return 1 / (1 + depth / (k * k));
}

class ChebyshevWeights {
 public:
  ChebyshevWeights(float rho, int delay) : rho_(rho), begin_(delay) {}
  // Of iteration k, which counts from 0. A weight of 1 is a plain iteration without momentum.
  float at(int k) {
    if (k < begin_) return 1;
    weight_ = k == begin_ ? 2 / (2 - rho_ * rho_) : 4 / (4 - rho_ * rho_ * weight_);
    return weight_;
  }
  // Where rho is measured in the plain iterations before.
  void setRadius(float rho) { rho_ = rho; }
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
  explicit GrowthGuard(double start) : start_(start), last_(start) {}
  bool tooMuch(double error) {
    constexpr int kGrowthsBeforeRestart = 3;
    constexpr int kExplosion = 4;  // times the error at the start of the step
    growths_ = error > last_ ? growths_ + 1 : 0;
    last_ = error;
    if (growths_ < kGrowthsBeforeRestart && error <= kExplosion * start_) return false;
    growths_ = 0;
    return true;
  }

 private:
  double start_, last_;
  int growths_ = 0;
};

}  // namespace repose
