// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The rotation nearest to F in closed form (algorithms.md 7.2), a quarter of the work of svd3.h. Signed:
// where F turns space inside out the smallest singular value is below zero and R stays a rotation. The
// deviator of F^T F keeps the digits that its invariants lose, and II R = cof F + I F - F U (Cayley-Hamilton)
// needs no inverse of U, so flat elements are nothing special.

// cos(acos(c)/3): the largest root of 4 t^3 - 3 t = c.
RE_FN real polar_third(real c) {
  const real s2 = re_max((1.0f - c) * (1.0f + c), re_splat(0.0f));
  const real third = re_atan2(s2 * re_rsqrt(s2), c) * 0.333333333f;
  const real q = third * third;
  real p = q * -2.75573192e-7f + 2.48015873e-5f;
  p = p * q - 1.38888889e-3f;
  p = p * q + 4.16666667e-2f;
  p = p * q - 0.5f;
  return p * q + 1.0f;
}

RE_FN mat3 polar_rotation(mat3 f) {
  // |F|^2 = 3, as that of a rotation
  const real size2 = re_max(m3_dot(f, f) * 0.333333333f, re_splat(1e-30f));
  const mat3 a = m3_scale(f, re_rsqrt(size2));
  const sym3 c = m3_gram(a);
  const real trace = c.xx + c.yy + c.zz, third = trace * 0.333333333f;
  const sym3 deviator = {c.xx - third, c.xy, c.xz, c.yy - third, c.yz, c.zz - third};
  const real det = m3_det(a);
  const real k = re_max(
      1.5f * (deviator.xx * deviator.xx + deviator.yy * deviator.yy + deviator.zz * deviator.zz +
              2.0f * (deviator.xy * deviator.xy + deviator.xz * deviator.xz + deviator.yz * deviator.yz)),
      re_splat(1e-12f));
  const real inv_root = re_rsqrt(k);
  const real l = 13.5f * s3_det(deviator, s3_cofactor(deviator));
  const real cosine = re_max(re_min(l * inv_root * inv_root * inv_root, re_splat(1.0f)), re_splat(-1.0f));
  const real lambda2 = third + 0.666666667f * k * inv_root * polar_third(cosine);
  const real inv_lambda = re_rsqrt(lambda2), lambda = lambda2 * inv_lambda;
  // I and II of U; the error of lambda, largest where two singular values are alike, does not reach I
  const real others2 = re_max(trace - lambda2 + 2.0f * det * inv_lambda, re_splat(0.0f));
  const real i = lambda + others2 * re_rsqrt(others2);
  const real ii = 0.5f * (i * i - trace);
  const real apart = i * ii - det;  // (s1 + s2)(s2 + s3)(s3 + s1)
  const ints lost = (apart < 0.25f) | (ii < 0.1f);
  const real inv_apart = 1.0f / (lost ? re_splat(1.0f) : apart), inv_ii = 1.0f / (lost ? re_splat(1.0f) : ii);
  // F U = F (-C^2 + (I^2 - II) C + I det)/apart
  const mat3 ac = m3_times(a, c);
  const mat3 au = m3_scale(m3_sub(m3_mad(ac, i * i - ii, m3_scale(a, i * det)), m3_times(ac, c)), inv_apart);
  mat3 r = m3_scale(m3_sub(m3_mad(a, i, m3_cofactor(a)), au), inv_ii);
  // s2 + s3 near 0: any rotation about the first axis is as near, and the closed form divides by nothing
  if (re_any(lost)) {
    const mat3 exact = svd3_rotation(svd3_of(a));
    for (int col = 0; col < 3; ++col) r.c[col] = v3_select(lost, exact.c[col], r.c[col]);
  }
  return r;
}
