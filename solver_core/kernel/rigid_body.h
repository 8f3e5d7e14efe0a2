// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies: how they turn, and what an impulse does to them (algorithms.md 6.2). Velocities are those of
// the centre of mass, turning is in the world.

typedef struct {
  vec3 v, spin;
  sym3 turn;  // inverse inertia in the world [1/(kg m^2)]
  real w;     // inverse mass [1/kg]
} rigid_side;

RE_FN sym3 rigid_load_turn(RE_GLOBAL const int* index, RE_GLOBAL const point4* turn_a,
                           RE_GLOBAL const point4* turn_b) {
  const real4 a = re_load4(turn_a, index), b = re_load4(turn_b, index);
  sym3 turn = {a.x, a.y, a.z, a.w, b.x, b.y};
  return turn;
}
RE_FN rigid_side rigid_load(RE_GLOBAL const int* index RE_ARGS_RIGID(RE_BUFFER, RE_VALUE)) {
  const real4 u = re_load4(v, index);
  rigid_side side;
  side.v = v3_of(u), side.w = u.w, side.spin = v3_of(re_load4(spin, index));
  side.turn = rigid_load_turn(index, turn_a, turn_b);
  return side;
}
RE_FN void rigid_store(rigid_side side, RE_GLOBAL const int* index, RE_GLOBAL point4* v,
                       RE_GLOBAL point4* spin, int used) {
  re_store4(v, index, v3_with(side.v, side.w), used);
  re_store4(spin, index, v3_with(side.spin, re_splat(0.0f)), used);
}

RE_FN vec3 rigid_velocity(rigid_side side, vec3 arm) { return v3_add(side.v, v3_cross(side.spin, arm)); }
// sign: 1 on the first side, -1 on the second.
RE_FN rigid_side rigid_pushed(rigid_side side, vec3 arm, vec3 impulse, float sign) {
  side.v = v3_mad(impulse, side.w * sign, side.v);
  side.spin = v3_mad(s3_mul(side.turn, v3_cross(arm, impulse)), re_splat(sign), side.spin);
  return side;
}
// What an impulse of 1 along d changes of the velocity along e.
RE_FN real rigid_answer(rigid_side side, vec3 arm, vec3 d, vec3 e) {
  return side.w * v3_dot(d, e) + v3_dot(v3_cross(arm, e), s3_mul(side.turn, v3_cross(arm, d)));
}

RE_FN vec3 quat_rotate(real4 q, vec3 a) {
  const vec3 u = v3_of(q), t = v3_scale(v3_cross(u, a), re_splat(2.0f));
  return v3_add(v3_mad(t, q.w, a), v3_cross(u, t));
}
RE_FN vec3 quat_back(real4 q, vec3 a) {
  q.x = -q.x, q.y = -q.y, q.z = -q.z;
  return quat_rotate(q, a);
}

