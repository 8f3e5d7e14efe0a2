// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The energy of an implicit step of cloth, its gradient and its matrix (cloth_study.md 5, layout of
// multilevel_study.md 2). A place is x + off: x a float position, off what it lacks plus the displacement of
// this step, so that differences of neighbours keep all their digits without doubles. The matrix is m/h^2
// plus a symmetric block on each edge, in slices of 16 points: of springs alone n'n'^T + b, four floats; of
// membranes six.

RE_FN vec3 ml_between(vec3 x, vec3 off, RE_GLOBAL const point4* xs, RE_GLOBAL const point4* offs,
                      RE_GLOBAL const int* other) {
  return v3_add(v3_sub(x, v3_of(re_load4(xs, other))), v3_sub(off, v3_of(re_load4(offs, other))));
}

// A spring 1/2 stiffness (|d| - rest)^2 along d. pull d is its gradient, axial and across its second
// derivatives along and across d, without the negative part (cloth_study.md 5). A rest length below zero
// marks a rope of that length, which only pulls.
typedef struct {
  real energy, pull, axial, across, inv_length;
} ml_spring;

RE_FN ml_spring ml_spring_at(vec3 d, real rest, real stiffness) {
  const real l2 = v3_dot(d, d), y = re_rsqrt(l2), r = re_abs(rest);
  const real c = l2 * y - r, share = 1.0f - r * y;
  const real slack = rest < 0.0f ? re_splat(1.0f) : re_splat(0.0f);
  const real k = slack * share < 0.0f ? re_splat(0.0f) : stiffness;
  ml_spring s;
  s.energy = 0.5f * k * c * c;
  s.pull = k * share;
  s.across = re_max(s.pull, re_splat(0.0f));
  s.axial = k - s.across;
  s.inv_length = y;
  return s;
}

// What the quadratic model at d - way says of the energy at d, way further on.
RE_FN real ml_spring_model(vec3 d, vec3 way, real rest, real stiffness) {
  const vec3 from = v3_sub(d, way);
  const ml_spring s = ml_spring_at(from, rest, stiffness);
  const real along = v3_dot(from, way), slope = along * s.inv_length;
  return s.energy + s.pull * along + 0.5f * (s.axial * (slope * slope) + s.across * v3_dot(way, way));
}

// What damping makes of a spring: 1/2 k ((l - rest)^2 + rho (l - l_start)^2) is, but for a constant, a spring
// of stiffness (1 + rho) k and this rest; rho = damping time / h.
RE_FN real ml_damped_rest(real rest, real rho, real start) { return (rest + rho * start) / (1.0f + rho); }

RE_FN void ml_damp_edges_item(int item RE_ARGS_ml_damp_edges(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 place = v3_of(re_load4_at(x, first)), mine = v3_of(re_load4_at(low, first));
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    const vec3 d = ml_between(place, mine, x, low, edge_point + s);
    const real l2 = v3_dot(d, d), r = re_load(edge_rest + s);
    const real damped = ml_damped_rest(r, re_load(edge_rho + s), l2 * re_rsqrt(l2));
    re_store(rest_now + s, r < 0.0f ? r : damped);
  }
}

// Quadratic bending is linear: its damping is stiffness (1 + rho) and the force rho Q x of the start, which
// moves the aim.
RE_FN void ml_damp_bends_item(int item RE_ARGS_ml_damp_bends(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const real4 me = re_load4_at(x, first);
  const vec3 place = v3_of(me), mine = v3_of(re_load4_at(low, first));
  vec3 sum = v3_zero();
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    sum = v3_mad(ml_between(place, mine, x, low, edge_point + s), re_load(edge_bend + s), sum);
  }
  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    sum = v3_mad(ml_between(place, mine, x, low, bend_point + s), re_load(bend_weight + s), sum);
  }
  const vec3 to = v3_mad(sum, me.w * force, v3_of(re_load4_at(aim, first)));
  re_store4_at(aim, first, v3_with(to, re_splat(0.0f)));
}

