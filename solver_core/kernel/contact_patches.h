// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rows of movers with weights against a surface, of which one may be a rigid body on a lever
// (kernel/contact.h).

#define RE_PATCH_FIELDS(movers) (RE_WEIGHT + (movers))

// Gives the first mover's turning too: of the four only a grain spins, and it comes first.
RE_FN void patch_push(int movers, RE_GLOBAL point4* v, RE_GLOBAL const int* index, RE_GLOBAL const float* at,
                      vec3 impulse, int used) {
  for (int k = 0; k < movers; ++k) {
    const real4 vk = re_load4(v, index + 16 * k);
    const real share = re_load(at + 16 * (RE_WEIGHT + k)) * vk.w;
    re_store4(v, index + 16 * k, v3_with(v3_mad(impulse, share, v3_of(vk)), vk.w), used);
  }
}

RE_FN vec3 patch_slip(int movers, RE_GLOBAL const point4* v, RE_GLOBAL const int* index,
                      RE_GLOBAL const float* at, real* a) {
  vec3 u = v3_scale(contact_load3(at, RE_SURFACE), re_splat(-1.0f));
  *a = re_splat(0.0f);
  for (int k = 0; k < movers; ++k) {
    const real4 vk = re_load4(v, index + 16 * k);
    const real weight = re_load(at + 16 * (RE_WEIGHT + k));
    u = v3_mad(v3_of(vk), weight, u);
    *a = *a + weight * weight * vk.w;
  }
  return u;
}

RE_FN real patch_split(int movers, RE_GLOBAL const point4* v, RE_GLOBAL const int* index,
                       RE_GLOBAL const float* at, RE_GLOBAL const float* crowd) {
  real sum = re_splat(0.0f);
  for (int k = 0; k < movers; ++k) {
    const real weight = re_load(at + 16 * (RE_WEIGHT + k));
    sum = sum + weight * weight * re_load4(v, index + 16 * k).w * re_gather(crowd, index + 16 * k);
  }
  return sum;
}

// The lever of a row's rigid body, and the body as far as it turns.
#define RE_LEVER_SIGN   3
#define RE_BOND_HOLD    4
#define RE_BOND_RATE    5
#define RE_BOND_YIELD   6
#define RE_LEVER_FIELDS 7
typedef struct {
  vec3 arm, spin;
  real sign;
  sym3 turn;
} patch_lever;

