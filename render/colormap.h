// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Colours of numbers: dark indigo over teal to light yellow, with lightness that rises evenly to the eye.
#pragma once
#include <limits>

#include "render/shading_math.h"

namespace repose {

// The values that the first and the last colour stand for.
struct ValueRange {
  float lo = std::numeric_limits<float>::max(), hi = std::numeric_limits<float>::lowest();

  bool empty() const { return lo > hi; }
  void add(float value) {
    if (!std::isfinite(value)) return;
    lo = std::min(lo, value), hi = std::max(hi, value);
  }
  // 0 at lo, 1 at hi, held outside; 0 where there is no extent or no number.
  float share(float value) const { return hi > lo && value > lo ? clamp01((value - lo) / (hi - lo)) : 0; }
};

Color mapColor(float share);  // share from 0 to 1
inline Color mapColor(const ValueRange& range, float value) { return mapColor(range.share(value)); }

}  // namespace repose
