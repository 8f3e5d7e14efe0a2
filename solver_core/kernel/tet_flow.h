// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rest shapes that grow and flow (docs/soft_rows.md). Strains are Hencky's, the logarithms of stretches:
// their mean is a change of volume, what is left is shear, and only that flows.

// Natural logarithm and exponential by our own arithmetic, within 1e-6, since libraries round differently.
RE_FN real re_log(real a) {
  const ints bits = re_bits(a);
  ints power = (bits >> 23) - 127;
  real m = re_from_bits((bits & 0x7fffff) | 0x3f800000);  // in [1, 2)
  const ints high = m > 1.41421356f;
  m = high ? m * 0.5f : m;
  power = high ? power + 1 : power;
  const real t = (m - 1.0f) / (m + 1.0f), s = t * t;
  return re_to_real(power) * 0.693147181f +
         2.0f * t * (1.0f + s * (0.333333333f + s * (0.2f + s * (0.142857143f + s * 0.111111111f))));
}
RE_FN real re_exp(real a) {
  const real x = re_min(re_max(a, re_splat(-80.0f)), re_splat(80.0f)) * 1.44269504f;
  const ints whole = re_to_int(x + (x < 0.0f ? re_splat(-0.5f) : re_splat(0.5f)));
  const real t = (x - re_to_real(whole)) * 0.693147181f;
  const real p =
      1.0f + t * (1.0f + t * (0.5f + t * (0.166666667f +
                                          t * (0.0416666667f + t * (0.00833333333f + t * 0.00138888889f)))));
  return re_from_bits((whole + 127) << 23) * p;
}

// Shears of three stretches above zero, and their size as von Mises would count it.
typedef struct {
  vec3 shear;
  real size;
} hencky;
RE_FN hencky hencky_of(vec3 stretch) {
  const vec3 least = v3(re_max(stretch.x, re_splat(1e-6f)), re_max(stretch.y, re_splat(1e-6f)),
                        re_max(stretch.z, re_splat(1e-6f)));
  const vec3 log = v3(re_log(least.x), re_log(least.y), re_log(least.z));
  const real mean = (log.x + log.y + log.z) * 0.333333333f;
  hencky r;
  r.shear = v3(log.x - mean, log.y - mean, log.z - mean);
  const real l2 = v3_dot(r.shear, r.shear) * 0.666666667f;
  r.size = l2 * re_rsqrt(l2);
  return r;
}
// V diag(exp(-share shear)) V^T
RE_FN mat3 hencky_undone(hencky h, mat3 v, real share) {
  const vec3 g = v3(re_exp(-share * h.shear.x), re_exp(-share * h.shear.y), re_exp(-share * h.shear.z));
  return m3_product(m3(v3_scale(v.c[0], g.x), v3_scale(v.c[1], g.y), v3_scale(v.c[2], g.z)),
                    m3_transposed(v));
}

// Rows y_1 to y_3 as the rows of a matrix, and back.
RE_FN mat3 tet_rows_of(tet_rest r) { return m3_transposed(m3(r.y[0], r.y[1], r.y[2])); }
RE_FN void tet_store_rows(RE_GLOBAL float* y, int stride, mat3 rows) {
  const mat3 t = m3_transposed(rows);
  for (int k = 0; k < 3; ++k) {
    re_store(y + 3 * k * stride, t.c[k].x);
    re_store(y + (3 * k + 1) * stride, t.c[k].y);
    re_store(y + (3 * k + 2) * stride, t.c[k].z);
  }
}

// First the volume at rest becomes that of `scale`; then the share `rate` of the shear beyond `yield` goes
// from F into the shape at rest, Y <- Y G with F <- F G; and where that shape has sheared by more than
// `limit` from the first one it stays there.
RE_FN void flow_tets_item(int item RE_ARGS_flow_tets(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const mat3 y0 = tet_rows_of(tet_rest_at(y_rest + first, stride));
  mat3 now = tet_rows_of(tet_rest_at(y + first, stride));
  const real ratio = m3_det(y0) / (m3_det(now) * (scale * scale * scale));
  now = m3_scale(now, re_exp(re_log(re_max(ratio, re_splat(1e-30f))) * 0.333333333f));
  if (rate > 0.0f) {
    const vec3 at = v3_of(re_load4(x, corner + first));
    vec3 edge[3];
    for (int k = 0; k < 3; ++k) edge[k] = v3_sub(v3_of(re_load4(x, corner + (k + 1) * stride + first)), at);
    // F = E Y, its own stretches in the space at rest
    const svd3 f = svd3_of(m3_product(m3(edge[0], edge[1], edge[2]), now));
    const hencky strain = hencky_of(f.s);
    const real beyond = re_max(strain.size - yield, re_splat(0.0f)) / re_max(strain.size, re_splat(1e-6f));
    // crushed and turned inside out is no shape to keep
    const real share = f.s.z > 0.05f ? beyond * rate : re_splat(0.0f);
    const mat3 flown = m3_product(now, hencky_undone(strain, f.v, share));
    // how far the shape has come: Y = Y0 B, of the same volume but for the scale
    const mat3 inverse = m3_scale(m3_transposed(m3_cofactor(y0)), 1.0f / m3_det(y0));
    const svd3 b = svd3_of(m3_product(inverse, flown));
    const hencky shape = hencky_of(b.s);
    const real excess = re_max(shape.size - limit, re_splat(0.0f)) / re_max(shape.size, re_splat(1e-6f));
    const mat3 held = m3_product(flown, hencky_undone(shape, b.v, excess));
    for (int k = 0; k < 3; ++k) now.c[k] = v3_select(share > 0.0f, held.c[k], now.c[k]);
  }
  tet_store_rows(y + first, stride, now);
}
