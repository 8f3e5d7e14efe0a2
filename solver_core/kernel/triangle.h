// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Places on a triangle by the shares of its corners. The host has them from base/triangle.h.

typedef struct {
  float a, b, c;
} triangle_shares;

RE_FN triangle_shares triangle_share(float a, float b, float c) {
  triangle_shares s;
  s.a = a, s.b = b, s.c = c;
  return s;
}

RE_FN point3 triangle_mix(triangle_shares s, point3 a, point3 b, point3 c) {
  return p3_add(p3_add(p3_scale(a, s.a), p3_scale(b, s.b)), p3_scale(c, s.c));
}

// The corners' shares in the place of a triangle that is nearest to p: the regions of corners and sides come
// first, then the inside.
RE_FN triangle_shares triangle_nearest(point3 p, point3 a, point3 b, point3 c) {
  const point3 ab = p3_sub(b, a), ac = p3_sub(c, a);
  const float d1 = p3_dot(ab, p3_sub(p, a)), d2 = p3_dot(ac, p3_sub(p, a));
  if (d1 <= 0 && d2 <= 0) return triangle_share(1, 0, 0);
  const float d3 = p3_dot(ab, p3_sub(p, b)), d4 = p3_dot(ac, p3_sub(p, b));
  if (d3 >= 0 && d4 <= d3) return triangle_share(0, 1, 0);
  const float d5 = p3_dot(ab, p3_sub(p, c)), d6 = p3_dot(ac, p3_sub(p, c));
  if (d6 >= 0 && d5 <= d6) return triangle_share(0, 0, 1);
  const float of_c = d1 * d4 - d3 * d2, of_b = d5 * d2 - d1 * d6, of_a = d3 * d6 - d5 * d4;
  if (of_c <= 0 && d1 >= 0 && d3 <= 0) return triangle_share(1 - d1 / (d1 - d3), d1 / (d1 - d3), 0);
  if (of_b <= 0 && d2 >= 0 && d6 <= 0) return triangle_share(1 - d2 / (d2 - d6), 0, d2 / (d2 - d6));
  if (of_a <= 0 && d4 >= d3 && d5 >= d6) {
    const float t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return triangle_share(0, 1 - t, t);
  }
  const float sum = of_a + of_b + of_c;
  return triangle_share(of_a / sum, of_b / sum, of_c / sum);
}
