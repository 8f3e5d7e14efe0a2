// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Boxes and hulls: points of contact by closed forms, against a slow reference, and what must not change.
#include "collide/manifold.h"

#include <set>

#include "tests/collide/solid_fixtures.h"

namespace repose {

namespace {

bool touch(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, float reach, Manifold& out) {
  PairHint hint = 0;
  return collide(a, pa, b, pb, reach, hint, out);
}

Pose at(Vec3f p, Quat q = {}) { return poseOf(p, normalized(q)); }
Quat turned(Vec3f axis, float angle) {
  const Vec3f v = axis * std::sin(angle / 2);
  return {v.x, v.y, v.z, std::cos(angle / 2)};
}

Convex asHull(const Convex& box) { return *makeHull(box.hull->corners); }

// The same solid as a box and as a hull.
std::vector<std::pair<Convex, Convex>> bothWays(Vec3f a, Vec3f b) {
  const Convex box_a = makeBox(a), box_b = makeBox(b);
  return {{box_a, box_b}, {asHull(box_a), asHull(box_b)}, {box_a, asHull(box_b)}};
}

float areaOf(const Manifold& m) {
  // the points come as first, farthest, and one on either side of their line
  if (m.count < 3) return 0;
  const Vec3f d = m.point[1].a - m.point[0].a;
  float area = 0;
  for (int k = 2; k < m.count; ++k) area += 0.5f * length(cross(d, m.point[k].a - m.point[0].a));
  return area;
}

}  // namespace

TEST(Boxes, FaceOnFaceHasFourCorners) {
  for (const auto& [a, b] : bothWays({1, 1, 1}, {4, 1, 4}))
    for (const float gap : {-0.02f, 0.0f, 0.03f}) {
      Manifold m;
      ASSERT_TRUE(touch(a, at({0.2f, 1 + gap, 0.1f}), b, at({}), 0.05f, m));
      ASSERT_EQ(m.count, 4);
      EXPECT_NEAR(m.normal.y, 1, 1e-6f);
      std::set<std::uint32_t> features;
      std::set<std::pair<int, int>> corners;
      for (int k = 0; k < 4; ++k) {
        EXPECT_NEAR(m.point[k].gap, gap, 1e-6f);
        EXPECT_NEAR(std::abs(m.point[k].a.x - 0.2f), 0.5f, 1e-5f);
        EXPECT_NEAR(std::abs(m.point[k].a.z - 0.1f), 0.5f, 1e-5f);
        EXPECT_NEAR(m.point[k].a.y, 0.5f + gap, 1e-6f);
        EXPECT_NEAR(m.point[k].b.y, 0.5f, 1e-6f);
        features.insert(m.point[k].feature);
        corners.insert({m.point[k].a.x > 0.2f, m.point[k].a.z > 0.1f});
      }
      EXPECT_EQ(features.size(), 4u);
      EXPECT_EQ(corners.size(), 4u);
    }
}

TEST(Boxes, OverhangingBoxIsClipped) {
  for (const auto& [a, b] : bothWays({1, 1, 1}, {1, 1, 1})) {
    Manifold m;
    ASSERT_TRUE(touch(a, at({0.75f, 0.99f, 0.25f}), b, at({}), 0.05f, m));
    ASSERT_EQ(m.count, 4);
    Bounds box;
    for (int k = 0; k < 4; ++k) box.add(m.point[k].a);
    EXPECT_NEAR(box.lo.x, 0.25f, 1e-5f);
    EXPECT_NEAR(box.hi.x, 0.5f, 1e-5f);
    EXPECT_NEAR(box.lo.z, -0.25f, 1e-5f);
    EXPECT_NEAR(box.hi.z, 0.5f, 1e-5f);
  }
}

TEST(Boxes, TwistedBoxesKeepTheirArea) {
  for (const auto& [a, b] : bothWays({1, 1, 1}, {1, 1, 1})) {
    Manifold m;
    ASSERT_TRUE(touch(a, at({0, 0.99f, 0}, turned({0, 1, 0}, 0.785398f)), b, at({}), 0.05f, m));
    ASSERT_EQ(m.count, 4);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(m.point[k].gap, -0.01f, 1e-5f);
    // the octagon has an area of 2 (sqrt 2 - 1); four of its corners span at least 70 % of it
    EXPECT_GT(areaOf(m), 0.7f * 2 * 0.41421356f);
  }
}

TEST(Boxes, EdgesCross) {
  const float half_diagonal = 0.70710678f;
  for (const auto& [a, b] : bothWays({1, 1, 3}, {3, 1, 1}))
    for (const float gap : {-0.02f, 0.02f}) {
      Manifold m;
      ASSERT_TRUE(touch(a, at({0.1f, 2 * half_diagonal + gap, 0.2f}, turned({0, 0, 1}, 0.785398f)), b,
                        at({}, turned({1, 0, 0}, 0.785398f)), 0.05f, m));
      ASSERT_EQ(m.count, 1);
      EXPECT_NEAR(m.point[0].gap, gap, 1e-5f);
      EXPECT_NEAR(m.normal.y, 1, 1e-5f);
      EXPECT_NEAR(m.point[0].a.x, 0.1f, 1e-4f);
      EXPECT_NEAR(m.point[0].a.z, 0, 1e-4f);
    }
}

TEST(Boxes, CornerOnFace) {
  // standing on its corner: the diagonal is up
  const Quat on_corner = turned({0.70710678f, 0, -0.70710678f}, std::acos(1 / std::sqrt(3.0f)));
  const float height = std::sqrt(3.0f) / 2;
  for (const auto& [a, b] : bothWays({1, 1, 1}, {4, 1, 4})) {
    Manifold m;
    ASSERT_TRUE(touch(a, at({0.3f, 0.5f + height - 0.01f, 0.2f}, on_corner), b, at({}), 0.02f, m));
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.point[0].gap, -0.01f, 1e-5f);
    EXPECT_NEAR(m.point[0].a.x, 0.3f, 1e-4f);
    EXPECT_NEAR(m.point[0].a.z, 0.2f, 1e-4f);
    EXPECT_NEAR(m.normal.y, 1, 1e-5f);
  }
}

