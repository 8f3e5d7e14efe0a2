// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is true of every solid of tetrahedra.
#pragma once
#include <gtest/gtest.h>

#include <set>

#include "scene/mesh_check.h"
#include "tetra/tet_surface.h"

namespace repose {

inline double volumeOf(const TetMesh& mesh) {
  double six = 0;
  for (const TetCorners& tet : mesh.tets) six += sixVolumes(tet, mesh.geometry.points);
  return six / 6;
}

// Points less edges plus faces: 2 for what is like a ball, 0 for what is like a ring.
inline int eulerOf(const Geometry& surface) {
  std::set<int> points;
  std::set<std::pair<int, int>> edges;
  const TriangleList triangles = fanTriangles(surface);
  for (const auto& t : triangles)
    for (int k = 0; k < 3; ++k) {
      points.insert(t[k]);
      edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
    }
  return static_cast<int>(points.size()) - static_cast<int>(edges.size()) +
         static_cast<int>(triangles.size());
}

// Positive volumes, no point that is not used, and a closed surface around as much volume as they have.
inline void expectSound(const TetMesh& mesh) {
  std::vector<bool> used(mesh.geometry.points.size(), false);
  for (const TetCorners& tet : mesh.tets) {
    EXPECT_GT(sixVolumes(tet, mesh.geometry.points), 0);
    for (const int p : tet) used[p] = true;
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
  const TriangleList surface = fanTriangles(mesh.geometry);
  EXPECT_TRUE(isClosed(surface));
  const double volume = volumeOf(mesh);
  EXPECT_NEAR(enclosedVolume(surface, mesh.geometry.points), volume, 1e-6 * volume);
}

}  // namespace repose
