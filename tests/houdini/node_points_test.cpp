// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Points that come and go in the middle of a simulation.
#include <algorithm>
#include <type_traits>

#include "houdini_nodes/object_world.h"
#include "tests/houdini/node_play.h"

namespace repose::nodes {

namespace {

// Only these points, in that order; primitives go.
NodeGeometry only(const NodeGeometry& geometry, const std::vector<int>& points) {
  NodeGeometry kept = geometry;
  kept.points.clear(), kept.primitives.clear(), kept.corners.clear();
  for (const int p : points) kept.points.push_back(geometry.points[static_cast<std::size_t>(p)]);
  for (NodeAttribute& a : kept.attributes)
    if (a.owner == Owner::point)
      std::visit(
          [&](auto& list) {
            std::decay_t<decltype(list)> chosen;
            for (const int p : points)
              for (int c = 0; c < a.width; ++c)
                chosen.push_back(list[static_cast<std::size_t>(p) * a.width + c]);
            list = std::move(chosen);
          },
          a.values.edit());
  return kept;
}

// Sand that pours: at each frame two new grains, and who has come to the floor is deleted.
NodeGeometry poured(const NodeGeometry& before, int frame) {
  std::vector<int> flying;
  for (std::size_t p = 0; p < before.points.size(); ++p)
    if (before.points[p].y > 0.06f) flying.push_back(static_cast<int>(p));
  NodeGeometry born;
  born.points = {{0, 0.5f, 0}, {0.3f, 0.5f, 0}};
  born.write(Owner::point, "pscale", 1, std::vector<float>(2, 0.03f));
  born.write(Owner::point, "id", 1, std::vector<std::int32_t>{2 * frame, 2 * frame + 1});
  born.write(Owner::point, "v", 3, std::vector<float>{1, -1, 0, 1, -1, 0});
  return joined(only(before, flying), configured("grain", born));
}

std::string failure(const NodeGeometry& geometry, int frame) {
  const CookResult result = cook(world(), {&geometry, nullptr, nullptr, nullptr}, frame);
  return result.errors.empty() ? std::string() : result.errors[0];
}

}  // namespace

TEST(NodePoints, GrainsAreBornAndDieById) {
  const NodeGeometry cloth = configured("cloth", sheet(3, {5, 1, 0}));
  std::vector<std::string> hashes[2];
  for (const bool warm : {false, true}) {
    std::unique_ptr<NodeMemory> memory;
    NodeGeometry sand;  // none at first: the body itself is born
    NodeGeometry now = cloth;
    for (int frame = 1; frame <= 20; ++frame) {
      if (frame > 2) {
        std::vector<int> grains, sheet_points;
        const NodeAttribute& body = *now.find(Owner::point, kBody);
        for (std::size_t p = 0; p < now.points.size(); ++p)
          (body.text(p) == "grain" ? grains : sheet_points).push_back(static_cast<int>(p));
        NodeGeometry sheet_now = only(now, sheet_points);
        sheet_now.primitives = cloth.primitives, sheet_now.corners = cloth.corners;
        now = joined(sheet_now, poured(only(now, grains), 1000 + frame));
      }
      const CookResult result =
          cook(world(), {&now, nullptr, nullptr, nullptr}, frame, warm ? &memory : nullptr);
      ASSERT_TRUE(result.ok()) << frame << " " << lines(result.errors);
      now = result.geometry;
      hashes[warm].push_back(hashOf(now));
    }
    const NodeAttribute& ids = *now.find(Owner::point, "id");
    std::size_t sand_points = 0;
    for (std::size_t p = 16; p < now.points.size(); ++p, ++sand_points) {
      // thrown at 1 m/s, at frame id / 2 - 1000 before its step
      const double steps = 20 - (ids.number(p) / 2 - 1000) + 1, seconds = steps / 24;
      if (static_cast<std::int64_t>(ids.number(p)) % 2 == 0 && steps <= 4) {  // it has touched nothing yet
        EXPECT_NEAR(now.points[p].x, seconds, 1e-3) << p;
      }
    }
    EXPECT_GT(sand_points, 4u);
    EXPECT_LT(sand_points, 30u) << "some have died";
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(NodePoints, ADeadGrainIsTakenOutAndItsPointStays) {
  NodeGeometry start = configured("grain", dots(2, 0.05f, {0, 1, 0}));
  const auto marked = [](NodeGeometry geometry, std::vector<std::int32_t> dead) {
    geometry.write(Owner::point, "dead", 1, std::move(dead));
    return geometry;
  };
  // one at the beginning, another at frame 4
  start = marked(start, {1, 0, 0, 0, 0, 0, 0, 0});
  const Play played = play(start, world(), 3, true);
  EXPECT_EQ(played.geometry.points[0], start.points[0]);
  EXPECT_LT(played.geometry.points[1].y, start.points[1].y);
  const NodeGeometry second = marked(played.geometry, {1, 1, 0, 0, 0, 0, 0, 0});
  const CookResult next = cook(world(), {&second, nullptr, nullptr, nullptr}, 4);
  ASSERT_TRUE(next.ok()) << lines(next.errors);
  EXPECT_EQ(next.geometry.points[1], second.points[1]);
  EXPECT_LT(next.geometry.points[2].y, second.points[2].y);
  EXPECT_EQ(next.geometry.find(Owner::point, "dead")->number(1), 1);
  // and one comes back where its point is
  const NodeGeometry third = marked(next.geometry, {1, 0, 0, 0, 0, 0, 0, 0});
  const CookResult last = cook(world(), {&third, nullptr, nullptr, nullptr}, 5);
  ASSERT_TRUE(last.ok()) << lines(last.errors);
  EXPECT_LT(last.geometry.points[1].y, third.points[1].y);
}

TEST(NodePoints, GrainsInAnotherOrderAreTheSameGrains) {
  const NodeGeometry start = configured("grain", dots(2, 0.05f, {0, 1, 0}));
  const Play played = play(start, world(), 5, true);
  const NodeGeometry turned = only(played.geometry, {7, 6, 5, 4, 3, 2, 1, 0});
  const NodeGeometry straight = cook(world(), {&played.geometry, nullptr, nullptr, nullptr}, 6).geometry;
  const CookResult result = cook(world(), {&turned, nullptr, nullptr, nullptr}, 6);
  ASSERT_TRUE(result.ok()) << lines(result.errors);
  for (std::size_t p = 0; p < 8; ++p) EXPECT_EQ(result.geometry.points[7 - p], straight.points[p]) << p;
}

TEST(NodePoints, WhatCannotBeIsSaid) {
  const NodeGeometry sand = play(configured("grain", dots(2)), world(), 2, false).geometry;
  NodeGeometry bare = only(sand, {0, 1, 2});
  bare.attributes.erase(std::find_if(bare.attributes.begin(), bare.attributes.end(),
                                     [](const NodeAttribute& a) { return a.name == "id"; }));
  EXPECT_EQ(
      failure(bare, 3),
      "the geometry has 3 points in 1 bodies, but 8 in 1 at the frame before; grains are born and die by "
      "the point attribute id (int), which is not there: keep it, or reset the simulation");
  EXPECT_EQ(
      failure(only(sand, {0, 1, 1}), 3),
      "points 1 and 2 both have the id 1; where points are added or deleted each needs an id of its own");
  const NodeGeometry both =
      play(joined(configured("cloth", sheet(2)), configured("grain", dots(2))), world(), 2, false).geometry;
  EXPECT_EQ(failure(only(both, {9, 10}), 3),
            "the body \"cloth\" is gone: only grains may be deleted in the middle of a simulation; bring it "
            "back, or reset the simulation");
  NodeGeometry torn = only(both, {0, 1, 2, 3, 4, 5, 9, 10});
  torn.addPrimitive(PrimitiveKind::polygon, {0, 1, 4, 3});
  EXPECT_EQ(failure(torn, 3),
            "body \"cloth\" (cloth) has 6 points, but 9 at the frame before; only grains may be added or "
            "deleted in the middle of a simulation: reset it");
}

}  // namespace repose::nodes