TEST(Boxes, CornersApartHaveTheirTrueDistance) {
  for (const auto& [a, b] : bothWays({1, 1, 1}, {1, 1, 1})) {
    Manifold m;
    const float d = 0.1f;
    EXPECT_FALSE(touch(a, at({1 + d, 1 + d, 1 + d}), b, at({}), 0.15f, m));
    ASSERT_TRUE(touch(a, at({1 + d, 1 + d, 1 + d}), b, at({}), 0.2f, m));
    EXPECT_NEAR(deepest(m), d * std::sqrt(3.0f), 1e-5f);
    EXPECT_NEAR(m.normal.x, 1 / std::sqrt(3.0f), 1e-4f);
    // edges side by side
    EXPECT_FALSE(touch(a, at({1 + d, 1 + d, 0}), b, at({}), 0.14f, m));
    ASSERT_TRUE(touch(a, at({1 + d, 1 + d, 0}), b, at({}), 0.2f, m));
    EXPECT_NEAR(deepest(m), d * std::sqrt(2.0f), 1e-5f);
  }
}

TEST(Boxes, FastBoxBeforeAThinPlate) {
  for (const auto& [a, b] : bothWays({0.1f, 0.1f, 0.1f}, {2, 0.01f, 2})) {
    Manifold m;
    ASSERT_TRUE(touch(a, at({0.2f, 0.855f, 0.3f}), b, at({}), 1, m));
    EXPECT_EQ(m.count, 4);
    EXPECT_NEAR(m.normal.y, 1, 1e-6f);
    EXPECT_NEAR(deepest(m), 0.8f, 1e-5f);
  }
}

TEST(Boxes, HintChangesNothing) {
  RandomPlaces places(5);
  const Convex box = makeBox({1, 0.6f, 0.8f}), hull = testHull(20, 0.6f);
  for (const Convex* solid : {&box, &hull})
    for (int k = 0; k < 300; ++k) {
      const Pose pa = places.pose(0.7f), pb = places.pose(0.7f);
      PairHint hint = 0;
      Manifold first, second;
      const bool one = collide(*solid, pa, *solid, pb, 0.05f, hint, first);
      const PairHint before = hint;
      const bool two = collide(*solid, pa, *solid, pb, 0.05f, hint, second);
      EXPECT_EQ(one, two);
      EXPECT_EQ(hint, before);
      EXPECT_EQ(one, before == 0 || one);
      if (one) {
        EXPECT_EQ(first.point[0].gap, second.point[0].gap);
      }
    }
}

// Random pairs against the largest gap over all directions.
TEST(Polyhedra, AgreeWithTryingEverything) {
  const Convex solids[] = {makeBox({0.8f, 0.5f, 1}), makeBox({0.3f, 0.9f, 0.7f}), testHull(12, 0.5f),
                           testHull(30, 0.5f, 9)};
  RandomPlaces places(21);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 30; ++k) {
        const Pose pa = places.pose(0.5f), pb = places.pose(0.5f);
        Vec3f n;
        const float gap = referenceGap(solids[i], pa, solids[j], pb, n);
        Manifold m;
        if (!touch(solids[i], pa, solids[j], pb, 0.3f, m)) {
          EXPECT_GT(gap, 0.299f) << i << j << k;
          continue;
        }
        const float own = gapAlong(solids[i], pa, solids[j], pb, m.normal);
        // faces win when they are nearly as good
        EXPECT_NEAR(own, gap, 3e-3f + 0.065f * std::abs(gap)) << i << j << k;
        EXPECT_NEAR(deepest(m), own, 2e-3f + 0.1f * std::abs(gap)) << i << j << k;
        for (int p = 0; p < m.count; ++p) {
          EXPECT_NEAR(dot(m.normal, m.point[p].a - m.point[p].b), m.point[p].gap, 1e-5f);
          // one of the two is a corner or on a side of its solid, the other on the face
          EXPECT_LT(std::min(std::abs(nearest(solids[i], pa, m.point[p].a).gap),
                             std::abs(nearest(solids[j], pb, m.point[p].b).gap)),
                    1e-4f);
        }
      }
}

