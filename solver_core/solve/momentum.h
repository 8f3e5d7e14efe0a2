// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

namespace repose {

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