RE_FN patch_lever lever_load(int row RE_ARGS_LEVER(RE_BUFFER, RE_VALUE)) {
  (void)bonds, (void)lost, (void)first_body;
  RE_GLOBAL const float* at = lever + contact_at(row, RE_LEVER_FIELDS);
  RE_GLOBAL const int* which = lever_of + contact_at(row, 1);
  patch_lever l;
  l.arm = contact_load3(at, 0), l.sign = re_load(at + 16 * RE_LEVER_SIGN);
  l.spin = v3_of(re_load4(turning, which)), l.turn = rigid_load_turn(which, turn_a, turn_b);
  return l;
}
// What an impulse of 1 changes by turning: along n, and at most across it.
RE_FN real lever_answer(patch_lever l, vec3 n, real* across) {
  const vec3 lever = v3_cross(l.arm, n);
  const sym3 turn = l.turn;
  const real along = v3_dot(lever, s3_mul(turn, lever)) * l.sign * l.sign;
  const real all = v3_dot(l.arm, l.arm) * (turn.xx + turn.yy + turn.zz) - v3_dot(l.arm, s3_mul(turn, l.arm));
  *across = re_max(all * l.sign * l.sign - along, re_splat(0.0f));
  return along;
}
// Turns the body by an impulse that has just changed its velocity, which was `before`. Of the many rows that
// push one body each rounds its velocity: what is lost is kept beside it, and goes with the next row.
RE_FN void lever_push(int row, real4 before, vec3 impulse, int used,
                      RE_GLOBAL point4* v RE_ARGS_LEVER(RE_BUFFER, RE_VALUE)) {
  const patch_lever l = lever_load(row RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  RE_GLOBAL const int* which = lever_of + contact_at(row, 1);
  const ints has_one = l.sign != 0.0f;
  const vec3 twist = s3_mul(l.turn, v3_cross(l.arm, impulse));
  re_store4_where(turning, which, v3_with(v3_mad(twist, l.sign, l.spin), re_splat(0.0f)), has_one, used);
  RE_GLOBAL point4* going = v + first_body;
  const vec3 now = v3_of(re_load4(going, which)), wanted = v3_scale(impulse, l.sign * before.w);
  const vec3 left = v3_add(v3_of(re_load4(lost, which)), v3_sub(wanted, v3_sub(now, v3_of(before))));
  const vec3 then = v3_add(now, left);
  re_store4_where(going, which, v3_with(then, before.w), has_one, used);
  re_store4_where(lost, which, v3_with(v3_sub(left, v3_sub(then, now)), re_splat(0.0f)), has_one, used);
}
RE_FN real4 lever_velocity(int row, RE_GLOBAL const point4* v RE_ARGS_LEVER(RE_BUFFER, RE_VALUE)) {
  (void)turning, (void)turn_a, (void)turn_b, (void)lever, (void)bonds, (void)lost;
  return re_load4(v + first_body, lever_of + contact_at(row, 1));
}

// ---- bonds: rows that hold both ways, along the normal alone or every way ----

// What an impulse of 1 every way changes by turning.
RE_FN sym3 lever_block(patch_lever l) {
  const vec3 a = l.arm;
  const real zero = re_splat(0.0f);
  const vec3 tx = v3(zero, a.z, -a.y), ty = v3(-a.z, zero, a.x), tz = v3(a.y, -a.x, zero);
  const vec3 mx = s3_mul(l.turn, tx), my = s3_mul(l.turn, ty), mz = s3_mul(l.turn, tz);
  const sym3 r = {v3_dot(tx, mx), v3_dot(tx, my), v3_dot(tx, mz),
                  v3_dot(ty, my), v3_dot(ty, mz), v3_dot(tz, mz)};
  return s3_mad(r, l.sign * l.sign, s3_scaled_identity(zero));
}

// u + rate C + yield p = 0 (as joints: algorithms.md 6.2). a: what an impulse of 1 changes without turning; a
// hard one takes away its error at the rate `bias`.
RE_FN contact_impulse bond_step(contact_impulse p, vec3 n, vec3 u, real gap, real a, patch_lever l,
                                RE_GLOBAL const float* at, float bias) {
  const real yield = re_load(at + 16 * RE_BOND_YIELD), own = re_load(at + 16 * RE_BOND_RATE);
  const ints every_way = re_load(at + 16 * RE_BOND_HOLD) > 1.5f;
  const real rate = yield > 0.0f ? own : re_splat(bias);
  const vec3 last = v3_mad(n, p.push, p.drag);
  const vec3 wrong = v3_mad(n, gap * rate, v3_mad(last, yield, u));
  const sym3 block = lever_block(l);
  const sym3 sum = s3_mad(block, re_splat(1.0f), s3_scaled_identity(a + yield));
  const vec3 next = v3_sub(last, s3_mul(s3_inverse(sum, re_splat(1.0f)), wrong));
  const real along = p.push - v3_dot(n, wrong) * re_inverse(a + yield + v3_dot(n, s3_mul(block, n)));
  contact_impulse r;
  r.push = every_way ? v3_dot(n, next) : along;
  const vec3 across = v3_mad(n, -v3_dot(n, next), next);
  r.drag = v3_scale(across, every_way ? re_splat(1.0f) : re_splat(0.0f));
  return r;
}
RE_FN contact_impulse contact_either(ints first, contact_impulse a, contact_impulse b) {
  contact_impulse r;
  r.push = first ? a.push : b.push;
  r.drag = v3(first ? a.drag.x : b.drag.x, first ? a.drag.y : b.drag.y, first ? a.drag.z : b.drag.z);
  return r;
}

RE_FN contact_change patch_begin_row(int count, int row RE_ARGS_lever_begin(RE_BUFFER, RE_VALUE)) {
  (void)v, (void)spin, (void)index, (void)first_row, (void)end_row, (void)turning;
  (void)turn_a, (void)turn_b, (void)lever_of, (void)lost, (void)first_body;
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  const vec3 n = contact_load3(at, RE_NORMAL);
  const contact_impulse last = contact_last(at);
  contact_change c = contact_begin(at, more, n, re_load(at + 16 * RE_FRICTION), warm, spins, has_extra);
  if (!bonds) return c;
  // friction bounds no bond, and a bond turns no grain
  const ints bond = re_load(lever + contact_at(row, RE_LEVER_FIELDS) + 16 * RE_BOND_HOLD) > 0.0f;
  contact_impulse whole;
  whole.push = last.push * warm, whole.drag = v3_scale(last.drag, re_splat(warm));
  const contact_impulse p = contact_either(bond, whole, contact_last(at));
  re_store(at + 16 * RE_PUSH, p.push);
  contact_store3(at, RE_DRAG, p.drag);
  c.impulse = v3_mad(n, p.push, p.drag), c.push = p.push;
  c.twist = v3_scale(c.twist, bond ? re_splat(0.0f) : re_splat(1.0f));
  return c;
}

// together, levers and count: constants; split: diagonal of mass splitting, crowd_0 rows on the first mover.
RE_FN contact_change patch_sweep_row(int together, int levers, int count, int row, real4 s, real split,
                                     real crowd_0, real4 last, float gain,
                                     float beta RE_ARGS_lever_sweep(RE_BUFFER, RE_VALUE)) {
  (void)spin, (void)first_row, (void)end_row;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  contact_row r = contact_take(at, more, has_extra);
  r.mu = re_load(at + 16 * RE_FRICTION), r.mu_slide = re_load(at + 16 * RE_SLIDE);
  const vec3 n = r.n;
  const contact_impulse p = contact_last(at);
  r.give = re_load(at + 16 * RE_GIVE);
  r.u = patch_slip(count, v, at_index, at, &r.a);
  r.a_t = r.a;
  const real unturned = r.a;
  vec3 straight = r.u;
  real turn = re_splat(0.0f);
  if (spins) {
    turn = spin_factor(s, re_load4(v, at_index).w);
    r.u = v3_sub(r.u, v3_cross(v3_of(s), n));
    r.a_t = r.a_t + turn;
  }
  if (levers) {
    const patch_lever l = lever_load(row RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
    const vec3 turned = v3_cross(l.spin, l.arm);
    r.u = v3_mad(turned, l.sign, r.u), straight = v3_mad(turned, l.sign, straight);
    real across;
    r.a = r.a + lever_answer(l, n, &across);
    r.a_t = r.a_t + across;
  }
  r.crowd = re_splat(1.0f), r.crowd_t = r.crowd;
  contact_impulse from = p;
  if (together) {
    r.crowd = contact_crowd(split, r.a), r.crowd_t = contact_crowd(split + crowd_0 * turn, r.a_t);
    from = contact_lead(p, n, last, beta);
  }
  contact_law law;
  law.model = model, law.inv_h = inv_h, law.bias = bias, law.push = push, law.soft = soft, law.gain = gain;
  contact_impulse next = bounce ? contact_bounced(more, p, r) : contact_step(p, from, r, law);
  real rubs = re_splat(1.0f);
  if (bonds) {
    RE_GLOBAL const float* held = lever + contact_at(row, RE_LEVER_FIELDS);
    const ints bond = re_load(held + 16 * RE_BOND_HOLD) > 0.0f;
    const patch_lever l = lever_load(row RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
    next = contact_either(bond, bounce ? p : bond_step(p, n, straight, r.gap, unturned, l, held, bias), next);
    rubs = bond ? re_splat(0.0f) : rubs;
  }
  contact_change c = contact_leave(at, more, n, p, next, has_extra && !bounce);
  c.twist = v3_scale(c.twist, rubs);
  if (spins && has_extra) {
    real w_roll = turn * s.w * s.w;
    if (together) w_roll = w_roll * crowd_0 * RE_ROLL_CROWD;
    c.roll = contact_roll(more, v3_scale(v3_of(s), s.w), w_roll, next.push + r.pull);
  }
  return c;
}

RE_FN void patch_turn(RE_GLOBAL const int* at_index, contact_change c, real w, real4 s,
                      RE_GLOBAL point4* spin, int used) {
  re_store4(spin, at_index, spin_turned(s, v3_mad(c.roll, s.w, c.twist), spin_factor(s, w)), used);
}

// levers and count: constants.
RE_FN void patch_begin_rows(int levers, int count, int item RE_ARGS_lever_begin(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  const contact_change c = patch_begin_row(count, row RE_ARGS_lever_begin(RE_HAND_ON, RE_HAND_ON));
  real4 before = v3_with(v3_zero(), re_splat(0.0f));
  if (levers) before = lever_velocity(row, v RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  patch_push(count, v, at_index, at, c.impulse, used);
  if (levers) lever_push(row, before, c.impulse, used, v RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  if (spins) patch_turn(at_index, c, re_load4(v, at_index).w, re_load4(spin, at_index), spin, used);
}

RE_FN void patch_sweep_rows(int levers, int count, int item RE_ARGS_lever_sweep(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  const real none = re_splat(0.0f);
  const real4 nothing = v3_with(v3_zero(), none);
  real4 s = nothing;
  if (spins) s = re_load4(spin, at_index);
  const contact_change c = patch_sweep_row(0, levers, count, row, s, none, none, nothing, 1.0f,
                                           0.0f RE_ARGS_lever_sweep(RE_HAND_ON, RE_HAND_ON));
  real4 before = v3_with(v3_zero(), re_splat(0.0f));
  if (levers) before = lever_velocity(row, v RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  patch_push(count, v, at_index, at, c.impulse, used);
  if (levers) lever_push(row, before, c.impulse, used, v RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  if (spins) patch_turn(at_index, c, re_load4(v, at_index).w, s, spin, used);
}

RE_FN void lever_begin_item(int item RE_ARGS_lever_begin(RE_BUFFER, RE_VALUE)) {
  patch_begin_rows(1, 4, item RE_ARGS_lever_begin(RE_HAND_ON, RE_HAND_ON));
}
RE_FN void lever_sweep_item(int item RE_ARGS_lever_sweep(RE_BUFFER, RE_VALUE)) {
  patch_sweep_rows(1, 4, item RE_ARGS_lever_sweep(RE_HAND_ON, RE_HAND_ON));
}

// Rows without levers: kernels of their own, which are half as long to compile.
#define RE_NO_BUFFER(type, name) , (RE_GLOBAL type*)0
#define RE_NO_VALUE(type, name)  , 0
#define RE_NO_LEVER              RE_ARGS_LEVER(RE_NO_BUFFER, RE_NO_VALUE)
#define RE_PLAIN_BEGIN           RE_ARGS_CONTACT(RE_HAND_ON, RE_HAND_ON) RE_NO_LEVER RE_HAND_ON(float, warm)
#define RE_PLAIN_SWEEP \
  RE_ARGS_CONTACT(RE_HAND_ON, RE_HAND_ON) RE_NO_LEVER RE_ARGS_ANSWER(RE_HAND_ON, RE_HAND_ON)

RE_FN void patch_begin_all_rows(int count, int item RE_ARGS_patch_begin_all(RE_BUFFER, RE_VALUE)) {
  (void)movers;
  const int row = first_row + item * RE_LANES;
  const contact_change c = patch_begin_row(count, row RE_PLAIN_BEGIN);
  contact_keep(row, c, change, twist, rolled, spins, has_extra);
}

RE_FN void patch_sweep_all_rows(int count, int item RE_ARGS_patch_sweep_all(RE_BUFFER, RE_VALUE)) {
  (void)movers;
  const int row = first_row + item * RE_LANES;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  const real split = patch_split(count, v, at_index, value + contact_at(row, RE_PATCH_FIELDS(count)), crowd);
  real4 s = v3_with(v3_zero(), re_splat(0.0f));
  if (spins) s = re_load4(spin, at_index);
  const contact_change c = patch_sweep_row(1, 0, count, row, s, split, re_gather(crowd, at_index),
                                           re_load4_at(change, row), gain, beta RE_PLAIN_SWEEP);
  contact_keep(row, c, change, twist, rolled, spins, has_extra);
}

RE_FN void patch_begin_item(int item RE_ARGS_patch_begin(RE_BUFFER, RE_VALUE)) {
  if (movers == 1)
    patch_begin_rows(0, 1, item RE_PLAIN_BEGIN);
  else
    patch_begin_rows(0, 4, item RE_PLAIN_BEGIN);
}
RE_FN void patch_sweep_item(int item RE_ARGS_patch_sweep(RE_BUFFER, RE_VALUE)) {
  if (movers == 1)
    patch_sweep_rows(0, 1, item RE_PLAIN_SWEEP);
  else
    patch_sweep_rows(0, 4, item RE_PLAIN_SWEEP);
}
RE_FN void patch_begin_all_item(int item RE_ARGS_patch_begin_all(RE_BUFFER, RE_VALUE)) {
  if (movers == 1)
    patch_begin_all_rows(1, item RE_ARGS_patch_begin_all(RE_HAND_ON, RE_HAND_ON));
  else
    patch_begin_all_rows(4, item RE_ARGS_patch_begin_all(RE_HAND_ON, RE_HAND_ON));
}
RE_FN void patch_sweep_all_item(int item RE_ARGS_patch_sweep_all(RE_BUFFER, RE_VALUE)) {
  if (movers == 1)
    patch_sweep_all_rows(1, item RE_ARGS_patch_sweep_all(RE_HAND_ON, RE_HAND_ON));
  else
    patch_sweep_all_rows(4, item RE_ARGS_patch_sweep_all(RE_HAND_ON, RE_HAND_ON));
}
#undef RE_PLAIN_SWEEP
#undef RE_PLAIN_BEGIN
#undef RE_NO_LEVER
#undef RE_NO_VALUE
#undef RE_NO_BUFFER
#undef RE_HAND_ON

// The gap after the movers have gone for h seconds.
RE_FN void patch_gap_item(int item RE_ARGS_patch_gap(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(movers));
  real a;
  vec3 u = patch_slip(movers, v, index + contact_at(row, movers), at, &a);
  if (levers) {
    RE_GLOBAL const float* from = lever + contact_at(row, RE_LEVER_FIELDS);
    const vec3 turned =
        v3_cross(v3_of(re_load4(turning, lever_of + contact_at(row, 1))), contact_load3(from, 0));
    u = v3_mad(turned, re_load(from + 16 * RE_LEVER_SIGN), u);
  }
  re_store(at + 16 * RE_GAP, re_load(at + 16 * RE_GAP) + v3_dot(contact_load3(at, RE_NORMAL), u) * h);
}
