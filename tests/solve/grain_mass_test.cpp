// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains whose masses differ by five orders of magnitude (contact_study.md 6, reference.md c2).
#include <gtest/gtest.h>

#include "tests/solve/grain_world.h"

namespace repose {

namespace {

constexpr float kRadius = 0.1f, kHalfBox = 1.1f;

class MassTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Seeds, MassTest, testing::Range(0, 5));

TEST_P(MassTest, ReferenceBoxFillsAndRests) {
  GrainWorld world(kRadius);
  world.addPlane({0, 0, 0}, {0, 1, 0});
  world.addPlane({-kHalfBox, 0, 0}, {1, 0, 0}), world.addPlane({kHalfBox, 0, 0}, {-1, 0, 0});
  world.addPlane({0, 0, -kHalfBox}, {0, 0, 1}), world.addPlane({0, 0, kHalfBox}, {0, 0, -1});
  world.setFriction(0.2f);
  world.params.solver.sleep = false;
  Lcg random(static_cast<std::uint64_t>(GetParam()));
  const float pitch = 2.2f * kRadius;
  for (int n = 0; n < 3000; ++n) {
    const float x = (static_cast<float>(n / 10 % 10) - 4.5f) * pitch + random.around(0.02f * kRadius);
    const float y = kRadius + static_cast<float>(n / 100) * pitch + random.around(0.02f * kRadius);
    const float z = (static_cast<float>(n % 10) - 4.5f) * pitch + random.around(0.02f * kRadius);
    const double inverse_mass = 0.01 * std::pow(10.0, 5 * random.next());
    world.add({x, y, z}, {}, kRadius, static_cast<float>(1 / inverse_mass));
  }
  const auto top = [&] {
    float most = 0;
    for (const Vec4f p : world.state.grains.x) most = std::max(most, p.y);
    return most;
  };
  float tossed = 0;
  for (int f = 0; f < 480; ++f) {
    world.step();
    if (f >= 100) tossed = std::max(tossed, top());
  }
  std::vector<float> heights;
  float fastest = 0;
  for (const Vec4f p : world.state.grains.x) heights.push_back(p.y);
  std::sort(heights.begin(), heights.end());
  for (const Vec4f v : world.state.grains.v) fastest = std::max(fastest, length(xyz(v)));
  // Columns of the lattice may stand: 30 grains that do not rotate lean by less than their friction. With
  // equal masses all of them do.
  EXPECT_GT(heights[2970], 3.5f);
  EXPECT_LT(heights[2970], 5.5f);
  EXPECT_LT(top(), 31 * 2 * kRadius);
  EXPECT_LT(tossed, 30 * pitch + 0.5f) << "the highest began at " << 30 * pitch;
  EXPECT_LT(world.rmsSpeed(), 0.05);
  EXPECT_LT(fastest, 1);
  const ContactSummary summary = world.contacts->summary(world.state);
  EXPECT_LT(summary.mean_penetration, 0.02 * kRadius);
  EXPECT_LT(summary.max_penetration, kRadius);
}

}  // namespace

}  // namespace repose
