// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Vectors of three single floats, for kernels that look at one thing after another; those of lanes are in
// vec.h.

RE_FN point3 p3(float x, float y, float z) {
  point3 a;
  a.x = x, a.y = y, a.z = z;
  return a;
}
RE_FN point3 p3_add(point3 a, point3 b) { return p3(a.x + b.x, a.y + b.y, a.z + b.z); }
RE_FN point3 p3_sub(point3 a, point3 b) { return p3(a.x - b.x, a.y - b.y, a.z - b.z); }
RE_FN point3 p3_minus(point3 a) { return p3(-a.x, -a.y, -a.z); }
RE_FN point3 p3_scale(point3 a, float s) { return p3(a.x * s, a.y * s, a.z * s); }
RE_FN float p3_dot(point3 a, point3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
RE_FN point3 p3_cross(point3 a, point3 b) {
  return p3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
