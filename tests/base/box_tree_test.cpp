// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/box_tree.h"

#include <gtest/gtest.h>

#include <limits>

namespace repose {

namespace {

Vec3f somewhere(int k) {
  Vec3f p;
  for (int a = 0; a < 3; ++a)
    p[a] = static_cast<float>(static_cast<std::uint32_t>(3 * k + a + 1) * 2654435761u >> 8) * 0x1p-24f;
  return p;
}

}  // namespace

TEST(BoxTree, FindsWhatTryingAllFinds) {
  std::vector<Vec3f> points;
  std::vector<Bounds> boxes(300);
  for (int k = 0; k < 300; ++k)
    points.push_back(somewhere(k % 290)), boxes[k].add(points.back());  // some twice
  const BoxTree tree(boxes);
  for (int q = 0; q < 200; ++q) {
    const Vec3f at = somewhere(1000 + q) * 1.5f;
    const auto distance2 = [&](int k) { return dot(points[k] - at, points[k] - at); };
    int best = 0;
    for (int k = 1; k < 300; ++k)
      if (distance2(k) < distance2(best)) best = k;
    EXPECT_EQ(tree.nearest(at, std::numeric_limits<float>::max(), distance2), best);
    EXPECT_EQ(tree.nearest(at, 0.5f * distance2(best), distance2), -1);
    int near = 0, found = 0;
    float limit2 = 0.04f;
    for (int k = 0; k < 300; ++k) near += distance2(k) <= limit2;
    tree.within(at, limit2, [&](int k) { found += distance2(k) <= limit2; });
    EXPECT_EQ(found, near);
  }
}

TEST(BoxTree, NothingIsInAnEmptyOne) {
  EXPECT_EQ(BoxTree({}).nearest({}, 1e30f, [](int) { return 0.0f; }), -1);
}

}  // namespace repose
