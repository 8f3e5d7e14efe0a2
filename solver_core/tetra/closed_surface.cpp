// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/closed_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/vec3d.h"

namespace repose {

namespace {

constexpr double kLeastThickness = 1e-6;  // volume over area, as a share of the size: thinner is flat

}  // namespace

ClosedSurface::ClosedSurface(const Geometry& geometry) {
  std::vector<int> merged;
  weld(geometry.points, merged);
  std::size_t first = 0;
  for (const std::int32_t count : geometry.face_counts) {
    for (std::int32_t k = 2; k < count; ++k) {
      const std::array<int, 3> t = {merged[geometry.face_indices[first]],
                                    merged[geometry.face_indices[first + k - 1]],
                                    merged[geometry.face_indices[first + k]]};
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles_.push_back(t);
    }
    first += static_cast<std::size_t>(count);
  }
  for (const auto& t : triangles_)
    for (const int p : t) bounds_.add(points_[p]);
  if (triangles_.empty()) {
    problem_ = "has no faces";
    return;
  }
  problem_ = findOpenEdges();
  const Vec3f o = points_[triangles_[0][0]];
  for (const auto& t : triangles_) {
    Vec3d p[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3f x = points_[t[k]];
      p[k] = {static_cast<double>(x.x) - o.x, static_cast<double>(x.y) - o.y, static_cast<double>(x.z) - o.z};
    }
    volume_ += dot(p[0], cross(p[1], p[2])) / 6;
    area_ += length(cross(p[1] - p[0], p[2] - p[0])) / 2;
  }
  inside_out_ = volume_ < 0;
  if (inside_out_) {
    volume_ = -volume_;
    for (auto& t : triangles_) std::swap(t[1], t[2]);
  }
  const double size = length(bounds_.hi - bounds_.lo);
  if (problem_.empty() && !(volume_ > kLeastThickness * size * area_)) problem_ = "encloses no volume";
}

void ClosedSurface::weld(const std::vector<Vec3f>& points, std::vector<int>& merged) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int p) { return std::tuple(points[p].x, points[p].y, points[p].z); };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
  merged.resize(points.size());
  for (std::size_t k = 0; k < order.size(); ++k)  // of points at one place the first
    merged[order[k]] = k > 0 && key(order[k]) == key(order[k - 1]) ? merged[order[k - 1]] : order[k];
  points_ = points;
}

// Every side of a triangle must be there as often in the other direction.
std::string ClosedSurface::findOpenEdges() const {
  std::vector<std::pair<int, int>> sides, opposite;
  for (const auto& t : triangles_)
    for (int k = 0; k < 3; ++k) {
      sides.emplace_back(t[k], t[(k + 1) % 3]);
      opposite.emplace_back(t[(k + 1) % 3], t[k]);
    }
  std::sort(sides.begin(), sides.end());
  std::sort(opposite.begin(), opposite.end());
  std::vector<std::pair<int, int>> lone;
  std::set_difference(sides.begin(), sides.end(), opposite.begin(), opposite.end(), std::back_inserter(lone));
  if (lone.empty()) return "";
  return fmt::format(
      "is open, or not all of its faces turn the same way: {} edge{} only one side, first that from point {} "
      "to {}",
      lone.size(), lone.size() == 1 ? " has" : "s have", lone[0].first, lone[0].second);
}

}  // namespace repose
