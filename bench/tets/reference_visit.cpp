// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 and FMA with fast-math: nothing but this loop may be in here.
#include "bench/tets/reference_visit.h"

#include <immintrin.h>

namespace repose {

namespace {

typedef float V __attribute__((vector_size(32)));

inline V load(const float* p) { return (V)_mm256_loadu_ps(p); }
inline void store(float* p, V a) { _mm256_storeu_ps(p, (__m256)a); }
inline V all(float a) { return (V)_mm256_set1_ps(a); }

inline void turn(__m256 r0, __m256 r1, __m256 r2, __m256 r3, __m256* out) {
  const __m256 a = _mm256_unpacklo_ps(r0, r1), b = _mm256_unpacklo_ps(r2, r3);
  const __m256 c = _mm256_unpackhi_ps(r0, r1), d = _mm256_unpackhi_ps(r2, r3);
  out[0] = _mm256_shuffle_ps(a, b, 0x44), out[1] = _mm256_shuffle_ps(a, b, 0xEE);
  out[2] = _mm256_shuffle_ps(c, d, 0x44), out[3] = _mm256_shuffle_ps(c, d, 0xEE);
}

inline void fetch(const float* x, const int* at, V* p) {
  __m256 r[4], out[4];
  for (int k = 0; k < 4; ++k)
    r[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(x + 4 * at[k])),
                                _mm_load_ps(x + 4 * at[k + 4]), 1);
  turn(r[0], r[1], r[2], r[3], out);
  for (int k = 0; k < 4; ++k) p[k] = (V)out[k];
}

inline void put(float* x, const int* at, const V* p) {
  __m256 out[4];
  turn((__m256)p[0], (__m256)p[1], (__m256)p[2], (__m256)p[3], out);
  for (int k = 0; k < 4; ++k) {
    _mm_store_ps(x + 4 * at[k], _mm256_castps256_ps128(out[k]));
    _mm_store_ps(x + 4 * at[k + 4], _mm256_extractf128_ps(out[k], 1));
  }
}

}  // namespace

void visitReference(ReferenceBlock* first, ReferenceBlock* end, float* x, float rest_volume) {
  for (ReferenceBlock* t = first; t < end; ++t) {
    V p[4][4], y[9];
    for (int a = 0; a < 4; ++a) fetch(x, t->corner[a], p[a]);
    for (int k = 0; k < 9; ++k) y[k] = load(t->y[k]);
    for (int row = 0; row < 2; ++row) {
      V e[9], f[9], g[9], d[9], c, alpha;
      for (int a = 0; a < 3; ++a)
        for (int r = 0; r < 3; ++r) e[r * 3 + a] = p[a + 1][r] - p[0][r];
      for (int r = 0; r < 3; ++r)
        for (int a = 0; a < 3; ++a)
          f[r * 3 + a] = e[r * 3] * y[a] + e[r * 3 + 1] * y[3 + a] + e[r * 3 + 2] * y[6 + a];
      float* lambda;
      if (row == 0) {
        V s = all(0);
        for (int a = 0; a < 9; ++a) s += f[a] * f[a];
        V root = (V)_mm256_rsqrt_ps((__m256)(s + all(1e-12f)));
        root = root * (all(1.5f) - all(0.5f) * s * root * root);
        c = s * root;
        for (int a = 0; a < 9; ++a) d[a] = f[a] * root;
        alpha = load(t->alpha_deviatoric), lambda = t->lambda_deviatoric;
      } else {
        d[0] = f[4] * f[8] - f[5] * f[7], d[3] = f[2] * f[7] - f[1] * f[8], d[6] = f[1] * f[5] - f[2] * f[4];
        d[1] = f[5] * f[6] - f[3] * f[8], d[4] = f[0] * f[8] - f[2] * f[6], d[7] = f[2] * f[3] - f[0] * f[5];
        d[2] = f[3] * f[7] - f[4] * f[6], d[5] = f[1] * f[6] - f[0] * f[7], d[8] = f[0] * f[4] - f[1] * f[3];
        c = f[0] * d[0] + f[3] * d[3] + f[6] * d[6] - all(rest_volume);
        alpha = load(t->alpha_volume), lambda = t->lambda_volume;
      }
      for (int r = 0; r < 3; ++r)
        for (int a = 0; a < 3; ++a)
          g[r * 3 + a] = d[r * 3] * y[a * 3] + d[r * 3 + 1] * y[a * 3 + 1] + d[r * 3 + 2] * y[a * 3 + 2];
      V sum = alpha, g0[3];
      for (int r = 0; r < 3; ++r) g0[r] = -(g[r * 3] + g[r * 3 + 1] + g[r * 3 + 2]);
      sum += p[0][3] * (g0[0] * g0[0] + g0[1] * g0[1] + g0[2] * g0[2]);
      for (int a = 0; a < 3; ++a)
        sum += p[a + 1][3] * (g[a] * g[a] + g[3 + a] * g[3 + a] + g[6 + a] * g[6 + a]);
      const V last = load(lambda), step = -(c + alpha * last) / sum;
      store(lambda, last + step);
      for (int r = 0; r < 3; ++r) {
        p[0][r] += p[0][3] * step * g0[r];
        for (int a = 0; a < 3; ++a) p[a + 1][r] += p[a + 1][3] * step * g[r * 3 + a];
      }
    }
    for (int a = 0; a < 4; ++a) put(x, t->corner[a], p[a]);
  }
}

}  // namespace repose
