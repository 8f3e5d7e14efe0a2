// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Implicit cloth (cloth_study.md 5, layout of multilevel_study.md 2). A place is x + off: x a float position,
// off what it lacks plus the displacement of this step, so that differences of neighbours keep all their
// digits without doubles. The matrix is m/h^2 + sum over edges of n'n'^T + b: edges as rows of four floats,
// in slices of 16 points.

typedef struct {
  real xx, xy, xz, yy, yz, zz;
} sym3;

RE_FN sym3 s3_scaled_identity(real s) {
  const real zero = re_splat(0.0f);
  sym3 a = {s, zero, zero, s, zero, s};
  return a;
}
RE_FN sym3 s3_mad(sym3 a, real s, sym3 b) {
  sym3 r = {a.xx * s + b.xx, a.xy * s + b.xy, a.xz * s + b.xz,
            a.yy * s + b.yy, a.yz * s + b.yz, a.zz * s + b.zz};
  return r;
}
RE_FN sym3 s3_outer(vec3 n, real b) {
  sym3 r = {n.x * n.x + b, n.x * n.y, n.x * n.z, n.y * n.y + b, n.y * n.z, n.z * n.z + b};
  return r;
}
RE_FN vec3 s3_mul(sym3 a, vec3 v) {
  return v3(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
            a.xz * v.x + a.yz * v.y + a.zz * v.z);
}
// Inverse of a positive definite matrix, scaled first so that stiff cloth does not overflow; zero where live
// is false.
RE_FN sym3 s3_inverse(sym3 a, real live) {
  const real scale = 3.0f / re_max(a.xx + a.yy + a.zz, re_splat(1e-30f));
  const sym3 zero = {re_splat(0.0f), re_splat(0.0f), re_splat(0.0f),
                     re_splat(0.0f), re_splat(0.0f), re_splat(0.0f)};
  const sym3 s = s3_mad(a, scale, zero);
  const real cxx = s.yy * s.zz - s.yz * s.yz, cxy = s.xz * s.yz - s.xy * s.zz,
             cxz = s.xy * s.yz - s.xz * s.yy;
  const real det = s.xx * cxx + s.xy * cxy + s.xz * cxz;
  const real k = live > 0.0f ? scale / re_max(det, re_splat(1e-20f)) : re_splat(0.0f);
  sym3 r = {cxx * k,
            cxy * k,
            cxz * k,
            (s.xx * s.zz - s.xz * s.xz) * k,
            (s.xy * s.xz - s.xx * s.yz) * k,
            (s.xx * s.yy - s.xy * s.xy) * k};
  return r;
}
// Six arrays, `stride` apart.
RE_FN sym3 s3_load(RE_GLOBAL const float* p, int stride) {
  sym3 a = {re_load(p),
            re_load(p + stride),
            re_load(p + 2 * stride),
            re_load(p + 3 * stride),
            re_load(p + 4 * stride),
            re_load(p + 5 * stride)};
  return a;
}
RE_FN void s3_store(RE_GLOBAL float* p, int stride, sym3 a) {
  re_store(p, a.xx), re_store(p + stride, a.xy), re_store(p + 2 * stride, a.xz);
  re_store(p + 3 * stride, a.yy), re_store(p + 4 * stride, a.yz), re_store(p + 5 * stride, a.zz);
}

RE_FN vec3 ml_between(vec3 x, vec3 off, RE_GLOBAL const point4* xs, RE_GLOBAL const point4* offs,
                      RE_GLOBAL const int* other) {
  return v3_add(v3_sub(x, v3_of(re_load4(xs, other))), v3_sub(off, v3_of(re_load4(offs, other))));
}

