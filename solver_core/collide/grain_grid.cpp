// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/grain_grid.h"

#include <algorithm>
#include <cmath>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace repose {

namespace {

constexpr int kChunk = 2048;        // grains a task handles
constexpr int kDigit = 11;          // bits a pass of the sort looks at
constexpr float kCellSlack = 1.1f;  // cell over the greatest diameter of its grains
constexpr int kCellsPerGrain = 8;   // that a table may have
constexpr int kLeastTable = 1 << 16;

int chunksOf(std::size_t count) { return static_cast<int>((count + kChunk - 1) / kChunk); }

inline int floorCell(float a) {
  constexpr auto kLimit = static_cast<float>(GrainGrid::kFarthestCell);
  const float inside = std::min(std::max(-kLimit, a), kLimit);  // what is no number becomes -kLimit
  const int c = static_cast<int>(inside);
  return c - (inside < static_cast<float>(c));
}

}  // namespace

GrainGrid::GrainGrid(const std::vector<float>& level_radii) {
  for (const float radius : level_radii) {
    Level level;
    level.radius = radius;
    level.cell = 2 * kCellSlack * radius;
    level.inv_cell = 1 / level.cell;
    level_.push_back(level);
  }
}

inline GrainGrid::Cell GrainGrid::Level::cellOf(Vec4f p) const {
  return {floorCell(p.x * inv_cell), floorCell(p.y * inv_cell), floorCell(p.z * inv_cell)};
}

int GrainGrid::levelOf(float radius) const {
  int l = 0;
  while (l + 1 < static_cast<int>(level_.size()) && radius > level_[l].radius) ++l;
  return l;
}

// How many grains each level has, and the box of cells around them.
void GrainGrid::measureLevels(const std::vector<Vec4f>& x, Backend& backend) {
  const int chunks = chunksOf(x.size());
  const std::size_t levels = level_.size();
  parts_.assign(chunks * levels, {});
  backend.forChunks(chunks, [&](int chunk) {
    const std::size_t end = std::min(x.size(), static_cast<std::size_t>(chunk + 1) * kChunk);
    for (std::size_t i = static_cast<std::size_t>(chunk) * kChunk; i < end; ++i) {
      const int l = levelOf(x[i].w);
      Part& part = parts_[chunk * levels + l];
      const Cell c = level_[l].cellOf(x[i]);
      ++part.count;
      part.lo = {std::min(part.lo.x, c.x), std::min(part.lo.y, c.y), std::min(part.lo.z, c.z)};
      part.hi = {std::max(part.hi.x, c.x), std::max(part.hi.y, c.y), std::max(part.hi.z, c.z)};
    }
  });
  int first = 0;
  level_key_.assign(1, 0);
  for (std::size_t l = 0; l < levels; ++l) {
    Part sum;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const Part& part = parts_[chunk * levels + l];
      sum.count += part.count;
      sum.lo = {std::min(sum.lo.x, part.lo.x), std::min(sum.lo.y, part.lo.y), std::min(sum.lo.z, part.lo.z)};
      sum.hi = {std::max(sum.hi.x, part.hi.x), std::max(sum.hi.y, part.hi.y), std::max(sum.hi.z, part.hi.z)};
    }
    Level& level = level_[l];
    level.first = first, level.count = sum.count;
    first += sum.count;
    level.lo = sum.lo;
    level.size = sum.count ? Cell{sum.hi.x - sum.lo.x + 1, sum.hi.y - sum.lo.y + 1, sum.hi.z - sum.lo.z + 1}
                           : Cell{0, 0, 0};
    level.table = level.keys() <= static_cast<std::uint64_t>(kLeastTable) +
                                      static_cast<std::uint64_t>(kCellsPerGrain) * sum.count;
    level_key_.push_back(level_key_.back() + level.keys());
  }
}