// The inverse inertia in the world; none for what cannot be pushed.
RE_FN void rigid_inertia_item(int item RE_ARGS_rigid_inertia(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real4 r = re_load4_at(q, first), m = re_load4_at(moment, first);
  const real zero = re_splat(0.0f), one = re_splat(1.0f);
  const ints pushed = re_load4_at(v, first).w > 0.0f;
  sym3 sum = s3_scaled_identity(zero);
  const vec3 axes[3] = {quat_rotate(r, v3(one, zero, zero)), quat_rotate(r, v3(zero, one, zero)),
                        quat_rotate(r, v3(zero, zero, one))};
  const real moments[3] = {m.x, m.y, m.z};
  for (int k = 0; k < 3; ++k) {
    const real inverse = pushed ? re_inverse(moments[k]) : zero;
    sum = s3_mad(s3_outer(axes[k], zero), inverse, sum);
  }
  real4 a, b;
  a.x = sum.xx, a.y = sum.xy, a.z = sum.xz, a.w = sum.yy;
  b.x = sum.yz, b.y = sum.zz, b.z = zero, b.w = zero;
  re_store4_at(turn_a, first, a), re_store4_at(turn_b, first, b);
}

// Turning w about the own axes after h seconds without torque, by the midpoint rule I (w1 - w) = -h m x I m,
// m = (w + w1)/2, whose quadratic invariants are exact: energy and momentum stay. Three Newton steps; should
// they not be enough, no energy is gained.
RE_FN vec3 rigid_tumbled(vec3 w, vec3 moment, float h) {
  vec3 next = w;
  for (int newton = 0; newton < 3; ++newton) {
    const vec3 m = v3_scale(v3_add(w, next), re_splat(0.5f));
    const vec3 l = v3(moment.x * m.x, moment.y * m.y, moment.z * m.z);
    const vec3 torque = v3_cross(m, l);
    const vec3 f = v3(moment.x * (next.x - w.x) + h * torque.x, moment.y * (next.y - w.y) + h * torque.y,
                      moment.z * (next.z - w.z) + h * torque.z);
    // columns of I + h/2 ([m] I - [I m])
    const real g = re_splat(0.5f * h);
    const vec3 cx = v3(moment.x, g * (m.z * moment.x - l.z), g * (l.y - m.y * moment.x));
    const vec3 cy = v3(g * (l.z - m.z * moment.y), moment.y, g * (m.x * moment.y - l.x));
    const vec3 cz = v3(g * (m.y * moment.z - l.y), g * (l.x - m.x * moment.z), moment.z);
    const vec3 yz = v3_cross(cy, cz);
    const real inv = re_inverse(v3_dot(cx, yz));
    next.x = next.x - inv * v3_dot(f, yz);
    next.y = next.y - inv * v3_dot(f, v3_cross(cz, cx));
    next.z = next.z - inv * v3_dot(f, v3_cross(cx, cy));
  }
  const real before = moment.x * w.x * w.x + moment.y * w.y * w.y + moment.z * w.z * w.z;
  const real after = moment.x * next.x * next.x + moment.y * next.y * next.y + moment.z * next.z * next.z;
  const real ratio = before * re_inverse(after);
  const real scale = after > before ? ratio * re_rsqrt(re_max(ratio, re_splat(1e-30f))) : re_splat(1.0f);
  return v3_scale(next, scale);
}

// x by v; q by Cayley's map of h m, which turns the momentum of the midpoint rule exactly.
RE_FN void rigid_move_item(int item RE_ARGS_rigid_move(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 way = v3_scale(v3_of(re_load4_at(v, first)), re_splat(h));
  const real4 p = re_load4_at(x, first), s = re_load4_at(spin, first), m = re_load4_at(moment, first);
  const real4 r = re_load4_at(q, first);
  re_store4_at(x, first, v3_with(v3_add(v3_of(p), way), p.w));
  const vec3 w = quat_back(r, v3_of(s));
  const vec3 tumbled = rigid_tumbled(w, v3_of(m), h);
  const ints tumbles = m.w > 0.0f;
  const vec3 end = v3(tumbles ? tumbled.x : w.x, tumbles ? tumbled.y : w.y, tumbles ? tumbled.z : w.z);
  const vec3 middle = v3_scale(v3_add(w, end), re_splat(0.5f));
  // q (1 + h/2 m)
  const vec3 d = v3_scale(middle, re_splat(0.5f * h)), u = v3_of(r);
  vec3 to = v3_add(v3_mad(d, r.w, u), v3_cross(u, d));
  real to_w = r.w - v3_dot(u, d);
  const real inv = re_rsqrt(v3_dot(to, to) + to_w * to_w);
  const real4 turned = v3_with(v3_scale(to, inv), to_w * inv);
  re_store4_at(q, first, turned);
  const vec3 spun = quat_rotate(turned, end);
  re_store4_at(spin, first,
               v3_with(v3(tumbles ? spun.x : s.x, tumbles ? spun.y : s.y, tumbles ? spun.z : s.z), s.w));
  re_store4_at(shift, first, v3_with(v3_add(v3_of(re_load4_at(shift, first)), way), re_splat(0.0f)));
  const vec3 turn = v3_mad(quat_rotate(r, middle), re_splat(h), v3_of(re_load4_at(tilt, first)));
  re_store4_at(tilt, first, v3_with(turn, re_splat(0.0f)));
}
