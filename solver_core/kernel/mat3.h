// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// 3 x 3 matrices as three columns.

typedef struct {
  vec3 c[3];
} mat3;

RE_FN mat3 m3(vec3 a, vec3 b, vec3 c) {
  mat3 m;
  m.c[0] = a, m.c[1] = b, m.c[2] = c;
  return m;
}
RE_FN mat3 m3_add(mat3 a, mat3 b) {
  return m3(v3_add(a.c[0], b.c[0]), v3_add(a.c[1], b.c[1]), v3_add(a.c[2], b.c[2]));
}
RE_FN mat3 m3_sub(mat3 a, mat3 b) {
  return m3(v3_sub(a.c[0], b.c[0]), v3_sub(a.c[1], b.c[1]), v3_sub(a.c[2], b.c[2]));
}
RE_FN mat3 m3_scale(mat3 a, real s) {
  return m3(v3_scale(a.c[0], s), v3_scale(a.c[1], s), v3_scale(a.c[2], s));
}
RE_FN mat3 m3_mad(mat3 a, real s, mat3 b) {
  return m3(v3_mad(a.c[0], s, b.c[0]), v3_mad(a.c[1], s, b.c[1]), v3_mad(a.c[2], s, b.c[2]));
}
RE_FN mat3 m3_transposed(mat3 a) {
  return m3(v3(a.c[0].x, a.c[1].x, a.c[2].x), v3(a.c[0].y, a.c[1].y, a.c[2].y),
            v3(a.c[0].z, a.c[1].z, a.c[2].z));
}
RE_FN vec3 m3_mul(mat3 a, vec3 v) { return v3_mad(a.c[2], v.z, v3_mad(a.c[1], v.y, v3_scale(a.c[0], v.x))); }
// A^T v.
RE_FN vec3 m3_tmul(mat3 a, vec3 v) { return v3(v3_dot(a.c[0], v), v3_dot(a.c[1], v), v3_dot(a.c[2], v)); }
RE_FN mat3 m3_product(mat3 a, mat3 b) { return m3(m3_mul(a, b.c[0]), m3_mul(a, b.c[1]), m3_mul(a, b.c[2])); }
// A S for a symmetric S.
RE_FN mat3 m3_times(mat3 a, sym3 s) {
  return m3(v3_mad(a.c[2], s.xz, v3_mad(a.c[1], s.xy, v3_scale(a.c[0], s.xx))),
            v3_mad(a.c[2], s.yz, v3_mad(a.c[1], s.yy, v3_scale(a.c[0], s.xy))),
            v3_mad(a.c[2], s.zz, v3_mad(a.c[1], s.yz, v3_scale(a.c[0], s.xz))));
}

// A^T A.
RE_FN sym3 m3_gram(mat3 a) {
  sym3 g = {v3_dot(a.c[0], a.c[0]), v3_dot(a.c[0], a.c[1]), v3_dot(a.c[0], a.c[2]),
            v3_dot(a.c[1], a.c[1]), v3_dot(a.c[1], a.c[2]), v3_dot(a.c[2], a.c[2])};
  return g;
}
// A : B.
RE_FN real m3_dot(mat3 a, mat3 b) {
  return v3_dot(a.c[0], b.c[0]) + v3_dot(a.c[1], b.c[1]) + v3_dot(a.c[2], b.c[2]);
}
// The gradient of the determinant.
RE_FN mat3 m3_cofactor(mat3 a) {
  return m3(v3_cross(a.c[1], a.c[2]), v3_cross(a.c[2], a.c[0]), v3_cross(a.c[0], a.c[1]));
}
RE_FN real m3_det(mat3 a) { return v3_dot(a.c[0], v3_cross(a.c[1], a.c[2])); }
