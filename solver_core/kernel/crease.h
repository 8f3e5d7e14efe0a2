// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Creases: a hinge that turns further than the yield angle against its rest takes its rest along, in the time
// that `rate` = 1 - exp(-h / creasetime) says.
RE_FN void crease_item(int item RE_ARGS_crease(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  vec3 p[4];
  for (int s = 0; s < 4; ++s) p[s] = v3_of(re_load4(x, corner + s * stride + first));
  const real rest = re_load(rest_angle + first);
  const real turn = short_way(hinge_at(p[0], p[1], p[2], p[3]).angle - rest);
  const real beyond = turn - re_max(re_min(turn, re_splat(yield)), re_splat(-yield));
  re_store(rest_angle + first, short_way(rest + beyond * rate));
}
