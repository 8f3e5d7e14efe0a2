// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Manifolds of two rigid bodies, or of one and of something that nothing pushes: up to four points with one
// normal, solved one after another while both bodies are at hand. Rows as those of kernel/contact.h, with
// levers. sides: a constant, 1 where the second side only has a velocity, which stands in place of its lever.

// Fields of a manifold, then those of each of its points; as in collide/hull_rows.h.
#define RE_HULL_NORMAL   0
#define RE_HULL_FRICTION 3
#define RE_HULL_SLIDE    4
#define RE_HULL_GIVE     5
#define RE_HULL_POINT    6
#define RE_POINT_GAP     0
#define RE_POINT_START   1
#define RE_POINT_PUSH    2
#define RE_POINT_DRAG    3
#define RE_POINT_ARM_A   6
#define RE_POINT_ARM_B   9
#define RE_POINT_ANSWER  12
#define RE_POINT_STOP    13
#define RE_POINT_BOUNCE  14
#define RE_POINT_PEAK    15
#define RE_POINT_FIELDS  16
#define RE_HULL_FIELDS   (RE_HULL_POINT + 4 * RE_POINT_FIELDS)
#define RE_HULLS_AHEAD   1

// Both bodies of a manifold while it is solved.
typedef struct {
  rigid_side a, b;
} hull_sides;

RE_FN vec3 hull_velocity(int sides, hull_sides s, vec3 arm_a, vec3 arm_b) {
  return v3_sub(rigid_velocity(s.a, arm_a), sides == 2 ? rigid_velocity(s.b, arm_b) : arm_b);
}
RE_FN hull_sides hull_pushed(int sides, hull_sides s, vec3 arm_a, vec3 arm_b, vec3 impulse) {
  s.a = rigid_pushed(s.a, arm_a, impulse, 1.0f);
  if (sides == 2) s.b = rigid_pushed(s.b, arm_b, impulse, -1.0f);
  return s;
}
// What an impulse of 1 along d changes of the velocity along e.
RE_FN real hull_answer(int sides, hull_sides s, vec3 arm_a, vec3 arm_b, vec3 d, vec3 e) {
  const real a = rigid_answer(s.a, arm_a, d, e);
  return sides == 2 ? a + rigid_answer(s.b, arm_b, d, e) : a;
}

// The gap of a point after its bodies have gone and turned.
RE_FN real hull_gap(int sides, RE_GLOBAL float* at, vec3 n, vec3 arm_a, vec3 arm_b, RE_GLOBAL const int* ia,
                    RE_GLOBAL const point4* shift, RE_GLOBAL const point4* tilt, float since) {
  const vec3 a = v3_add(v3_of(re_load4(shift, ia)), v3_cross(v3_of(re_load4(tilt, ia)), arm_a));
  const vec3 b =
      sides == 2 ? v3_add(v3_of(re_load4(shift, ia + 16)), v3_cross(v3_of(re_load4(tilt, ia + 16)), arm_b))
                 : v3_scale(arm_b, re_splat(since));
  const real gap = re_load(at + 16 * RE_POINT_START) + v3_dot(n, v3_sub(a, b));
  re_store(at + 16 * RE_POINT_GAP, gap);
  return gap;
}

// What impulses of 1 change: along the normal, and at most across it; a step that differed by direction would
// turn friction away from the slip. Nothing where a manifold has no such point.
RE_FN void hull_weigh(int sides, RE_GLOBAL float* at, vec3 n, vec3 t1, vec3 t2, hull_sides s, vec3 arm_a,
                      vec3 arm_b) {
  const ints used = re_load(at + 16 * RE_POINT_ANSWER) >= 0.0f;
  const real zero = re_splat(0.0f);
  const real k_n = hull_answer(sides, s, arm_a, arm_b, n, n);
  const real k11 = hull_answer(sides, s, arm_a, arm_b, t1, t1);
  const real k12 = hull_answer(sides, s, arm_a, arm_b, t1, t2);
  const real k22 = hull_answer(sides, s, arm_a, arm_b, t2, t2);
  const real uneven = (k11 - k22) * 0.5f, apart2 = uneven * uneven + k12 * k12;
  const real greatest = (k11 + k22) * 0.5f + apart2 * re_rsqrt(re_max(apart2, re_splat(1e-30f)));
  re_store(at + 16 * RE_POINT_ANSWER, used ? k_n : zero);
  re_store(at + 16 * RE_POINT_STOP, used ? re_inverse(greatest) : zero);
}

