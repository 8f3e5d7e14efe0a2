// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How what touches moves: grains, points on their way, and the changes that rows solved together leave to
// them.

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
