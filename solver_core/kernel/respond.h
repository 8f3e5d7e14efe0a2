// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The linearised Jacobi sweep: a displacement u of the points and a change m of the multipliers in, their
// response D^-1 (A + E) out, as W J^T D^-1 q of the points and D^-1 q of the rows, with q = (1 + rho) J u +
// alpha m (algorithms.md 2.3). Power iterations, minimum and conjugate residuals are made of it, of sums and
// of dot products.

RE_FN void respond_quadratic_item(int item RE_ARGS_respond_quadratic(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  vec3 slide = v3_zero();
  for (int s = 0; s < 4; ++s)
    slide =
        v3_mad(v3_of(re_load4(u, corner + s * stride + first)), re_load(weight + s * stride + first), slide);
  const real a = re_load(alpha + first), d = re_load(inv_diagonal + first);
  const vec3 q = v3_mad(v3_of(re_load4_at(multiplier, first)), a, v3_scale(slide, re_splat(1.0f + rho)));
  const real4 answer = v3_with(v3_scale(q, d), re_splat(0.0f));
  re_store4_at(response, first, answer);
  re_store4_at(push, first, answer);
}

RE_FN void respond_dihedral_item(int item RE_ARGS_respond_dihedral(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  real4 p[4];
  for (int s = 0; s < 4; ++s) p[s] = re_load4(x, corner + s * stride + first);
  const hinge now = hinge_at(v3_of(p[0]), v3_of(p[1]), v3_of(p[2]), v3_of(p[3]));
  real a = re_splat(0.0f), slide = re_splat(0.0f);
  for (int s = 0; s < 4; ++s) {
    a = a + v3_dot(now.gradient[s], now.gradient[s]) * p[s].w * re_load(split + s * stride + first);
    slide = slide + v3_dot(now.gradient[s], v3_of(re_load4(u, corner + s * stride + first)));
  }
  const real soft = re_load(alpha + first);
  const real inv_d = 1.0f / re_max((1.0f + rho) * a + soft, re_splat(1e-30f));
  const real answer = ((1.0f + rho) * slide + soft * re_load(multiplier + first)) * inv_d;
  re_store(response + first, answer);
  for (int s = 0; s < 4; ++s)
    re_store4_at(push, s * stride + first, v3_with(v3_scale(now.gradient[s], answer), re_splat(0.0f)));
}

RE_FN void respond_item(int item RE_ARGS_respond(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const real4 me = re_load4_at(x, first);
  const vec3 place = v3_of(me), own = v3_of(re_load4_at(u, first));
  vec3 sum = v3_zero();

  for (int k = rigid_start[slice]; k < rigid_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    const vec3 d = v3_sub(place, v3_of(re_load4(x, rigid_point + e)));
    const real y = re_rsqrt(v3_dot(d, d));
    const real slide = v3_dot(d, v3_sub(own, v3_of(re_load4(u, rigid_point + e)))) * y;
    sum = v3_mad(d, y * (slide * re_load(rigid_inv_diagonal + e)), sum);
  }

  // a row that only pulls answers while it is taut
  for (int k = pull_start[slice]; k < pull_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    const vec3 d = v3_sub(place, v3_of(re_load4(x, pull_point + e)));
    const real l2 = v3_dot(d, d), y = re_rsqrt(l2), rest = re_load(pull_rest + e);
    const real slide = v3_dot(d, v3_sub(own, v3_of(re_load4(u, pull_point + e)))) * y;
    const real inv_d = l2 * y > rest ? re_load(pull_inv_diagonal + e) : re_splat(0.0f);
    sum = v3_mad(d, y * (slide * inv_d), sum);
  }

  for (int k = soft_start[slice]; k < soft_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    const vec3 d = v3_sub(place, v3_of(re_load4(x, soft_point + e)));
    const real y = re_rsqrt(v3_dot(d, d));
    const real slide = v3_dot(d, v3_sub(own, v3_of(re_load4(u, soft_point + e)))) * y;
    const real q =
        (1.0f + re_load(soft_rho + e)) * slide + re_load(soft_alpha + e) * re_load(soft_multiplier + e);
    const real answer = q * re_load(soft_inv_diagonal + e);
    re_store(soft_response + e, answer);
    sum = v3_mad(d, y * answer, sum);
  }

  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    sum = v3_mad(v3_of(re_load4(bend_push, bend_row + e)), re_load(bend_weight + e), sum);
  }
  re_store4_at(response, first, v3_with(v3_scale(sum, me.w), re_splat(0.0f)));
}

// y = keep y + gain x, RE_LANES floats an item.
RE_FN void blend_item(int item RE_ARGS_blend(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  re_store(y + first, re_load(y + first) * keep + re_load(x + first) * gain);
}