void GrainGrid::makeKeys(const std::vector<Vec4f>& x, Backend& backend, std::vector<int>& order) {
  key_.resize(x.size()), order.resize(x.size());
  backend.forChunks(chunksOf(x.size()), [&](int chunk) {
    const std::size_t end = std::min(x.size(), static_cast<std::size_t>(chunk + 1) * kChunk);
    for (std::size_t i = static_cast<std::size_t>(chunk) * kChunk; i < end; ++i) {
      const int l = levelOf(x[i].w);
      key_[i] = level_key_[l] + level_[l].keyOf(level_[l].cellOf(x[i]));
      order[i] = static_cast<int>(i);
    }
  });
}

bool GrainGrid::isSorted(Backend& backend) {
  const int chunks = chunksOf(key_.size());
  chunk_sum_.resize(chunks);
  backend.forChunks(chunks, [&](int chunk) {
    const auto begin = key_.begin() + static_cast<std::ptrdiff_t>(chunk) * kChunk;
    const auto end = key_.begin() + std::min<std::ptrdiff_t>(key_.size(), (chunk + 1) * kChunk + 1);
    chunk_sum_[chunk] = std::is_sorted(begin, end);
  });
  return std::all_of(chunk_sum_.begin(), chunk_sum_.end(), [](int sorted) { return sorted; });
}

// Stable, from the lowest digit; chunks are counted and scattered side by side.
void GrainGrid::radixSort(int bits, Backend& backend, std::vector<int>& order) {
  constexpr int kBuckets = 1 << kDigit;
  constexpr int kSortChunk = 1 << 16;
  const std::size_t n = key_.size();
  const int chunks = static_cast<int>((n + kSortChunk - 1) / kSortChunk);
  order_next_.resize(n), key_next_.resize(n);
  histogram_.resize(static_cast<std::size_t>(chunks) * kBuckets);
  for (int shift = 0; shift < bits; shift += kDigit) {
    const auto digitOf = [&](std::size_t i) { return (key_[i] >> shift) & (kBuckets - 1); };
    backend.forChunks(chunks, [&](int chunk) {
      int* bucket = histogram_.data() + static_cast<std::size_t>(chunk) * kBuckets;
      std::fill(bucket, bucket + kBuckets, 0);
      const std::size_t end = std::min(n, static_cast<std::size_t>(chunk + 1) * kSortChunk);
      for (std::size_t i = static_cast<std::size_t>(chunk) * kSortChunk; i < end; ++i) ++bucket[digitOf(i)];
    });
    int sum = 0;
    for (int b = 0; b < kBuckets; ++b)
      for (int chunk = 0; chunk < chunks; ++chunk) {
        int& count = histogram_[static_cast<std::size_t>(chunk) * kBuckets + b];
        const int here = count;
        count = sum;
        sum += here;
      }
    backend.forChunks(chunks, [&](int chunk) {
      int* bucket = histogram_.data() + static_cast<std::size_t>(chunk) * kBuckets;
      const std::size_t end = std::min(n, static_cast<std::size_t>(chunk + 1) * kSortChunk);
      for (std::size_t i = static_cast<std::size_t>(chunk) * kSortChunk; i < end; ++i) {
        const int to = bucket[digitOf(i)]++;
        key_next_[to] = key_[i];
        order_next_[to] = order[i];
      }
    });
    key_.swap(key_next_);
    order.swap(order_next_);
  }
}

void GrainGrid::makeTables(Backend& backend) {
  for (std::size_t l = 0; l < level_.size(); ++l) {
    Level& level = level_[l];
    if (!level.table) continue;
    level.start.resize(level.keys() + 1);
    const auto keyAt = [&](int i) {
      return static_cast<std::int64_t>(key_[level.first + i] - level_key_[l]);
    };
    backend.forChunks(chunksOf(static_cast<std::size_t>(level.count) + 1), [&](int chunk) {
      const int end = std::min(level.count, (chunk + 1) * kChunk - 1);
      for (int i = chunk * kChunk; i <= end; ++i) {
        const std::int64_t last = i > 0 ? keyAt(i - 1) : -1;
        const std::int64_t next = i < level.count ? keyAt(i) : static_cast<std::int64_t>(level.keys());
        for (std::int64_t k = last + 1; k <= next; ++k) level.start[k] = level.first + i;
      }
    });
  }
}

