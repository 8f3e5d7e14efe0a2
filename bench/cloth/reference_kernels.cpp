// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/cloth/reference_kernels.h"

#include <immintrin.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

// The rest of the program must run without AVX2, so only these functions are compiled for it.
#define FOR_AVX2 __attribute__((target("avx2,fma")))

namespace repose {

namespace {

constexpr int kLanes = 8, kNeighbours = 12, kGrain = 64;
constexpr float kStep = 0.016f, kGravity = 9.81f, kKeep = 0.998f, kOverRelax = 1.3f;

struct alignas(16) Point {
  float x = 0, y = 0, z = 0, w = 0;  // w: inverse mass
};

struct Lanes {
  __m256 x, y, z, w;
};

// Point k and point k+4 share a register; two rounds of shuffles turn four of them into coordinates.
FOR_AVX2 inline Lanes transposed(__m256 r0, __m256 r1, __m256 r2, __m256 r3) {
  const __m256 a = _mm256_unpacklo_ps(r0, r1), b = _mm256_unpacklo_ps(r2, r3);
  const __m256 c = _mm256_unpackhi_ps(r0, r1), d = _mm256_unpackhi_ps(r2, r3);
  return {_mm256_shuffle_ps(a, b, 0x44), _mm256_shuffle_ps(a, b, 0xEE), _mm256_shuffle_ps(c, d, 0x44),
          _mm256_shuffle_ps(c, d, 0xEE)};
}

FOR_AVX2 inline __m256 pairOf(const Point& low, const Point& high) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&low.x)), _mm_load_ps(&high.x), 1);
}

FOR_AVX2 inline void storePair(Point& low, Point& high, __m256 pair) {
  _mm_store_ps(&low.x, _mm256_castps256_ps128(pair));
  _mm_store_ps(&high.x, _mm256_extractf128_ps(pair, 1));
}

FOR_AVX2 inline Lanes fetch(const Point* p, const int* at) {
  return transposed(pairOf(p[at[0]], p[at[4]]), pairOf(p[at[1]], p[at[5]]), pairOf(p[at[2]], p[at[6]]),
                    pairOf(p[at[3]], p[at[7]]));
}

FOR_AVX2 inline Lanes fetchRun(const Point* p) {
  return transposed(pairOf(p[0], p[4]), pairOf(p[1], p[5]), pairOf(p[2], p[6]), pairOf(p[3], p[7]));
}

FOR_AVX2 inline void put(Point* p, const int* at, const Lanes& v) {
  const Lanes r = transposed(v.x, v.y, v.z, v.w);
  storePair(p[at[0]], p[at[4]], r.x), storePair(p[at[1]], p[at[5]], r.y);
  storePair(p[at[2]], p[at[6]], r.z), storePair(p[at[3]], p[at[7]], r.w);
}

FOR_AVX2 inline void putRun(Point* p, const Lanes& v) {
  const Lanes r = transposed(v.x, v.y, v.z, v.w);
  storePair(p[0], p[4], r.x), storePair(p[1], p[5], r.y);
  storePair(p[2], p[6], r.z), storePair(p[3], p[7], r.w);
}

// The hardware's estimate and one step of Newton.
FOR_AVX2 inline __m256 inverseRoot(__m256 a) {
  const __m256 y = _mm256_rsqrt_ps(a), half = _mm256_mul_ps(a, _mm256_set1_ps(0.5f));
  return _mm256_mul_ps(y, _mm256_fnmadd_ps(_mm256_mul_ps(half, y), y, _mm256_set1_ps(1.5f)));
}

FOR_AVX2 inline __m256 inverse(__m256 a) {
  const __m256 y = _mm256_rcp_ps(a);
  return _mm256_mul_ps(y, _mm256_fnmadd_ps(a, y, _mm256_set1_ps(2.0f)));
}

// (1 - rest/|d|) / (w0 + w1)
FOR_AVX2 inline __m256 pull(__m256 dx, __m256 dy, __m256 dz, __m256 rest, __m256 w0, __m256 w1) {
  const __m256 tiny = _mm256_set1_ps(1e-20f);
  const __m256 l2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_fmadd_ps(dz, dz, tiny)));
  const __m256 share = _mm256_fnmadd_ps(rest, inverseRoot(l2), _mm256_set1_ps(1.0f));
  return _mm256_mul_ps(share, inverse(_mm256_add_ps(_mm256_add_ps(w0, w1), _mm256_set1_ps(1e-9f))));
}

// Neighbours of eight points side by side; a point with fewer than twelve is its own neighbour.
struct JacobiLists {
  std::vector<int> other;
  std::vector<float> rest, share;
};

