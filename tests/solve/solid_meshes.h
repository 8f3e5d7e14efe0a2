// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Closed meshes that no hull stands for.
#pragma once
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "scene/geometry.h"

namespace repose {

// Cubes of a lattice that hang together, without the faces between them; middle of cube (0, 0, 0) at the
// origin.
inline Geometry cubesMesh(const std::vector<std::array<int, 3>>& cubes, float size) {
  Geometry geometry;
  std::map<std::array<int, 3>, int> point_of, filled;
  for (const auto& c : cubes) filled[c] = 1;
  const auto point = [&](std::array<int, 3> node) {
    const auto [entry, fresh] = point_of.try_emplace(node, static_cast<int>(geometry.points.size()));
    if (fresh)
      geometry.points.push_back({(static_cast<float>(node[0]) - 0.5f) * size,
                                 (static_cast<float>(node[1]) - 0.5f) * size,
                                 (static_cast<float>(node[2]) - 0.5f) * size});
    return entry->second;
  };
  for (const auto& c : cubes)
    for (int axis = 0; axis < 3; ++axis)
      for (int far = 0; far < 2; ++far) {
        std::array<int, 3> next = c;
        next[axis] += far ? 1 : -1;
        if (filled.count(next)) continue;
        const int u = (axis + (far ? 1 : 2)) % 3, v = (axis + (far ? 2 : 1)) % 3;
        for (const auto& step : {std::array<int, 2>{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
          std::array<int, 3> node = c;
          node[axis] += far, node[u] += step[0], node[v] += step[1];
          geometry.face_indices.push_back(point(node));
        }
        geometry.face_counts.push_back(4);
      }
  return geometry;
}

// Half a ball with a hollow, open above, its rim at height 0.
inline Geometry bowlMesh(float outer, float inner, int columns = 32, int rows = 12) {
  Geometry geometry;
  struct Place {
    float radius, y;
  };
  std::vector<Place> profile;  // from the outer pole to the rim and back to the inner one
  for (int k = 0; k <= rows; ++k) {
    const float a = 1.5707963f * static_cast<float>(k) / static_cast<float>(rows);
    profile.push_back({k ? outer * std::sin(a) : 0, -outer * std::cos(a)});
  }
  for (int k = rows; k >= 0; --k) {
    const float a = 1.5707963f * static_cast<float>(k) / static_cast<float>(rows);
    profile.push_back({k ? inner * std::sin(a) : 0, -inner * std::cos(a)});
  }
  std::vector<int> first;
  for (const Place& p : profile) {
    first.push_back(static_cast<int>(geometry.points.size()));
    for (int i = 0; i < (p.radius == 0 ? 1 : columns); ++i) {
      const float a = 6.2831853f * static_cast<float>(i) / static_cast<float>(columns);
      geometry.points.push_back({p.radius * std::cos(a), p.y, -p.radius * std::sin(a)});
    }
  }
  first.push_back(static_cast<int>(geometry.points.size()));
  for (std::size_t j = 0; j + 1 < profile.size(); ++j)
    for (int i = 0; i < columns; ++i) {
      const auto at = [&](std::size_t row, int column) {
        return first[row] + column % (first[row + 1] - first[row]);
      };
      std::vector<int> ring;
      for (const int p : {at(j, i), at(j, i + 1), at(j + 1, i + 1), at(j + 1, i)})
        if (ring.empty() || (ring.back() != p && ring.front() != p)) ring.push_back(p);
      geometry.face_counts.push_back(static_cast<int>(ring.size()));
      geometry.face_indices.insert(geometry.face_indices.end(), ring.begin(), ring.end());
    }
  return geometry;
}

}  // namespace repose
