// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One cycle through the hierarchy, and the vectors of conjugate gradients (cloth_study.md 5).

// What a product is for: y = A x with x.y; y = r - A x; y = x + omega D^-1 (r - A x) with r.y.
#define ML_PRODUCT  0
#define ML_RESIDUAL 1
#define ML_SMOOTH   2

RE_FN void ml_finish(int first, vec3 ax, vec3 x, int mode, float omega, RE_GLOBAL const point4* rhs,
                     RE_GLOBAL const float* inverse, int stride, RE_GLOBAL point4* y, RE_GLOBAL float* dot) {
  const real zero = re_splat(0.0f);
  if (mode == ML_PRODUCT) {
    re_store4_at(y, first, v3_with(ax, zero));
    re_store(dot + first, v3_dot(x, ax));
    return;
  }
  const vec3 r = v3_of(re_load4_at(rhs, first));
  const vec3 left = v3_sub(r, ax);
  if (mode == ML_RESIDUAL) {
    re_store4_at(y, first, v3_with(left, zero));
    return;
  }
  const vec3 z = v3_mad(s3_mul(s3_load(inverse + first, stride), left), re_splat(omega), x);
  re_store4_at(y, first, v3_with(z, zero));
  re_store(dot + first, v3_dot(r, z));
}

// The fine level's matrix from its edges.
RE_FN void ml_edges_item(int item RE_ARGS_ml_edges(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 me = v3_of(re_load4_at(x, first));
  vec3 sum = v3_scale(me, re_load(mass + first) * inv_h2);
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const vec3 d = v3_sub(me, v3_of(re_load4(x, edge_point + k * 16 + lane)));
    if (width == 4) {
      const int m = k * 64 + lane;
      const vec3 n = v3(re_load(edge + m), re_load(edge + m + 16), re_load(edge + m + 32));
      sum = v3_mad(n, v3_dot(n, d), v3_mad(d, re_load(edge + m + 48), sum));
    } else {
      sum = v3_add(sum, s3_mul(s3_load(edge + k * 96 + lane, 16), d));
    }
  }
  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    sum = v3_mad(v3_sub(me, v3_of(re_load4(x, bend_point + s))), re_load(bend_weight + s) * bend, sum);
  }
  if (contact_stride > 0) sum = v3_add(sum, s3_mul(s3_load(contact + first, contact_stride), me));
  ml_finish(first, sum, me, mode, omega, rhs, inverse, stride, y, dot);
}

