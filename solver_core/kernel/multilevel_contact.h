// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contacts in the linear system of a cloth (coupling_study.md 3, step 1): every row that carries an impulse
// answers as a spring between the cloth and other movers, J^T (k_n n n^T + k_t (1 - n n^T)) J. The rows are
// never put together; the preconditioner sees only their blocks on the diagonal.

// Blocks of contacts on a coarse level, lumped to its diagonal: P^T B P has its row sums, as those of P are
// one.
RE_FN void ml_lump_item(int item RE_ARGS_ml_lump(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  sym3 sum = s3_load(block + first, block_stride);
  for (int k = down_start[slice]; k < down_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    sum = s3_mad(s3_gather(contact, contact_stride, down_point + s), re_load(down_weight + s), sum);
  }
  s3_store(block + first, block_stride, sum);
}

// The velocity that brings a point from low to off; v keeps its inverse mass.
RE_FN void ml_velocity_item(int item RE_ARGS_ml_velocity(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 way = v3_sub(v3_of(re_load4_at(off, first)), v3_of(re_load4_at(low, first)));
  re_store4_at(v, first, v3_with(v3_scale(way, re_splat(inv_h)), re_load4_at(v, first).w));
}

RE_FN void ml_contacts_item(int item RE_ARGS_ml_contacts(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  vec3 u = v3_zero();
  for (int k = 0; k < 4; ++k)
    u = v3_mad(v3_of(re_load4(x, mover + k * stride + first)), re_load(weight + k * stride + first), u);
  const real4 f = re_load4_at(firm, first);
  const vec3 n = v3_of(f);
  const real k_t = re_load(across + first);
  const vec3 answer = v3_mad(n, (f.w - k_t) * v3_dot(n, u), v3_scale(u, k_t));
  const vec3 sum = v3_mad(answer, re_splat(scale), v3_scale(v3_of(re_load4_at(rest, first)), re_splat(keep)));
  re_store4_at(pull, first, v3_with(sum, re_splat(0.0f)));
}

// y += scale J^T pull, row after row of each unknown.
RE_FN void ml_touch_item(int item RE_ARGS_ml_touch(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  RE_GLOBAL const int* at = touched + first;
  vec3 sum = v3_zero();
  for (int k = row_start[slice]; k < row_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    sum = v3_mad(v3_of(re_load4(pull, row + s)), re_load(weight + s), sum);
  }
  sum = v3_scale(sum, re_splat(scale));
  re_store4(y, at, v3_with(v3_add(v3_of(re_load4(y, at)), sum), re_splat(0.0f)), count - first);
  if (product) re_scatter(dot, at, re_gather(dot, at) + v3_dot(v3_of(re_load4(x, at)), sum));
}

// Movers beside the cloth have inertia alone; their own inverse blocks answer at once, without a cycle.
RE_FN void ml_others_item(int item RE_ARGS_ml_others(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const vec3 me = v3_of(re_load4_at(x, first));
  const vec3 to = mode == ML_PRODUCT ? v3_scale(me, re_load(mass + item * RE_LANES) * inv_h2) : me;
  const vec3 with = mode == ML_PRODUCT ? me : v3_of(re_load4_at(rhs, first));
  re_store4_at(y, first, v3_with(to, re_splat(0.0f)));
  re_store(dot + first, v3_dot(with, to));
}
