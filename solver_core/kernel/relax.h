// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pass 2 of a Jacobi iteration, one item a block of RE_LANES points. Distance rows are cheap enough to be
// evaluated here by both ends (half the memory traffic of a pass of their own, same bits at both ends because
// d only changes its sign); bending rows were evaluated in pass 1. Every sum runs in list order, so any
// thread count gives the same. Momentum is a displacement of the point, form m1 of algorithms.md 3 [FIX 15].

// Adds the pushes of `count` rigid rows, a constant, in their order.
RE_FN vec3 add_rigid(int count, vec3 place, vec3 sum, RE_GLOBAL const point4* x, RE_GLOBAL const int* point,
                     RE_GLOBAL const float* rest, RE_GLOBAL const float* inv_diagonal) {
  vec3 d[RE_ROWS];
  real l2[RE_ROWS], y[RE_ROWS];
  distances(count, place, x, point, d, l2, y);
  RE_UNROLL
  for (int j = 0; j < count; ++j)
    y[j] = distance_share(l2[j], y[j], re_load(rest + j * 16), re_load(inv_diagonal + j * 16));
  RE_UNROLL
  for (int j = 0; j < count; ++j) sum = v3_sub(sum, v3_scale(d[j], y[j]));
  return sum;
}

// Rows so many ahead are fetched while those at hand are computed: processors foresee the next lines of a
// list, but not beyond a page, which is 64 rows.
#define RE_RELAX_AHEAD 24

RE_FN void fetch_rigid(int row, RE_GLOBAL const int* point, RE_GLOBAL const float* rest,
                       RE_GLOBAL const float* inv_diagonal) {
  for (int e = (row + RE_RELAX_AHEAD) * 16; e < (row + RE_RELAX_AHEAD + RE_ROWS) * 16; e += 16) {
    RE_PREFETCH(point + e);
    RE_PREFETCH(rest + e);
    RE_PREFETCH(inv_diagonal + e);
  }
}

RE_FN void relax_item(int item RE_ARGS_relax(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const real4 me = re_load4_at(x, first);
  const vec3 place = v3_of(me);
  vec3 sum = v3_zero();

  int r = rigid_start[slice];
  for (; r + RE_ROWS <= rigid_start[slice + 1]; r += RE_ROWS) {
    if (r + RE_RELAX_AHEAD + RE_ROWS <= far_rows) fetch_rigid(r, rigid_point, rigid_rest, rigid_inv_diagonal);
    sum = add_rigid(RE_ROWS, place, sum, x, rigid_point + r * 16 + lane, rigid_rest + r * 16 + lane,
                    rigid_inv_diagonal + r * 16 + lane);
  }
  for (; r < rigid_start[slice + 1]; ++r)
    sum = add_rigid(1, place, sum, x, rigid_point + r * 16 + lane, rigid_rest + r * 16 + lane,
                    rigid_inv_diagonal + r * 16 + lane);

  if (soft_start[slice] < soft_start[slice + 1]) {
    const vec3 moved = v3_sub(place, v3_of(re_load4_at(x_start, first)));
    for (int k = soft_start[slice]; k < soft_start[slice + 1]; ++k) {
      const int e = k * 16 + lane;
      const vec3 other = v3_of(re_load4(x, soft_point + e));
      const vec3 d = v3_sub(place, other);
      const vec3 other_moved = v3_sub(other, v3_of(re_load4(x_start, soft_point + e)));
      const real l2 = v3_dot(d, d), y = re_rsqrt(l2);
      const real slide = v3_dot(d, v3_sub(moved, other_moved)) * y;
      const real lambda = re_load(soft_lambda + e) * keep;
      const real step = soft_step(l2 * y - re_load(soft_rest + e), slide, lambda, re_load(soft_alpha + e),
                                  re_load(soft_rho + e), re_load(soft_inv_diagonal + e));
      const real change = step * gain + re_load(soft_momentum + e) * (beta * keep);
      re_store(soft_momentum + e, change);
      re_store(soft_lambda + e, lambda + change);
      sum = v3_mad(d, y * step, sum);
    }
  }

  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    sum = v3_mad(v3_of(re_load4(bend_push, bend_row + e)), re_load(bend_weight + e), sum);
  }

  // nothing would push back a row that pulled too far: none goes beyond its own solution
  for (int k = pull_start[slice]; k < pull_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    const real4 other = re_load4(x, pull_point + e);
    const real own = 1.0f / re_max((me.w + other.w) * gain, re_splat(1e-30f));
    const real inv_d = re_min(re_load(pull_inv_diagonal + e), own);
    sum = v3_add(sum, distance_pull(v3_sub(place, v3_of(other)), re_load(pull_rest + e), inv_d));
  }

  const vec3 step = v3_scale(sum, me.w * gain);
  const vec3 change = v3_mad(v3_of(re_load4_at(momentum, first)), re_splat(beta), step);
  re_store4_at(momentum, first, v3_with(change, re_splat(0.0f)));
  re_store4_at(x_new, first, v3_with(v3_add(place, change), me.w));
}