RE_FN hull_sides hull_begin_row(int sides, int row, hull_sides s RE_ARGS_hull_begin(RE_BUFFER, RE_VALUE)) {
  (void)v, (void)spin, (void)turn_a, (void)turn_b, (void)first_row, (void)end_row, (void)far_end,
      (void)bodies;
  RE_GLOBAL const int* ia = index + contact_at(row, sides);
  RE_GLOBAL float* head = value + contact_at(row, RE_HULL_FIELDS);
  const vec3 n = contact_load3(head, RE_HULL_NORMAL);
  const real mu = re_load(head + 16 * RE_HULL_FRICTION);
  vec3 t1, t2;
  contact_tangents(n, &t1, &t2);
  for (int k = 0; k < points[row / 16]; ++k) {
    RE_GLOBAL float* at = head + 16 * (RE_HULL_POINT + k * RE_POINT_FIELDS);
    const vec3 arm_a = contact_load3(at, RE_POINT_ARM_A), arm_b = contact_load3(at, RE_POINT_ARM_B);
    if (fresh) hull_weigh(sides, at, n, t1, t2, s, arm_a, arm_b);
    if (regap) hull_gap(sides, at, n, arm_a, arm_b, ia, shift, tilt, since);
    const real push = re_load(at + 16 * RE_POINT_PUSH) * warm;
    const vec3 drag =
        contact_turned(v3_scale(contact_load3(at, RE_POINT_DRAG), re_splat(warm)), n, mu * push);
    re_store(at + 16 * RE_POINT_PUSH, push);
    contact_store3(at, RE_POINT_DRAG, drag);
    s = hull_pushed(sides, s, arm_a, arm_b, v3_mad(n, push, drag));
  }
  return s;
}

// together: a constant; last: changes of the pass before, point after point.
RE_FN hull_sides hull_sweep_row(int sides, int together, int row, hull_sides s, RE_GLOBAL float* last,
                                float beta RE_ARGS_hull_sweep(RE_BUFFER, RE_VALUE)) {
  (void)v, (void)spin, (void)turn_a, (void)turn_b, (void)first_row, (void)end_row, (void)far_end,
      (void)bodies;
  RE_GLOBAL const int* ia = index + contact_at(row, sides);
  RE_GLOBAL float* head = value + contact_at(row, RE_HULL_FIELDS);
  contact_row r;
  r.n = contact_load3(head, RE_HULL_NORMAL);
  r.mu = re_load(head + 16 * RE_HULL_FRICTION), r.mu_slide = re_load(head + 16 * RE_HULL_SLIDE);
  r.give = re_load(head + 16 * RE_HULL_GIVE);
  r.pull = re_splat(0.0f), r.hold = r.pull, r.crowd = re_splat(1.0f), r.crowd_t = r.crowd;
  const vec3 n = r.n;
  contact_law law;
  law.model = model, law.inv_h = inv_h, law.bias = bias, law.push = push, law.soft = soft;
  law.gain = 1.0f;  // the points of a manifold follow each other, which bears no longer steps
  for (int k = 0; k < points[row / 16]; ++k) {
    RE_GLOBAL float* at = head + 16 * (RE_HULL_POINT + k * RE_POINT_FIELDS);
    const vec3 arm_a = contact_load3(at, RE_POINT_ARM_A), arm_b = contact_load3(at, RE_POINT_ARM_B);
    r.gap = regap ? hull_gap(sides, at, n, arm_a, arm_b, ia, shift, tilt, since)
                  : re_load(at + 16 * RE_POINT_GAP);
    r.a = re_load(at + 16 * RE_POINT_ANSWER);
    const real stop = re_load(at + 16 * RE_POINT_STOP);
    contact_impulse p, from, next;
    p.push = re_load(at + 16 * RE_POINT_PUSH), p.drag = contact_load3(at, RE_POINT_DRAG);
    from = p;
    if (together) {
      from.push = re_load(last + 16 * 4 * k) * beta + p.push;
      from.drag = v3_mad(contact_load3(last, 4 * k + 1), re_splat(beta), p.drag);
    }
    next = p;
    vec3 u = hull_velocity(sides, s, arm_a, arm_b);
    if (bounce) {
      r.u = u;
      next = contact_bounced(at + 16 * (RE_POINT_BOUNCE - RE_BOUNCE), p, r);
      s = hull_pushed(sides, s, arm_a, arm_b, v3_scale(n, next.push - p.push));
    } else if (law.model == RE_CONE || law.model == RE_CONE_CORRECTED) {
      const real u_n = v3_dot(n, u);
      r.a_t = r.a + re_inverse(stop);  // at least as much as the block of three
      next = contact_on_cone(p, from, u_n, v3_mad(n, -u_n, u), r, law);
      s = hull_pushed(sides, s, arm_a, arm_b, v3_mad(n, next.push - p.push, v3_sub(next.drag, p.drag)));
    } else {
      next.push = contact_push(p.push, from.push, v3_dot(n, u), r, law);
      s = hull_pushed(sides, s, arm_a, arm_b, v3_scale(n, next.push - p.push));
      if (law.model != RE_SMOOTH) {
        u = hull_velocity(sides, s, arm_a, arm_b);
        const vec3 u_t = v3_mad(n, -v3_dot(n, u), u);
        next.drag = contact_drag(v3_mad(u_t, -stop, from.drag), next.push, r, law);
        s = hull_pushed(sides, s, arm_a, arm_b, v3_sub(next.drag, p.drag));
      }
    }
    re_store(at + 16 * RE_POINT_PUSH, next.push);
    contact_store3(at, RE_POINT_DRAG, next.drag);
    if (!bounce) re_store(at + 16 * RE_POINT_PEAK, re_max(re_load(at + 16 * RE_POINT_PEAK), next.push));
    if (together) {
      re_store(last + 16 * 4 * k, next.push - p.push);
      contact_store3(last, 4 * k + 1, v3_sub(next.drag, p.drag));
    }
  }
  return s;
}