bool GrainGrid::sort(const std::vector<Vec4f>& x, Backend& backend, std::vector<int>& order) {
  measureLevels(x, backend);
  makeKeys(x, backend, order);
  int bits = 0;
  while (bits < 64 && (level_key_.back() >> bits) > 0) ++bits;
  const bool moved = !isSorted(backend);
  if (moved) radixSort(bits, backend, order);
  makeTables(backend);
  return moved;
}

void GrainGrid::rowRange(const Level& level, int y, int z, int x0, int x1, int& first, int& end) const {
  const std::uint64_t row = level.keyOf({level.lo.x, y, z});
  const std::uint64_t key0 = row + (x0 - level.lo.x), key1 = row + (x1 - level.lo.x) + 1;
  if (level.table) {
    first = level.start[key0], end = level.start[key1];
    return;
  }
  const std::uint64_t base = level_key_[&level - level_.data()];
  const auto begin = key_.begin() + level.first, stop = begin + level.count;
  const auto lower = std::lower_bound(begin, stop, base + key0);
  first = static_cast<int>(lower - key_.begin());
  end = static_cast<int>(std::lower_bound(lower, stop, base + key1) - key_.begin());
}

#if defined(__SSE2__)
int* GrainGrid::scan(int i, float mine, int first, int end, int* out) const {
  const __m128 px = _mm_set1_ps(x_[i]), py = _mm_set1_ps(y_[i]), pz = _mm_set1_ps(z_[i]),
               pe = _mm_set1_ps(mine);
  for (int j = first; j < end; j += 4) {
    const __m128 dx = _mm_sub_ps(_mm_loadu_ps(&x_[j]), px), dy = _mm_sub_ps(_mm_loadu_ps(&y_[j]), py),
                 dz = _mm_sub_ps(_mm_loadu_ps(&z_[j]), pz), near = _mm_add_ps(_mm_loadu_ps(&extent_[j]), pe);
    const __m128 d2 = _mm_add_ps(_mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dy, dy)), _mm_mul_ps(dz, dz));
    int hits = _mm_movemask_ps(_mm_cmplt_ps(d2, _mm_mul_ps(near, near)));
    if (end - j < 4) hits &= (1 << (end - j)) - 1;
    for (; hits; hits &= hits - 1) *out++ = j + __builtin_ctz(hits);
  }
  return out;
}
#else
int* GrainGrid::scan(int i, float mine, int first, int end, int* out) const {
  for (int j = first; j < end; ++j) {
    const float dx = x_[j] - x_[i], dy = y_[j] - y_[i], dz = z_[j] - z_[i], near = extent_[j] + mine;
    *out = j;
    out += dx * dx + dy * dy + dz * dz < near * near;
  }
  return out;
}
#endif

void GrainGrid::searchGrain(int i, std::vector<int>& list, int& used) const {
  std::size_t own = 0;
  while (i >= level_[own].first + level_[own].count) ++own;
  const float mine = extent_[i];
  const Vec4f p{x_[i], y_[i], z_[i], 0};
  for (std::size_t l = own; l < level_.size(); ++l) {
    const Level& level = level_[l];
    if (level.count == 0) continue;
    const bool ahead = l == own && !fast_[i];  // only what comes later
    const float reach = mine + (ahead ? level.radius * (1 + kSlow) : level.reach);
    const Cell lo = level.cellOf({p.x - reach, p.y - reach, p.z - reach, 0});
    const Cell hi = level.cellOf({p.x + reach, p.y + reach, p.z + reach, 0});
    const Cell here = level.cellOf(p);
    const int x0 = std::max(lo.x, level.lo.x), x1 = std::min(hi.x, level.lo.x + level.size.x - 1);
    const int z_end = std::min(hi.z, level.lo.z + level.size.z - 1),
              y_end = std::min(hi.y, level.lo.y + level.size.y - 1);
    if (x0 > x1) continue;
    for (int y = std::max(ahead ? here.y : lo.y, level.lo.y); y <= y_end; ++y)
      for (int z = std::max(ahead && y == here.y ? here.z : lo.z, level.lo.z); z <= z_end; ++z) {
        int first, end;
        rowRange(level, y, z, x0, x1, first, end);
        if (ahead) first = std::max(first, i + 1);
        if (first >= end) continue;
        if (static_cast<int>(list.size()) < used + end - first)
          list.resize(std::max<std::size_t>(2 * list.size(), used + end - first));
        int* begin = list.data() + used;
        int* out = scan(i, mine, first, end, begin);
        // the finder of two like ones is the first; fast ones find slow ones, never the other way round
        if (l == own && level.has_fast)
          out = std::remove_if(begin, out,
                               [&](int j) { return fast_[i] ? j == i || (fast_[j] && j < i) : fast_[j]; });
        used = static_cast<int>(out - list.data());
      }
  }
}

