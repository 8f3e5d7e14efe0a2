// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contacts with friction, on velocities (contact_study.md 4, algorithms.md 5). Rows lie in blocks of 16,
// field after field (collide/contact_rows.h). An item is RE_LANES rows: of one colour, of which no two share
// a mover and each pushes at once; or of all rows together, which leave their changes to be gathered by the
// movers (algorithms.md 10).

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
// and no friction: rows that only push, each pass on top of the last
#define RE_SMOOTH 4

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

// v = (x - x_start) / h, with the inverse mass beside it.
RE_FN void point_take_item(int item RE_ARGS_point_take(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real4 p = re_load4_at(x, first);
  const vec3 moved = v3_sub(v3_of(p), v3_of(re_load4_at(x_start, first)));
  re_store4_at(v, first, v3_with(v3_scale(moved, re_splat(inv_h)), p.w));
}

// x = x_start + h v of what is free.
RE_FN void point_give_item(int item RE_ARGS_point_give(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real4 p = re_load4_at(x, first);
  const vec3 to = v3_mad(v3_of(re_load4_at(v, first)), re_splat(h), v3_of(re_load4_at(x_start, first)));
  const ints is_free = p.w > 0.0f;
  re_store4_at(x, first, v3_with(v3(is_free ? to.x : p.x, is_free ? to.y : p.y, is_free ? to.z : p.z), p.w));
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

// Coulomb's disc: what is within the reach of sticking stays, the rest slides.
RE_FN vec3 contact_disc(vec3 q, real stick, real slide) {
  const real q2 = v3_dot(q, q);
  const real share = q2 > stick * stick ? slide * re_rsqrt(q2) : re_splat(1.0f);
  return v3_scale(q, share);
}

// Two directions across the normal (algorithms.md 5).
RE_FN void contact_tangents(vec3 n, vec3* t1, vec3* t2) {
  const real along_x = re_abs(n.x) < 0.7f ? re_splat(1.0f) : re_splat(0.0f);
  const vec3 t = v3_cross(n, v3(along_x, 1.0f - along_x, re_splat(0.0f)));
  *t1 = v3_scale(t, re_rsqrt(v3_dot(t, t)));
  *t2 = v3_cross(n, *t1);
}

// Each of two directions is clamped for itself (algorithms.md 5.1).
RE_FN vec3 contact_pyramid(vec3 n, vec3 q, real limit) {
  vec3 t1, t2;
  contact_tangents(n, &t1, &t2);
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

// What a row answers to: u relative velocity, a and a_t what an impulse of 1 changes of it, crowd and crowd_t
// how many times that its step is divided by (1 but for rows that are solved together). A soft row gives way
// by at most `give` however large the load is. Up to the gap `hold` the two sides pull each other back with
// at most `pull`.
typedef struct {
  vec3 n, u;
  real gap, a, a_t, crowd, crowd_t, mu, mu_slide, give, pull, hold;
} contact_row;

// How rows answer in a pass; gain: times the step.
typedef struct {
  int model;
  float inv_h, bias, push, soft, gain;
} contact_law;

// Where the two sides pull each other back, the most of that pull.
RE_FN real contact_held(contact_row row) {
  const real open = row.gap < row.hold ? row.pull : re_splat(0.0f);
  return row.gap > 0.0f ? open : row.pull;
}

// What a row of the gap asks for beside its velocity [m/s], and its softness (times a).
RE_FN real contact_bias(contact_row row, contact_law law, real* e) {
  const ints apart = row.gap > 0.0f;
  const real wide = row.gap < row.hold ? row.gap * law.bias : row.gap * law.inv_h;
  *e = apart ? re_splat(0.0f) : re_splat(law.soft);
  return apart ? wide : re_max(row.gap * law.bias, re_splat(-law.push));
}

// The next normal impulse; p: the last one, from: with the momentum of the last pass.
RE_FN real contact_push(real p, real from, real u_n, contact_row row, contact_law law) {
  real e;
  const real b = contact_bias(row, law, &e);
  const real inv_a = re_inverse(row.a);
  const real yield = re_min(e * p, row.give * law.bias * inv_a);
  const real least = law.model == RE_SMOOTH ? p : -contact_held(row);
  return re_max(from - law.gain * ((u_n + b) * inv_a + yield) / (e + row.crowd), least);
}

// The next tangential impulse: q, as friction allows under a push.
RE_FN vec3 contact_drag(vec3 q, real push, contact_row row, contact_law law) {
  const real load = push + contact_held(row);
  return law.model == RE_PYRAMID ? contact_pyramid(row.n, q, row.mu * load)
                                 : contact_disc(q, row.mu * load, row.mu_slide * load);
}

// The cone wants both at once.
RE_FN contact_impulse contact_on_cone(contact_impulse p, contact_impulse from, real u_n, vec3 u_t,
                                      contact_row row, contact_law law) {
  real e;
  const real b = contact_bias(row, law, &e);
  const real inv_t = re_inverse(row.a_t);
  const real yield = re_min(e * p.push, row.give * law.bias * re_inverse(row.a));
  real r = u_n + b;
  if (law.model == RE_CONE_CORRECTED) {
    const real slip2 = v3_dot(u_t, u_t);
    r = r + row.mu * slip2 * re_rsqrt(slip2);
  }
  return contact_cone(from.push - law.gain * (r * inv_t + yield) / (e + row.crowd_t),
                      v3_mad(u_t, -inv_t * law.gain / row.crowd_t, from.drag), row.mu);
}

// One row's step from p, projected; from: p and the momentum of the last pass.
RE_FN contact_impulse contact_step(contact_impulse p, contact_impulse from, contact_row row,
                                   contact_law law) {
  const real u_n = v3_dot(row.n, row.u);
  const vec3 u_t = v3_mad(row.n, -u_n, row.u);
  if (law.model == RE_CONE || law.model == RE_CONE_CORRECTED)
    return contact_on_cone(p, from, u_n, u_t, row, law);
  contact_impulse next;
  next.push = contact_push(p.push, from.push, u_n, row, law);
  next.drag = v3_zero();
  if (law.model == RE_SMOOTH) return next;
  const real step_t = -re_inverse(row.a_t) * law.gain / row.crowd_t;
  next.drag = contact_drag(v3_mad(u_t, step_t, from.drag), next.push, row, law);
  return next;
}

// A tangential impulse of the last step, turned to the normal of this one.
RE_FN vec3 contact_turned(vec3 drag, vec3 n, real limit) {
  return contact_disc(v3_mad(n, -v3_dot(drag, n), drag), limit, limit);
}

// What is carried over from the last step.
RE_FN contact_impulse contact_carried(RE_GLOBAL float* at, vec3 n, real pull, float warm) {
  contact_impulse p;
  p.push = re_load(at + 16 * RE_PUSH) * warm;
  const vec3 drag = v3_scale(contact_load3(at, RE_DRAG), re_splat(warm));
  const real limit = re_load(at + 16 * RE_FRICTION) * re_max(p.push + pull, re_splat(0.0f));
  p.drag = contact_turned(drag, n, limit);
  re_store(at + 16 * RE_PUSH, p.push);
  contact_store3(at, RE_DRAG, p.drag);
  return p;
}

// Turning by a tangential impulse on the first side; factor: RE_SPIN times the inverse mass, or 0.
RE_FN real spin_factor(real4 s, real w) { return s.w > 0.0f ? w * RE_SPIN : re_splat(0.0f); }
RE_FN real4 spin_turned(real4 s, vec3 twist, real factor) {
  return v3_with(v3_mad(twist, factor, v3_of(s)), s.w);
}

// Rolling friction: the change of its impulse; w_roll the change of relative turning by an impulse of 1,
// times the crowd. No momentum: it only ever holds back.
RE_FN vec3 contact_roll(RE_GLOBAL float* more, vec3 turning, real w_roll, real load) {
  const vec3 last = contact_load3(more, RE_ROLL);
  const real limit = re_load(more + 16 * RE_ROLL_REACH) * re_max(load, re_splat(0.0f));
  const vec3 next = contact_disc(v3_mad(turning, -re_inverse(w_roll), last), limit, limit);
  contact_store3(more, RE_ROLL, next);
  return v3_sub(next, last);
}

// In the pass of bounces a row wants its speed of parting, when it has been pushed at all.
RE_FN contact_impulse contact_bounced(RE_GLOBAL const float* more, contact_impulse p, contact_row row) {
  const real speed = re_load(more + 16 * RE_BOUNCE);
  const ints bounces = (speed > 0.0f) & (re_load(more + 16 * RE_PEAK) > 0.0f);
  const real wanted = (v3_dot(row.n, row.u) - speed) * re_inverse(row.a) / row.crowd;
  const real next = re_max(p.push - wanted, re_splat(0.0f));
  p.push = bounces ? next : p.push;
  return p;
}

// ---- rows that are solved together ----

// The diagonal of mass splitting over the row's own (algorithms.md 3.1 c); a mover without mass has none.
RE_FN real contact_crowd(real split, real a) { return re_max(split * re_inverse(a), re_splat(1.0f)); }

// The turning of a grain is shared with the friction of the same row.
#define RE_ROLL_CROWD 2.0f

// What a row changes in a pass. With the normal of the row, `impulse` holds the change of both impulses: its
// normal part is in w when it is kept.
typedef struct {
  vec3 impulse, twist, roll;
  real push;
} contact_change;

// The last change goes on by the share beta, along the normal as it is now.
RE_FN contact_impulse contact_lead(contact_impulse p, vec3 n, real4 last, float beta) {
  const vec3 drag = v3_mad(n, -v3_dot(n, v3_of(last)), v3_of(last));
  p.push = p.push + last.w * beta;
  p.drag = v3_mad(drag, re_splat(beta), p.drag);
  return p;
}

RE_FN void contact_keep(int row, contact_change c, RE_GLOBAL point4* change, RE_GLOBAL point4* twist,
                        RE_GLOBAL point4* rolled, int spins, int has_extra) {
  re_store4_at(change, row, v3_with(c.impulse, c.push));
  if (!spins) return;
  re_store4_at(twist, row, v3_with(c.twist, re_splat(0.0f)));
  if (has_extra) re_store4_at(rolled, row, v3_with(c.roll, re_splat(0.0f)));
}

// What a row keeps, all but what its movers and its kind add.
RE_FN contact_row contact_take(RE_GLOBAL const float* at, RE_GLOBAL const float* more, int has_extra) {
  contact_row r;
  r.n = contact_load3(at, RE_NORMAL), r.gap = re_load(at + 16 * RE_GAP);
  r.mu = re_load(at + 16 * RE_FRICTION), r.mu_slide = re_load(at + 16 * RE_SLIDE);
  r.pull = has_extra ? re_load(more + 16 * RE_PULL) : re_splat(0.0f);
  r.hold = has_extra ? re_load(more + 16 * RE_HOLD) : re_splat(0.0f);
  return r;
}
RE_FN contact_impulse contact_last(RE_GLOBAL const float* at) {
  contact_impulse p;
  p.push = re_load(at + 16 * RE_PUSH), p.drag = contact_load3(at, RE_DRAG);
  return p;
}

// Keeps the next impulses of a row, and tells what they change; rolling comes later.
RE_FN contact_change contact_leave(RE_GLOBAL float* at, RE_GLOBAL float* more, vec3 n, contact_impulse p,
                                   contact_impulse next, int peaks) {
  re_store(at + 16 * RE_PUSH, next.push);
  contact_store3(at, RE_DRAG, next.drag);
  if (peaks) re_store(more + 16 * RE_PEAK, re_max(re_load(more + 16 * RE_PEAK), next.push));
  const vec3 drag = v3_sub(next.drag, p.drag);
  contact_change c;
  c.push = next.push - p.push, c.impulse = v3_mad(n, c.push, drag);
  c.twist = v3_cross(drag, n), c.roll = v3_zero();
  return c;
}

// A row begins with what it carries over.
RE_FN contact_change contact_begin(RE_GLOBAL float* at, RE_GLOBAL float* more, vec3 n, float warm, int spins,
                                   int has_extra) {
  const real pull = has_extra ? re_load(more + 16 * RE_PULL) : re_splat(0.0f);
  const contact_impulse p = contact_carried(at, n, pull, warm);
  contact_change c;
  c.impulse = v3_mad(n, p.push, p.drag), c.push = p.push;
  c.twist = v3_cross(p.drag, n), c.roll = v3_zero();
  if (spins && has_extra) {
    c.roll = v3_scale(contact_load3(more, RE_ROLL), re_splat(warm));
    contact_store3(more, RE_ROLL, c.roll);
  }
  return c;
}

// ---- pairs of grains ----

// How far two grains give way, over the sum of their radii.
#define RE_PAIR_GIVE 0.04f

// Normal and gap of two spheres that lie d apart.
RE_FN vec3 pair_normal(vec3 d, real reach, real* gap) {
  const real l2 = v3_dot(d, d), y = re_rsqrt(l2);
  // two grains at one place part upwards
  const ints one_place = l2 < 1e-30f;
  *gap = l2 * y - reach;
  return v3(d.x * y, one_place ? re_splat(1.0f) : d.y * y, d.z * y);
}

RE_FN contact_change pair_begin_row(int row RE_ARGS_pair_begin(RE_BUFFER, RE_VALUE)) {
  (void)v, (void)spin, (void)first_row, (void)end_row;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  RE_GLOBAL float* at = value + contact_at(row, RE_PAIR_FIELDS);
  real gap;
  const vec3 n = pair_normal(v3_sub(v3_of(re_load4(x, ia)), v3_of(re_load4(x, ia + 16))),
                             re_load(at + 16 * RE_REACH), &gap);
  contact_store3(at, RE_NORMAL, n);
  // what overlaps deeply is not pushed faster than what overlaps by this share
  re_store(at + 16 * RE_GAP, re_max(gap, re_load(at + 16 * RE_REACH) * -deepest));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  return contact_begin(at, more, n, warm, spins, has_extra);
}

// together: a constant; last: change of the pass before, crowd_a and crowd_b rows on the two movers.
RE_FN contact_change pair_sweep_row(int together, int row, real4 va, real4 vb, real4 sa, real4 sb,
                                    real crowd_a, real crowd_b, real4 last, float gain,
                                    float beta RE_ARGS_pair_sweep(RE_BUFFER, RE_VALUE)) {
  (void)v, (void)spin, (void)first_row, (void)end_row;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  RE_GLOBAL float* at = value + contact_at(row, RE_PAIR_FIELDS);
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  contact_row r = contact_take(at, more, has_extra);
  const vec3 n = r.n;
  if (regap) {
    r.gap =
        v3_dot(n, v3_sub(v3_of(re_load4(x, ia)), v3_of(re_load4(x, ia + 16)))) - re_load(at + 16 * RE_REACH);
    re_store(at + 16 * RE_GAP, r.gap);
  }
  const contact_impulse p = contact_last(at);
  r.give = re_load(at + 16 * RE_REACH) * RE_PAIR_GIVE;
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

// A colour of more rows is not in the cache of a core when it is visited again.
#define RE_FAR_ROWS 16384
// Of such a colour, rows so many items ahead are fetched while those at hand are computed.
#define RE_AHEAD 2

RE_FN int pair_is_far(int row, int first_row, int end_row) {
  return end_row - first_row > RE_FAR_ROWS && row + (RE_AHEAD + 1) * RE_LANES <= end_row;
}
RE_FN void pair_fetch(int row, RE_GLOBAL const float* value) {
  RE_GLOBAL const float* at = value + contact_at(row + RE_AHEAD * RE_LANES, RE_PAIR_FIELDS);
  for (int k = 0; k < RE_PAIR_FIELDS; ++k) RE_PREFETCH(at + 16 * k);
}
// Of the second movers: the first ones follow each other, which processors foresee by themselves.
RE_FN void pair_fetch_movers(int row, RE_GLOBAL const int* index, RE_GLOBAL const point4* of_mover) {
  RE_GLOBAL const int* ib = index + contact_at(row + RE_AHEAD * RE_LANES, 2) + 16;
  for (int k = 0; k < RE_LANES; ++k) RE_PREFETCH(of_mover + ib[k]);
}

#define RE_HAND_ON(type, name) , name
RE_FN void pair_begin_item(int item RE_ARGS_pair_begin(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  if (pair_is_far(row, first_row, end_row))
    pair_fetch(row, value), pair_fetch_movers(row, index, x), pair_fetch_movers(row, index, v);
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  const contact_change c = pair_begin_row(row RE_ARGS_pair_begin(RE_HAND_ON, RE_HAND_ON));
  const real4 va = re_load4(v, ia), vb = re_load4(v, ia + 16);
  pair_push(ia, c, va, vb, v, used);
  if (spins) pair_turn(ia, c, va, vb, re_load4(spin, ia), re_load4(spin, ia + 16), spin, used);
}

RE_FN void pair_sweep_item(int item RE_ARGS_pair_sweep(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  if (pair_is_far(row, first_row, end_row)) pair_fetch(row, value), pair_fetch_movers(row, index, v);
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
  const int row = item * RE_LANES;
  RE_GLOBAL const int* ia = index + contact_at(row, 2);
  RE_GLOBAL float* at = value + contact_at(row, RE_PAIR_FIELDS);
  const vec3 way = v3_scale(v3_sub(v3_of(re_load4(v, ia)), v3_of(re_load4(v, ia + 16))), re_splat(h));
  const vec3 d = v3_sub(v3_of(re_load4(x, ia)), v3_of(re_load4(x, ia + 16)));
  real gap;
  const vec3 n = pair_normal(v3_add(d, way), re_load(at + 16 * RE_REACH), &gap);
  contact_store3(at, RE_NORMAL, n);
  re_store(at + 16 * RE_GAP, gap - v3_dot(n, way));
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
  (void)levers, (void)bonds, (void)going, (void)lost;
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
RE_FN void lever_push(int row, real4 before, vec3 impulse, int used RE_ARGS_LEVER(RE_BUFFER, RE_VALUE)) {
  const patch_lever l = lever_load(row RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  RE_GLOBAL const int* which = lever_of + contact_at(row, 1);
  const ints has_one = l.sign != 0.0f;
  const vec3 twist = s3_mul(l.turn, v3_cross(l.arm, impulse));
  re_store4_where(turning, which, v3_with(v3_mad(twist, l.sign, l.spin), re_splat(0.0f)), has_one, used);
  const vec3 now = v3_of(re_load4(going, which)), wanted = v3_scale(impulse, l.sign * before.w);
  const vec3 left = v3_add(v3_of(re_load4(lost, which)), v3_sub(wanted, v3_sub(now, v3_of(before))));
  const vec3 then = v3_add(now, left);
  re_store4_where(going, which, v3_with(then, before.w), has_one, used);
  re_store4_where(lost, which, v3_with(v3_sub(left, v3_sub(then, now)), re_splat(0.0f)), has_one, used);
}
RE_FN real4 lever_velocity(int row RE_ARGS_LEVER(RE_BUFFER, RE_VALUE)) {
  (void)turning, (void)turn_a, (void)turn_b, (void)lever, (void)levers, (void)bonds, (void)lost;
  return re_load4(going, lever_of + contact_at(row, 1));
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

RE_FN contact_change patch_begin_row(int count, int row RE_ARGS_patch_begin(RE_BUFFER, RE_VALUE)) {
  (void)movers, (void)v, (void)spin, (void)index, (void)first_row, (void)end_row, (void)turning;
  (void)turn_a, (void)turn_b, (void)lever_of, (void)lever, (void)levers, (void)going, (void)lost;
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  const vec3 n = contact_load3(at, RE_NORMAL);
  const contact_impulse last = contact_last(at);
  contact_change c = contact_begin(at, more, n, warm, spins, has_extra);
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

// together and count: constants; split: diagonal of mass splitting, crowd_0 rows on the first mover.
RE_FN contact_change patch_sweep_row(int together, int count, int row, real4 s, real split, real crowd_0,
                                     real4 last, float gain,
                                     float beta RE_ARGS_patch_sweep(RE_BUFFER, RE_VALUE)) {
  (void)movers, (void)spin, (void)first_row, (void)end_row;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  RE_GLOBAL float* more = extra + (has_extra ? contact_at(row, RE_EXTRA_FIELDS) : 0);
  contact_row r = contact_take(at, more, has_extra);
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

RE_FN void patch_begin_rows(int count, int item RE_ARGS_patch_begin(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  const contact_change c = patch_begin_row(count, row RE_ARGS_patch_begin(RE_HAND_ON, RE_HAND_ON));
  real4 before = v3_with(v3_zero(), re_splat(0.0f));
  if (levers) before = lever_velocity(row RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  patch_push(count, v, at_index, at, c.impulse, used);
  if (levers) lever_push(row, before, c.impulse, used RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  if (spins) patch_turn(at_index, c, re_load4(v, at_index).w, re_load4(spin, at_index), spin, used);
}

RE_FN void patch_sweep_rows(int count, int item RE_ARGS_patch_sweep(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES, used = end_row - row;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  RE_GLOBAL float* at = value + contact_at(row, RE_PATCH_FIELDS(count));
  const real none = re_splat(0.0f);
  const real4 nothing = v3_with(v3_zero(), none);
  real4 s = nothing;
  if (spins) s = re_load4(spin, at_index);
  const contact_change c = patch_sweep_row(0, count, row, s, none, none, nothing, 1.0f,
                                           0.0f RE_ARGS_patch_sweep(RE_HAND_ON, RE_HAND_ON));
  real4 before = v3_with(v3_zero(), re_splat(0.0f));
  if (levers) before = lever_velocity(row RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  patch_push(count, v, at_index, at, c.impulse, used);
  if (levers) lever_push(row, before, c.impulse, used RE_ARGS_LEVER(RE_HAND_ON, RE_HAND_ON));
  if (spins) patch_turn(at_index, c, re_load4(v, at_index).w, s, spin, used);
}

RE_FN void patch_begin_all_rows(int count, int item RE_ARGS_patch_begin_all(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  const contact_change c = patch_begin_row(count, row RE_ARGS_patch_begin(RE_HAND_ON, RE_HAND_ON));
  contact_keep(row, c, change, twist, rolled, spins, has_extra);
}

RE_FN void patch_sweep_all_rows(int count, int item RE_ARGS_patch_sweep_all(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  RE_GLOBAL const int* at_index = index + contact_at(row, count);
  const real split = patch_split(count, v, at_index, value + contact_at(row, RE_PATCH_FIELDS(count)), crowd);
  real4 s = v3_with(v3_zero(), re_splat(0.0f));
  if (spins) s = re_load4(spin, at_index);
  const contact_change c =
      patch_sweep_row(1, count, row, s, split, re_gather(crowd, at_index), re_load4_at(change, row), gain,
                      beta RE_ARGS_patch_sweep(RE_HAND_ON, RE_HAND_ON));
  contact_keep(row, c, change, twist, rolled, spins, has_extra);
}

// The number of movers as a constant.
#define RE_PATCH_ITEM(name)                                              \
  RE_FN void name##_item(int item RE_ARGS_##name(RE_BUFFER, RE_VALUE)) { \
    if (movers == 1)                                                     \
      name##_rows(1, item RE_ARGS_##name(RE_HAND_ON, RE_HAND_ON));       \
    else                                                                 \
      name##_rows(4, item RE_ARGS_##name(RE_HAND_ON, RE_HAND_ON));       \
  }
RE_PATCH_ITEM(patch_begin)
RE_PATCH_ITEM(patch_sweep)
RE_PATCH_ITEM(patch_begin_all)
RE_PATCH_ITEM(patch_sweep_all)
#undef RE_PATCH_ITEM
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

// ---- movers ----

// Pass 2 of rows that are solved together: each mover sums what its rows changed, in the order of its list.
RE_FN void mover_gather_item(int item RE_ARGS_mover_gather(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES, slice = first / 16, lane = first % 16;
  vec3 push = v3_zero(), turn = push, roll = push;
  for (int k = start[slice]; k < start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    const real share = re_load(weight + e);
    push = v3_mad(v3_of(re_load4(change, row + e)), share, push);
    if (!spins) continue;
    turn = v3_add(turn, v3_of(re_load4(twist, row + e)));
    if (has_extra) roll = v3_mad(v3_of(re_load4(rolled, row + e)), share, roll);
  }
  const real4 u = re_load4_at(v, first);
  re_store4_at(v, first, v3_with(v3_mad(push, u.w, v3_of(u)), u.w));
  if (!spins) return;
  const real4 s = re_load4_at(spin, first);
  re_store4_at(spin, first, spin_turned(s, v3_mad(roll, s.w, turn), spin_factor(s, u.w)));
}

// Friction after a solve of positions: the slip of each mover that touches loses what a push of its own
// weight would take (algorithms.md 5.5).
RE_FN void mover_rub_item(int item RE_ARGS_mover_rub(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real4 t = re_load4_at(touch, first), u = re_load4_at(v, first);
  const vec3 n = v3_of(t), base = v3_of(re_load4_at(ground, first));
  const vec3 slip = v3_sub(v3_of(u), base);
  const vec3 along = v3_mad(n, -v3_dot(n, slip), slip);
  const vec3 lost = contact_disc(along, t.w, t.w);
  re_store4_at(v, first, v3_with(v3_sub(v3_of(u), lost), u.w));
}
