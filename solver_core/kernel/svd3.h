// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The signed singular value decomposition F = U diag(s) V^T of a 3 x 3 matrix: U and V are rotations, s.x >=
// s.y >= |s.z|, and s.z is below zero where F turns space inside out (algorithms.md 7.2). Jacobi rotations on
// the columns of F itself, not on F^T F, which would lose half of the digits of small values. No branches, no
// divisions: the same bits on any number of lanes. F of rank 2, 1 or 0 gets directions that fit.

typedef struct {
  mat3 u, v;
  vec3 s;
} svd3;

#define RE_SVD_SWEEPS 4

RE_FN vec3 v3_select(ints where, vec3 a, vec3 b) {
  return v3(where ? a.x : b.x, where ? a.y : b.y, where ? a.z : b.z);
}

// Turns columns p and q of b and v alike, so that those of b become orthogonal: tan 2t = 2 b_p.b_q / (|b_p|^2
// - |b_q|^2), the smaller of both angles.
RE_FN void svd3_turn(mat3* b, mat3* v, int p, int q) {
  const real dot = v3_dot(b->c[p], b->c[q]);
  const real apart = v3_dot(b->c[p], b->c[p]) - v3_dot(b->c[q], b->c[q]);
  const real h = re_rsqrt(apart * apart + 4.0f * dot * dot);
  // half angle: (1 + cos 2t, sin 2t), made a unit vector whatever underflowed before
  const real x = 0.5f + 0.5f * re_abs(apart) * h;
  const real y = dot * h * (apart < 0.0f ? re_splat(-1.0f) : re_splat(1.0f));
  const real n = re_rsqrt(x * x + y * y), c = x * n, s = y * n;
  mat3* both[2] = {b, v};
  for (int k = 0; k < 2; ++k) {
    const vec3 first = both[k]->c[p], second = both[k]->c[q];
    both[k]->c[p] = v3_mad(first, c, v3_scale(second, s));
    both[k]->c[q] = v3_mad(second, c, v3_scale(first, -s));
  }
}

// The longer column first; the other changes its sign, so that v stays a rotation.
RE_FN void svd3_sort(mat3* b, mat3* v, int p, int q) {
  const ints wrong = v3_dot(b->c[p], b->c[p]) < v3_dot(b->c[q], b->c[q]);
  mat3* both[2] = {b, v};
  for (int k = 0; k < 2; ++k) {
    const vec3 first = both[k]->c[p], second = both[k]->c[q];
    both[k]->c[p] = v3_select(wrong, second, first);
    both[k]->c[q] = v3_select(wrong, v3_scale(first, re_splat(-1.0f)), second);
  }
}

// a as a unit vector, or `otherwise` where it is shorter than what rounding leaves of a column of length 1.
RE_FN vec3 svd3_unit(vec3 a, vec3 otherwise) {
  const real l2 = v3_dot(a, a);
  return v3_select(l2 > 1e-14f, v3_scale(a, re_rsqrt(l2)), otherwise);
}

RE_FN svd3 svd3_of(mat3 f) {
  const real zero = re_splat(0.0f), one = re_splat(1.0f);
  const vec3 ex = v3(one, zero, zero), ey = v3(zero, one, zero), ez = v3(zero, zero, one);
  real most = zero;
  for (int k = 0; k < 3; ++k)
    most = re_max(re_max(most, re_abs(f.c[k].x)), re_max(re_abs(f.c[k].y), re_abs(f.c[k].z)));
  mat3 b = m3_scale(f, re_inverse(most)), v = m3(ex, ey, ez);
  for (int sweep = 0; sweep < RE_SVD_SWEEPS; ++sweep) {
    svd3_turn(&b, &v, 0, 1);
    svd3_turn(&b, &v, 0, 2);
    svd3_turn(&b, &v, 1, 2);
  }
  svd3_sort(&b, &v, 0, 1);
  svd3_sort(&b, &v, 0, 2);
  svd3_sort(&b, &v, 1, 2);

  svd3 r;
  const vec3 u0 = svd3_unit(b.c[0], ex);
  const vec3 aside = v3_mad(u0, -v3_dot(u0, b.c[1]), b.c[1]);
  const ints steep = re_abs(u0.x) > 0.7f;
  const vec3 any = v3_cross(u0, v3_select(steep, ey, ex));
  const vec3 u1 = svd3_unit(aside, v3_scale(any, re_rsqrt(v3_dot(any, any))));
  const vec3 u2 = v3_cross(u0, u1);
  r.u = m3(u0, u1, u2);
  r.v = v;
  r.s = v3_scale(v3(v3_dot(u0, b.c[0]), v3_dot(u1, b.c[1]), v3_dot(u2, b.c[2])), most);
  return r;
}

// U V^T: the rotation nearest to F.
RE_FN mat3 svd3_rotation(svd3 d) { return m3_product(d.u, m3_transposed(d.v)); }