#define RE_HAND_ON(type, name) , name
RE_FN hull_sides hull_load(int sides, int row RE_ARGS_RIGID(RE_BUFFER, RE_VALUE),
                           RE_GLOBAL const int* index) {
  RE_GLOBAL const int* ia = index + contact_at(row, sides);
  hull_sides s;
  s.a = rigid_load(ia RE_ARGS_RIGID(RE_HAND_ON, RE_HAND_ON));
  s.b = s.a;
  if (sides == 2) s.b = rigid_load(ia + 16 RE_ARGS_RIGID(RE_HAND_ON, RE_HAND_ON));
  return s;
}
RE_FN void hull_store(int sides, int row, hull_sides s, RE_GLOBAL const int* index, RE_GLOBAL point4* v,
                      RE_GLOBAL point4* spin, int used) {
  RE_GLOBAL const int* ia = index + contact_at(row, sides);
  rigid_store(s.a, ia, v, spin, used);
  if (sides == 2) rigid_store(s.b, ia + 16, v, spin, used);
}

// Rows lie in the order in which they are solved: those of the next item, of this colour or of the next one,
// are fetched while those at hand are computed. To fetch its bodies too costs more than it gains.
RE_FN void hull_fetch(int row, int far_end, RE_GLOBAL const float* value, RE_GLOBAL const int* points) {
  if (!fetch_is_far(row, RE_HULLS_AHEAD, far_end)) return;
  const int then = row + RE_HULLS_AHEAD * RE_LANES;
  fetch_first(value, then, RE_HULL_FIELDS, RE_HULL_POINT + points[then / 16] * RE_POINT_FIELDS);
}

