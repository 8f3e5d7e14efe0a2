// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/mesh_check.h"

#include <algorithm>
#include <cstdint>

namespace repose {

namespace {

// Area over the longest edge squared, as that of faces in validate.cpp.
constexpr double kLeastAreaRatio = 1e-6;

}  // namespace

TriangleList fanTriangles(const Geometry& geometry) {
  TriangleList triangles;
  std::size_t first = 0;
  for (const std::int32_t count : geometry.face_counts) {
    for (std::int32_t k = 2; k < count; ++k)
      triangles.push_back({geometry.face_indices[first], geometry.face_indices[first + k - 1],
                           geometry.face_indices[first + k]});
    first += static_cast<std::size_t>(count);
  }
  return triangles;
}

bool isDegenerate(Vec3f a, Vec3f b, Vec3f c) {
  double edge[3][3], longest = 0;
  const Vec3f ends[3][2] = {{a, b}, {a, c}, {b, c}};
  for (int e = 0; e < 3; ++e) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
      edge[e][k] = static_cast<double>(ends[e][1][k]) - ends[e][0][k];
      squared += edge[e][k] * edge[e][k];
    }
    longest = std::max(longest, squared);
  }
  double area2 = 0;  // (2 area)^2
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double n = edge[0][i] * edge[1][j] - edge[0][j] * edge[1][i];
    area2 += n * n;
  }
  const double least = 2 * kLeastAreaRatio * longest;
  return area2 <= least * least;
}

bool isClosed(const TriangleList& triangles) {
  std::vector<std::uint64_t> sides, opposite;
  for (const std::array<int, 3>& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const auto a = static_cast<std::uint32_t>(t[k]), b = static_cast<std::uint32_t>(t[(k + 1) % 3]);
      sides.push_back(static_cast<std::uint64_t>(a) << 32 | b);
      opposite.push_back(static_cast<std::uint64_t>(b) << 32 | a);
    }
  std::sort(sides.begin(), sides.end());
  std::sort(opposite.begin(), opposite.end());
  return sides == opposite && std::adjacent_find(sides.begin(), sides.end()) == sides.end();
}

double enclosedVolume(const TriangleList& triangles, const std::vector<Vec3f>& points) {
  if (triangles.empty()) return 0;
  const Vec3f origin = points[triangles[0][0]];
  double volume = 0;
  for (const std::array<int, 3>& t : triangles) {
    double p[3][3];
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) p[k][i] = static_cast<double>(points[t[k]][i]) - origin[i];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      volume += p[0][i] * (p[1][j] * p[2][l] - p[1][l] * p[2][j]) / 6;
    }
  }
  return volume;
}

}  // namespace repose
