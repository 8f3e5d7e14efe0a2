// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Vectors of three reals, and the functions of a library that would round differently elsewhere.

typedef struct {
  real x, y, z;
} vec3;

RE_FN vec3 v3(real x, real y, real z) {
  vec3 a;
  a.x = x, a.y = y, a.z = z;
  return a;
}
// NOLINTNEXTLINE(modernize-redundant-void-arg): in C, () takes any arguments
RE_FN vec3 v3_zero(void) { return v3(re_splat(0.0f), re_splat(0.0f), re_splat(0.0f)); }
RE_FN vec3 v3_of(real4 a) { return v3(a.x, a.y, a.z); }
RE_FN vec3 v3_add(vec3 a, vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
RE_FN vec3 v3_sub(vec3 a, vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
RE_FN vec3 v3_scale(vec3 a, real s) { return v3(a.x * s, a.y * s, a.z * s); }
RE_FN vec3 v3_mad(vec3 a, real s, vec3 b) { return v3(a.x * s + b.x, a.y * s + b.y, a.z * s + b.z); }
RE_FN real v3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
RE_FN vec3 v3_cross(vec3 a, vec3 b) {
  return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

RE_FN real4 v3_with(vec3 a, real w) {
  real4 r;
  r.x = a.x, r.y = a.y, r.z = a.z, r.w = w;
  return r;
}

// 0 of what is not above 0.
RE_FN real re_inverse(real a) { return a > 0.0f ? 1.0f / a : re_splat(0.0f); }

// Angle of (x, y) in (-pi, pi], error below 3e-7 rad. The polynomial is an odd fit of atan on [0, 1].
RE_FN real re_atan2(real y, real x) {
  const real ax = re_abs(x), ay = re_abs(y);
  const real low = re_min(ax, ay), high = re_max(ax, ay);
  const real t = low / re_max(high, re_splat(1e-30f));
  const real s = t * t;
  real p = s * -0.004054058f + 0.021861229f;
  p = p * s - 0.055909864f;
  p = p * s + 0.096420042f;
  p = p * s - 0.139085332f;
  p = p * s + 0.199465359f;
  p = p * s - 0.333298624f;
  p = p * s + 0.999999342f;
  real angle = p * t;
  angle = ay > ax ? 1.57079637f - angle : angle;
  angle = x < 0.0f ? 3.14159274f - angle : angle;
  return y < 0.0f ? -angle : angle;
}
