// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Limits and motors of joints: a bar holds one direction of the velocity between two places, or of the
// turning between two bodies, within limits (algorithms.md 6.2). What joints hold both ways is solved at once
// on the host (solve/rigid/joint_system.cpp).

// Fields; as in solve/rigid/joints.h.
#define RE_BAR_ALONG   0
#define RE_BAR_ARM_A   3
#define RE_BAR_ARM_B   6
#define RE_BAR_ERROR   9
#define RE_BAR_IMPULSE 10
#define RE_BAR_INVERSE 11
#define RE_BAR_TURNS   12
#define RE_BAR_RATE    13
#define RE_BAR_GAMMA   14
#define RE_BAR_LEAST   15
#define RE_BAR_MOST    16
#define RE_BAR_SPEED   17
#define RE_BAR_FIELDS  18

// turns: 1 where the row is about turning, 0 where it is about places.
RE_FN vec3 joint_velocity(hull_sides s, vec3 arm_a, vec3 arm_b, real turns) {
  const vec3 places = v3_sub(rigid_velocity(s.a, arm_a), rigid_velocity(s.b, arm_b));
  const vec3 turning = v3_sub(s.a.spin, s.b.spin);
  const ints is_turn = turns > 0.0f;
  return v3(is_turn ? turning.x : places.x, is_turn ? turning.y : places.y, is_turn ? turning.z : places.z);
}
RE_FN hull_sides joint_pushed(hull_sides s, vec3 arm_a, vec3 arm_b, real turns, vec3 impulse) {
  const vec3 push = v3_scale(impulse, 1.0f - turns), twist = v3_scale(impulse, turns);
  s = hull_pushed(2, s, arm_a, arm_b, push);
  s.a.spin = v3_add(s.a.spin, s3_mul(s.a.turn, twist));
  s.b.spin = v3_sub(s.b.spin, s3_mul(s.b.turn, twist));
  return s;
}

#define RE_HAND_ON(type, name) , name
// A bar that only pushes leaves an open gap to be closed in one substep, as contacts do.
RE_FN void bar_sweep_item(int item RE_ARGS_bar_sweep(RE_BUFFER, RE_VALUE)) {
  const int row = first_row + item * RE_LANES;
  RE_GLOBAL float* at = value + contact_at(row, RE_BAR_FIELDS);
  hull_sides s = hull_load(2, row RE_ARGS_RIGID(RE_HAND_ON, RE_HAND_ON), index);
  const vec3 along = contact_load3(at, RE_BAR_ALONG);
  const vec3 arm_a = contact_load3(at, RE_BAR_ARM_A), arm_b = contact_load3(at, RE_BAR_ARM_B);
  const real turns = re_load(at + 16 * RE_BAR_TURNS), own = re_load(at + 16 * RE_BAR_RATE);
  const real error = re_load(at + 16 * RE_BAR_ERROR), p = re_load(at + 16 * RE_BAR_IMPULSE);
  const real least = re_load(at + 16 * RE_BAR_LEAST), most = re_load(at + 16 * RE_BAR_MOST);
  const ints open = (least == 0.0f) & (error > 0.0f);
  const real hard = open ? re_splat(inv_h) : re_splat(rate);
  const real back = own > 0.0f ? own : hard;
  const real u = v3_dot(along, joint_velocity(s, arm_a, arm_b, turns)) - re_load(at + 16 * RE_BAR_SPEED);
  const real r = u + error * back + re_load(at + 16 * RE_BAR_GAMMA) * p;
  const real next = re_max(re_min(p - re_load(at + 16 * RE_BAR_INVERSE) * r, most), least);
  re_store(at + 16 * RE_BAR_IMPULSE, next);
  s = joint_pushed(s, arm_a, arm_b, turns, v3_scale(along, next - p));
  hull_store(2, row, s, index, v, spin, end_row - row);
}
#undef RE_HAND_ON
