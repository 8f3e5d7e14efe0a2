// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Symmetric 3 x 3 matrices, six reals each.

typedef struct {
  real xx, xy, xz, yy, yz, zz;
} sym3;

RE_FN sym3 s3_scaled_identity(real s) {
  const real zero = re_splat(0.0f);
  sym3 a = {s, zero, zero, s, zero, s};
  return a;
}
RE_FN sym3 s3_mad(sym3 a, real s, sym3 b) {
  sym3 r = {a.xx * s + b.xx, a.xy * s + b.xy, a.xz * s + b.xz,
            a.yy * s + b.yy, a.yz * s + b.yz, a.zz * s + b.zz};
  return r;
}
RE_FN sym3 s3_outer(vec3 n, real b) {
  sym3 r = {n.x * n.x + b, n.x * n.y, n.x * n.z, n.y * n.y + b, n.y * n.z, n.z * n.z + b};
  return r;
}
RE_FN vec3 s3_mul(sym3 a, vec3 v) {
  return v3(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
            a.xz * v.x + a.yz * v.y + a.zz * v.z);
}
RE_FN sym3 s3_scale(sym3 a, real s) {
  sym3 r = {a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
  return r;
}
RE_FN sym3 s3_cofactor(sym3 a) {
  sym3 c = {a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy,
            a.xx * a.zz - a.xz * a.xz, a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
  return c;
}
// Of a matrix and its cofactors.
RE_FN real s3_det(sym3 a, sym3 cofactor) {
  return a.xx * cofactor.xx + a.xy * cofactor.xy + a.xz * cofactor.xz;
}
// Inverse of a positive definite matrix, scaled first so that stiff cloth does not overflow; zero where live
// is false.
RE_FN sym3 s3_inverse(sym3 a, real live) {
  const real scale = 3.0f / re_max(a.xx + a.yy + a.zz, re_splat(1e-30f));
  const sym3 zero = {re_splat(0.0f), re_splat(0.0f), re_splat(0.0f),
                     re_splat(0.0f), re_splat(0.0f), re_splat(0.0f)};
  const sym3 s = s3_mad(a, scale, zero);
  const sym3 c = s3_cofactor(s);
  return s3_scale(c, live > 0.0f ? scale / re_max(s3_det(s, c), re_splat(1e-20f)) : re_splat(0.0f));
}
// Six arrays, `stride` apart.
RE_FN sym3 s3_load(RE_GLOBAL const float* p, int stride) {
  sym3 a = {re_load(p),
            re_load(p + stride),
            re_load(p + 2 * stride),
            re_load(p + 3 * stride),
            re_load(p + 4 * stride),
            re_load(p + 5 * stride)};
  return a;
}
RE_FN sym3 s3_gather(RE_GLOBAL const float* p, int stride, RE_GLOBAL const int* index) {
  sym3 a = {re_gather(p, index),
            re_gather(p + stride, index),
            re_gather(p + 2 * stride, index),
            re_gather(p + 3 * stride, index),
            re_gather(p + 4 * stride, index),
            re_gather(p + 5 * stride, index)};
  return a;
}
RE_FN void s3_store(RE_GLOBAL float* p, int stride, sym3 a) {
  re_store(p, a.xx), re_store(p + stride, a.xy), re_store(p + 2 * stride, a.xz);
  re_store(p + 3 * stride, a.yy), re_store(p + 4 * stride, a.yz), re_store(p + 5 * stride, a.zz);
}
