// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Finds the spheres that another one overlaps. A grid for each power of two of the radius, all in one hash
// table, so that space has no end and large spheres do not make small ones slow.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/types.h"

namespace repose {

class SphereGrid {
 public:
  // Forgets all spheres; about `count` are to come.
  void clear(std::size_t count) {
    std::size_t buckets = 64;
    while (buckets < 2 * count) buckets *= 2;
    head_.assign(buckets, -1);
    spheres_.clear(), next_.clear(), levels_.clear();
  }

  // Centre and radius, which is above 0.
  void add(Vec4f sphere) {
    const int level = levelOf(sphere.w);
    const auto place = std::lower_bound(levels_.begin(), levels_.end(), level);
    if (place == levels_.end() || *place != level) levels_.insert(place, level);
    int& head = head_[bucket(cellOf(xyz(sphere), level), level)];
    next_.push_back(head);
    head = static_cast<int>(spheres_.size());
    spheres_.push_back(sphere);
  }

  // Calls visit(number in the order of adding, distance of the centres) for all spheres that this one
  // overlaps, until visit returns false.
  template <class Visit>
  void overlaps(Vec3f centre, float radius, const Visit& visit) const {
    for (const int level : levels_) {
      const float most = std::ldexp(1.0f, level);  // radius on this level
      Cell lo, hi;
      double cells = 1;
      for (int k = 0; k < 3; ++k) {
        lo[k] = cellOf(centre[k] - (static_cast<double>(radius) + most), level);
        hi[k] = cellOf(centre[k] + (static_cast<double>(radius) + most), level);
        cells *= static_cast<double>(hi[k] - lo[k] + 1);
      }
      if (cells > static_cast<double>(spheres_.size()) + 27) {  // less work to look at all
        for (std::size_t k = 0; k < spheres_.size(); ++k) {
          if (levelOf(spheres_[k].w) != level) continue;
          const double distance = distanceTo(static_cast<int>(k), centre, radius);
          if (distance >= 0 && !visit(static_cast<int>(k), distance)) return;
        }
        continue;
      }
      Cell cell;
      for (cell[2] = lo[2]; cell[2] <= hi[2]; ++cell[2])
        for (cell[1] = lo[1]; cell[1] <= hi[1]; ++cell[1]) {
          const std::uint64_t row = rowOf(cell, level);
          for (cell[0] = lo[0]; cell[0] <= hi[0]; ++cell[0])
            for (int k = head_[bucket(row, cell)]; k >= 0; k = next_[k]) {
              const double distance = distanceTo(k, centre, radius);
              // cells share buckets: each sphere counts in its own cell only
              if (distance < 0 || levelOf(spheres_[k].w) != level || cellOf(xyz(spheres_[k]), level) != cell)
                continue;
              if (!visit(k, distance)) return;
            }
        }
    }
  }

  // Whether it overlaps none: looks into its own cells first, where most of those that do are found.
  bool isFree(Vec3f centre, float radius) const {
    for (const int level : levels_)
      if (overlapsOneOf(bucket(cellOf(centre, level), level), centre, radius)) return false;
    bool free = true;
    overlaps(centre, radius, [&](int, double) { return free = false; });
    return free;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;

  // Of a bucket, of whatever cell and level they are.
  bool overlapsOneOf(std::size_t bucket, Vec3f centre, float radius) const {
    for (int k = head_[bucket]; k >= 0; k = next_[k])
      if (distanceTo(k, centre, radius) >= 0) return true;
    return false;
  }
  // Between the centres; negative when they do not overlap.
  double distanceTo(int k, Vec3f centre, float radius) const {
    const double reach = static_cast<double>(radius) + spheres_[k].w;
    const double x = static_cast<double>(spheres_[k].x) - centre.x;
    const double y = static_cast<double>(spheres_[k].y) - centre.y;
    const double z = static_cast<double>(spheres_[k].z) - centre.z;
    const double square = x * x + y * y + z * z;
    return square < reach * reach ? std::sqrt(square) : -1.0;
  }

  static int levelOf(float radius) {
    int exponent;
    std::frexp(radius, &exponent);
    return exponent;
  }
  static double powerOfTwo(int exponent) {
    const std::uint64_t bits = static_cast<std::uint64_t>(1023 + exponent) << 52;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  // A cell is as wide as the largest sphere of its level.
  static std::int64_t cellOf(double x, int level) {
    const double scaled = x * powerOfTwo(-level - 1);
    const auto cell = static_cast<std::int64_t>(scaled);
    return cell - (scaled < static_cast<double>(cell));
  }
  static Cell cellOf(Vec3f p, int level) {
    return {cellOf(p.x, level), cellOf(p.y, level), cellOf(p.z, level)};
  }
  // Cells side by side along x have buckets side by side.
  static std::uint64_t rowOf(const Cell& cell, int level) {
    auto h = static_cast<std::uint64_t>(level);
    for (const int axis : {1, 2})
      h = (h ^ static_cast<std::uint64_t>(cell[axis])) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
  }
  std::size_t bucket(std::uint64_t row, const Cell& cell) const {
    return (row + static_cast<std::uint64_t>(cell[0])) & (head_.size() - 1);
  }
  std::size_t bucket(const Cell& cell, int level) const { return bucket(rowOf(cell, level), cell); }

  std::vector<int> head_;  // of each bucket: the last sphere in it, or -1
  std::vector<int> next_;  // of each sphere: another one in its bucket
  std::vector<Vec4f> spheres_;
  std::vector<int> levels_;  // that have spheres, ascending
};

}  // namespace repose
