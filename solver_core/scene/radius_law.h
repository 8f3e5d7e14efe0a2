// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How the radii of grains spread. Only sums, products and square roots, so that every machine draws the same.
#pragma once
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "params/params.h"

namespace repose {

class RadiusLaw {
 public:
  explicit RadiusLaw(const GrainParams& grain)
      : law_(grain.radiusdistribution), mean_(grain.radius), variance_(grain.radiusvariance) {
    if (law_ == RadiusDistribution::lognormal) {
      const double square = logarithm(1 + variance_ * variance_);
      spread_ = std::sqrt(square), shift_ = -square / 2;
    }
  }

  float least() const { return at(law_ == RadiusDistribution::uniform ? -1 : -3); }
  float greatest() const { return at(law_ == RadiusDistribution::uniform ? 1 : 3); }
  // False when some radius would not be above 0.
  bool good() const { return least() > 0 && std::isfinite(greatest()); }
  float draw(Random& random) const {
    if (variance_ == 0) return static_cast<float>(mean_);
    return at(law_ == RadiusDistribution::uniform ? random.between(-1, 1) : random.normal());
  }

 private:
  // `z` standard deviations from the mean; of a uniform law, that share of the greatest difference.
  float at(double z) const {
    const double factor =
        law_ == RadiusDistribution::lognormal ? exponential(spread_ * z + shift_) : 1 + variance_ * z;
    return static_cast<float>(mean_ * factor);
  }
  static double exponential(double x) {
    constexpr double kLn2 = 0.69314718055994530942;
    const double whole = std::floor(x / kLn2 + 0.5), rest = x - whole * kLn2;
    double sum = 1;
    for (int k = 16; k > 0; --k) sum = 1 + rest / k * sum;
    return std::ldexp(sum, static_cast<int>(whole));
  }
  // Of 1 and more, by Halley's iteration.
  static double logarithm(double a) {
    double y = 0;
    for (int k = 0; k < 40; ++k) {
      const double e = exponential(y);
      y += 2 * (a - e) / (a + e);
    }
    return y;
  }

  RadiusDistribution law_;
  double mean_, variance_, spread_ = 0, shift_ = 0;
};

}  // namespace repose
