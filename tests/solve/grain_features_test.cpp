// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What single grains do, by closed forms: rolling, bouncing, sticking, sliding; and odd starts.
#include <gtest/gtest.h>

#include <limits>

#include "tests/solve/grain_world.h"

namespace repose {

namespace {

constexpr float kRadius = 0.1f;
constexpr double kGravity = 9.8;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A ground that rises against x by `slope` (its tangent), seen from the ground.
class Ground : public GrainWorld {
 public:
  explicit Ground(double slope = 0) : GrainWorld(kRadius), angle(std::atan(slope)) {
    addPlane({0, 0, 0}, {0, 1, 0});
    params.solver.sleep = false;
    params.world.gravity = {static_cast<float>(kGravity * std::sin(angle)),
                            static_cast<float>(-kGravity * std::cos(angle)), 0};
  }
  void run(double seconds) {
    const int steps = static_cast<int>(std::lround(seconds / params.h));
    for (int s = 0; s < steps; ++s) step();
  }
  // Of the grain that was added k-th.
  std::size_t at(std::uint32_t id) const {
    const auto& ids = state.grains.id;
    return static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
  }
  Vec4f x(std::uint32_t id = 0) const { return state.grains.x[at(id)]; }
  Vec4f v(std::uint32_t id = 0) const { return state.grains.v[at(id)]; }
  Vec4f spin(std::uint32_t id = 0) const { return state.grains.spin[at(id)]; }
  const double angle;
};

bool finite(const GrainWorld& world) {
  for (const auto* list : {&world.state.grains.x, &world.state.grains.v})
    for (const Vec4f a : *list)
      if (!std::isfinite(a.x + a.y + a.z)) return false;
  return true;
}

// ---- rolling ----

TEST(GrainRolls, DownASlopeWithFiveSevenths) {
  Ground ground(0.3);
  ground.params.grain[0].rotation = true;
  ground.setFriction(0.4f);
  ground.add({0, kRadius, 0}, {}, kRadius, 1);
  ground.run(1);
  EXPECT_NEAR(ground.v().x, 5.0 / 7 * kGravity * std::sin(ground.angle), 0.01);
  EXPECT_NEAR(ground.spin().z, -ground.v().x, 1e-3);  // rolls without slipping
}

// Below 2/7 of the slope friction cannot turn a ball fast enough.
TEST(GrainRolls, AndSlipsOnASteeperSlope) {
  Ground ground(1);
  ground.params.grain[0].rotation = true;
  ground.setFriction(0.2f);
  ground.add({0, kRadius, 0}, {}, kRadius, 1);
  ground.run(1);
  EXPECT_NEAR(ground.v().x, kGravity * (std::sin(ground.angle) - 0.2 * std::cos(ground.angle)), 0.02);
  EXPECT_NEAR(-ground.spin().z, 2.5 * 0.2 * kGravity * std::cos(ground.angle), 0.02);
}

TEST(GrainRolls, SlidingBallEndsRollingAtFiveSevenths) {
  Ground ground;
  ground.params.grain[0].rotation = true;
  ground.setFriction(0.2f);
  ground.add({0, kRadius, 0}, {5, 0, 0}, kRadius, 1);
  ground.run(2);  // slips for 2/7 v0 / (mu g) = 0.73 s
  EXPECT_NEAR(ground.v().x, 25.0 / 7, 0.01);
  EXPECT_NEAR(ground.spin().z, -25.0 / 7, 0.01);
}

// m v' = -F and 2/5 m r v' = F r - mu_r r m g give v' = -5/7 mu_r g.
TEST(GrainRolls, RollingFrictionStopsIt) {
  constexpr double kSpeed = 2, kRolling = 0.1;
  Ground ground;
  ground.params.grain[0].rotation = true;
  ground.setFriction(0.5f);
  ground.params.grain[0].rollingfriction = static_cast<float>(kRolling);
  ground.add({0, kRadius, 0}, {kSpeed, 0, 0}, kRadius, 1);
  ground.state.grains.spin.push_back({0, 0, -kSpeed, 0});
  const double seconds = kSpeed / (5.0 / 7 * kRolling * kGravity);
  ground.run(seconds / 2);
  EXPECT_NEAR(ground.v().x, kSpeed / 2, 0.02);
  ground.run(seconds);
  EXPECT_NEAR(ground.x().x, 0.7 * kSpeed * kSpeed / (kRolling * kGravity), 0.02);
  EXPECT_LT(std::abs(ground.v().x), 1e-5);
}

// ---- bouncing ----

TEST(GrainBounces, ToTheSquareOfRestitution) {
  for (const double restitution : {0.3, 0.6, 0.9}) {
    Ground ground;
    ground.params.grain[0].restitution = static_cast<float>(restitution);
    ground.params.h = 1.0f / 240;
    ground.add({0, kRadius + 1, 0}, {}, kRadius, 1);
    const double fall = std::sqrt(2 / kGravity);
    ground.run(fall + 0.02);
    double top = 0;
    for (double t = 0; t < 1.5 * restitution * fall; t += ground.params.h) {
      ground.step();
      top = std::max(top, static_cast<double>(ground.x().y - kRadius));
    }
    EXPECT_NEAR(top, restitution * restitution, 0.04 * restitution * restitution + 0.005) << restitution;
  }
}

TEST(GrainBounces, OffAnotherKeepingMomentum) {
  Ground ground;
  ground.params.world.gravity = {};
  ground.params.grain[0].restitution = 0.5f;
  ground.add({0, 5, 0}, {2, 0, 0}, kRadius, 1);
  ground.add({1, 5, 0}, {}, kRadius, 3);
  ground.run(1);
  // v1 = (1 - 3 e) / 4 v, v2 = (1 + e) / 4 v
  EXPECT_NEAR(ground.v(0).x, 2 * (1 - 3 * 0.5) / 4, 1e-3);
  EXPECT_NEAR(ground.v(1).x, 2 * (1 + 0.5) / 4, 1e-3);
}

// ---- sticking and sliding ----

// The pull is cohesion times the cross-section.
TEST(GrainCoheres, UntilItIsTooHeavy) {
  constexpr float kCohesion = 1000;
  const double limit = kCohesion * 3.14159265 * kRadius * kRadius / kGravity;  // [kg]
  for (const double share : {0.5, 0.95, 1.05, 2.0}) {
    Ground ground;
    ground.params.grain[0].cohesion = kCohesion;
    ground.add({0, 5, 0}, {}, kRadius, kInfinity);
    ground.add({0, 5 - 2 * kRadius, 0}, {}, kRadius, static_cast<float>(share * limit));
    ground.run(2);
    if (share < 1) {
      EXPECT_NEAR(ground.x(1).y, 5 - 2 * kRadius, 0.02 * kRadius) << share;
      EXPECT_LT(std::abs(ground.v(1).y), 1e-4) << share;
    } else {
      EXPECT_LT(ground.x(1).y, 1) << share;
    }
  }
}

TEST(GrainSlides, StaticFrictionHoldsWhatDynamicFrictionWouldNot) {
  constexpr double kSlope = 0.4;
  for (const float speed : {0.0f, 1.0f}) {
    Ground ground(kSlope);
    ground.setFriction(0.5f);
    ground.params.grain[0].dynamicfriction = 0.6f, ground.params.collider[0].dynamicfriction = 0.6f;
    ground.add({0, kRadius, 0}, {speed, 0, 0}, kRadius, 1);
    ground.run(2);
    const double gain = kGravity * (std::sin(ground.angle) - 0.3 * std::cos(ground.angle)) * 2;
    EXPECT_NEAR(ground.v().x, speed > 0 ? speed + gain : 0, 0.02) << speed;
    if (speed == 0) {
      EXPECT_LT(std::abs(ground.x().x), 1e-3);
    }
  }
}

TEST(GrainSlides, FrictionOfTheTwoSidesCombines) {
  constexpr std::pair<FrictionCombine, double> kRules[] = {{FrictionCombine::average, 0.5},
                                                           {FrictionCombine::minimum, 0.2},
                                                           {FrictionCombine::maximum, 0.8},
                                                           {FrictionCombine::multiply, 0.16}};
  for (const auto& [rule, mu] : kRules) {
    Ground ground;
    ground.params.solver.frictioncombine = rule;
    ground.params.grain[0].friction = 0.2f, ground.params.collider[0].friction = 0.8f;
    ground.add({0, kRadius, 0}, {10, 0, 0}, kRadius, 1);
    ground.run(1);
    EXPECT_NEAR(ground.v().x, 10 - mu * kGravity, 0.02) << mu;
  }
}

// ---- odd starts ----

TEST(GrainStarts, TwoAtOnePointPart) {
  for (const double gravity : {0.0, kGravity}) {
    Ground ground;
    ground.params.world.gravity = {0, static_cast<float>(-gravity), 0};
    ground.add({0, kRadius, 0}, {}, kRadius, 1), ground.add({0, kRadius, 0}, {}, kRadius, 1);
    ground.run(3);
    ASSERT_TRUE(finite(ground));
    EXPECT_GT(length(xyz(ground.x(0)) - xyz(ground.x(1))), 1.98f * kRadius) << gravity;
    EXPECT_LT(ground.rmsSpeed(), 0.05) << gravity;
    EXPECT_LT(ground.x(0).y, 5 * kRadius) << gravity;
    EXPECT_LT(ground.x(1).y, 5 * kRadius) << gravity;
  }
}

// Ten at one point, and a block of grains that overlap by half, part without being thrown.
TEST(GrainStarts, OverlapIsResolvedGently) {
  Ground ground;
  ground.setFriction(0.3f);
  for (int k = 0; k < 10; ++k) ground.add({3, 2 * kRadius, 0}, {}, kRadius, 1);
  for (int i = 0; i < 125; ++i)
    ground.add({kRadius * static_cast<float>(i % 5), kRadius * (1 + static_cast<float>(i / 25)),
                kRadius * static_cast<float>(i / 5 % 5)},
               {}, kRadius, 1);
  float highest = 0;
  for (int f = 0; f < 240; ++f) {
    ground.step();
    for (const Vec4f p : ground.state.grains.x) highest = std::max(highest, p.y);
  }
  ASSERT_TRUE(finite(ground));
  EXPECT_LT(highest, 2);
  EXPECT_LT(ground.rmsSpeed(), 0.05);
}

TEST(GrainStarts, MomentumIsKept) {
  for (const bool rotation : {false, true}) {
    Ground ground;
    ground.params.world.gravity = {};
    ground.params.grain[0].rotation = rotation;
    ground.setFriction(0.4f);
    Lcg random(3);
    double scale = 0, before[3] = {0, 0, 0}, after[3] = {0, 0, 0};
    for (int k = 0; k < 300; ++k) {
      const Vec3f out{random.around(1), random.around(1), random.around(1)};
      const float mass = static_cast<float>(std::pow(10.0, 2 * random.next()));
      const Vec3f v = out * -2.0f;
      ground.add(out + Vec3f{0, 9, 0}, v, kRadius, mass);
      const double m = 1 / static_cast<double>(ground.state.grains.v.back().w);
      before[0] += m * v.x, before[1] += m * v.y, before[2] += m * v.z;
      scale += m * length(v);
    }
    ground.run(1);
    double energy = 0;
    for (const Vec4f v : ground.state.grains.v) {
      const double m = 1 / static_cast<double>(v.w);
      after[0] += m * v.x, after[1] += m * v.y, after[2] += m * v.z;
      energy += m * length(xyz(v));
    }
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(after[k] / scale, before[k] / scale, 1e-6) << rotation;
    EXPECT_LT(energy, 0.7 * scale);  // they did meet
  }
}

TEST(GrainStarts, MassRatioOfAMillion) {
  Ground light_above;
  light_above.add({0, kRadius, 0}, {}, kRadius, 1000);
  light_above.add({0, 3 * kRadius, 0}, {0, -1, 0}, kRadius, 0.001f);
  light_above.run(3);
  EXPECT_NEAR(light_above.x(1).y, 3 * kRadius, 0.02 * kRadius);
  EXPECT_NEAR(light_above.x(0).y, kRadius, 0.02 * kRadius);

  // the heavy one may push the light one aside but not throw it
  Ground heavy_above;
  heavy_above.setFriction(0.4f);
  heavy_above.add({0, kRadius, 0}, {}, kRadius, 0.001f);
  heavy_above.add({0, 3.1f * kRadius, 0}, {}, kRadius, 1000);
  float fastest = 0;
  for (int f = 0; f < 300; ++f) {
    heavy_above.step();
    fastest = std::max(fastest, length(xyz(heavy_above.v(0))));
  }
  ASSERT_TRUE(finite(heavy_above));
  EXPECT_LT(fastest, 5);
  EXPECT_GT(heavy_above.x(0).y, 0.5f * kRadius);
  EXPECT_GT(length(xyz(heavy_above.x(0)) - xyz(heavy_above.x(1))), 1.9f * kRadius);
  EXPECT_LT(heavy_above.rmsSpeed(), 0.01);
}

}  // namespace

}  // namespace repose
