// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the files of ClothSelf share: the parts of two triangles, and how they are told apart.
#pragma once
#include <algorithm>

#include "solve/contact/cloth_self.h"

namespace repose {

constexpr float kLeastDistance = 5e-4f;  // [m] that cloth without thickness keeps
// marks of Touch::surface
constexpr std::uint64_t kPointSurface = std::uint64_t{1} << 62, kEdgeSurface = std::uint64_t{1} << 63;

// Whether two parts stay further apart than reach along an axis: told before anything is measured.
template <int first>
inline bool apart(const Vec3f x[4], const Vec3f way[4], float reach) {
  for (int k = 0; k < 3; ++k) {
    float lo[2], hi[2], way_lo[2], way_hi[2];
    for (int side = 0; side < 2; ++side) {
      const int begin = side ? first : 0, end = side ? 4 : first;
      lo[side] = hi[side] = x[begin][k], way_lo[side] = way_hi[side] = way[begin][k];
      for (int p = begin + 1; p < end; ++p) {
        lo[side] = std::min(lo[side], x[p][k]), hi[side] = std::max(hi[side], x[p][k]);
        way_lo[side] = std::min(way_lo[side], way[p][k]), way_hi[side] = std::max(way_hi[side], way[p][k]);
      }
    }
    if (lo[0] - hi[1] + std::min(way_lo[0] - way_hi[1], 0.0f) > reach) return true;
    if (lo[1] - hi[0] + std::min(way_lo[1] - way_hi[0], 0.0f) > reach) return true;
  }
  return false;
}
inline bool apart(Parts parts, const Vec3f x[4], const Vec3f way[4], float reach) {
  return parts == Parts::point_triangle ? apart<1>(x, way, reach) : apart<2>(x, way, reach);
}

// All pairs of a point and a triangle, and of two edges, that two triangles stand for.
template <class Visit>
void ClothSelf::forParts(int s, int t, bool all_edges, const Visit& visit) const {
  const auto points = [&](int from, int to) {
    const std::array<int, 3>& c = tree_.triangle(to);
    for (int k = 0; k < 3; ++k) {
      if (!(owns_[from] >> k & 1)) continue;
      const int p = tree_.triangle(from)[k];
      if (p == c[0] || p == c[1] || p == c[2]) continue;
      const int point[4] = {p, c[0], c[1], c[2]};
      visit(Parts::point_triangle, point, kPointSurface | static_cast<std::uint64_t>(to) << 1);
    }
  };
  points(s, t), points(t, s);
  for (int i = 0; i < 3; ++i) {
    if (!(owns_[s] >> (3 + i) & 1)) continue;
    for (int j = 0; j < 3; ++j) {
      if (!(owns_[t] >> (3 + j) & 1)) continue;
      int first = edge_of_[s][i], second = edge_of_[t][j];
      if (!all_edges && !(bent_[first] && bent_[second])) continue;
      if (first > second) std::swap(first, second);
      const std::array<int, 2>&a = edges_[first], &b = edges_[second];
      if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) continue;
      const int point[4] = {a[0], a[1], b[0], b[1]};
      visit(Parts::edge_edge, point,
            kEdgeSurface | static_cast<std::uint64_t>(first) << 31 | static_cast<std::uint64_t>(second));
    }
  }
}

}  // namespace repose
