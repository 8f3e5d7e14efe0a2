// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/cloth_tree.h"

#include <gtest/gtest.h>

#include <cmath>

#include "backend/backend.h"

namespace repose {
namespace {

// Three triangles around a point, at rest side by side, then folded like a Z: the first and the third face
// one way, and cross.
TEST(ClothTree, TrianglesOfOnePointThatFaceOneWayMayMeet) {
  const auto around = [](float degrees, float height) {
    const float angle = degrees * 0.0174532925f;
    return Vec3f{std::cos(angle), height, -std::sin(angle)};
  };
  const std::vector<std::array<int, 3>> triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
  ClothTree tree;
  tree.add(triangles, {{}, around(0, 0), around(40, 0), around(80, 0), around(120, 0)});
  const std::vector<Vec3f> folded = {{}, around(0, 0), around(60, 0), around(10, 0.1f), around(50, -0.1f)};
  const std::vector<Vec3f> way(folded.size());
  const auto backend = makeTbbBackend(1);
  tree.place(folded.data(), way.data(), *backend);
  tree.findPairs(1e-5f, {1}, *backend);
  bool found = false;
  for (int task = 0; task < tree.tasks(); ++task)
    for (const std::array<int, 2>& pair : tree.pairs(task)) found = found || pair == std::array<int, 2>{0, 2};
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace repose
