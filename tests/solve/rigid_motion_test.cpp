// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies against closed forms: free turning, sliding, slopes, stacks, impacts.
#include <gtest/gtest.h>

#include "rigid_world.h"

namespace repose {
namespace {

// The tennis racket: turning about the middle axis flips over and over, and loses nothing.
TEST(Rigid, ATumblingBodyKeepsEnergyAndMomentum) {
  RigidWorld world;
  const int box = world.addBox({0.3f, 0.05f, 0.15f});
  world.place(box, {}, {}, {}, {0.02f, 0.01f, 8.0f});
  world.params.world.gravity = {};
  world.begin();
  const double energy = world.energy();
  const Vec3f momentum = world.angularMomentum(0);
  const Vec3f axis = world.pose(0).axis[2];
  float least = 1;
  for (int k = 0; k < 1000; ++k) {
    world.step();
    ASSERT_NEAR(world.energy(), energy, 0.01 * energy) << k;
    ASSERT_LT(length(world.angularMomentum(0) - momentum), 0.01f * length(momentum)) << k;
    least = std::min(least, dot(world.pose(0).axis[2], axis));
  }
  EXPECT_LT(least, -0.9f) << "it has not flipped";
}

TEST(Rigid, ABoxFallsAndStaysOnAPlane) {
  RigidWorld world;
  world.place(world.addBox({1, 1, 1}), {0, 1, 0});
  world.addPlane({}, {0, 1, 0});
  world.step(180);
  EXPECT_NEAR(world.at(0).y, 0.5f, 0.002f);
  EXPECT_LT(length(world.velocity(0)), 1e-4f);
  EXPECT_LT(length(world.spin(0)), 1e-4f);
}

// 5 m/s with mu 0.1: v0^2/(2 mu g) less v0 h/2 (reference.md a), along any direction, without a hop.
TEST(Rigid, ASlidingBoxStopsWhereTheorySays) {
  for (const float degrees : {0.0f, 22.5f, 45.0f}) {
    RigidWorld world;
    world.params.solver.contactsubsteps = 1;
    const float turn = degrees * 0.0174532925f;
    const Vec3f along{std::cos(turn), 0, std::sin(turn)};
    world.place(world.addBox({1, 1, 1}), {0, 0.5f, 0}, {}, along * 5.0f);
    world.addPlane({}, {0, 1, 0});
    world.setFriction(0.1f);
    world.begin();
    float highest = 0;
    for (int k = 0; k < 600; ++k) {
      world.step();
      highest = std::max(highest, world.at(0).y);
    }
    const Vec3f end = world.at(0);
    EXPECT_NEAR(dot(end, along), 12.7551f - 5.0f / 120, 0.005f) << degrees;
    EXPECT_LT(length(end - Vec3f{0, end.y, 0} - along * dot(end, along)), 0.005f) << degrees;
    EXPECT_LT(highest, 0.502f);
    EXPECT_LT(length(world.velocity(0)), 1e-4f);
  }
}

TEST(Rigid, ABlockOnASlopeSticksBelowItsAngleOfFriction) {
  const float angle = std::atan(0.3f) * 57.2957795f;
  for (const float off : {-0.2f, 0.2f}) {
    RigidWorld world;
    const float a = (angle + off) * 0.0174532925f;
    const Vec3f up{std::sin(a), std::cos(a), 0};
    world.addPlane({}, up);
    world.place(world.addBox({1, 0.4f, 1}), up * 0.2f, turnAbout({0, 0, 1}, -(angle + off)));
    world.setFriction(0.3f);
    world.step(300);
    const float slid = length(world.at(0) - up * 0.2f);
    if (off < 0)
      EXPECT_LT(slid, 0.01f);
    else
      EXPECT_GT(slid, 0.05f);
  }
}

TEST(Rigid, AStackOfTwentyBoxesStands) {
  RigidWorld world;
  const int box = world.addBox({0.5f, 0.5f, 0.5f});
  for (int k = 0; k < 20; ++k) world.place(box, {0, 0.25f + 0.5f * k, 0});
  world.addPlane({}, {0, 1, 0});
  world.setFriction(0.5f);
  world.step(1000);
  for (int k = 0; k < 20; ++k) {
    EXPECT_NEAR(world.at(k).y, 0.25f + 0.5f * k, 0.02f) << k;
    EXPECT_LT(std::hypot(world.at(k).x, world.at(k).z), 0.01f) << k;
    EXPECT_LT(length(world.velocity(k)), 1e-3f) << k;
  }
}

TEST(Rigid, FreeCollisionsKeepMomentum) {
  RigidWorld world;
  const int big = world.addBox({1, 1, 1}), small = world.addBox({0.4f, 0.3f, 0.5f});
  world.place(big, {0, 0, 0}, turnAbout({1, 1, 0}, 30), {0.2f, 0, 0}, {0, 1, 0.5f});
  world.place(small, {2, 0.3f, 0.1f}, turnAbout({0, 1, 1}, 50), {-6, 0, 0}, {1, 0, 3});
  world.params.world.gravity = {};
  world.begin();
  const auto linear = [&] {
    return world.velocity(0) * world.model.rigid.bodies[0].mass +
           world.velocity(1) * world.model.rigid.bodies[1].mass;
  };
  const auto angular = [&] {
    Vec3f sum;
    for (int i = 0; i < 2; ++i)
      sum +=
          world.angularMomentum(i) + cross(world.at(i), world.velocity(i)) * world.model.rigid.bodies[i].mass;
    return sum;
  };
  const Vec3f before = linear(), turning = angular();
  const double energy = world.energy();
  world.step(60);
  EXPECT_GT(length(world.velocity(1) - Vec3f{-6, 0, 0}), 1.0f) << "they have not met";
  EXPECT_LT(length(linear() - before), 1e-5f * length(before));
  // levers are those of the start of the step, while the two come 10 cm nearer in it
  EXPECT_LT(length(angular() - turning), 0.1f * length(turning));
  EXPECT_LT(world.energy(), energy * 1.001);
}

TEST(Rigid, SpheresRollAndCapsulesLie) {
  RigidWorld world;
  world.place(world.addBody({makeSphere(0.2f)}), {0, 0.2f, 0}, {}, {1, 0, 0});
  world.place(world.addBody({makeCapsule(0.1f, 0.6f)}), {0, 1, 2}, turnAbout({0, 0, 1}, 40));
  world.addPlane({}, {0, 1, 0});
  world.setFriction(0.6f);
  world.step(240);
  // a sliding ball ends rolling at 5/7 of its speed
  EXPECT_NEAR(world.velocity(0).x, 5.0f / 7, 0.01f);
  EXPECT_NEAR(world.spin(0).z, -5.0f / 7 / 0.2f, 0.05f);
  EXPECT_NEAR(world.at(1).y, 0.1f, 0.003f);
  EXPECT_NEAR(world.pose(1).axis[1].y, 0.0f, 0.01f);
}

TEST(Rigid, BoxesBounceAsHighAsRestitutionSays) {
  RigidWorld world;
  const int ball = world.addBody({makeSphere(0.1f)});
  world.scene.bodies[ball].rigid.base.restitution = 0.5f;
  world.place(ball, {0, 1.1f, 0});
  world.addPlane({}, {0, 1, 0});
  world.begin();
  float highest = 0;
  bool fell = false;
  for (int k = 0; k < 80; ++k) {
    world.step();
    fell = fell || world.at(0).y < 0.15f;
    if (fell) highest = std::max(highest, world.at(0).y);
  }
  EXPECT_NEAR(highest - 0.1f, 0.25f, 0.05f);
}

TEST(Rigid, ADeepOverlapPartsWithoutAnExplosion) {
  RigidWorld world;
  const int box = world.addBox({0.5f, 0.5f, 0.5f});
  world.place(box, {0, 0.25f, 0});
  world.place(box, {0.1f, 0.3f, 0.05f});
  world.addPlane({}, {0, 1, 0});
  world.begin();
  for (int k = 0; k < 120; ++k) {
    world.step();
    for (int i = 0; i < 2; ++i) ASSERT_LT(length(world.velocity(i)), 4.0f) << k;
  }
}

// A needle whose moments differ a million times falls on its end, beside a box that falls as ever.
TEST(Rigid, AnInertiaRatioOfAMillionLivesOn) {
  RigidWorld world;
  const int needle = world.addBox({2, 0.0015f, 0.0015f}), box = world.addBox({0.5f, 0.5f, 0.5f});
  world.place(needle, {0, 1.2f, 0}, turnAbout({0, 0, 1}, 80), {}, {1, 0, 3});
  world.place(box, {5, 2.25f, 0});
  world.addPlane({}, {0, 1, 0});
  world.begin();
  const double energy = world.energy();
  for (int k = 0; k < 120; ++k) {
    world.step();
    ASSERT_LT(length(world.velocity(0)), 7.0f) << k;
    ASSERT_LT(world.energy(), energy + 1e-3 * std::abs(energy)) << k;
    if (k == 29) {
      EXPECT_NEAR(world.at(1).y, 2.25f - 0.5f * 9.8f * 0.25f, 0.05f);
    }
  }
  EXPECT_GT(world.at(0).y, -0.01f) << "it lies on the ground";
  EXPECT_NEAR(world.at(1).y, 0.25f, 5e-3f);
}

TEST(Rigid, AStackFallsAsleepAndWakesWhenHit) {
  RigidWorld world;
  world.params.solver.sleep = true;
  const int box = world.addBox({0.5f, 0.5f, 0.5f}), ball = world.addBody({makeSphere(0.2f)});
  for (int k = 0; k < 3; ++k) world.place(box, {0, 0.25f + 0.5f * k, 0});
  world.place(ball, {-40, 1.25f, 0}, {}, {20, 8, 0});
  world.addPlane({}, {0, 1, 0});
  const auto asleep = [&](int i) { return world.state.rigid.calm[i] >= RigidState::kAsleep; };
  world.step(90);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(asleep(k)) << k;
    EXPECT_EQ(length(world.velocity(k)), 0.0f);
  }
  EXPECT_FALSE(asleep(3));
  const Vec3f top = world.at(2);
  world.state.rigid.x[3] = {-3, 1.25f, 0, 0}, world.state.rigid.v[3] = {10, 1, 0, 0};
  world.step(40);
  EXPECT_FALSE(asleep(2));
  EXPECT_GT(length(world.at(2) - top), 0.05f);
}

TEST(Rigid, SleepersCarryTheirStackWhenTheyWake) {
  RigidWorld world;
  world.params.solver.sleep = true;
  const int box = world.addBox({0.5f, 0.5f, 0.5f});
  for (int k = 0; k < 5; ++k) world.place(box, {0, 0.25f + 0.5f * k, 0});
  world.addPlane({}, {0, 1, 0});
  world.step(120);
  std::vector<Vec3f> before;
  for (int k = 0; k < 5; ++k) before.push_back(world.at(k));
  std::fill(world.state.rigid.calm.begin(), world.state.rigid.calm.end(), 0.0f);
  world.step(10);
  for (int k = 0; k < 5; ++k) EXPECT_LT(length(world.at(k) - before[k]), 2e-4f) << k;
}

TEST(Rigid, ABodyWithoutVolumeIsRefused) {
  RigidWorld concave;
  concave.place(concave.addBody({}), {});
  EXPECT_THROW(concave.begin(), std::runtime_error);
}

TEST(Rigid, EveryThreadCountGivesTheSameBits) {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3, 7})
    for (const ContactMethod method :
         {ContactMethod::gauss_seidel_coloured, ContactMethod::accelerated_jacobi}) {
      RigidWorld world(threads);
      world.params.solver.contactmethod = method;
      const int box = world.addBox({0.2f, 0.3f, 0.25f}), ball = world.addBody({makeSphere(0.15f)});
      for (int k = 0; k < 60; ++k)
        world.place(k % 3 ? box : ball,
                    {0.31f * static_cast<float>(k % 4), 0.3f + 0.35f * static_cast<float>(k / 12),
                     0.33f * static_cast<float>(k / 4 % 3)},
                    turnAbout({1, 0.3f, 0.2f}, static_cast<float>(17 * k)));
      world.addPlane({}, {0, 1, 0});
      world.step(60);
      if (method != ContactMethod::gauss_seidel_coloured) continue;
      const std::uint64_t hash = stateHash(world.state);
      if (first == 0) first = hash;
      EXPECT_EQ(hash, first) << threads;
    }
}

// The other methods and schemes stand as well, though they tremble a little.
TEST(Rigid, BoxesStandWithEveryMethodAndScheme) {
  for (const ContactMethod method : {ContactMethod::gauss_seidel, ContactMethod::accelerated_jacobi})
    for (const ContactScheme scheme : {ContactScheme::soft, ContactScheme::vts}) {
      RigidWorld world;
      world.params.solver.contactmethod = method;
      world.params.solver.contactscheme = scheme;
      world.params.solver.contactiterations = world.params.solver.contactrelax = 15;
      const int box = world.addBox({0.5f, 0.5f, 0.5f});
      for (int k = 0; k < 4; ++k) world.place(box, {0, 0.26f + 0.52f * static_cast<float>(k), 0});
      world.addPlane({}, {0, 1, 0});
      world.step(240);
      for (int k = 0; k < 4; ++k) {
        EXPECT_NEAR(world.at(k).y, 0.25f + 0.5f * static_cast<float>(k), 0.02f) << k;
        EXPECT_LT(length(world.velocity(k)), 0.2f) << k;
      }
    }
}

}  // namespace
}  // namespace repose
