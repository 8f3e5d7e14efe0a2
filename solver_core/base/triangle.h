// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Places on a triangle by the shares of its corners.
#pragma once
#include "base/types.h"

namespace repose {

struct Shares {
  float a, b, c;
};

inline Vec3f mix(Shares s, Vec3f a, Vec3f b, Vec3f c) { return a * s.a + b * s.b + c * s.c; }

// The corners' shares in the place of a triangle that is nearest to p: the regions of corners and sides come
// first, then the inside.
inline Shares nearestOnTriangle(Vec3f p, Vec3f a, Vec3f b, Vec3f c) {
  const Vec3f ab = b - a, ac = c - a;
  const float d1 = dot(ab, p - a), d2 = dot(ac, p - a);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const float d3 = dot(ab, p - b), d4 = dot(ac, p - b);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const float d5 = dot(ab, p - c), d6 = dot(ac, p - c);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const float of_c = d1 * d4 - d3 * d2, of_b = d5 * d2 - d1 * d6, of_a = d3 * d6 - d5 * d4;
  if (of_c <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  if (of_b <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  if (of_a <= 0 && d4 >= d3 && d5 >= d6) {
    const float t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - t, t};
  }
  const float sum = of_a + of_b + of_c;
  return {of_a / sum, of_b / sum, of_c / sum};
}

}  // namespace repose
