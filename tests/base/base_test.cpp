// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "base/carried.h"
#include "base/hash.h"
#include "base/nearest.h"
#include "params/keyed.h"

namespace repose {

TEST(Hash, IsAConstantOfTheBytes) {
  Hasher h;
  h.add("repose", 6);
  EXPECT_EQ(hexHash(h.value()), "62da9ed1a567bc5f");
}

TEST(Hash, SeesEveryByteAndTheLength) {
  const unsigned char zeros[16] = {};
  std::uint64_t last = 0;
  for (std::size_t n = 0; n <= 16; ++n) {
    Hasher h;
    h.add(zeros, n);
    EXPECT_NE(h.value(), last);
    last = h.value();
  }
}

TEST(QuickHash, SeesEveryBitThePlacesOfWordsAndTheLength) {
  std::vector<std::uint64_t> words(37, 0);  // whole blocks and a rest
  const std::size_t bytes = words.size() * sizeof words[0];
  std::set<std::uint64_t> seen = {quickHash(words.data(), bytes)};
  std::size_t tried = 1;
  for (std::uint64_t& word : words)
    for (int bit = 0; bit < 64; ++bit, ++tried) {
      word = std::uint64_t{1} << bit;
      seen.insert(quickHash(words.data(), bytes));
      word = 0;
    }
  for (std::size_t fewer = 1; fewer <= bytes; ++fewer, ++tried)
    seen.insert(quickHash(words.data(), bytes - fewer));
  EXPECT_EQ(seen.size(), tried);
  // a sign that changes in two words that meet in one sum
  words[0] = words[8] = std::uint64_t{1} << 63;
  EXPECT_TRUE(seen.insert(quickHash(words.data(), bytes)).second);
}

TEST(NearestName, FindsSlipsAndSwapsButNotStrangers) {
  const std::vector<std::string> names = {"iterations", "tolerance", "omega"};
  EXPECT_EQ(nearestName("iteratoins", names), "iterations");
  EXPECT_EQ(nearestName("Omega", names), "omega");
  EXPECT_EQ(nearestName("gravity", names), "");
}

TEST(Keys, BlendBetweenAndHoldOutside) {
  Keys<float> keys;
  keys.keys = {{1001, 2.0f}, {1011, 4.0f}};
  EXPECT_FLOAT_EQ(keys.at(990), 2.0f);
  EXPECT_FLOAT_EQ(keys.at(1006), 3.0f);
  EXPECT_FLOAT_EQ(keys.at(2000), 4.0f);
}

TEST(Carried, ATurnAndAWayAreFoundAgain) {
  const std::vector<Vec3f> from = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {-1, 1, 0.5f}};
  for (const float angle : {0.0f, 0.3f, 2.0f, 3.14159265f}) {
    const float c = std::cos(angle), s = std::sin(angle);
    const auto moved = [&](Vec3f p) { return Vec3f{c * p.x + s * p.z + 5, p.y - 2, -s * p.x + c * p.z}; };
    std::vector<Vec3f> to;
    for (const Vec3f p : from) to.push_back(moved(p));
    Pose pose;
    pose.origin = {0.5f, 0.25f, -1};
    const Pose now = carried(pose, from, to);
    EXPECT_LT(length(now.origin - moved(pose.origin)), 2e-6f) << angle;
    EXPECT_LT(length(now.axis[0] - Vec3f{c, 0, -s}), 2e-6f) << angle;
    EXPECT_LT(length(now.axis[1] - Vec3f{0, 1, 0}), 2e-6f) << angle;
  }
}

TEST(Carried, PointsThatRestAndOnePointTurnNothing) {
  const Pose pose = poseOf({1, 2, 3}, normalized({0.1f, 0.2f, 0.3f, 0.9f}));
  const std::vector<Vec3f> points = {{1, 0, 0}, {0, 2, 0}, {0.1f, 0, 3}};
  EXPECT_EQ(carried(pose, points, points).axis[1], pose.axis[1]);
  EXPECT_EQ(carried(pose, {{1, 1, 1}}, {{2, 1, 1}}).origin, (Vec3f{2, 2, 3}));
}

}  // namespace repose
