// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>

namespace repose {

// The power law of improved Jacobi, (l/lmax)^0.6 (algorithms.md 3, formula (B) with a = 1). By our own
// arithmetic, since libraries round pow differently: y = x^(1/5) by Newton's method in double, then y^3.
inline float powerLawMomentum(int iteration, int last) {
  if (iteration <= 0) return 0;
  const float x = static_cast<float>(iteration) / static_cast<float>(last);
  double y = 1;
  for (int k = 0; k < 60; ++k) y -= (y * y * y * y * y - x) / (5 * y * y * y * y);
  return std::min(static_cast<float>(y * y * y), 1.0f);
}

// Nesterov's sequence (algorithms.md 3, AJ): 0, .2818, .4340, .5311, ... -> 1.
class NesterovMomentum {
 public:
  float next() {
    const double later = 0.5 * theta_ * (std::sqrt(theta_ * theta_ + 4) - theta_);
    const double beta = theta_ * (1 - theta_) / (theta_ * theta_ + later);
    theta_ = later;
    return static_cast<float>(beta);
  }

 private:
  double theta_ = 1;
};

}  // namespace repose
