// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The only kernel file that knows its language. Formulas are written once, in the C subset that C++17 and
// OpenCL C share, on `real`: RE_LANES floats side by side (1, 4, 8 or 16). Every operation is element by
// element and correctly rounded, so the number of lanes never changes a bit. Not guarded: a translation unit
// may include the kernels once with its own RE_LANES, inside a namespace of its own.
//
//   RE_FN        word in front of a function       real, ints, uints   RE_LANES floats or 32-bit integers
//   RE_GLOBAL    address space of buffers          point4              four floats in memory
//   re_*         loads, stores and the few functions that the operators + - * / < ?: do not cover

#ifdef __cplusplus

#define RE_FN static inline __attribute__((always_inline))
#define RE_GLOBAL
#define RE_RESTRICT           __restrict
#define RE_BUFFER(type, name) , type* RE_RESTRICT name
#define RE_VALUE(type, name)  , type name
typedef ::repose::Vec4f point4;

#if RE_LANES == 1
typedef float real;
typedef int ints;
typedef unsigned uints;
RE_FN real re_splat(float a) { return a; }
RE_FN ints re_bits(real a) { return __builtin_bit_cast(int, a); }
RE_FN real re_from_bits(ints a) { return __builtin_bit_cast(float, a); }
RE_FN ints re_to_int(real a) { return (int)a; }
RE_FN real re_to_real(ints a) { return (float)a; }
RE_FN float re_lane(real a, int lane) { return (void)lane, a; }
RE_FN int re_any(ints a) { return a != 0; }
#else
typedef float real __attribute__((vector_size(4 * RE_LANES)));
typedef int ints __attribute__((vector_size(4 * RE_LANES)));
typedef unsigned uints __attribute__((vector_size(4 * RE_LANES)));
RE_FN real re_splat(float a) { return a - (real){}; }
RE_FN ints re_bits(real a) { return (ints)a; }
RE_FN real re_from_bits(ints a) { return (real)a; }
RE_FN ints re_to_int(real a) { return __builtin_convertvector(a, ints); }
RE_FN real re_to_real(ints a) { return __builtin_convertvector(a, real); }
RE_FN float re_lane(real a, int lane) { return a[lane]; }
RE_FN int re_any(ints a) {
  int any = 0;
  for (int k = 0; k < RE_LANES; ++k) any |= a[k];
  return any != 0;
}
#endif

typedef struct {
  real x, y, z, w;
} real4;

RE_FN real re_load(const float* p) {
  real a;
  __builtin_memcpy(&a, p, sizeof a);
  return a;
}
RE_FN void re_store(float* p, real a) { __builtin_memcpy(p, &a, sizeof a); }
RE_FN real re_load_short(const short* p) {
#if RE_LANES == 1
  return (real)*p;
#else
  typedef short shorts __attribute__((vector_size(2 * RE_LANES)));
  shorts a;
  __builtin_memcpy(&a, p, sizeof a);
  return __builtin_convertvector(a, real);
#endif
}
RE_FN real re_gather(const float* p, const int* index) {
  float a[RE_LANES];
  for (int k = 0; k < RE_LANES; ++k) a[k] = p[index[k]];
  return re_load(a);
}
// Lanes may share a place only where nobody reads it.
RE_FN void re_scatter(float* p, const int* index, real a) {
  for (int k = 0; k < RE_LANES; ++k) p[index[k]] = re_lane(a, k);
}

