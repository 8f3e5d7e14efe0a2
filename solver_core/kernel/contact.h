// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contacts with friction, on velocities (contact_study.md 4, algorithms.md 5). Rows lie in blocks of 16,
// field after field (collide/contact_rows.h); an item is RE_LANES rows of one colour, of which no two share a
// mover.

// Fields, as in collide/contact_rows.h.
#define RE_NORMAL       0
#define RE_GAP          3
#define RE_PUSH         4
#define RE_DRAG         5
#define RE_FRICTION     8
#define RE_SLIDE        9
#define RE_REACH        10
#define RE_PAIR_FIELDS  11
#define RE_SURFACE      10
#define RE_GIVE         13
#define RE_WEIGHT       14
#define RE_PULL         0
#define RE_ROLL_REACH   1
#define RE_ROLL         2
#define RE_BOUNCE       5
#define RE_PEAK         6
#define RE_HOLD         7
#define RE_EXTRA_FIELDS 8

// As FrictionModel.
#define RE_PYRAMID        1
#define RE_CONE           2
#define RE_CONE_CORRECTED 3

// What spheres of even density gain: a tangential push turns the surface 5/2 times as fast as it moves the
// centre.
#define RE_SPIN 2.5f

RE_FN void grain_accelerate_item(int item RE_ARGS_grain_accelerate(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real4 u = re_load4_at(v, first);
  const real time = u.w > 0.0f ? re_splat(h) : re_splat(0.0f);
  re_store4_at(v, first,
               v3_with(v3(u.x + time * gravity_x, u.y + time * gravity_y, u.z + time * gravity_z), u.w));
}

RE_FN void grain_move_item(int item RE_ARGS_grain_move(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real4 p = re_load4_at(x, first);
  re_store4_at(x, first, v3_with(v3_mad(v3_of(re_load4_at(v, first)), re_splat(h), v3_of(p)), p.w));
}

// ---- rows of any kind ----

// Where the fields of a row begin, in a set with so many of them.
RE_FN int contact_at(int row, int fields) { return row / 16 * 16 * fields + row % 16; }

RE_FN vec3 contact_load3(RE_GLOBAL const float* at, int field) {
  return v3(re_load(at + 16 * field), re_load(at + 16 * (field + 1)), re_load(at + 16 * (field + 2)));
}
RE_FN void contact_store3(RE_GLOBAL float* at, int field, vec3 a) {
  re_store(at + 16 * field, a.x), re_store(at + 16 * (field + 1), a.y), re_store(at + 16 * (field + 2), a.z);
}

RE_FN real re_inverse(real a) { return a > 0.0f ? 1.0f / a : re_splat(0.0f); }

// Coulomb's disc: what is within the reach of sticking stays, the rest slides.
RE_FN vec3 contact_disc(vec3 q, real stick, real slide) {
  const real q2 = v3_dot(q, q);
  const real share = q2 > stick * stick ? slide * re_rsqrt(q2) : re_splat(1.0f);
  return v3_scale(q, share);
}

// Each of two directions is clamped for itself (algorithms.md 5.1).
RE_FN vec3 contact_pyramid(vec3 n, vec3 q, real limit) {
  const real along_x = re_abs(n.x) < 0.7f ? re_splat(1.0f) : re_splat(0.0f);
  vec3 t1 = v3_cross(n, v3(along_x, 1.0f - along_x, re_splat(0.0f)));
  t1 = v3_scale(t1, re_rsqrt(v3_dot(t1, t1)));
  const vec3 t2 = v3_cross(n, t1);
  const real q1 = re_max(re_min(v3_dot(q, t1), limit), -limit);
  const real q2 = re_max(re_min(v3_dot(q, t2), limit), -limit);
  return v3_mad(t1, q1, v3_scale(t2, q2));
}

// The impulses of a contact: normal, tangential, and the most negative normal one.
typedef struct {
  real push;
  vec3 drag;
} contact_impulse;

// Euclidean projection onto the cone (algorithms.md 5.3).
RE_FN contact_impulse contact_cone(real s, vec3 q, real mu) {
  contact_impulse p;
  const real q2 = v3_dot(q, q), y = re_rsqrt(q2), f = q2 * y;
  const real edge = (s + mu * f) / (mu * mu + 1.0f);
  const real clamped = edge > 0.0f ? edge : re_splat(0.0f);
  const ints inside = f <= mu * s;
  p.push = inside ? s : clamped;
  const real share = inside ? re_splat(1.0f) : mu * clamped * y;
  p.drag = v3_scale(q, share);
  return p;
}

// One row's step: u relative velocity, a and a_t what an impulse of 1 changes of it. A soft row gives way by
// at most `give` however large the load is. Up to the gap `hold` the two pull each other back with at most
// `pull`.
RE_FN contact_impulse contact_step(contact_impulse p, vec3 n, vec3 u, real gap, real a, real a_t, real mu,
                                   real mu_slide, real give, real pull, real hold, int model, float inv_h,
                                   float bias, float push, float soft) {
  const real u_n = v3_dot(n, u);
  const vec3 u_t = v3_mad(n, -u_n, u);
  const ints apart = gap > 0.0f;
  const ints holds = gap < hold;
  const real wide = holds ? gap * bias : gap * inv_h;
  const real b = apart ? wide : re_max(gap * bias, re_splat(-push));
  const real e = apart ? re_splat(0.0f) : re_splat(soft);  // times a
  const real inv_a = re_inverse(a), inv_t = re_inverse(a_t);
  const real yield = re_min(e * p.push, give * bias * inv_a);
  const real open = holds ? pull : re_splat(0.0f);
  const real held = apart ? open : pull;
  contact_impulse next;
  if (model == RE_CONE || model == RE_CONE_CORRECTED) {
    real r = u_n + b;
    if (model == RE_CONE_CORRECTED) {
      const real slip2 = v3_dot(u_t, u_t);
      r = r + mu * slip2 * re_rsqrt(slip2);
    }
    next = contact_cone(p.push - (r * inv_t + yield) / (e + 1.0f), v3_mad(u_t, -inv_t, p.drag), mu);
    return next;
  }
  next.push = re_max(p.push - ((u_n + b) * inv_a + yield) / (e + 1.0f), -held);
  const vec3 q = v3_mad(u_t, -inv_t, p.drag);
  const real load = next.push + held;
  next.drag =
      model == RE_PYRAMID ? contact_pyramid(n, q, mu * load) : contact_disc(q, mu * load, mu_slide * load);
  return next;
}

// What is carried over from the last step, turned to the normal of this one.
RE_FN contact_impulse contact_carried(RE_GLOBAL float* at, vec3 n, real pull, float warm) {
  contact_impulse p;
  p.push = re_load(at + 16 * RE_PUSH) * warm;
  const vec3 drag = v3_scale(contact_load3(at, RE_DRAG), re_splat(warm));
  const real limit = re_load(at + 16 * RE_FRICTION) * re_max(p.push + pull, re_splat(0.0f));
  p.drag = contact_disc(v3_mad(n, -v3_dot(drag, n), drag), limit, limit);
  re_store(at + 16 * RE_PUSH, p.push);
  contact_store3(at, RE_DRAG, p.drag);
  return p;
}

// Turning by a tangential impulse on the first side; factor: RE_SPIN times the inverse mass, or 0.
RE_FN real spin_factor(real4 s, real w) { return s.w > 0.0f ? w * RE_SPIN : re_splat(0.0f); }
RE_FN real4 spin_turned(real4 s, vec3 twist, real factor) {
  return v3_with(v3_mad(twist, factor, v3_of(s)), s.w);
}

// Rolling friction: the change of its impulse; w_roll the change of relative turning by an impulse of 1.
RE_FN vec3 contact_roll(RE_GLOBAL float* more, vec3 turning, real w_roll, real load) {
  const vec3 last = contact_load3(more, RE_ROLL);
  const real limit = re_load(more + 16 * RE_ROLL_REACH) * re_max(load, re_splat(0.0f));
  const vec3 next = contact_disc(v3_mad(turning, -re_inverse(w_roll), last), limit, limit);
  contact_store3(more, RE_ROLL, next);
  return v3_sub(next, last);
}

// In the pass of bounces a row wants its speed of parting, when it has been pushed at all.
RE_FN contact_impulse contact_bounced(RE_GLOBAL const float* more, contact_impulse p, real u_n, real a) {
  const real speed = re_load(more + 16 * RE_BOUNCE);
  const ints bounces = (speed > 0.0f) & (re_load(more + 16 * RE_PEAK) > 0.0f);
  const real next = re_max(p.push - (u_n - speed) * re_inverse(a), re_splat(0.0f));
  p.push = bounces ? next : p.push;
  return p;
}

// ---- pairs of grains ----

// How far two grains give way, over the sum of their radii.
#define RE_PAIR_GIVE 0.04f

RE_FN void pair_begin_item(int item RE_ARGS_pair_begin(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  RE_GLOBAL const int* ib = ia + 16;
  RE_GLOBAL float* at = value + contact_at(row, RE_PAIR_FIELDS);
  const vec3 d = v3_sub(v3_of(re_load4(x, ia)), v3_of(re_load4(x, ib)));
  const real l2 = v3_dot(d, d), y = re_rsqrt(l2);
  // two grains at one place part upwards
  const ints one_place = l2 < 1e-30f;
  const vec3 n = v3(d.x * y, one_place ? re_splat(1.0f) : d.y * y, d.z * y);
  contact_store3(at, RE_NORMAL, n);
  // what overlaps deeply is not pushed faster than what overlaps by this share
  const real reach = re_load(at + 16 * RE_REACH);
  re_store(at + 16 * RE_GAP, re_max(l2 * y - reach, reach * -deepest));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  const real pull = has_extra ? re_load(more + 16 * RE_PULL) : re_splat(0.0f);
  const contact_impulse p = contact_carried(at, n, pull, warm);

  const real4 va = re_load4(v, ia), vb = re_load4(v, ib);
  const vec3 impulse = v3_mad(n, p.push, p.drag);
  re_store4(v, ia, v3_with(v3_mad(impulse, va.w, v3_of(va)), va.w), used);
  re_store4(v, ib, v3_with(v3_mad(impulse, -vb.w, v3_of(vb)), vb.w), used);
  if (!spins) return;
  const real4 sa = re_load4(spin, ia), sb = re_load4(spin, ib);
  const vec3 twist = v3_cross(p.drag, n);
  vec3 roll = v3_zero();
  if (has_extra) {
    roll = v3_scale(contact_load3(more, RE_ROLL), re_splat(warm));
    contact_store3(more, RE_ROLL, roll);
  }
  re_store4(spin, ia, spin_turned(sa, v3_mad(roll, sa.w, twist), spin_factor(sa, va.w)), used);
  re_store4(spin, ib, spin_turned(sb, v3_mad(roll, -sb.w, twist), spin_factor(sb, vb.w)), used);
}

RE_FN void pair_sweep_item(int item RE_ARGS_pair_sweep(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  RE_GLOBAL const int* ib = ia + 16;
  RE_GLOBAL float* at = value + contact_at(row, RE_PAIR_FIELDS);
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  const vec3 n = contact_load3(at, RE_NORMAL);
  const real reach = re_load(at + 16 * RE_REACH);
  real gap = re_load(at + 16 * RE_GAP);
  if (regap) {
    gap = v3_dot(n, v3_sub(v3_of(re_load4(x, ia)), v3_of(re_load4(x, ib)))) - reach;
    re_store(at + 16 * RE_GAP, gap);
  }
  const real4 va = re_load4(v, ia), vb = re_load4(v, ib);
  contact_impulse p;
  p.push = re_load(at + 16 * RE_PUSH), p.drag = contact_load3(at, RE_DRAG);
  const real pull = has_extra ? re_load(more + 16 * RE_PULL) : re_splat(0.0f);
  const real hold = has_extra ? re_load(more + 16 * RE_HOLD) : re_splat(0.0f);
  vec3 u = v3_sub(v3_of(va), v3_of(vb));
  const real a = va.w + vb.w;
  real a_t = a;
  real4 sa, sb;
  real turn_a, turn_b;
  if (spins) {
    sa = re_load4(spin, ia), sb = re_load4(spin, ib);
    turn_a = spin_factor(sa, va.w), turn_b = spin_factor(sb, vb.w);
    u = v3_sub(u, v3_cross(v3_add(v3_of(sa), v3_of(sb)), n));
    a_t = a_t + turn_a + turn_b;
  }
  const contact_impulse next =
      bounce ? contact_bounced(more, p, v3_dot(n, u), a)
             : contact_step(p, n, u, gap, a, a_t, re_load(at + 16 * RE_FRICTION), re_load(at + 16 * RE_SLIDE),
                            reach * RE_PAIR_GIVE, pull, hold, model, inv_h, bias, push, soft);
  re_store(at + 16 * RE_PUSH, next.push);
  contact_store3(at, RE_DRAG, next.drag);
  const vec3 drag = v3_sub(next.drag, p.drag);
  const vec3 impulse = v3_mad(n, next.push - p.push, drag);
  re_store4(v, ia, v3_with(v3_mad(impulse, va.w, v3_of(va)), va.w), used);
  re_store4(v, ib, v3_with(v3_mad(impulse, -vb.w, v3_of(vb)), vb.w), used);
  if (has_extra && !bounce) re_store(more + 16 * RE_PEAK, re_max(re_load(more + 16 * RE_PEAK), next.push));
  if (!spins) return;
  const vec3 twist = v3_cross(drag, n);
  vec3 roll = v3_zero();
  if (has_extra) {
    const vec3 turning = v3_sub(v3_scale(v3_of(sa), sa.w), v3_scale(v3_of(sb), sb.w));
    roll = contact_roll(more, turning, turn_a * sa.w * sa.w + turn_b * sb.w * sb.w, next.push + pull);
  }
  re_store4(spin, ia, spin_turned(sa, v3_mad(roll, sa.w, twist), turn_a), used);
  re_store4(spin, ib, spin_turned(sb, v3_mad(roll, -sb.w, twist), turn_b), used);
}

// ---- patches: movers with weights against a surface ----

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

RE_FN void patch_begin_rows(int count, int item RE_ARGS_patch_begin(RE_BUFFER, RE_VALUE)) {
  (void)movers;
  const int row = first_row + item * RE_LANES, used = end_row - row;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  const vec3 n = contact_load3(at, RE_NORMAL);
  const real pull = has_extra ? re_load(more + 16 * RE_PULL) : re_splat(0.0f);
  const contact_impulse p = contact_carried(at, n, pull, warm);
  patch_push(count, v, at_index, at, v3_mad(n, p.push, p.drag), used);
  if (!spins) return;
  const real4 s = re_load4(spin, at_index), v0 = re_load4(v, at_index);
  vec3 twist = v3_cross(p.drag, n);
  if (has_extra) {
    const vec3 roll = v3_scale(contact_load3(more, RE_ROLL), re_splat(warm));
    contact_store3(more, RE_ROLL, roll);
    twist = v3_mad(roll, s.w, twist);
  }
  re_store4(spin, at_index, spin_turned(s, twist, spin_factor(s, v0.w)), used);
}

RE_FN void patch_sweep_rows(int count, int item RE_ARGS_patch_sweep(RE_BUFFER, RE_VALUE)) {
  (void)movers;
  const int row = first_row + item * RE_LANES, used = end_row - row;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  const vec3 n = contact_load3(at, RE_NORMAL);
  contact_impulse p;
  p.push = re_load(at + 16 * RE_PUSH), p.drag = contact_load3(at, RE_DRAG);
  const real pull = has_extra ? re_load(more + 16 * RE_PULL) : re_splat(0.0f);
  const real hold = has_extra ? re_load(more + 16 * RE_HOLD) : re_splat(0.0f);
  real a;
  vec3 u = patch_slip(count, v, at_index, at, &a);
  real a_t = a, turn = re_splat(0.0f);
  real4 s;
  if (spins) {
    s = re_load4(spin, at_index);
    turn = spin_factor(s, re_load4(v, at_index).w);
    u = v3_sub(u, v3_cross(v3_of(s), n));
    a_t = a_t + turn;
  }
  const contact_impulse next =
      bounce ? contact_bounced(more, p, v3_dot(n, u), a)
             : contact_step(p, n, u, re_load(at + 16 * RE_GAP), a, a_t, re_load(at + 16 * RE_FRICTION),
                            re_load(at + 16 * RE_SLIDE), re_load(at + 16 * RE_GIVE), pull, hold, model, inv_h,
                            bias, push, soft);
  re_store(at + 16 * RE_PUSH, next.push);
  contact_store3(at, RE_DRAG, next.drag);
  const vec3 drag = v3_sub(next.drag, p.drag);
  patch_push(count, v, at_index, at, v3_mad(n, next.push - p.push, drag), used);
  if (has_extra && !bounce) re_store(more + 16 * RE_PEAK, re_max(re_load(more + 16 * RE_PEAK), next.push));
  if (!spins) return;
  vec3 twist = v3_cross(drag, n);
  if (has_extra)
    twist =
        v3_mad(contact_roll(more, v3_scale(v3_of(s), s.w), turn * s.w * s.w, next.push + pull), s.w, twist);
  re_store4(spin, at_index, spin_turned(s, twist, turn), used);
}

#define RE_PASS_PATCH(type, name) , name
RE_FN void patch_begin_item(int item RE_ARGS_patch_begin(RE_BUFFER, RE_VALUE)) {
  if (movers == 1)
    patch_begin_rows(1, item RE_ARGS_patch_begin(RE_PASS_PATCH, RE_PASS_PATCH));
  else
    patch_begin_rows(4, item RE_ARGS_patch_begin(RE_PASS_PATCH, RE_PASS_PATCH));
}
RE_FN void patch_sweep_item(int item RE_ARGS_patch_sweep(RE_BUFFER, RE_VALUE)) {
  if (movers == 1)
    patch_sweep_rows(1, item RE_ARGS_patch_sweep(RE_PASS_PATCH, RE_PASS_PATCH));
  else
    patch_sweep_rows(4, item RE_ARGS_patch_sweep(RE_PASS_PATCH, RE_PASS_PATCH));
}
#undef RE_PASS_PATCH

// The gap after the movers have gone for h seconds.
RE_FN void patch_gap_item(int item RE_ARGS_patch_gap(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(movers));
  real a;
  const vec3 u = patch_slip(movers, v, index + contact_at(row, movers), at, &a);
  re_store(at + 16 * RE_GAP, re_load(at + 16 * RE_GAP) + v3_dot(contact_load3(at, RE_NORMAL), u) * h);
}
