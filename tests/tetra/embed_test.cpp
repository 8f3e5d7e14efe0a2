// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/embed.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "tetra/box_cells.h"

namespace repose {

namespace {

Vec3f placeOf(const TetMesh& mesh, const Embedded& at) {
  Vec3f p;
  for (int s = 0; s < 4; ++s) p += mesh.geometry.points[mesh.tets[at.tet][s]] * at.weight[s];
  return p;
}

std::vector<Vec3f> somePoints(int count, float reach) {
  std::vector<Vec3f> points;
  for (int k = 0; k < count; ++k) {
    Vec3f p;
    for (int a = 0; a < 3; ++a) {
      const auto bits = static_cast<std::uint32_t>(3 * k + a + 1) * 2654435761u;
      p[a] = (static_cast<float>(bits >> 8) * 0x1p-24f - 0.5f) * 2 * reach;
    }
    points.push_back(p);
  }
  return points;
}

}  // namespace

TEST(Embed, GivesBackWherePointsAreAndFollowsAffineMaps) {
  TetMesh mesh = cutBox({1, 1, 1}, {4, 3, 5}, CellCut::mirrored);
  const std::vector<Vec3f> points = somePoints(500, 0.6f);  // some are outside
  const std::vector<Embedded> at = embed(mesh, points);
  const auto map = [](Vec3f p) {
    return Vec3f{1.5f * p.x - 0.3f * p.y + 2, 0.4f * p.x + 0.8f * p.y + p.z - 1, 0.2f * p.y - 1.1f * p.z};
  };
  int outside = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_LT(length(placeOf(mesh, at[k]) - points[k]), 2e-6f);
    const bool inside =
        std::max({std::abs(points[k].x), std::abs(points[k].y), std::abs(points[k].z)}) <= 0.5f;
    EXPECT_EQ(outsideOf(at[k]) == 0, inside) << k;
    outside += !inside;
  }
  EXPECT_GT(outside, 50);
  for (Vec3f& p : mesh.geometry.points) p = map(p);
  for (std::size_t k = 0; k < points.size(); ++k)
    EXPECT_LT(length(placeOf(mesh, at[k]) - map(points[k])), 4e-6f);
}

TEST(Embed, CornersHaveOneWeight) {
  const TetMesh mesh = cutBox({1, 0.2f, 0.2f}, {10, 2, 2}, CellCut::kuhn);
  const std::vector<Embedded> at = embed(mesh, mesh.geometry.points);
  for (std::size_t k = 0; k < at.size(); ++k) {
    int own = -1;
    for (int s = 0; s < 4; ++s)
      if (at[k].weight[s] == 1) own = mesh.tets[at[k].tet][s];
    EXPECT_EQ(own, static_cast<int>(k));
  }
}

// The nearest tetrahedron of a place beyond an edge may be a thin one, whose motion a point far outside would
// exaggerate.
TEST(Embed, PointsOutsideAreNotExaggerated) {
  const TetMesh mesh = cutBox({1, 1, 1}, {8, 8, 8}, CellCut::kuhn);
  for (const Embedded& at : embed(mesh, somePoints(2000, 0.6f))) EXPECT_LT(outsideOf(at), 2.5f);
}

}  // namespace repose