#if RE_LANES == 1
RE_FN real4 re_load4(const point4* p, const int* index) {
  const point4 a = p[*index];
  return (real4){a.x, a.y, a.z, a.w};
}
RE_FN real4 re_load4_at(const point4* p, int first) { return re_load4(p, &first); }
RE_FN void re_store4_at(point4* p, int first, real4 a) {
  p[first].x = a.x, p[first].y = a.y, p[first].z = a.z, p[first].w = a.w;
}
RE_FN void re_store4(point4* p, const int* index, real4 a, int used) {
  (void)used, re_store4_at(p, *index, a);
}
RE_FN void re_store4_where(point4* p, const int* index, real4 a, ints where, int used) {
  if (where) re_store4(p, index, a, used);
}
#else
// Points are fetched with 128-bit loads and turned in registers: hardware gathers are several times slower.
typedef float re_quad __attribute__((vector_size(16)));
RE_FN re_quad re_load_quad(const point4* p) {
  re_quad a;
  __builtin_memcpy(&a, p, sizeof a);
  return a;
}
#define RE_CAT(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#if RE_LANES == 4
typedef re_quad re_wide;
#define RE_ROW(f, k)  f(k)
#define RE_LOW(a, b)  RE_CAT(a, b, 0, 4, 1, 5)
#define RE_HIGH(a, b) RE_CAT(a, b, 2, 6, 3, 7)
#define RE_EVEN(a, b) RE_CAT(a, b, 0, 1, 4, 5)
#define RE_ODD(a, b)  RE_CAT(a, b, 2, 3, 6, 7)
#elif RE_LANES == 8
#define RE_ROW(f, k)  RE_CAT(f(k), f(k + 4), 0, 1, 2, 3, 4, 5, 6, 7)
#define RE_LOW(a, b)  RE_CAT(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define RE_HIGH(a, b) RE_CAT(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define RE_EVEN(a, b) RE_CAT(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define RE_ODD(a, b)  RE_CAT(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define RE_PAIR(f, k) RE_CAT(f(k), f(k + 4), 0, 1, 2, 3, 4, 5, 6, 7)
#define RE_ROW(f, k) \
  RE_CAT(RE_PAIR(f, k), RE_PAIR(f, k + 8), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define RE_LOW(a, b)  RE_CAT(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define RE_HIGH(a, b) RE_CAT(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define RE_EVEN(a, b) RE_CAT(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define RE_ODD(a, b)  RE_CAT(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#endif
RE_FN real4 re_transpose(real r0, real r1, real r2, real r3) {
  const real low01 = RE_LOW(r0, r1), low23 = RE_LOW(r2, r3);
  const real high01 = RE_HIGH(r0, r1), high23 = RE_HIGH(r2, r3);
  return (real4){RE_EVEN(low01, low23), RE_ODD(low01, low23), RE_EVEN(high01, high23),
                 RE_ODD(high01, high23)};
}
RE_FN real4 re_load4(const point4* p, const int* index) {
#define RE_AT(k) re_load_quad(p + index[k])
  return re_transpose(RE_ROW(RE_AT, 0), RE_ROW(RE_AT, 1), RE_ROW(RE_AT, 2), RE_ROW(RE_AT, 3));
#undef RE_AT
}
RE_FN real4 re_load4_at(const point4* p, int first) {
#define RE_AT(k) re_load_quad(p + first + (k))
  return re_transpose(RE_ROW(RE_AT, 0), RE_ROW(RE_AT, 1), RE_ROW(RE_AT, 2), RE_ROW(RE_AT, 3));
#undef RE_AT
}
RE_FN void re_store4_at(point4* p, int first, real4 a) {
  const real4 t = re_transpose(a.x, a.y, a.z, a.w);  // row k holds points k, k+4, k+8, k+12
  const real rows[4] = {t.x, t.y, t.z, t.w};
  for (int k = 0; k < 4; ++k)
    for (int q = 0; q < RE_LANES / 4; ++q)
      __builtin_memcpy(p + first + k + 4 * q, (const char*)&rows[k] + 16 * q, 16);
}
// Only the first `used` lanes are written.
RE_FN void re_store4(point4* p, const int* index, real4 a, int used) {
  const real4 t = re_transpose(a.x, a.y, a.z, a.w);
  const real rows[4] = {t.x, t.y, t.z, t.w};
#define RE_PUT(k) __builtin_memcpy(p + index[k], (const char*)&rows[(k) % 4] + 16 * ((k) / 4), 16)
  if (used >= RE_LANES)
    for (int k = 0; k < RE_LANES; ++k) RE_PUT(k);  // the usual case, unrolled
  else
    for (int k = 0; k < used; ++k) RE_PUT(k);
#undef RE_PUT
}
// Of these only the lanes where `where` is not 0.
RE_FN void re_store4_where(point4* p, const int* index, real4 a, ints where, int used) {
  const real4 t = re_transpose(a.x, a.y, a.z, a.w);
  const real rows[4] = {t.x, t.y, t.z, t.w};
  for (int k = 0; k < RE_LANES && k < used; ++k)
    if (where[k]) __builtin_memcpy(p + index[k], (const char*)&rows[k % 4] + 16 * (k / 4), 16);
}
#undef RE_CAT
#undef RE_ROW
#undef RE_PAIR
#undef RE_LOW
#undef RE_HIGH
#undef RE_EVEN
#undef RE_ODD
#endif

#else  // OpenCL C, one lane an item

#pragma OPENCL FP_CONTRACT OFF
#define RE_FN                 static inline
#define RE_GLOBAL             __global
#define RE_RESTRICT           restrict
#define RE_BUFFER(type, name) , __global type* restrict name
#define RE_VALUE(type, name)  , type name
typedef float4 point4;
typedef float real;
typedef int ints;
typedef uint uints;
typedef float4 real4;
RE_FN real re_splat(float a) { return a; }
RE_FN ints re_bits(real a) { return as_int(a); }
RE_FN real re_from_bits(ints a) { return as_float(a); }
RE_FN ints re_to_int(real a) { return convert_int(a); }
RE_FN real re_to_real(ints a) { return convert_float(a); }
RE_FN float re_lane(real a, int lane) { return a; }
RE_FN int re_any(ints a) { return a != 0; }
RE_FN real re_load(__global const float* p) { return *p; }
RE_FN void re_store(__global float* p, real a) { *p = a; }
RE_FN real re_load_short(__global const short* p) { return convert_float(*p); }
RE_FN real re_gather(__global const float* p, __global const int* index) { return p[*index]; }
RE_FN void re_scatter(__global float* p, __global const int* index, real a) { p[*index] = a; }
RE_FN real4 re_load4(__global const point4* p, __global const int* index) { return p[*index]; }
RE_FN real4 re_load4_at(__global const point4* p, int first) { return p[first]; }
RE_FN void re_store4_at(__global point4* p, int first, real4 a) { p[first] = a; }
RE_FN void re_store4(__global point4* p, __global const int* index, real4 a, int used) { p[*index] = a; }
RE_FN void re_store4_where(__global point4* p, __global const int* index, real4 a, ints where, int used) {
  if (where) p[*index] = a;
}

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
