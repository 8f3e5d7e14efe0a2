// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How OpenCL C spells the kernels' language (shim.h). Lanes want a compiler with clang's vectors, as those of
// all CPU devices are.

#pragma OPENCL FP_CONTRACT OFF
// PoCL unrolls no loop by itself, and arrays that are indexed in a loop stay in memory: three times as slow.
#define for                   _Pragma("clang loop unroll(full)") for
#define RE_FN                 static inline __attribute__((always_inline))
#define RE_GLOBAL             __global
#define RE_NULL               0
#define RE_RESTRICT           restrict
#define RE_BUFFER(type, name) , __global type* restrict name
#define RE_VALUE(type, name)  , type name
#define RE_PREFETCH(p)        prefetch((__global const char*)(p), 1)
#define RE_UNROLL
typedef struct {
  float x, y, z;
} point3;  // a float3 has the size of four
typedef float4 point4;
typedef ulong cell_key;

#if RE_LANES == 1
#define RE_WIDE(word) word
typedef float real;
typedef int ints;
typedef uint uints;
RE_FN real re_load(__global const float* p) { return *p; }
RE_FN void re_store(__global float* p, real a) { *p = a; }
RE_FN real re_load_short(__global const short* p) { return convert_float(*p); }
RE_FN real re_gather(__global const float* p, __global const int* index) { return p[*index]; }
RE_FN float re_lane(real a, int lane) { return a; }
RE_FN uint re_mask(ints a) { return a != 0; }
#else
#define RE_WIDE_(word, lanes)  word##lanes
#define RE_WIDE_2(word, lanes) RE_WIDE_(word, lanes)
#define RE_WIDE(word)          RE_WIDE_2(word, RE_LANES)
typedef RE_WIDE(float) real;
typedef RE_WIDE(int) ints;
typedef RE_WIDE(uint) uints;
RE_FN real re_load(__global const float* p) { return RE_WIDE(vload)(0, p); }
RE_FN void re_store(__global float* p, real a) { RE_WIDE(vstore)(a, 0, p); }
RE_FN real re_load_short(__global const short* p) { return RE_WIDE(convert_float)(RE_WIDE(vload)(0, p)); }
RE_FN real re_gather(__global const float* p, __global const int* index) {
  float a[RE_LANES];
  for (int k = 0; k < RE_LANES; ++k) a[k] = p[index[k]];
  return RE_WIDE(vload)(0, a);
}
RE_FN float re_lane(real a, int lane) { return a[lane]; }
// A bit for each lane, of what a comparison says.
RE_FN uint re_mask4(int4 a) {
  const int4 bits = a & (int4)(1, 2, 4, 8);
  return (uint)(bits.x | bits.y | bits.z | bits.w);
}
#if RE_LANES == 4
RE_FN uint re_mask(ints a) { return re_mask4(a); }
#elif RE_LANES == 8
RE_FN uint re_mask(ints a) { return re_mask4(a.lo) | re_mask4(a.hi) << 4; }
#else
RE_FN uint re_mask(ints a) {
  return re_mask4(a.lo.lo) | re_mask4(a.lo.hi) << 4 | re_mask4(a.hi.lo) << 8 | re_mask4(a.hi.hi) << 12;
}
#endif
typedef float4 re_quad;
RE_FN re_quad re_load_quad(__global const point4* p) { return vload4(0, (__global const float*)p); }
// Four neighbouring lanes of a row.
RE_FN void re_store_quad(__global point4* p, const real* row, int quarter) {
  vstore4(((const re_quad*)row)[quarter], 0, (__global float*)p);
}
#endif
RE_FN float re_sqrt1(float a) { return sqrt(a); }  // of one number, exact
RE_FN real re_splat(float a) { return (real)(a); }
RE_FN ints re_bits(real a) { return RE_WIDE(as_int)(a); }
RE_FN real re_from_bits(ints a) { return RE_WIDE(as_float)(a); }
RE_FN ints re_to_int(real a) { return RE_WIDE(convert_int)(a); }
RE_FN real re_to_real(ints a) { return RE_WIDE(convert_float)(a); }
RE_FN uints re_to_uint(ints a) { return RE_WIDE(as_uint)(a); }
RE_FN ints re_of_uint(uints a) { return RE_WIDE(as_int)(a); }
