// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rows of two grains (kernel/contact.h).

// How far two grains give way, over the sum of their radii.
#define RE_PAIR_GIVE 0.04f

RE_FN int pair_fields(int alike) { return alike ? RE_ALIKE_FIELDS : RE_PAIR_FIELDS; }
// A number that all pairs have in common, or that each row keeps.
RE_FN real pair_number(RE_GLOBAL const float* at, int field, int alike, float common) {
  return alike ? re_splat(common) : re_load(at + 16 * field);
}

// Normal and gap of two spheres that lie d apart.
RE_FN vec3 pair_normal(vec3 d, real reach, real* gap) {
  const real l2 = v3_dot(d, d), y = re_rsqrt(l2);
  // two grains at one place part upwards
  const ints one_place = l2 < 1e-30f;
  *gap = l2 * y - reach;
  return v3(d.x * y, one_place ? re_splat(1.0f) : d.y * y, d.z * y);
}

RE_FN contact_change pair_begin_row(int row RE_ARGS_pair_begin(RE_BUFFER, RE_VALUE)) {
  (void)v, (void)spin, (void)first_row, (void)end_row, (void)slide, (void)far_end;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  RE_GLOBAL float* at = value + contact_at(row, pair_fields(alike));
  const real reaches = pair_number(at, RE_REACH, alike, reach);
  real gap;
  const vec3 n = pair_normal(v3_sub(v3_of(re_load4(x, ia)), v3_of(re_load4(x, ia + 16))), reaches, &gap);
  contact_store3(at, RE_NORMAL, n);
  // what overlaps deeply is not pushed faster than what overlaps by this share
  re_store(at + 16 * RE_GAP, re_max(gap, reaches * -deepest));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  return contact_begin(at, more, n, pair_number(at, RE_FRICTION, alike, friction), warm, spins, has_extra);
}

// together: a constant; last: change of the pass before, crowd_a and crowd_b rows on the two movers.
RE_FN contact_change pair_sweep_row(int together, int row, real4 va, real4 vb, real4 sa, real4 sb,
                                    real crowd_a, real crowd_b, real4 last, float gain,
                                    float beta RE_ARGS_pair_sweep(RE_BUFFER, RE_VALUE)) {
  (void)v, (void)spin, (void)first_row, (void)end_row, (void)far_end;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  RE_GLOBAL float* at = value + contact_at(row, pair_fields(alike));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  contact_row r = contact_take(at, more, has_extra);
  r.mu = pair_number(at, RE_FRICTION, alike, friction), r.mu_slide = pair_number(at, RE_SLIDE, alike, slide);
  const real reaches = pair_number(at, RE_REACH, alike, reach);
  const vec3 n = r.n;
  if (regap) {
    r.gap = v3_dot(n, v3_sub(v3_of(re_load4(x, ia)), v3_of(re_load4(x, ia + 16)))) - reaches;
    re_store(at + 16 * RE_GAP, r.gap);
  }
  const contact_impulse p = contact_last(at);
  r.give = reaches * RE_PAIR_GIVE;
  r.u = v3_sub(v3_of(va), v3_of(vb));
  r.a = va.w + vb.w, r.a_t = r.a;
  real turn_a = re_splat(0.0f), turn_b = turn_a;
  if (spins) {
    turn_a = spin_factor(sa, va.w), turn_b = spin_factor(sb, vb.w);
    r.u = v3_sub(r.u, v3_cross(v3_add(v3_of(sa), v3_of(sb)), n));
    r.a_t = r.a_t + turn_a + turn_b;
  }
  r.crowd = re_splat(1.0f), r.crowd_t = r.crowd;
  contact_impulse from = p;
  if (together) {
    r.crowd = contact_crowd(crowd_a * va.w + crowd_b * vb.w, r.a);
    r.crowd_t = contact_crowd(crowd_a * (va.w + turn_a) + crowd_b * (vb.w + turn_b), r.a_t);
    from = contact_lead(p, n, last, beta);
  }
  contact_law law;
  law.model = model, law.inv_h = inv_h, law.bias = bias, law.push = push, law.soft = soft, law.gain = gain;
  const contact_impulse next = bounce ? contact_bounced(more, p, r) : contact_step(p, from, r, law);
  contact_change c = contact_leave(at, more, n, p, next, has_extra && !bounce);
  if (spins && has_extra) {
    const vec3 turning = v3_sub(v3_scale(v3_of(sa), sa.w), v3_scale(v3_of(sb), sb.w));
    real w_roll = turn_a * sa.w * sa.w + turn_b * sb.w * sb.w;
    if (together) w_roll = (turn_a * sa.w * sa.w * crowd_a + turn_b * sb.w * sb.w * crowd_b) * RE_ROLL_CROWD;
    c.roll = contact_roll(more, turning, w_roll, next.push + r.pull);
  }
  return c;
}

RE_FN void pair_push(RE_GLOBAL const int* ia, contact_change c, real4 va, real4 vb, RE_GLOBAL point4* v,
                     int used) {
  re_store4(v, ia, v3_with(v3_mad(c.impulse, va.w, v3_of(va)), va.w), used);
  re_store4(v, ia + 16, v3_with(v3_mad(c.impulse, -vb.w, v3_of(vb)), vb.w), used);
}
RE_FN void pair_turn(RE_GLOBAL const int* ia, contact_change c, real4 va, real4 vb, real4 sa, real4 sb,
                     RE_GLOBAL point4* spin, int used) {
  re_store4(spin, ia, spin_turned(sa, v3_mad(c.roll, sa.w, c.twist), spin_factor(sa, va.w)), used);
  re_store4(spin, ia + 16, spin_turned(sb, v3_mad(c.roll, -sb.w, c.twist), spin_factor(sb, vb.w)), used);
}

