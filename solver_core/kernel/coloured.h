// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Coloured Gauss-Seidel, one item a block of RE_LANES rows of one colour, of rigid rows two. No two rows of a
// colour share a point, so lanes and threads may write back at once. The formulas are those of the Jacobi
// passes with the row's own diagonal. Rows behind the last repeat it and write no point: every point belongs
// to one item of the launch.

// count: blocks side by side, a constant.
RE_FN void visit_rigid_blocks(int count, int first, int end_entry, RE_GLOBAL point4* x,
                              RE_GLOBAL const int* end_a, RE_GLOBAL const int* end_b,
                              RE_GLOBAL const float* rest, RE_GLOBAL const float* inv_diagonal, float omega) {
  real4 a[RE_RIGID_BLOCKS], b[RE_RIGID_BLOCKS];
  vec3 d[RE_RIGID_BLOCKS];
  real l2[RE_RIGID_BLOCKS], y[RE_RIGID_BLOCKS];
  RE_UNROLL
  for (int j = 0; j < count; ++j) {
    const int e = first + j * RE_LANES;
    a[j] = re_load4(x, end_a + e), b[j] = re_load4(x, end_b + e);
    d[j] = v3_sub(v3_of(a[j]), v3_of(b[j]));
    l2[j] = v3_dot(d[j], d[j]);
  }
  re_rsqrts(count, l2, y);
  RE_UNROLL
  for (int j = 0; j < count; ++j) {
    const int e = first + j * RE_LANES, used = end_entry - e;
    const real share = distance_share(l2[j], y[j], re_load(rest + e), re_load(inv_diagonal + e) * omega);
    const vec3 push = v3_scale(d[j], -share);
    re_store4(x, end_a + e, v3_with(v3_mad(push, a[j].w, v3_of(a[j])), a[j].w), used);
    re_store4(x, end_b + e, v3_with(v3_mad(push, -b[j].w, v3_of(b[j])), b[j].w), used);
  }
}

RE_FN void visit_rigid_item(int item RE_ARGS_visit_rigid(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES * RE_RIGID_BLOCKS;
  if (first + (RE_RIGID_BLOCKS - 1) * RE_LANES < end_entry)
    visit_rigid_blocks(RE_RIGID_BLOCKS, first, end_entry, x, end_a, end_b, rest, inv_diagonal, omega);
  else
    visit_rigid_blocks(1, first, end_entry, x, end_a, end_b, rest, inv_diagonal, omega);
}

RE_FN void visit_pull_item(int item RE_ARGS_visit_pull(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES, used = end_entry - first;
  const real4 a = re_load4(x, end_a + first), b = re_load4(x, end_b + first);
  const vec3 d = v3_sub(v3_of(a), v3_of(b));
  const vec3 push = distance_pull(d, re_load(rest + first), re_load(inv_diagonal + first) * omega);
  re_store4(x, end_a + first, v3_with(v3_mad(push, a.w, v3_of(a)), a.w), used);
  if (moves_b) re_store4(x, end_b + first, v3_with(v3_mad(push, -b.w, v3_of(b)), b.w), used);
}

RE_FN void visit_soft_item(int item RE_ARGS_visit_soft(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES, used = end_entry - first;
  const real4 a = re_load4(x, end_a + first), b = re_load4(x, end_b + first);
  const vec3 a_moved = v3_sub(v3_of(a), v3_of(re_load4(x_start, end_a + first)));
  const vec3 b_moved = v3_sub(v3_of(b), v3_of(re_load4(x_start, end_b + first)));
  const vec3 d = v3_sub(v3_of(a), v3_of(b));
  const real l2 = v3_dot(d, d), y = re_rsqrt(l2);
  const real slide = v3_dot(d, v3_sub(a_moved, b_moved)) * y;
  const real last = re_load(lambda + first) * keep;
  const real step = soft_step(l2 * y - re_load(rest + first), slide, last, re_load(alpha + first),
                              re_load(rho + first), re_load(inv_diagonal + first) * omega);
  re_store(lambda + first, last + step);
  const vec3 push = v3_scale(d, y * step);
  re_store4(x, end_a + first, v3_with(v3_mad(push, a.w, v3_of(a)), a.w), used);
  re_store4(x, end_b + first, v3_with(v3_mad(push, -b.w, v3_of(b)), b.w), used);
}

RE_FN void visit_quadratic_item(int item RE_ARGS_visit_quadratic(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES, used = end_entry - first;
  real4 p[4];
  real k[4];
  vec3 c = v3_zero(), slide = v3_zero();
  for (int s = 0; s < 4; ++s) {
    RE_GLOBAL const int* index = corner + s * stride + first;
    p[s] = re_load4(x, index);
    k[s] = re_load(weight + s * stride + first);
    c = v3_mad(v3_of(p[s]), k[s], c);
    slide = v3_mad(v3_sub(v3_of(p[s]), v3_of(re_load4(x_start, index))), k[s], slide);
  }
  const real a = re_load(alpha + first), r = re_load(rho + first), d = re_load(inv_diagonal + first) * omega;
  const vec3 last = v3_scale(v3_of(re_load4_at(lambda, first)), re_splat(keep));
  const vec3 step = v3(soft_step(c.x, slide.x, last.x, a, r, d), soft_step(c.y, slide.y, last.y, a, r, d),
                       soft_step(c.z, slide.z, last.z, a, r, d));
  re_store4_at(lambda, first, v3_with(v3_add(last, step), re_splat(0.0f)));
  for (int s = 0; s < 4; ++s)
    re_store4(x, corner + s * stride + first, v3_with(v3_mad(step, k[s] * p[s].w, v3_of(p[s])), p[s].w),
              used);
}

RE_FN void visit_dihedral_item(int item RE_ARGS_visit_dihedral(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES, used = end_entry - first;
  real4 p[4];
  for (int s = 0; s < 4; ++s) p[s] = re_load4(x, corner + s * stride + first);
  const hinge now = hinge_at(v3_of(p[0]), v3_of(p[1]), v3_of(p[2]), v3_of(p[3]));
  real own = re_splat(0.0f), slide = re_splat(0.0f);
  for (int s = 0; s < 4; ++s) {
    const vec3 start = v3_of(re_load4(x_start, corner + s * stride + first));
    own = own + v3_dot(now.gradient[s], now.gradient[s]) * p[s].w;
    slide = slide + v3_dot(now.gradient[s], v3_sub(v3_of(p[s]), start));
  }
  const real a = re_load(alpha + first), r = re_load(rho + first);
  const real inv_d = omega / re_max((1.0f + r) * own + a, re_splat(1e-30f));
  const real last = re_load(lambda + first) * keep;
  const real step = soft_step(short_way(now.angle - re_load(rest_angle + first)), slide, last, a, r, inv_d);
  re_store(lambda + first, last + step);
  for (int s = 0; s < 4; ++s)
    re_store4(x, corner + s * stride + first,
              v3_with(v3_mad(now.gradient[s], step * p[s].w, v3_of(p[s])), p[s].w), used);
}
