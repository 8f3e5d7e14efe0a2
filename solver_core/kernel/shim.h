// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The kernels' language. Formulas are written once, in the C subset that C++17 and OpenCL C share, on `real`:
// RE_LANES floats side by side (1, 4, 8 or 16). Every operation is element by element and correctly rounded,
// so the number of lanes never changes a bit. What the languages spell differently is in shim_cpp.h and
// shim_opencl.h. Not guarded: a translation unit may include the kernels once with its own RE_LANES, inside
// a namespace of its own.
//
//   RE_FN        word in front of a function       real, ints, uints   RE_LANES floats or 32-bit integers
//   RE_GLOBAL    address space of buffers          point3, point4      three and four floats in memory
//   RE_PREFETCH  asks for memory needed soon       cell_key            64 bits in memory
//   RE_NULL      no buffer                         RE_UNROLL    in front of a loop of up to RE_ROWS turns
//   re_*         loads, stores and the few functions that the operators + - * / < ?: do not cover

#ifdef __cplusplus
#include "kernel/shim_cpp.h"
#else
#include "kernel/shim_opencl.h"
#endif

typedef struct {
  real x, y, z, w;
} real4;

// Lanes may share a place only where nobody reads it.
RE_FN void re_scatter(RE_GLOBAL float* p, RE_GLOBAL const int* index, real a) {
  for (int k = 0; k < RE_LANES; ++k) p[index[k]] = re_lane(a, k);
}

#if RE_LANES == 1
RE_FN int re_any(ints a) { return a != 0; }
RE_FN real4 re_load4_at(RE_GLOBAL const point4* p, int first) {
  real4 a;
  a.x = p[first].x, a.y = p[first].y, a.z = p[first].z, a.w = p[first].w;
  return a;
}
RE_FN real4 re_load4(RE_GLOBAL const point4* p, RE_GLOBAL const int* index) { return re_load4_at(p, *index); }
RE_FN void re_store4_at(RE_GLOBAL point4* p, int first, real4 a) {
  p[first].x = a.x, p[first].y = a.y, p[first].z = a.z, p[first].w = a.w;
}
RE_FN void re_store4(RE_GLOBAL point4* p, RE_GLOBAL const int* index, real4 a, int used) {
  (void)used, re_store4_at(p, *index, a);
}
RE_FN void re_store4_where(RE_GLOBAL point4* p, RE_GLOBAL const int* index, real4 a, ints where, int used) {
  if (where) re_store4(p, index, a, used);
}
#else
RE_FN int re_any(ints a) {
  int any = 0;
  for (int k = 0; k < RE_LANES; ++k) any |= a[k];
  return any != 0;
}