// Rows lie in the order in which they are solved: those so many items ahead, of this colour or of the next,
// are fetched while those at hand are computed.
#define RE_AHEAD 5

RE_FN void pair_fetch(int row, RE_GLOBAL const float* value, int alike) {
  const int fields = pair_fields(alike);
  RE_GLOBAL const float* at = value + contact_at(row + RE_AHEAD * RE_LANES, fields);
  for (int k = 0; k < fields; ++k) RE_PREFETCH(at + 16 * k);
}
// Of the second movers: the first ones follow each other, which processors foresee by themselves.
RE_FN void pair_fetch_movers(int row, RE_GLOBAL const int* index, RE_GLOBAL const point4* of_mover) {
  RE_GLOBAL const int* ib = index + contact_at(row + RE_AHEAD * RE_LANES, 2) + 16;
  for (int k = 0; k < RE_LANES; ++k) RE_PREFETCH(of_mover + ib[k]);
}

RE_FN void pair_begin_item(int item RE_ARGS_pair_begin(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  if (fetch_is_far(row, RE_AHEAD, far_end))
    pair_fetch(row, value, alike), pair_fetch_movers(row, index, x), pair_fetch_movers(row, index, v);
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  const contact_change c = pair_begin_row(row RE_ARGS_pair_begin(RE_HAND_ON, RE_HAND_ON));
  const real4 va = re_load4(v, ia), vb = re_load4(v, ia + 16);
  pair_push(ia, c, va, vb, v, used);
  if (spins) pair_turn(ia, c, va, vb, re_load4(spin, ia), re_load4(spin, ia + 16), spin, used);
}

RE_FN void pair_sweep_item(int item RE_ARGS_pair_sweep(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  if (fetch_is_far(row, RE_AHEAD, far_end)) {
    pair_fetch(row, value, alike), pair_fetch_movers(row, index, v);
    if (regap) pair_fetch_movers(row, index, x);
  }
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  const real4 va = re_load4(v, ia), vb = re_load4(v, ia + 16);
  const real none = re_splat(0.0f);
  const real4 nothing = v3_with(v3_zero(), none);
  real4 sa = nothing, sb = nothing;
  if (spins) sa = re_load4(spin, ia), sb = re_load4(spin, ia + 16);
  const contact_change c = pair_sweep_row(0, row, va, vb, sa, sb, none, none, nothing, 1.0f,
                                          0.0f RE_ARGS_pair_sweep(RE_HAND_ON, RE_HAND_ON));
  pair_push(ia, c, va, vb, v, used);
  if (spins) pair_turn(ia, c, va, vb, sa, sb, spin, used);
}

// Colour after colour of a tile, whose rows take the place of first_row and end_row.
#define RE_TILE(visit)                                                       \
  const int tile = first_tile + 2 * item;                                    \
  for (int c = tile_first[tile]; c < tile_first[tile + 1]; ++c) {            \
    first_row = colours[3 * c], end_row = colours[3 * c + 1];                \
    if (rough && !colours[3 * c + 2]) continue;                              \
    for (int part = 0; part * RE_LANES < end_row - first_row; ++part) visit; \
  }

RE_FN void pair_begin_tiles_item(int item RE_ARGS_pair_begin_tiles(RE_BUFFER, RE_VALUE)){
    RE_TILE(pair_begin_item(part RE_ARGS_pair_begin(RE_HAND_ON, RE_HAND_ON)))} RE_FN
    void pair_sweep_tiles_item(int item RE_ARGS_pair_sweep_tiles(RE_BUFFER, RE_VALUE)){
        RE_TILE(pair_sweep_item(part RE_ARGS_pair_sweep(RE_HAND_ON, RE_HAND_ON)))}

RE_FN void pair_begin_all_item(int item RE_ARGS_pair_begin_all(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  const contact_change c = pair_begin_row(row RE_ARGS_pair_begin(RE_HAND_ON, RE_HAND_ON));
  contact_keep(row, c, change, twist, rolled, spins, has_extra);
}

RE_FN void pair_sweep_all_item(int item RE_ARGS_pair_sweep_all(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  const real4 va = re_load4(v, ia), vb = re_load4(v, ia + 16);
  real4 sa = v3_with(v3_zero(), re_splat(0.0f)), sb = sa;
  if (spins) sa = re_load4(spin, ia), sb = re_load4(spin, ia + 16);
  const contact_change c =
      pair_sweep_row(1, row, va, vb, sa, sb, re_gather(crowd, ia), re_gather(crowd, ia + 16),
                     re_load4_at(change, row), gain, beta RE_ARGS_pair_sweep(RE_HAND_ON, RE_HAND_ON));
  contact_keep(row, c, change, twist, rolled, spins, has_extra);
}

// Normals where the grains would be after h seconds; the gap is such that the velocities lead to it.
RE_FN void pair_renew_item(int item RE_ARGS_pair_renew(RE_BUFFER, RE_VALUE)) {
  (void)friction, (void)slide;
  const int row = item * RE_LANES;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  RE_GLOBAL float* at = value + contact_at(row, pair_fields(alike));
  const vec3 way = v3_scale(v3_sub(v3_of(re_load4(v, ia)), v3_of(re_load4(v, ia + 16))), re_splat(h));
  const vec3 d = v3_sub(v3_of(re_load4(x, ia)), v3_of(re_load4(x, ia + 16)));
  real gap;
  const vec3 n = pair_normal(v3_add(d, way), pair_number(at, RE_REACH, alike, reach), &gap);
  contact_store3(at, RE_NORMAL, n);
  re_store(at + 16 * RE_GAP, gap - v3_dot(n, way));
}
