// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Distance row between two points, C = |d| - rest (algorithms.md 6). Multipliers are lambda = h p, so a point
// moves by w n dlambda. A zero edge has no direction and gets no push: re_rsqrt stays finite and d is zero.

// -dlambda/|d| of a row without compliance and damping: dlambda = -C / diagonal. l2 = d . d, y = 1/|d|.
RE_FN real distance_share(real l2, real y, real rest, real inv_diagonal) {
  const real c = l2 * y - rest;
  return c * y * inv_diagonal;
}

// n dlambda of such a row.
RE_FN vec3 distance_rigid(vec3 d, real rest, real inv_diagonal) {
  const real l2 = v3_dot(d, d);
  return v3_scale(d, -distance_share(l2, re_rsqrt(l2), rest, inv_diagonal));
}

// The same for a row that only pulls: C = max(|d| - rest, 0).
RE_FN vec3 distance_pull(vec3 d, real rest, real inv_diagonal) {
  const real l2 = v3_dot(d, d);
  const real y = re_rsqrt(l2);
  const real c = re_max(l2 * y - rest, re_splat(0.0f));
  return v3_scale(d, -(c * y * inv_diagonal));
}

// dlambda of a row with compliance alpha = e/h^2 and damping rho = rho_d/h, formulas (R) and (D) of
// algorithms.md 2.3 times h; `slide` is n . (displacement of the ends since the start of the step).
RE_FN real soft_step(real c, real slide, real lambda, real alpha, real rho, real inv_diagonal) {
  return -(c + rho * slide + alpha * lambda) * inv_diagonal;
}

// The ways d from `count` other points, a constant, to a place; l2 = d . d, y = 1/|d|.
RE_FN void distances(int count, vec3 place, RE_GLOBAL const point4* x, RE_GLOBAL const int* point, vec3* d,
                     real* l2, real* y) {
  RE_UNROLL
  for (int j = 0; j < count; ++j) {
    d[j] = v3_sub(place, v3_of(re_load4(x, point + j * 16)));
    l2[j] = v3_dot(d[j], d[j]);
  }
  re_rsqrts(count, l2, y);
}
