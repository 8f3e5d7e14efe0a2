// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Implicit steps without a matrix (algorithms.md 8): what elements pull, times h^2, at x + off. Springs that
// are compressed act along their direction at the start of the step, which takes away the part of their
// derivative that would destabilise. Differences of x and of off are taken apart, so that small offs count.

RE_FN vec3 ic_apart(RE_GLOBAL const point4* at, vec3 mine, RE_GLOBAL const int* other) {
  return v3_sub(mine, v3_of(re_load4(at, other)));
}

RE_FN void ic_quadratic_item(int item RE_ARGS_ic_quadratic(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const vec3 place = v3_of(re_load4(x, corner + first)), moved = v3_of(re_load4(off, corner + first));
  vec3 sum = v3_zero(), slide = v3_zero();
  for (int s = 1; s < 4; ++s) {
    RE_GLOBAL const int* index = corner + s * stride + first;
    const real k = -re_load(stencil + s * stride + first);
    sum = v3_mad(ic_apart(x, place, index), k, sum);
    slide = v3_mad(ic_apart(off, moved, index), k, slide);
  }
  const vec3 pull = v3_scale(v3_mad(slide, re_splat(1.0f + rho), sum), re_load(weight + first));
  re_store4_at(push, first, v3_with(pull, re_splat(0.0f)));
}

RE_FN void ic_force_item(int item RE_ARGS_ic_force(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 place = v3_of(re_load4_at(x, first)), moved = v3_of(re_load4_at(off, first));
  vec3 sum = v3_zero();
  for (int k = spring_start[slice]; k < spring_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    const vec3 start = ic_apart(x, place, spring_point + e), slide = ic_apart(off, moved, spring_point + e);
    const vec3 d = v3_add(start, slide);
    const real rest = re_load(spring_rest + e), w = re_load(spring_weight + e);
    const real l2 = v3_dot(d, d), y = re_rsqrt(l2);
    const vec3 n = v3_scale(start, re_rsqrt(v3_dot(start, start)));
    const real along = v3_dot(n, slide), pressed = v3_dot(n, start) + along - rest;
    const ints taut = l2 * y >= re_abs(rest);
    const real slack = rest < 0.0f ? re_splat(0.0f) : pressed;
    const vec3 tension = v3_select(taut, v3_scale(d, 1.0f - re_abs(rest) * y), v3_scale(n, slack));
    sum = v3_mad(v3_mad(n, along * re_load(spring_rho + e), tension), w, sum);
  }
  for (int k = push_start[slice]; k < push_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    sum = v3_mad(v3_of(re_load4(push, push_row + e)), re_load(push_weight + e), sum);
  }
  const real live = re_load(mass + first) > 0.0f ? re_splat(1.0f) : re_splat(0.0f);
  re_store4_at(pull, first, v3_with(v3_scale(sum, live), re_splat(0.0f)));
}

// y = inertia M p + inv (above - below): a product with the matrix (algorithms.md 8, [FIX 12] and [FIX 13]).
RE_FN void ic_difference_item(int item RE_ARGS_ic_difference(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 change = v3_sub(v3_of(re_load4_at(above, first)), v3_of(re_load4_at(below, first)));
  const vec3 heavy = v3_scale(v3_of(re_load4_at(p, first)), re_load(mass + first) * inertia);
  re_store4_at(y, first, v3_with(v3_mad(change, re_splat(inv), heavy), re_splat(0.0f)));
}

// x = x_start + way + change, and after filters have moved x the way that they leave.
RE_FN void ic_place_item(int item RE_ARGS_ic_place(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 all = v3_add(v3_of(re_load4_at(way, first)), v3_of(re_load4_at(change, first)));
  const vec3 place = v3_add(v3_of(re_load4_at(x_start, first)), all);
  re_store4_at(x, first, v3_with(place, re_load4_at(x, first).w));
}
RE_FN void ic_filtered_item(int item RE_ARGS_ic_filtered(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 all = v3_sub(v3_of(re_load4_at(x, first)), v3_of(re_load4_at(x_start, first)));
  const vec3 left = v3_sub(all, v3_of(re_load4_at(change, first)));
  re_store4_at(way, first, v3_with(left, re_splat(0.0f)));
}