void GrainGrid::findPairs(const std::vector<Vec4f>& x, const std::vector<float>& extent, Backend& backend,
                          Pairs& found) {
  const int n = static_cast<int>(x.size());
  const int chunks = chunksOf(x.size());
  for (std::vector<float>* values : {&x_, &y_, &z_, &extent_}) values->resize(n + 4);
  fast_.resize(n);
  found.first.resize(x.size() + 1);
  if (static_cast<int>(chunk_found_.size()) < chunks) chunk_found_.resize(chunks);
  backend.forChunks(chunks, [&](int chunk) {
    const int end = std::min(n, (chunk + 1) * kChunk);
    for (int i = chunk * kChunk; i < end; ++i) {
      x_[i] = x[i].x, y_[i] = x[i].y, z_[i] = x[i].z, extent_[i] = extent[i];
      fast_[i] = extent[i] > x[i].w * (1 + kSlow);
    }
  });
  for (Level& level : level_) {
    chunk_reach_.assign(chunks, 0), chunk_sum_.assign(chunks, 0);
    backend.forChunks(chunks, [&](int chunk) {
      const int end = std::min(level.first + level.count, (chunk + 1) * kChunk);
      for (int i = std::max(level.first, chunk * kChunk); i < end; ++i)
        chunk_reach_[chunk] = std::max(chunk_reach_[chunk], extent[i]), chunk_sum_[chunk] += fast_[i];
    });
    level.reach = chunks ? *std::max_element(chunk_reach_.begin(), chunk_reach_.end()) : 0.0f;
    level.has_fast = std::any_of(chunk_sum_.begin(), chunk_sum_.end(), [](int fast) { return fast > 0; });
  }
  chunk_sum_.resize(chunks + 1);
  backend.forChunks(chunks, [&](int chunk) {
    int used = 0;
    const int end = std::min(n, (chunk + 1) * kChunk);
    for (int i = chunk * kChunk; i < end; ++i) {
      found.first[i] = used;
      searchGrain(i, chunk_found_[chunk], used);
    }
    chunk_sum_[chunk + 1] = used;
  });
  chunk_sum_[0] = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) chunk_sum_[chunk + 1] += chunk_sum_[chunk];
  found.first[n] = chunk_sum_[chunks];
  found.partner.resize(found.first[n]);
  backend.forChunks(chunks, [&](int chunk) {
    const int begin = chunk_sum_[chunk], end = std::min(n, (chunk + 1) * kChunk);
    for (int i = chunk * kChunk; i < end; ++i) found.first[i] += begin;
    std::copy_n(chunk_found_[chunk].begin(), chunk_sum_[chunk + 1] - begin, found.partner.begin() + begin);
  });
}

std::size_t GrainGrid::bytes() const {
  std::size_t sum = (key_.capacity() + key_next_.capacity()) * sizeof(std::uint64_t) +
                    (order_next_.capacity() + histogram_.capacity()) * sizeof(int);
  for (const Level& level : level_) sum += level.start.capacity() * sizeof(int);
  sum +=
      (x_.capacity() + y_.capacity() + z_.capacity() + extent_.capacity()) * sizeof(float) + fast_.capacity();
  for (const std::vector<int>& list : chunk_found_) sum += list.capacity() * sizeof(int);
  return sum;
}

}  // namespace repose