// A coarse level's matrix from its blocks: the diagonal, then six floats an entry.
RE_FN void ml_blocks_item(int item RE_ARGS_ml_blocks(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 me = v3_of(re_load4_at(x, first));
  vec3 sum = s3_mul(s3_load(block + first, block_stride), me);
  for (int k = row_start[slice]; k < row_start[slice + 1]; ++k) {
    const sym3 a = s3_load(row + k * 96 + lane, 16);
    sum = v3_add(sum, s3_mul(a, v3_of(re_load4(x, row_node + k * 16 + lane))));
  }
  ml_finish(first, sum, me, mode, omega, rhs, inverse, stride, y, dot);
}

// x += alpha p, r -= alpha q, z = omega D^-1 r: an iteration's update and the first smoothing.
RE_FN void ml_update_item(int item RE_ARGS_ml_update(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real zero = re_splat(0.0f), a = re_splat(alpha);
  const vec3 x_new = v3_mad(v3_of(re_load4_at(p, first)), a, v3_of(re_load4_at(x, first)));
  const vec3 r_new = v3_mad(v3_of(re_load4_at(q, first)), -a, v3_of(re_load4_at(r, first)));
  re_store4_at(x, first, v3_with(x_new, zero));
  re_store4_at(r, first, v3_with(r_new, zero));
  const vec3 smooth = s3_mul(s3_load(inverse + first, stride), r_new);
  re_store4_at(z, first, v3_with(v3_scale(smooth, re_splat(omega)), zero));
}

// y = a + s b.
RE_FN void ml_axpy_item(int item RE_ARGS_ml_axpy(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 sum = v3_mad(v3_of(re_load4_at(b, first)), re_splat(s), v3_of(re_load4_at(a, first)));
  re_store4_at(y, first, v3_with(sum, re_splat(0.0f)));
}

// Restriction r = P^T t with the first smoothing z = omega D^-1 r of the coarse level.
RE_FN void ml_restrict_item(int item RE_ARGS_ml_restrict(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  vec3 sum = v3_zero();
  for (int k = down_start[slice]; k < down_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    sum = v3_mad(v3_of(re_load4(t, down_point + s)), re_load(down_weight + s), sum);
  }
  re_store4_at(r, first, v3_with(sum, re_splat(0.0f)));
  const vec3 smooth = s3_mul(s3_load(inverse + first, stride), sum);
  re_store4_at(z, first, v3_with(v3_scale(smooth, re_splat(omega)), re_splat(0.0f)));
}

// Prolongation z += P c.
RE_FN void ml_prolong_item(int item RE_ARGS_ml_prolong(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  vec3 sum = v3_of(re_load4_at(z, first));
  for (int k = up_start[slice]; k < up_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    sum = v3_mad(v3_of(re_load4(c, up_node + s)), re_load(up_weight + s), sum);
  }
  re_store4_at(z, first, v3_with(sum, re_splat(0.0f)));
}

// Galerkin product P^T A P, one block a lane: a weighted sum of the finer level's edges or blocks plus the
// mass. The block goes to its own place and, off the diagonal, into the rows of both nodes.
RE_FN void ml_galerkin_item(int item RE_ARGS_ml_galerkin(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  sym3 sum = s3_scaled_identity(re_load(block_mass + first) * inv_h2 + re_load(block_bend + first) * bend);
  for (int k = list_start[slice]; k < list_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    RE_GLOBAL const int* at = source + s;
    const real w = re_load_short(weight + s) * unit;
    if (from_edges) {
      const vec3 n = v3(re_gather(fine, at), re_gather(fine + 16, at), re_gather(fine + 32, at));
      sum = s3_mad(s3_outer(n, re_gather(fine + 48, at)), w, sum);
    } else {
      sum = s3_mad(s3_gather(fine, fine_stride, at), w, sum);
    }
  }
  s3_store(block + first, stride, sum);
  if (first < nodes) return;
  for (int side = 0; side < 2; ++side) {
    RE_GLOBAL const int* to = place + side * stride + first;
    re_scatter(row, to, sum.xx), re_scatter(row + 16, to, sum.xy), re_scatter(row + 32, to, sum.xz);
    re_scatter(row + 48, to, sum.yy), re_scatter(row + 64, to, sum.yz), re_scatter(row + 80, to, sum.zz);
  }
}

// Inverse diagonal blocks of a coarse level; padding nodes have no mass and get zero.
RE_FN void ml_invert_item(int item RE_ARGS_ml_invert(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const sym3 a = s3_load(block + first, block_stride);
  s3_store(inverse + first, stride, s3_inverse(a, a.xx));
}

// Sums of a block of values, in order; see measure.h.
RE_FN void ml_sum_item(int item RE_ARGS_ml_sum(RE_BUFFER, RE_VALUE)) {
  real part[16 / RE_LANES];
  for (int c = 0; c < 16 / RE_LANES; ++c) part[c] = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int slice = item * RE_BLOCK; slice < end; slice += 16)
    for (int c = 0; c < 16 / RE_LANES; ++c) part[c] = part[c] + re_load(value + slice + c * RE_LANES);
  result[item] = joined(part);
}

// The same for each of three components.
RE_FN void ml_sum3_item(int item RE_ARGS_ml_sum3(RE_BUFFER, RE_VALUE)) {
  real part[3][16 / RE_LANES];
  for (int c = 0; c < 16 / RE_LANES; ++c) part[0][c] = part[1][c] = part[2][c] = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int slice = item * RE_BLOCK; slice < end; slice += 16)
    for (int c = 0; c < 16 / RE_LANES; ++c) {
      const real4 v = re_load4_at(value, slice + c * RE_LANES);
      part[0][c] = part[0][c] + v.x;
      part[1][c] = part[1][c] + v.y;
      part[2][c] = part[2][c] + v.z;
    }
  for (int k = 0; k < 3; ++k) result[3 * item + k] = joined(part[k]);
}

// Ends a step: x + off is split anew into a float position and what it lacks; v = (displacement) / h.
RE_FN void ml_integrate_item(int item RE_ARGS_ml_integrate(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real4 me = re_load4_at(x, first);
  const vec3 place = v3_of(me), all = v3_of(re_load4_at(off, first)), low = v3_of(re_load4_at(x_low, first));
  const vec3 high = v3_add(place, all);
  const vec3 taken = v3_sub(high, place);
  // two-sum: what the rounded sum lost, exactly
  const vec3 lost = v3_add(v3_sub(place, v3_sub(high, taken)), v3_sub(all, taken));
  re_store4_at(v, first, v3_with(v3_scale(v3_sub(all, low), re_splat(inv_h)), re_splat(0.0f)));
  re_store4_at(x, first, v3_with(high, me.w));
  re_store4_at(x_low, first, v3_with(lost, re_splat(0.0f)));
}

// The velocity of BDF2, (3 x - 4 x' + x'')/2h, from the mean velocities of this step and the last.
RE_FN void ml_second_order_item(int item RE_ARGS_ml_second_order(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 now = v3_of(re_load4_at(v, first)), last = v3_of(re_load4_at(v_mean, first));
  const vec3 ahead = v3_mad(v3_sub(now, last), re_splat(0.5f), now);
  re_store4_at(v_mean, first, v3_with(now, re_splat(0.0f)));
  re_store4_at(v, first, v3_with(ahead, re_splat(0.0f)));
}
