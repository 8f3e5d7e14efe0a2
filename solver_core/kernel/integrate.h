// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The ends of a step: unconstrained motion at its start, velocities at its end.

// v~ = (v + h (g + w f)) / (1 + h c), x~ = x + h v~; a point with w = 0 waits for its pin. Forces of
// triangles are gathered in list order, a third each.
RE_FN void predict_item(int item RE_ARGS_predict(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const real4 p = re_load4_at(x, first);
  vec3 f = v3_zero();
  if (use_forces)
    for (int k = fan_start[slice]; k < fan_start[slice + 1]; ++k)
      f = v3_add(f, v3_of(re_load4(force, fan + k * 16 + lane)));
  const real share = p.w * (1.0f / 3.0f);
  const vec3 a = v3(gravity_x + f.x * share, gravity_y + f.y * share, gravity_z + f.z * share);
  const real is_free = p.w > 0.0f ? re_splat(damping) : re_splat(0.0f);
  const vec3 v_new = v3_scale(v3_mad(a, re_splat(h), v3_of(re_load4_at(v, first))), is_free);
  re_store4_at(x_start, first, p);
  re_store4_at(v, first, v3_with(v_new, re_splat(0.0f)));
  re_store4_at(x, first, v3_with(v3_mad(v_new, re_splat(h), v3_of(p)), p.w));
}

// v = (x - x_start) / h.
RE_FN void integrate_item(int item RE_ARGS_integrate(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 moved = v3_sub(v3_of(re_load4_at(x, first)), v3_of(re_load4_at(x_start, first)));
  re_store4_at(v, first, v3_with(v3_scale(moved, re_splat(inv_h)), re_splat(0.0f)));
}