// The four fibres of a membrane triangle (model.h): weights of the second and third corner.
RE_FN vec3 ml_fibre(int k, vec3 d1, vec3 d2, RE_GLOBAL const float* warp, RE_GLOBAL const float* weft,
                    int stride, real* w1, real* w2) {
  const real u1 = re_load(warp + stride), u2 = re_load(warp + 2 * stride);
  const real v1 = re_load(weft + stride), v2 = re_load(weft + 2 * stride);
  *w1 = k == 0 ? u1 : k == 1 ? v1 : k == 2 ? (u1 + v1) * RE_SQRT_HALF : (u1 - v1) * RE_SQRT_HALF;
  *w2 = k == 0 ? u2 : k == 1 ? v2 : k == 2 ? (u2 + v2) * RE_SQRT_HALF : (u2 - v2) * RE_SQRT_HALF;
  return v3_mad(d1, *w1, v3_scale(d2, *w2));
}

RE_FN void ml_damp_membrane_item(int item RE_ARGS_ml_damp_membrane(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  RE_GLOBAL const int* at = corner + first;
  const vec3 place = v3_of(re_load4(x, at)), mine = v3_of(re_load4(low, at));
  const vec3 d1 = v3_scale(ml_between(place, mine, x, low, at + stride), re_splat(-1.0f));
  const vec3 d2 = v3_scale(ml_between(place, mine, x, low, at + 2 * stride), re_splat(-1.0f));
  for (int k = 0; k < 4; ++k) {
    real w1, w2;
    const vec3 f = ml_fibre(k, d1, d2, warp + first, weft + first, stride, &w1, &w2);
    const real l2 = v3_dot(f, f);
    re_store(rest_now + k * stride + first, ml_damped_rest(re_splat(rest), re_splat(rho), l2 * re_rsqrt(l2)));
  }
}

// What a triangle or a hinge hands to each of its corners when nothing is assembled: a share of what the
// quadratic model missed above and below, and of the energy (see ml_energy).
RE_FN real4 ml_judged(real missed_above, real missed_below, real energy, float share) {
  real4 all;
  all.x = missed_above * share, all.y = missed_below * share, all.z = re_splat(0.0f), all.w = energy * share;
  return all;
}

// Assembling: gradient at the three corners with a third of the energy each, and the blocks of the edges 01,
// 12, 20: minus the off-diagonal blocks of the triangle's matrix, whose rows sum to zero. Else energies
// alone.
RE_FN void ml_membrane_item(int item RE_ARGS_ml_membrane(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  RE_GLOBAL const int* at = corner + first;
  const vec3 place = v3_of(re_load4(x, at)), mine = v3_of(re_load4(off, at));
  const vec3 d1 = v3_scale(ml_between(place, mine, x, off, at + stride), re_splat(-1.0f));
  const vec3 d2 = v3_scale(ml_between(place, mine, x, off, at + 2 * stride), re_splat(-1.0f));
  vec3 g1 = v3_zero(), g2 = v3_zero(), way1 = v3_zero(), way2 = v3_zero();
  if (judging) {
    const vec3 step = v3_of(re_load4(dx, at));
    way1 = v3_sub(v3_of(re_load4(dx, at + stride)), step);
    way2 = v3_sub(v3_of(re_load4(dx, at + 2 * stride)), step);
  }
  const real zero = re_splat(0.0f);
  real e = zero, above = zero, below = zero;
  sym3 block[3];
  for (int k = 0; k < 3; ++k) block[k] = s3_scaled_identity(re_splat(0.0f));
  for (int k = 0; k < 4; ++k) {
    real w1, w2;
    const vec3 f = ml_fibre(k, d1, d2, warp + first, weft + first, stride, &w1, &w2);
    const real length = re_load(rest + k * stride + first), pulls = re_load(stiffness + k * stride + first);
    const ml_spring s = ml_spring_at(f, length, pulls);
    if (judging) {
      const vec3 way = v3_mad(way1, w1, v3_scale(way2, w2));
      const real missed = s.energy - ml_spring_model(f, way, length, pulls);
      above = above + re_max(missed, zero);
      below = below - re_min(missed, zero);
    }
    const vec3 pull = v3_scale(f, s.pull);
    g1 = v3_mad(pull, w1, g1);
    g2 = v3_mad(pull, w2, g2);
    e = e + s.energy;
    const vec3 n = v3_scale(f, s.inv_length);
    const sym3 h = s3_mad(s3_outer(n, re_splat(0.0f)), s.axial, s3_scaled_identity(s.across));
    const real w0 = -(w1 + w2);
    block[0] = s3_mad(h, -(w0 * w1), block[0]);
    block[1] = s3_mad(h, -(w1 * w2), block[1]);
    block[2] = s3_mad(h, -(w2 * w0), block[2]);
  }
  const float share = 1.0f / 3.0f;
  if (!assembling) {
    for (int s = 0; s < 3; ++s) re_store4_at(push, s * stride + first, ml_judged(above, below, e, share));
    return;
  }
  const real third = e * share;
  re_store4_at(push, first, v3_with(v3_scale(v3_add(g1, g2), re_splat(-1.0f)), third));
  re_store4_at(push, stride + first, v3_with(g1, third));
  re_store4_at(push, 2 * stride + first, v3_with(g2, third));
  for (int k = 0; k < 3; ++k) s3_store(blocks + k * stride + first, block_stride, block[k]);
}

// The same for hinges with rest angles; their matrix is that of quadratic bending, which is theirs when flat.
RE_FN void ml_hinge_sides(RE_GLOBAL const point4* x, RE_GLOBAL const point4* off, RE_GLOBAL const int* corner,
                          int stride, vec3* d) {
  const vec3 place = v3_of(re_load4(x, corner + 2 * stride)),
             mine = v3_of(re_load4(off, corner + 2 * stride));
  for (int s = 0; s < 3; ++s)
    d[s] = v3_scale(ml_between(place, mine, x, off, corner + (s < 2 ? s : 3) * stride), re_splat(-1.0f));
}

RE_FN hinge ml_hinge_at(RE_GLOBAL const point4* x, RE_GLOBAL const point4* off, RE_GLOBAL const int* corner,
                        int stride) {
  vec3 d[3];
  ml_hinge_sides(x, off, corner, stride, d);
  return hinge_at(d[0], d[1], v3_zero(), d[2]);
}

RE_FN void ml_damp_hinges_item(int item RE_ARGS_ml_damp_hinges(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const hinge now = ml_hinge_at(x, low, corner + first, stride);
  const real rest = re_load(rest_angle + first);
  re_store(rest_now + first, rest + short_way(now.angle - rest) * (rho / (1.0f + rho)));
}

RE_FN void ml_hinges_item(int item RE_ARGS_ml_hinges(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const hinge now = ml_hinge_at(x, off, corner + first, stride);
  const real turn = short_way(now.angle - re_load(rest_angle + first));
  const real k = re_load(stiffness + first) * bend, torque = turn * k;
  const real e = 0.5f * torque * turn;
  if (assembling) {
    for (int s = 0; s < 4; ++s)
      re_store4_at(push, s * stride + first, v3_with(v3_scale(now.gradient[s], torque), 0.25f * e));
    return;
  }
  const real zero = re_splat(0.0f);
  real missed = zero;
  if (judging) {
    const vec3 step = v3_of(re_load4(dx, corner + 2 * stride + first));
    vec3 from[3], way[4], flat = v3_zero();
    for (int s = 0; s < 4; ++s) {
      way[s] = v3_sub(v3_of(re_load4(dx, corner + s * stride + first)), step);
      flat = v3_mad(way[s], re_load(weight + s * stride + first), flat);
    }
    ml_hinge_sides(x, off, corner + first, stride, from);
    for (int s = 0; s < 3; ++s) from[s] = v3_sub(from[s], way[s < 2 ? s : 3]);
    const hinge last = hinge_at(from[0], from[1], v3_zero(), from[2]);
    real slope = zero;
    for (int s = 0; s < 4; ++s) slope = slope + v3_dot(last.gradient[s], way[s]);
    const real turned = short_way(last.angle - re_load(rest_angle + first));
    missed = e - k * (turned * (0.5f * turned + slope) + 0.5f * v3_dot(flat, flat));
  }
  for (int s = 0; s < 4; ++s)
    re_store4_at(push, s * stride + first, ml_judged(re_max(missed, zero), -re_min(missed, zero), e, 0.25f));
}

// Residual (minus the gradient), matrix, inverse diagonal blocks and energy at x + off, point by point: every
// edge is seen from both ends.
RE_FN void ml_assemble_item(int item RE_ARGS_ml_assemble(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const real4 me = re_load4_at(x, first);
  const vec3 place = v3_of(me), mine = v3_of(re_load4_at(off, first));
  const real inertia = re_load(mass + first) * inv_h2;
  const vec3 lag = v3_sub(mine, v3_of(re_load4_at(aim, first)));
  vec3 g = v3_scale(lag, inertia);
  real e = 0.5f * inertia * v3_dot(lag, lag);
  sym3 diagonal = s3_scaled_identity(inertia);
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    const vec3 d = ml_between(place, mine, x, off, edge_point + s);
    const ml_spring spring = ml_spring_at(d, re_load(edge_rest + s), re_load(edge_stiffness + s));
    const real flat = re_load(edge_bend + s) * bend, b = spring.across + flat,
               straight_flat = flat * straight;
    const vec3 n = v3_scale(d, spring.inv_length * (spring.axial * re_rsqrt(spring.axial)));
    g = v3_mad(d, spring.pull + straight_flat, g);
    e = e + 0.5f * spring.energy + 0.25f * straight_flat * v3_dot(d, d);
    sym3 block = s3_outer(n, b);
    if (width == 4) {
      const int m = k * 64 + lane;
      re_store(edge + m, n.x), re_store(edge + m + 16, n.y), re_store(edge + m + 32, n.z);
      re_store(edge + m + 48, b);
    } else {
      for (int side = 0; side < 2; ++side)
        block = s3_mad(s3_gather(triangle_block, triangle_stride, edge_triangle + (2 * k + side) * 16 + lane),
                       re_splat(1.0f), block);
      s3_store(edge + k * 96 + lane, 16, block);
    }
    diagonal = s3_mad(block, re_splat(1.0f), diagonal);
  }
  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    const vec3 d = ml_between(place, mine, x, off, bend_point + s);
    const real q = re_load(bend_weight + s) * bend;
    g = v3_mad(d, q * straight, g);
    e = e + 0.25f * (q * straight) * v3_dot(d, d);
    diagonal = s3_mad(s3_scaled_identity(q), re_splat(1.0f), diagonal);
  }
  for (int k = push_start[slice]; k < push_start[slice + 1]; ++k) {
    const real4 p = re_load4(push, push_slot + k * 16 + lane);
    g = v3_add(g, v3_of(p));
    e = e + p.w;
  }
  const real live = me.w > 0.0f ? re_splat(1.0f) : re_splat(0.0f);
  re_store4_at(residual, first, v3_with(v3_scale(g, -live), re_splat(0.0f)));
  s3_store(inverse + first, stride, s3_inverse(diagonal, live));
  re_store(energy + first, e);
}

// The energy at x + off, for the line search. Judging a full step dx, also by how much it lies above the
// quadratic model on the edges where it does, and below where it does: the sum alone would hide an overshoot
// here behind a gain there.
RE_FN void ml_energy_item(int item RE_ARGS_ml_energy(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const real zero = re_splat(0.0f);
  const vec3 place = v3_of(re_load4_at(x, first)), mine = v3_of(re_load4_at(off, first));
  const vec3 step = v3_of(re_load4_at(dx, first));
  const vec3 lag = v3_sub(mine, v3_of(re_load4_at(aim, first)));
  real e = 0.5f * (re_load(mass + first) * inv_h2) * v3_dot(lag, lag), above = zero, below = zero;
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    const vec3 d = ml_between(place, mine, x, off, edge_point + s);
    const real rest = re_load(edge_rest + s), stiffness = re_load(edge_stiffness + s);
    const ml_spring spring = ml_spring_at(d, rest, stiffness);
    e = e + 0.5f * spring.energy + 0.25f * (re_load(edge_bend + s) * bend * straight) * v3_dot(d, d);
    if (judging) {
      const vec3 way = v3_sub(step, v3_of(re_load4(dx, edge_point + s)));
      const real missed = 0.5f * (spring.energy - ml_spring_model(d, way, rest, stiffness));
      above = above + re_max(missed, zero);
      below = below - re_min(missed, zero);
    }
  }
  for (int k = bend_start[slice]; k < bend_start[slice + 1]; ++k) {
    const vec3 d = ml_between(place, mine, x, off, bend_point + k * 16 + lane);
    e = e + 0.25f * (re_load(bend_weight + k * 16 + lane) * bend * straight) * v3_dot(d, d);
  }
  for (int k = push_start[slice]; k < push_start[slice + 1]; ++k) {
    const real4 p = re_load4(push, push_slot + k * 16 + lane);
    above = above + p.x;
    below = below + p.y;
    e = e + p.w;
  }
  real4 all;
  all.x = e, all.y = above, all.z = below, all.w = zero;
  re_store4_at(energy, first, all);
}
