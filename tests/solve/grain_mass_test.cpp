// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains whose masses differ by five orders of magnitude (contact_study.md 6, reference.md c2).
#include <gtest/gtest.h>

#include "tests/solve/grain_world.h"

namespace repose {

namespace {

constexpr float kRadius = 0.1f, kHalfBox = 1.1f;

// 30 layers of 10 x 10 grains in a box, with masses over five orders of magnitude; every second layer is
// moved by `shift` along x and z.
class MassBox : public GrainWorld {
 public:
  MassBox(std::uint64_t seed, float shift) : GrainWorld(kRadius) {
    addPlane({0, 0, 0}, {0, 1, 0});
    addPlane({-kHalfBox, 0, 0}, {1, 0, 0}), addPlane({kHalfBox, 0, 0}, {-1, 0, 0});
    addPlane({0, 0, -kHalfBox}, {0, 0, 1}), addPlane({0, 0, kHalfBox}, {0, 0, -1});
    setFriction(0.2f);
    params.solver.sleep = false;
    Lcg random(seed);
    for (int n = 0; n < kGrains; ++n) {
      const float aside = n / 100 % 2 ? shift / 2 : -shift / 2;
      const float x =
          (static_cast<float>(n / 10 % 10) - 4.5f) * kPitch + random.around(0.02f * kRadius) + aside;
      const float y = kRadius + static_cast<float>(n / 100) * kPitch + random.around(0.02f * kRadius);
      const float z = (static_cast<float>(n % 10) - 4.5f) * kPitch + random.around(0.02f * kRadius) + aside;
      const double inverse_mass = 0.01 * std::pow(10.0, 5 * random.next());
      add({x, y, z}, {}, kRadius, static_cast<float>(1 / inverse_mass));
      start_.push_back(y);
    }
  }
  void run(int frames) {
    for (int f = 0; f < frames; ++f) {
      step();
      for (std::size_t i = 0; i < state.grains.size(); ++i)
        rise_ = std::max(rise_, state.grains.x[i].y - start_[state.grains.id[i]]);
    }
  }
  // How far any grain has ever been above its place at the start.
  float rise() const { return rise_; }
  float top() const {
    float most = 0;
    for (const Vec4f p : state.grains.x) most = std::max(most, p.y);
    return most;
  }
  float fastest() const {
    float most = 0;
    for (const Vec4f v : state.grains.v) most = std::max(most, length(xyz(v)));
    return most;
  }
  static constexpr int kGrains = 3000;
  static constexpr float kPitch = 2.2f * kRadius;

 private:
  std::vector<float> start_;
  float rise_ = 0;
};

class MassTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Seeds, MassTest, testing::Range(0, 5));

// The bounds of contact_study.md 6 (spheres at a packing of 0.6 fill the box to 4.3 m), but not its start:
// layers are moved aside, so that no column can stand.
TEST_P(MassTest, StaggeredBoxFillsAndRests) {
  MassBox box(static_cast<std::uint64_t>(GetParam()), 0.4f * kRadius);
  box.run(480);
  EXPECT_GT(box.top(), 3.5f);
  EXPECT_LT(box.top(), 5.5f);
  EXPECT_LT(box.rise(), 0.1f * kRadius) << "nothing is tossed";
  EXPECT_LT(box.rmsSpeed(), 0.01);
  EXPECT_LT(box.fastest(), 0.2);
  const ContactSummary summary = box.contacts->summary(box.state);
  EXPECT_LT(summary.mean_penetration, 0.02 * kRadius);
  EXPECT_LT(summary.max_penetration, 0.1 * kRadius);
}

// The start of the study is a lattice whose columns may stand, up to 30 diameters: grains that do not rotate
// lean by less than their friction, and with equal masses all of them do. A third of them stands here, at 5.9
// m, above the study's bound of 5.5; the others still fall after 480 frames.
TEST_P(MassTest, ColumnsOfALatticeLandWithoutAToss) {
  MassBox box(static_cast<std::uint64_t>(GetParam()), 0);
  box.run(960);
  EXPECT_GT(box.top(), 3.5f);
  EXPECT_LT(box.top(), 31 * 2 * kRadius);
  EXPECT_LT(box.rise(), 0.5f * kRadius);
  EXPECT_LT(box.rmsSpeed(), 0.01);
}

// A column so deep that its lowest grains carry more than a hundred of their weights is solved with its own
// masses, also when a light and a heavy grain touch far away.
TEST(Masses, FarAwayChangeNoBit) {
  const auto column = [](bool beside) {
    auto world = std::make_unique<GrainWorld>(kRadius);
    world->addPlane({0, 0, 0}, {0, 1, 0});
    world->params.solver.sleep = false;
    for (int k = 0; k < 150; ++k)
      world->add({0, kRadius * (1 + 2 * static_cast<float>(k)), 0}, {}, kRadius, 1);
    if (beside)
      world->add({50, kRadius, 0}, {}, kRadius, 1e-4f), world->add({50, 3 * kRadius, 0}, {}, kRadius, 1);
    for (int f = 0; f < 20; ++f) world->step();
    std::vector<Vec4f> places(150);
    for (std::size_t i = 0; i < world->state.grains.size(); ++i)
      if (world->state.grains.id[i] < 150) places[world->state.grains.id[i]] = world->state.grains.x[i];
    return places;
  };
  const std::vector<Vec4f> alone = column(false), beside = column(true);
  for (std::size_t k = 0; k < alone.size(); ++k) {
    ASSERT_EQ(alone[k].y, beside[k].y) << k;
    ASSERT_EQ(alone[k].x, beside[k].x) << k;
  }
}

}  // namespace

}  // namespace repose