FOR_AVX2 void jacobiSlices(int first, int end, const JacobiLists& lists, const Point* from, Point* to) {
  const int* const others = lists.other.data();
  const float *const rests = lists.rest.data(), *const shares = lists.share.data();
  for (int slice = first; slice < end; ++slice) {
    const Lanes me = fetchRun(from + slice * kLanes);
    __m256 sx = _mm256_setzero_ps(), sy = sx, sz = sx;
    for (int k = 0; k < kNeighbours; ++k) {
      const int e = (slice * kNeighbours + k) * kLanes;
      const Lanes other = fetch(from, others + e);
      const __m256 dx = _mm256_sub_ps(other.x, me.x), dy = _mm256_sub_ps(other.y, me.y),
                   dz = _mm256_sub_ps(other.z, me.z);
      const __m256 s = pull(dx, dy, dz, _mm256_loadu_ps(rests + e), me.w, other.w);
      sx = _mm256_fmadd_ps(s, dx, sx), sy = _mm256_fmadd_ps(s, dy, sy), sz = _mm256_fmadd_ps(s, dz, sz);
    }
    const __m256 gain = _mm256_mul_ps(_mm256_loadu_ps(shares + slice * kLanes), me.w);
    putRun(to + slice * kLanes, {_mm256_fmadd_ps(gain, sx, me.x), _mm256_fmadd_ps(gain, sy, me.y),
                                 _mm256_fmadd_ps(gain, sz, me.z), me.w});
  }
}

struct Row {
  int a, b;
  float rest;
};

// Rows colour after colour.
struct ColouredLists {
  std::vector<int> a, b, colour_start;
  std::vector<float> rest;
};

FOR_AVX2 void visitEights(int first, int end, const ColouredLists& rows, Point* x) {
  const int *const end_a = rows.a.data(), *const end_b = rows.b.data();
  const float* const rests = rows.rest.data();
  for (int e = first; e < end; e += kLanes) {
    const Lanes a = fetch(x, end_a + e), b = fetch(x, end_b + e);
    const __m256 dx = _mm256_sub_ps(a.x, b.x), dy = _mm256_sub_ps(a.y, b.y), dz = _mm256_sub_ps(a.z, b.z);
    const __m256 s = pull(dx, dy, dz, _mm256_loadu_ps(rests + e), a.w, b.w);
    const __m256 sa = _mm256_mul_ps(s, a.w), sb = _mm256_mul_ps(s, b.w);
    put(x, end_a + e,
        {_mm256_fnmadd_ps(sa, dx, a.x), _mm256_fnmadd_ps(sa, dy, a.y), _mm256_fnmadd_ps(sa, dz, a.z), a.w});
    put(x, end_b + e,
        {_mm256_fmadd_ps(sb, dx, b.x), _mm256_fmadd_ps(sb, dy, b.y), _mm256_fmadd_ps(sb, dz, b.z), b.w});
  }
}

void visitOne(const Row& row, Point* x) {
  Point &a = x[row.a], &b = x[row.b];
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  const float s = (1 - row.rest / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-20f)) / (a.w + b.w + 1e-9f);
  a.x -= s * a.w * dx, a.y -= s * a.w * dy, a.z -= s * a.w * dz;
  b.x += s * b.w * dx, b.y += s * b.w * dy, b.z += s * b.w * dz;
}

class Cloth final : public ReferenceCloth {
 public:
  Cloth(ReferenceKernel kernel, int n, int threads) : kernel_(kernel), threads_(threads), arena_(threads) {
    const int points = n * n, padded = (points + kLanes - 1) / kLanes * kLanes;
    x_.resize(padded), v_.resize(padded), start_.resize(padded), next_.resize(padded);
    const float spacing = 2.0f / static_cast<float>(n - 1);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        x_[j * n + i] = {static_cast<float>(i) * spacing, 0, static_cast<float>(j) * spacing, 1};
    x_[0].w = x_[n - 1].w = 0;
    const auto add = [&](int di, int dj) {
      for (int j = 0; j + dj < n; ++j)
        for (int i = std::max(0, -di); i < n - std::max(0, di); ++i)
          rows_.push_back(
              {j * n + i, (j + dj) * n + i + di, spacing * std::sqrt(static_cast<float>(di * di + dj * dj))});
    };
    add(1, 0), add(0, 1);
    edges_ = rows_.size();
    add(1, 1), add(-1, 1), add(2, 0), add(0, 2);
    kernel == ReferenceKernel::j1a ? listNeighbours(points) : listColours();
  }

