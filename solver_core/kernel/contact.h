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
#define RE_ALIKE_FIELDS 8  // of pairs that are all alike: up to the friction
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

// Arguments handed on to the function of a row.
#define RE_HAND_ON(type, name) , name

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
RE_FN contact_impulse contact_carried(RE_GLOBAL float* at, vec3 n, real mu, real pull, float warm) {
  contact_impulse p;
  p.push = re_load(at + 16 * RE_PUSH) * warm;
  const vec3 drag = v3_scale(contact_load3(at, RE_DRAG), re_splat(warm));
  const real limit = mu * re_max(p.push + pull, re_splat(0.0f));
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
RE_FN contact_change contact_begin(RE_GLOBAL float* at, RE_GLOBAL float* more, vec3 n, real mu, float warm,
                                   int spins, int has_extra) {
  const real pull = has_extra ? re_load(more + 16 * RE_PULL) : re_splat(0.0f);
  const contact_impulse p = contact_carried(at, n, mu, pull, warm);
  contact_change c;
  c.impulse = v3_mad(n, p.push, p.drag), c.push = p.push;
  c.twist = v3_cross(p.drag, n), c.roll = v3_zero();
  if (spins && has_extra) {
    c.roll = v3_scale(contact_load3(more, RE_ROLL), re_splat(warm));
    contact_store3(more, RE_ROLL, c.roll);
  }
  return c;
}
