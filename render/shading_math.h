// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Colour and direction arithmetic of the pictures. Colours are linear RGB with the primaries of sRGB.
#pragma once
#include <algorithm>
#include <cmath>

#include "base/types.h"

namespace repose {

using Color = Vec3f;

inline constexpr float kPi = 3.14159265358979f;

inline Vec3f normalized(Vec3f v) {
  const float l = length(v);
  return l > 0 ? v * (1 / l) : Vec3f{0, 1, 0};
}
inline Color modulate(Color a, Color b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Color blend(Color a, Color b, float share_of_b) { return a + (b - a) * share_of_b; }
inline float clamp01(float t) { return std::min(std::max(t, 0.0f), 1.0f); }
inline float smoothStep(float from, float to, float t) {
  const float s = clamp01((t - from) / (to - from));
  return s * s * (3 - 2 * s);
}
inline float radians(float degrees) { return degrees * (kPi / 180); }

// Two directions that make a right-handed orthonormal frame with n (Duff et al., JCGT 6(1), 2017).
inline void tangentFrame(Vec3f n, Vec3f& t, Vec3f& b) {
  const float sign = std::copysign(1.0f, n.z);
  const float a = -1 / (sign + n.z), c = n.x * n.y * a;
  t = {1 + sign * n.x * n.x * a, sign * c, -sign * n.x};
  b = {c, sign + n.y * n.y * a, -n.y};
}

}  // namespace repose