  void frame(int iterations) override {
    const int points = static_cast<int>(x_.size());
    parallel(points, kLanes * kGrain, [this](int first, int end) { predict(first, end); });
    for (int k = 0; k < iterations; ++k) {
      if (kernel_ == ReferenceKernel::j1a) {
        parallel(points / kLanes, kGrain,
                 [this](int first, int end) { jacobiSlices(first, end, jacobi_, x_.data(), next_.data()); });
        x_.swap(next_);
      } else {
        for (std::size_t c = 0; c + 1 < coloured_.colour_start.size(); ++c)
          visitColour(coloured_.colour_start[c], coloured_.colour_start[c + 1]);
      }
    }
    parallel(points, kLanes * kGrain, [this](int first, int end) { integrate(first, end); });
  }

  double meanStretch() const override {
    double sum = 0;
    for (std::size_t r = 0; r < edges_; ++r) {
      const Point &a = x_[rows_[r].a], &b = x_[rows_[r].b];
      sum += std::abs(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) / rows_[r].rest - 1);
    }
    return sum / static_cast<double>(edges_);
  }

 private:
  template <class Body>
  void parallel(int items, int grain, const Body& body) {
    if (threads_ == 1 || items <= grain) return body(0, items);
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<int>(0, items, grain),
          [&](const tbb::blocked_range<int>& range) { body(range.begin(), range.end()); },
          tbb::static_partitioner{});
    });
  }

  void predict(int first, int end) {
    for (int p = first; p < end; ++p) {
      start_[p] = x_[p];
      if (x_[p].w > 0) v_[p].y -= kGravity * kStep;
      x_[p].x += kStep * v_[p].x, x_[p].y += kStep * v_[p].y, x_[p].z += kStep * v_[p].z;
    }
  }

  void integrate(int first, int end) {
    constexpr float kRate = kKeep / kStep;
    for (int p = first; p < end; ++p)
      v_[p] = {(x_[p].x - start_[p].x) * kRate, (x_[p].y - start_[p].y) * kRate,
               (x_[p].z - start_[p].z) * kRate, 0};
  }

  void visitColour(int first, int end) {
    const int eights = (end - first) / kLanes;
    parallel(eights, kGrain, [&](int begin, int stop) {
      visitEights(first + begin * kLanes, first + stop * kLanes, coloured_, x_.data());
    });
    for (int e = first + eights * kLanes; e < end; ++e)
      visitOne({coloured_.a[e], coloured_.b[e], coloured_.rest[e]}, x_.data());
  }

  void listNeighbours(int points) {
    const int padded = static_cast<int>(x_.size());
    const auto slot = [](int p, int k) { return (p / kLanes * kNeighbours + k) * kLanes + p % kLanes; };
    jacobi_.other.resize(padded * kNeighbours);
    jacobi_.rest.resize(padded * kNeighbours);
    jacobi_.share.resize(padded);
    for (int p = 0; p < padded; ++p)
      for (int k = 0; k < kNeighbours; ++k) jacobi_.other[slot(p, k)] = p;
    std::vector<int> count(padded, 0);
    for (const Row& row : rows_)
      for (const auto& [me, other] : {std::pair(row.a, row.b), std::pair(row.b, row.a)}) {
        const int s = slot(me, count[me]++);
        jacobi_.other[s] = other;
        jacobi_.rest[s] = row.rest;
      }
    for (int p = 0; p < points; ++p) jacobi_.share[p] = kOverRelax / static_cast<float>(count[p]);
  }

  // Each row in order takes the lowest colour that is free at both ends.
  void listColours() {
    std::vector<std::uint32_t> used(x_.size(), 0);
    std::vector<int> colour;
    for (const Row& row : rows_) {
      colour.push_back(__builtin_ctz(~(used[row.a] | used[row.b])));
      used[row.a] |= 1u << colour.back(), used[row.b] |= 1u << colour.back();
    }
    const int colours = *std::max_element(colour.begin(), colour.end()) + 1;
    for (int c = 0; c < colours; ++c) {
      coloured_.colour_start.push_back(static_cast<int>(coloured_.a.size()));
      for (std::size_t r = 0; r < rows_.size(); ++r)
        if (colour[r] == c) {
          coloured_.a.push_back(rows_[r].a), coloured_.b.push_back(rows_[r].b);
          coloured_.rest.push_back(rows_[r].rest);
        }
    }
    coloured_.colour_start.push_back(static_cast<int>(coloured_.a.size()));
  }

  ReferenceKernel kernel_;
  int threads_;
  tbb::task_arena arena_;
  std::vector<Point> x_, v_, start_, next_;
  std::vector<Row> rows_;
  std::size_t edges_ = 0;  // the first rows
  JacobiLists jacobi_;
  ColouredLists coloured_;
};

}  // namespace

std::unique_ptr<ReferenceCloth> makeReferenceCloth(ReferenceKernel kernel, int n, int threads) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  return std::make_unique<Cloth>(kernel, n, threads);
}

}  // namespace repose