TEST(Polyhedra, OrderOfThePairDoesNotMatter) {
  const Convex solids[] = {makeSphere(0.5f), makeCapsule(0.3f, 0.6f), makeCylinder(0.4f, 0.8f),
                           makeBox({0.8f, 0.5f, 1}), testHull(20, 0.6f)};
  RandomPlaces places(8);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 40; ++k) {
        const Pose pa = places.pose(0.5f), pb = places.pose(0.5f);
        Manifold one, two;
        const bool a = touch(solids[i], pa, solids[j], pb, 0.02f, one),
                   b = touch(solids[j], pb, solids[i], pa, 0.02f, two);
        ASSERT_EQ(a, b) << i << j << k;
        if (!a) continue;
        EXPECT_NEAR(deepest(one), deepest(two), 0.03f * std::abs(deepest(one)) + 4e-3f) << i << j << k;
        if (i == j) continue;  // of equal solids each has its own favourite face
        EXPECT_EQ(one.count, two.count);
        EXPECT_NEAR(dot(one.normal, two.normal), -1, 1e-5f);
        for (int p = 0; p < one.count; ++p) {
          EXPECT_NEAR(length(one.point[p].a - two.point[p].b), 0, 1e-5f);
          EXPECT_NEAR(length(one.point[p].b - two.point[p].a), 0, 1e-5f);
        }
      }
}

TEST(Polyhedra, MovingBothMovesThePoints) {
  RandomPlaces places(4);
  const Convex solids[] = {makeCylinder(0.4f, 0.8f), makeBox({0.8f, 0.5f, 1}), testHull(20, 0.6f)};
  int touching = 0;
  for (const Convex& a : solids)
    for (const Convex& b : solids)
      for (int k = 0; k < 30; ++k) {
        const Pose pa = places.pose(0.5f), pb = places.pose(0.5f), move = places.pose(3);
        Manifold one, two;
        const bool first = touch(a, pa, b, pb, 0.02f, one),
                   second = touch(a, move * pa, b, move * pb, 0.02f, two);
        if (!first || !second) continue;  // at the very end of the reach rounding decides
        ++touching;
        EXPECT_NEAR(deepest(one), deepest(two), 1e-4f);
        EXPECT_GT(dot(move.worldVector(one.normal), two.normal), 0.999f);
      }
  EXPECT_GT(touching, 100);
}

TEST(Polyhedra, FeaturesStayUnderTinyMotion) {
  RandomPlaces places(6);
  for (const auto& [a, b] : bothWays({1, 1, 1}, {1, 1, 1}))
    for (const float twist : {0.0f, 0.3f, 0.785398f}) {
      std::set<std::uint32_t> known;
      for (int k = 0; k < 50; ++k) {
        const Vec3f shake = places.vector(3e-5f);
        const Quat q = normalized(turned({0, 1, 0}, twist) * Quat{shake.x, shake.y, shake.z, 1});
        Manifold m;
        ASSERT_TRUE(touch(a, at(Vec3f{0.1f, 0.999f, 0.05f} + shake, q), b, at({}), 0.01f, m));
        ASSERT_EQ(m.count, 4);
        std::set<std::uint32_t> features;
        for (int p = 0; p < 4; ++p) features.insert(m.point[p].feature);
        EXPECT_EQ(features.size(), 4u);
        if (k == 0) known = features;
        EXPECT_EQ(features, known) << twist << " " << k;
      }
    }
}

TEST(Polyhedra, SizesFromSmallToLarge) {
  for (const float size : {1e-4f, 1e-2f, 1.0f, 1e2f, 1e4f})
    for (const auto& [a, b] : bothWays(Vec3f{1, 1, 1} * size, Vec3f{1, 1, 1} * size)) {
      Manifold m;
      ASSERT_TRUE(touch(a, at(Vec3f{0.2f, 0.99f, 0.1f} * size), b, at({}), 0.05f * size, m)) << size;
      EXPECT_EQ(m.count, 4);
      EXPECT_NEAR(deepest(m) / size, -0.01f, 1e-5f);
      ASSERT_TRUE(touch(a, at(Vec3f{1.1f, 1.1f, 1.1f} * size), b, at({}), 0.2f * size, m));
      EXPECT_NEAR(deepest(m) / size, 0.17320508f, 1e-4f);
    }
}

// The place of a solid in its body counts.
TEST(Polyhedra, PlacesInTheBody) {
  Convex box = makeBox({1, 1, 1});
  box.place.origin = {2, 0, 0};
  Manifold m;
  ASSERT_TRUE(
      touch(box, at({}, turned({0, 0, 1}, 1.5707963f)), makeBox({1, 1, 1}), at({0, 2.98f, 0}), 0.01f, m));
  EXPECT_EQ(m.count, 4);
  EXPECT_NEAR(m.normal.y, -1, 1e-5f);
  EXPECT_NEAR(deepest(m), -0.02f, 1e-5f);
}

}  // namespace repose
