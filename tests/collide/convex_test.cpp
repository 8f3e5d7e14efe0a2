// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The place of a solid nearest to a point, and pairs with round solids, against closed forms.
#include "tests/collide/solid_fixtures.h"

namespace repose {

namespace {

bool touch(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, float reach, Manifold& out) {
  PairHint hint = 0;
  return collide(a, pa, b, pb, reach, hint, out);
}

Pose at(Vec3f p, Quat q = {}) { return poseOf(p, normalized(q)); }
constexpr float kHalfTurn = 0.70710678f;
constexpr Quat kLying{0, 0, kHalfTurn, kHalfTurn};  // y becomes -x

}  // namespace

TEST(Nearest, BoxInsideAndOutside) {
  const Convex box = makeBox({2, 4, 6});
  const Pose pose = at({10, 0, 0});
  SolidTouch t = nearest(box, pose, {10, 2.5f, 1});
  EXPECT_NEAR(t.gap, 0.5f, 1e-6f);
  EXPECT_NEAR(t.normal.y, 1, 1e-6f);
  t = nearest(box, pose, {10.9f, 0, 0});
  EXPECT_NEAR(t.gap, -0.1f, 1e-6f);
  EXPECT_NEAR(t.normal.x, 1, 1e-6f);
  t = nearest(box, pose, {14, 2, 3 + 4});
  EXPECT_NEAR(t.gap, 5, 1e-5f);
  EXPECT_NEAR(t.normal.x, 0.6f, 1e-6f);
  EXPECT_NEAR(t.normal.z, 0.8f, 1e-6f);
}

TEST(Nearest, RoundSolids) {
  EXPECT_NEAR(nearest(makeSphere(1), at({}), {3, 0, 4}).gap, 4, 1e-6f);
  EXPECT_NEAR(nearest(makeSphere(1), at({}), {0, 0, 0}).gap, -1, 1e-6f);
  EXPECT_NEAR(nearest(makeCapsule(1, 2), at({}), {0, 4, 0}).gap, 2, 1e-6f);
  EXPECT_NEAR(nearest(makeCapsule(1, 2), at({}), {0.25f, 0.5f, 0}).gap, -0.75f, 1e-6f);
  const Convex cylinder = makeCylinder(1, 2);
  EXPECT_NEAR(nearest(cylinder, at({}), {0, 1.5f, 0}).gap, 0.5f, 1e-6f);
  EXPECT_NEAR(nearest(cylinder, at({}), {4, 5, 0}).gap, 5, 1e-6f);
  EXPECT_NEAR(nearest(cylinder, at({}), {0.9f, 0, 0}).gap, -0.1f, 1e-6f);
}

// Whatever the solid: the place is on its surface, the gap is how far p is from it, and no place is nearer.
TEST(Nearest, AgreesWithTryingEverything) {
  const Convex solids[] = {makeSphere(0.8f), makeCapsule(0.4f, 0.9f), makeCylinder(0.6f, 1),
                           makeBox({1, 0.6f, 1.4f}), testHull(24, 0.8f)};
  RandomPlaces places(3);
  const std::vector<Vec3f> all = directions(4000);
  for (const Convex& solid : solids)
    for (int k = 0; k < 60; ++k) {
      const Pose pose = places.pose(2);
      const Vec3f p = pose.origin + places.vector(1.2f);
      const SolidTouch t = nearest(solid, pose, p);
      EXPECT_NEAR(length(t.normal), 1, 1e-5f);
      EXPECT_NEAR(dot(t.normal, p - t.place), t.gap, 1e-5f);
      // the largest gap over all directions; those that are tried come close from below
      float best = -1e30f;
      for (const Vec3f d : all) best = std::max(best, dot(d, p - supportAt(solid, pose, d)));
      EXPECT_LE(best, t.gap + 1e-5f);
      EXPECT_NEAR(best, t.gap, 0.03f);
      EXPECT_NEAR(dot(t.normal, p - supportAt(solid, pose, t.normal)), t.gap, 2e-5f);
    }
}

TEST(Round, Spheres) {
  Manifold m;
  ASSERT_TRUE(touch(makeSphere(1), at({0, 3, 0}), makeSphere(1.5f), at({}), 1, m));
  EXPECT_EQ(m.count, 1);
  EXPECT_NEAR(m.point[0].gap, 0.5f, 1e-6f);
  EXPECT_NEAR(m.normal.y, 1, 1e-6f);
  EXPECT_NEAR(m.point[0].a.y, 2, 1e-6f);
  EXPECT_NEAR(m.point[0].b.y, 1.5f, 1e-6f);
  EXPECT_FALSE(touch(makeSphere(1), at({0, 3, 0}), makeSphere(1.5f), at({}), 0.4f, m));
}

TEST(Round, CapsuleLiesOnABoxWithTwoPoints) {
  Manifold m;
  for (const bool turned : {false, true}) {
    const Convex box = makeBox({4, 1, 4}), capsule = makeCapsule(0.25f, 1);
    const Pose lying = at({0.3f, 0.74f, 0.2f}, kLying);
    ASSERT_TRUE(turned ? touch(box, at({}), capsule, lying, 0.05f, m)
                       : touch(capsule, lying, box, at({}), 0.05f, m));
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(m.normal.y, turned ? -1 : 1, 1e-5f);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(m.point[k].gap, -0.01f, 1e-5f);
    EXPECT_NEAR(std::abs(m.point[0].a.x - m.point[1].a.x), 1, 1e-5f);
    EXPECT_NE(m.point[0].feature, m.point[1].feature);
  }
}

TEST(Round, CapsuleStandsOnOnePointAndMeetsEdges) {
  Manifold m;
  const Convex box = makeBox({2, 2, 2}), capsule = makeCapsule(0.25f, 1);
  ASSERT_TRUE(touch(capsule, at({0, 1.7f, 0}), box, at({}), 0.1f, m));
  EXPECT_EQ(m.count, 1);
  EXPECT_NEAR(m.point[0].gap, -0.05f, 1e-5f);
  // over an edge, at 45 degrees
  const float d = 0.2f;
  ASSERT_TRUE(touch(capsule, at({1 + d, 1 + d, 0}, {kHalfTurn, 0, 0, kHalfTurn}), box, at({}), 0.1f, m));
  EXPECT_NEAR(deepest(m), d * std::sqrt(2.0f) - 0.25f, 1e-5f);
  EXPECT_NEAR(m.normal.x, kHalfTurn, 1e-4f);
  EXPECT_NEAR(m.normal.y, kHalfTurn, 1e-4f);
}

TEST(Round, CapsulesCrossAndLieSideBySide) {
  Manifold m;
  const Convex capsule = makeCapsule(0.25f, 2);
  ASSERT_TRUE(
      touch(capsule, at({0, 0.4f, 0}, kLying), capsule, at({}, {kHalfTurn, 0, 0, kHalfTurn}), 0.1f, m));
  EXPECT_EQ(m.count, 1);
  EXPECT_NEAR(m.point[0].gap, -0.1f, 1e-5f);
  EXPECT_NEAR(m.normal.y, 1, 1e-5f);
  ASSERT_TRUE(touch(capsule, at({0.5f, 0.45f, 0}, kLying), capsule, at({}, kLying), 0.1f, m));
  ASSERT_EQ(m.count, 2);
  EXPECT_NEAR(std::abs(m.point[0].a.x - m.point[1].a.x), 1.5f, 1e-4f);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(m.point[k].gap, -0.05f, 1e-5f);
}

TEST(Round, CylinderStandsOnItsEnd) {
  const Convex cylinder = makeCylinder(0.5f, 1);
  for (const Convex& floor : {makeBox({4, 1, 4}), makeCylinder(3, 1)}) {
    Manifold m;
    ASSERT_TRUE(touch(cylinder, at({0.1f, 0.999f, 0.2f}), floor, at({}), 0.02f, m));
    EXPECT_GE(m.count, 3);
    EXPECT_NEAR(m.normal.y, 1, 1e-4f);
    Vec3f middle;
    for (int k = 0; k < m.count; ++k) {
      EXPECT_NEAR(m.point[k].gap, -0.001f, 1e-5f);
      EXPECT_NEAR(length(m.point[k].a - Vec3f{0.1f, m.point[k].a.y, 0.2f}), 0.5f, 1e-3f);
      middle += m.point[k].a * (1 / static_cast<float>(m.count));
    }
    // spread over the rim: the middle of the points is near the axis
    EXPECT_LT(length(middle - Vec3f{0.1f, middle.y, 0.2f}), 0.2f);
  }
}

TEST(Round, CylinderLiesOnTwoPointsAndRollsSmoothly) {
  const Convex cylinder = makeCylinder(0.5f, 1), floor = makeBox({4, 1, 4});
  for (int k = 0; k < 40; ++k) {
    const float turn = 0.05f * static_cast<float>(k);
    const Quat rolled = normalized(Quat{std::sin(turn), 0, 0, std::cos(turn)} * kLying);
    Manifold m;
    ASSERT_TRUE(touch(cylinder, at({0, 0.99f, 0}, rolled), floor, at({}), 0.02f, m));
    ASSERT_EQ(m.count, 2) << k;
    for (int p = 0; p < 2; ++p) {
      EXPECT_NEAR(m.point[p].gap, -0.01f, 1e-5f);
      EXPECT_NEAR(m.point[p].a.z, 0, 1e-4f);
    }
    EXPECT_NEAR(m.normal.y, 1, 1e-5f);
  }
}

TEST(Round, TiltedCylinderTouchesWithItsLowestPlace) {
  const Convex cylinder = makeCylinder(0.5f, 1), floor = makeBox({4, 1, 4});
  for (const float tilt : {0.1f, 0.3f, 0.7f}) {
    const Pose pose = at({0, 1.2f, 0}, {0, 0, std::sin(tilt / 2), std::cos(tilt / 2)});
    const float low = 1.2f - (0.5f * std::cos(tilt) + 0.5f * std::sin(tilt)) - 0.5f;
    Manifold m;
    ASSERT_TRUE(touch(cylinder, pose, floor, at({}), 0.3f, m));
    EXPECT_NEAR(deepest(m), low, 1e-5f) << tilt;
    EXPECT_NEAR(m.normal.y, 1, 1e-4f);
  }
}

TEST(Round, ParallelCylindersShareALine) {
  const Convex cylinder = makeCylinder(0.5f, 2);
  Manifold m;
  ASSERT_TRUE(touch(cylinder, at({0.3f, 0.98f, 0}, kLying), cylinder, at({}, kLying), 0.1f, m));
  EXPECT_EQ(m.count, 2);
  EXPECT_NEAR(deepest(m), -0.02f, 1e-4f);
  EXPECT_NEAR(m.normal.y, 1, 1e-3f);
}

// Every kind of pair, apart and overlapping, against the largest gap over all directions.
TEST(Round, AgreeWithTryingEverything) {
  const Convex round[] = {makeSphere(0.4f), makeCapsule(0.3f, 0.8f), makeCylinder(0.4f, 0.9f)};
  const Convex others[] = {makeSphere(0.5f), makeCapsule(0.25f, 1), makeCylinder(0.5f, 0.6f),
                           makeBox({0.8f, 0.5f, 1}), testHull(20, 0.5f)};
  RandomPlaces places(11);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 25; ++k) {
        const Pose pa = places.pose(0.55f), pb = places.pose(0.55f);
        Vec3f n;
        const float gap = referenceGap(round[i], pa, others[j], pb, n);
        Manifold m;
        if (!touch(round[i], pa, others[j], pb, 0.3f, m)) {
          EXPECT_GT(gap, 0.299f) << i << j << k;
          continue;
        }
        // along the normal there is no more room than the points say, and nearly no less than there can be
        const float own = gapAlong(round[i], pa, others[j], pb, m.normal);
        const float slack = gap > 0 ? 2e-3f : 0.01f + 0.03f * std::abs(gap);
        EXPECT_NEAR(own, gap, slack) << i << j << k;
        EXPECT_NEAR(deepest(m), own, 4e-3f) << i << j << k;
        for (int p = 0; p < m.count; ++p)
          EXPECT_NEAR(dot(m.normal, m.point[p].a - m.point[p].b), m.point[p].gap, 1e-5f);
      }
}

}  // namespace repose
