// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Reductions over fixed blocks of 1024 entries. Sixteen running values, whatever RE_LANES is, are joined in
// order, so that neither lanes nor threads show in the result.

#define RE_BLOCK 1024

// The sum of sixteen running sums, in order.
RE_FN float joined(const real* sums) {
  float total = 0.0f;
  for (int c = 0; c < 16 / RE_LANES; ++c)
    for (int k = 0; k < RE_LANES; ++k) total += re_lane(sums[c], k);
  return total;
}

// Largest stretch length/rest - 1 of a block of rows; a row that is too short is slack, not stretched.
RE_FN void stretch_item(int item RE_ARGS_stretch(RE_BUFFER, RE_VALUE)) {
  real largest = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int first = item * RE_BLOCK; first < end; first += RE_LANES) {
    const vec3 d = v3_sub(v3_of(re_load4(x, end_a + first)), v3_of(re_load4(x, end_b + first)));
    const real l2 = v3_dot(d, d), r = re_load(rest + first);
    // rows without rest length are padding
    const real s = r > 0.0f ? (l2 * re_rsqrt(l2) - r) / r : re_splat(0.0f);
    largest = re_max(s, largest);
  }
  float m = 0.0f;
  for (int k = 0; k < RE_LANES; ++k) m = re_lane(largest, k) > m ? re_lane(largest, k) : m;
  result[item] = m;
}

// Largest speed^2, sum of m v^2 / 2 of free points, and whether all is finite, of a block of points.
RE_FN void motion_item(int item RE_ARGS_motion(RE_BUFFER, RE_VALUE)) {
  real fastest = re_splat(0.0f), broken = re_splat(0.0f);
  real energy[16 / RE_LANES];
  for (int c = 0; c < 16 / RE_LANES; ++c) energy[c] = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int slice = item * RE_BLOCK; slice < end; slice += 16)
    for (int c = 0; c < 16 / RE_LANES; ++c) {
      const int first = slice + c * RE_LANES;
      const real4 p = re_load4_at(x, first);
      const vec3 velocity = v3_of(re_load4_at(v, first));
      const real speed2 = v3_dot(velocity, velocity);
      const real sum = p.x + p.y + p.z + velocity.x + velocity.y + velocity.z;
      // NOLINTNEXTLINE(misc-redundant-expression): neither NaN nor infinity less itself is zero
      broken = sum - sum == 0.0f ? broken : re_splat(1.0f);
      fastest = re_max(speed2, fastest);
      energy[c] = energy[c] + (p.w > 0.0f ? 0.5f * speed2 / p.w : re_splat(0.0f));
    }
  float most = 0.0f, bad = 0.0f;
  for (int k = 0; k < RE_LANES; ++k) {
    most = re_lane(fastest, k) > most ? re_lane(fastest, k) : most;
    bad = re_lane(broken, k) > bad ? re_lane(broken, k) : bad;
  }
  result[3 * item] = most;
  result[3 * item + 1] = joined(energy);
  result[3 * item + 2] = bad;
}

// Sum of weight a b over a block of numbers.
RE_FN void dot_item(int item RE_ARGS_dot(RE_BUFFER, RE_VALUE)) {
  real sum[16 / RE_LANES];
  for (int c = 0; c < 16 / RE_LANES; ++c) sum[c] = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int slice = item * RE_BLOCK; slice < end; slice += 16)
    for (int c = 0; c < 16 / RE_LANES; ++c) {
      const int first = slice + c * RE_LANES;
      sum[c] = sum[c] + re_load(a + first) * re_load(b + first) * re_load(weight + first);
    }
  result[item] = joined(sum);
}

// Sum of weight (a . b) over a block of vectors.
RE_FN void dot3_item(int item RE_ARGS_dot3(RE_BUFFER, RE_VALUE)) {
  real sum[16 / RE_LANES];
  for (int c = 0; c < 16 / RE_LANES; ++c) sum[c] = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int slice = item * RE_BLOCK; slice < end; slice += 16)
    for (int c = 0; c < 16 / RE_LANES; ++c) {
      const int first = slice + c * RE_LANES;
      sum[c] = sum[c] +
               v3_dot(v3_of(re_load4_at(a, first)), v3_of(re_load4_at(b, first))) * re_load(weight + first);
    }
  result[item] = joined(sum);
}