// Points are fetched with 128-bit loads and turned in registers: hardware gathers are several times slower.
#define RE_CAT(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#ifdef __clang__  // all compilers of OpenCL with lanes are
#define RE_PAIR(a, b) RE_CAT(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#if RE_LANES == 8
#define re_row(a, b) RE_PAIR(a, b)
#else
#define re_row(a, b, c, d) \
  RE_CAT(RE_PAIR(a, b), RE_PAIR(c, d), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#endif
#endif
#if RE_LANES == 4
#define RE_ROW(f, k)  f(k)
#define RE_LOW(a, b)  RE_CAT(a, b, 0, 4, 1, 5)
#define RE_HIGH(a, b) RE_CAT(a, b, 2, 6, 3, 7)
#define RE_EVEN(a, b) RE_CAT(a, b, 0, 1, 4, 5)
#define RE_ODD(a, b)  RE_CAT(a, b, 2, 3, 6, 7)
#elif RE_LANES == 8
#define RE_ROW(f, k)  re_row(f(k), f(k + 4))
#define RE_LOW(a, b)  RE_CAT(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define RE_HIGH(a, b) RE_CAT(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define RE_EVEN(a, b) RE_CAT(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define RE_ODD(a, b)  RE_CAT(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define RE_ROW(f, k)  re_row(f(k), f(k + 4), f(k + 8), f(k + 12))
#define RE_LOW(a, b)  RE_CAT(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define RE_HIGH(a, b) RE_CAT(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define RE_EVEN(a, b) RE_CAT(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define RE_ODD(a, b)  RE_CAT(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#endif
RE_FN real4 re_transpose(real r0, real r1, real r2, real r3) {
  const real low01 = RE_LOW(r0, r1), low23 = RE_LOW(r2, r3);
  const real high01 = RE_HIGH(r0, r1), high23 = RE_HIGH(r2, r3);
  real4 t;
  t.x = RE_EVEN(low01, low23), t.y = RE_ODD(low01, low23);
  t.z = RE_EVEN(high01, high23), t.w = RE_ODD(high01, high23);
  return t;
}
RE_FN real4 re_load4(RE_GLOBAL const point4* p, RE_GLOBAL const int* index) {
#define RE_AT(k) re_load_quad(p + index[k])
  return re_transpose(RE_ROW(RE_AT, 0), RE_ROW(RE_AT, 1), RE_ROW(RE_AT, 2), RE_ROW(RE_AT, 3));
#undef RE_AT
}
RE_FN real4 re_load4_at(RE_GLOBAL const point4* p, int first) {
#define RE_AT(k) re_load_quad(p + first + (k))
  return re_transpose(RE_ROW(RE_AT, 0), RE_ROW(RE_AT, 1), RE_ROW(RE_AT, 2), RE_ROW(RE_AT, 3));
#undef RE_AT
}
RE_FN void re_store4_at(RE_GLOBAL point4* p, int first, real4 a) {
  const real4 t = re_transpose(a.x, a.y, a.z, a.w);  // row k holds points k, k+4, k+8, k+12
  const real rows[4] = {t.x, t.y, t.z, t.w};
  for (int k = 0; k < 4; ++k)
    for (int q = 0; q < RE_LANES / 4; ++q) re_store_quad(p + first + k + 4 * q, rows + k, q);
}
// Only the first `used` lanes are written.
RE_FN void re_store4(RE_GLOBAL point4* p, RE_GLOBAL const int* index, real4 a, int used) {
  const real4 t = re_transpose(a.x, a.y, a.z, a.w);
  const real rows[4] = {t.x, t.y, t.z, t.w};
#define RE_PUT(k) re_store_quad(p + index[k], rows + (k) % 4, (k) / 4)
  if (used >= RE_LANES)
    for (int k = 0; k < RE_LANES; ++k) RE_PUT(k);  // the usual case, unrolled
  else
    for (int k = 0; k < RE_LANES; ++k)  // were `used` its end, the rows would have to lie in memory
      if (k < used) RE_PUT(k);
#undef RE_PUT
}
// Of these only the lanes where `where` is not 0.
RE_FN void re_store4_where(RE_GLOBAL point4* p, RE_GLOBAL const int* index, real4 a, ints where, int used) {
  const real4 t = re_transpose(a.x, a.y, a.z, a.w);
  const real rows[4] = {t.x, t.y, t.z, t.w};
  for (int k = 0; k < RE_LANES; ++k)
    if (k < used && where[k]) re_store_quad(p + index[k], rows + k % 4, k / 4);
}
#undef RE_CAT
#undef RE_ROW
#undef RE_PAIR
#undef re_row
#undef RE_LOW
#undef RE_HIGH
#undef RE_EVEN
#undef RE_ODD
#endif

RE_FN real re_min(real a, real b) { return a < b ? a : b; }
RE_FN real re_max(real a, real b) { return a > b ? a : b; }
RE_FN real re_abs(real a) { return re_from_bits(re_bits(a) & 0x7fffffff); }

// The most rows that are evaluated side by side: each step of a root waits for the one before, and other rows
// fill the gaps.
#define RE_ROWS 4

// 1/sqrt(a) by Newton steps from a guess on the bits: multiplications only, so any IEEE device gives the same
// bits, and faster than a square root and a division in lanes. Within 2 ulp for normal a; finite (about 4e19)
// for a = 0, so that a zero vector times it stays zero. count: a constant.
RE_FN void re_rsqrts(int count, const real* a, real* y) {
  real t[RE_ROWS];
  for (int j = 0; j < count; ++j) y[j] = re_from_bits(0x5f375a86 - (re_bits(a[j]) >> 1));
  for (int newton = 0; newton < 3; ++newton) {
    for (int j = 0; j < count; ++j) t[j] = a[j] * 0.5f * y[j];
    for (int j = 0; j < count; ++j) t[j] = t[j] * y[j];
    for (int j = 0; j < count; ++j) t[j] = 1.5f - t[j];
    for (int j = 0; j < count; ++j) y[j] = y[j] * t[j];
  }
}
RE_FN real re_rsqrt(real a) {
  real y;
  re_rsqrts(1, &a, &y);
  return y;
}
