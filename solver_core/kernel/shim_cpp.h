// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How C++ spells the kernels' language (shim.h).

#define RE_FN static inline __attribute__((always_inline))
#define RE_GLOBAL
#define RE_NULL               nullptr
#define RE_RESTRICT           __restrict
#define RE_BUFFER(type, name) , type* RE_RESTRICT name
#define RE_VALUE(type, name)  , type name
#define RE_PREFETCH(p)        __builtin_prefetch(p)
#ifdef __clang__
#define RE_UNROLL
#else
#define RE_UNROLL _Pragma("GCC unroll 4")  // a fetch of points is too long for GCC to do so by itself
#endif
typedef ::repose::Vec3f point3;
typedef ::repose::Vec4f point4;
typedef unsigned long cell_key;

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
RE_FN unsigned re_mask(ints a) { return a != 0; }
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
// A bit for each lane, of what a comparison says.
#if RE_LANES == 4
RE_FN unsigned re_mask(ints a) { return (unsigned)__builtin_ia32_movmskps((real)a); }
#elif RE_LANES == 8
RE_FN unsigned re_mask(ints a) { return (unsigned)__builtin_ia32_movmskps256((real)a); }
#else
RE_FN unsigned re_mask(ints a) { return __builtin_ia32_cvtd2mask512(a); }
#endif
#endif
RE_FN float re_sqrt1(float a) { return __builtin_sqrtf(a); }  // of one number, exact
RE_FN uints re_to_uint(ints a) { return (uints)a; }
RE_FN ints re_of_uint(uints a) { return (ints)a; }

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

#if RE_LANES > 1
typedef float re_quad __attribute__((vector_size(16)));
RE_FN re_quad re_load_quad(const point4* p) {
  re_quad a;
  __builtin_memcpy(&a, p, sizeof a);
  return a;
}
// Quads side by side: of the shuffle in shim.h GCC makes a permutation and two moves more.
#ifndef __clang__
#if RE_LANES == 8
RE_FN real re_row(re_quad a, re_quad b) {
  return __builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(a), b, 1);
}
#elif RE_LANES == 16
RE_FN real re_row(re_quad a, re_quad b, re_quad c, re_quad d) {
  const unsigned short every = 0xffff;
  real row = __builtin_ia32_ps512_ps(a);
  row = __builtin_ia32_insertf32x4_mask(row, b, 1, row, every);
  row = __builtin_ia32_insertf32x4_mask(row, c, 2, row, every);
  return __builtin_ia32_insertf32x4_mask(row, d, 3, row, every);
}
#endif
#endif
// Four neighbouring lanes of a row.
RE_FN void re_store_quad(point4* p, const real* row, int quarter) {
  __builtin_memcpy(p, (const char*)row + 16 * quarter, 16);
}
#endif