RE_FN void hull_begin_rows(int sides, int item RE_ARGS_hull_begin(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  hull_fetch(row, far_end, value, points);
  hull_sides s = hull_load(sides, row RE_ARGS_RIGID(RE_HAND_ON, RE_HAND_ON), index);
  s = hull_begin_row(sides, row, s RE_ARGS_hull_begin(RE_HAND_ON, RE_HAND_ON));
  hull_store(sides, row, s, index, v, spin, end_row - row);
}

RE_FN void hull_sweep_rows(int sides, int item RE_ARGS_hull_sweep(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  hull_fetch(row, far_end, value, points);
  hull_sides s = hull_load(sides, row RE_ARGS_RIGID(RE_HAND_ON, RE_HAND_ON), index);
  // NOLINTNEXTLINE(modernize-use-nullptr): OpenCL C has none
  s = hull_sweep_row(sides, 0, row, s, (RE_GLOBAL float*)0, 0.0f RE_ARGS_hull_sweep(RE_HAND_ON, RE_HAND_ON));
  hull_store(sides, row, s, index, v, spin, end_row - row);
}

// Mass splitting (algorithms.md 3.1 c): each of the n manifolds of a body has an nth of it to itself.
RE_FN rigid_side hull_share(rigid_side side, real crowd) {
  const sym3 zero = s3_scaled_identity(re_splat(0.0f));
  side.w = side.w * crowd, side.turn = s3_mad(side.turn, crowd, zero);
  return side;
}
RE_FN hull_sides hull_shares(int sides, int row, hull_sides s, RE_GLOBAL const int* index,
                             RE_GLOBAL const float* crowd) {
  RE_GLOBAL const int* ia = index + contact_at(row, sides);
  s.a = hull_share(s.a, re_gather(crowd, ia));
  if (sides == 2) s.b = hull_share(s.b, re_gather(crowd, ia + 16));
  return s;
}
RE_FN void hull_keep_side(int row, rigid_side before, rigid_side after, real crowd, RE_GLOBAL point4* pushed,
                          RE_GLOBAL point4* twisted) {
  const real share = 1.0f / crowd, zero = re_splat(0.0f);
  re_store4_at(pushed, row, v3_with(v3_scale(v3_sub(after.v, before.v), share), zero));
  re_store4_at(twisted, row, v3_with(v3_scale(v3_sub(after.spin, before.spin), share), zero));
}
RE_FN void hull_keep(int sides, int row, hull_sides before, hull_sides after, RE_GLOBAL const int* index,
                     RE_GLOBAL const float* crowd, RE_GLOBAL point4* pushed, RE_GLOBAL point4* twisted,
                     int stride) {
  RE_GLOBAL const int* ia = index + contact_at(row, sides);
  hull_keep_side(row, before.a, after.a, re_gather(crowd, ia), pushed, twisted);
  if (sides == 2)
    hull_keep_side(row, before.b, after.b, re_gather(crowd, ia + 16), pushed + stride, twisted + stride);
}

RE_FN void hull_begin_all_rows(int sides, int item RE_ARGS_hull_begin_all(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  const hull_sides whole = hull_load(sides, row RE_ARGS_RIGID(RE_HAND_ON, RE_HAND_ON), index);
  const hull_sides part = hull_shares(sides, row, whole, index, crowd);
  const hull_sides s = hull_begin_row(sides, row, part RE_ARGS_hull_begin(RE_HAND_ON, RE_HAND_ON));
  for (int field = 0; field < 16; ++field) re_store(last + contact_at(row, 16) + 16 * field, re_splat(0.0f));
  hull_keep(sides, row, whole, s, index, crowd, pushed, twisted, stride);
}

RE_FN void hull_sweep_all_rows(int sides, int item RE_ARGS_hull_sweep_all(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  const hull_sides whole = hull_load(sides, row RE_ARGS_RIGID(RE_HAND_ON, RE_HAND_ON), index);
  const hull_sides part = hull_shares(sides, row, whole, index, crowd);
  const hull_sides s = hull_sweep_row(sides, 1, row, part, last + contact_at(row, 16),
                                      beta RE_ARGS_hull_sweep(RE_HAND_ON, RE_HAND_ON));
  hull_keep(sides, row, whole, s, index, crowd, pushed, twisted, stride);
}

// The number of sides as a constant.
#define RE_HULL_ITEM(name)                                               \
  RE_FN void name##_item(int item RE_ARGS_##name(RE_BUFFER, RE_VALUE)) { \
    if (bodies == 1)                                                     \
      name##_rows(1, item RE_ARGS_##name(RE_HAND_ON, RE_HAND_ON));       \
    else                                                                 \
      name##_rows(2, item RE_ARGS_##name(RE_HAND_ON, RE_HAND_ON));       \
  }
RE_HULL_ITEM(hull_begin)
RE_HULL_ITEM(hull_sweep)
RE_HULL_ITEM(hull_begin_all)
RE_HULL_ITEM(hull_sweep_all)
#undef RE_HULL_ITEM
#undef RE_HAND_ON

// Each body sums what its manifolds did to it, in the order of its list.
RE_FN void hull_gather_item(int item RE_ARGS_hull_gather(RE_BUFFER, RE_VALUE)) {
  (void)turn_a, (void)turn_b;
  const int first = item * RE_LANES, slice = first / 16, lane = first % 16;
  const real4 u = re_load4_at(v, first), s = re_load4_at(spin, first);
  vec3 push = v3_of(u), twist = v3_of(s);
  for (int k = start[slice]; k < start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    push = v3_add(push, v3_of(re_load4(pushed, row + e)));
    twist = v3_add(twist, v3_of(re_load4(twisted, row + e)));
  }
  re_store4_at(v, first, v3_with(push, u.w));
  re_store4_at(spin, first, v3_with(twist, s.w));
}