// Residual (minus the gradient), matrix, inverse diagonal blocks and energy at x + off, point by point: every
// edge is seen from both ends.
RE_FN void ml_assemble_item(int item RE_ARGS_ml_assemble(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const real4 me = re_load4_at(x, first);
  const vec3 place = v3_of(me), mine = v3_of(re_load4_at(off, first));
  const real inertia = re_load(mass + first) * inv_h2;
  const vec3 lag = v3_sub(mine, v3_of(re_load4_at(aim, first)));
  vec3 g = v3_scale(lag, inertia);
  real e = 0.5f * inertia * v3_dot(lag, lag);
  sym3 diagonal = s3_scaled_identity(inertia);
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const int s = k * 16 + lane, m = k * 64 + lane;
    const vec3 d = ml_between(place, mine, x, off, edge_point + s);
    const real l2 = v3_dot(d, d), y = re_rsqrt(l2);
    const real rest = re_load(edge_rest + s), stiff = re_load(edge_stiffness + s);
    const real c = l2 * y - rest;
    const real t = re_max(stiff * c * y, re_splat(0.0f));
    const real axial = re_max(stiff - t, stiff * 1e-6f);
    const vec3 n = v3_scale(d, y * (axial * re_rsqrt(axial)));
    g = v3_mad(d, stiff * c * y, g);
    e = e + 0.25f * stiff * c * c;
    diagonal = s3_mad(s3_outer(n, t), re_splat(1.0f), diagonal);
    re_store(edge + m, n.x), re_store(edge + m + 16, n.y), re_store(edge + m + 32, n.z),
        re_store(edge + m + 48, t);
  }
  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    const vec3 d = ml_between(place, mine, x, off, bend_point + s);
    const real q = re_load(bend_weight + s) * bend;
    g = v3_mad(d, q, g);
    e = e + 0.25f * q * v3_dot(d, d);
    diagonal = s3_mad(s3_scaled_identity(q), re_splat(1.0f), diagonal);
  }
  const real live = me.w > 0.0f ? re_splat(1.0f) : re_splat(0.0f);
  re_store4_at(residual, first, v3_with(v3_scale(g, -live), re_splat(0.0f)));
  s3_store(inverse + first, stride, s3_inverse(diagonal, live));
  re_store(energy + first, e);
}

// The energy alone, for the line search.
RE_FN void ml_energy_item(int item RE_ARGS_ml_energy(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 place = v3_of(re_load4_at(x, first)), mine = v3_of(re_load4_at(off, first));
  const vec3 lag = v3_sub(mine, v3_of(re_load4_at(aim, first)));
  real e = 0.5f * (re_load(mass + first) * inv_h2) * v3_dot(lag, lag);
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    const vec3 d = ml_between(place, mine, x, off, edge_point + s);
    const real l2 = v3_dot(d, d);
    const real c = l2 * re_rsqrt(l2) - re_load(edge_rest + s);
    e = e + 0.25f * re_load(edge_stiffness + s) * c * c;
  }
  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const vec3 d = ml_between(place, mine, x, off, bend_point + k * 16 + lane);
    e = e + 0.25f * (re_load(bend_weight + k * 16 + lane) * bend) * v3_dot(d, d);
  }
  re_store(energy + first, e);
}

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
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 me = v3_of(re_load4_at(x, first));
  vec3 sum = v3_scale(me, re_load(mass + first) * inv_h2);
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const int m = k * 64 + lane;
    const vec3 d = v3_sub(me, v3_of(re_load4(x, edge_point + k * 16 + lane)));
    const vec3 n = v3(re_load(edge + m), re_load(edge + m + 16), re_load(edge + m + 32));
    sum = v3_mad(n, v3_dot(n, d), v3_mad(d, re_load(edge + m + 48), sum));
  }
  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    sum = v3_mad(v3_sub(me, v3_of(re_load4(x, bend_point + s))), re_load(bend_weight + s) * bend, sum);
  }
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
  sym3 sum = s3_scaled_identity(re_load(block_mass + first) * inv_h2);
  for (int k = list_start[slice]; k < list_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    RE_GLOBAL const int* at = source + s;
    const real w = re_load(weight + s);
    if (from_edges) {
      const vec3 n = v3(re_gather(fine, at), re_gather(fine + 16, at), re_gather(fine + 32, at));
      sum = s3_mad(s3_outer(n, re_gather(fine + 48, at)), w, sum);
    } else {
      const sym3 a = {re_gather(fine, at),
                      re_gather(fine + fine_stride, at),
                      re_gather(fine + 2 * fine_stride, at),
                      re_gather(fine + 3 * fine_stride, at),
                      re_gather(fine + 4 * fine_stride, at),
                      re_gather(fine + 5 * fine_stride, at)};
      sum = s3_mad(a, w, sum);
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
