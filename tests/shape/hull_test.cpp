// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Hulls of points: what they contain, how their faces fit together, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "shape/convex.h"

namespace repose {

namespace {

std::vector<Vec3f> randomBall(int count, float radius, unsigned seed) {
  std::mt19937 random(seed);
  const auto next = [&] { return static_cast<float>(random()) / 2147483648.0f - 1; };
  std::vector<Vec3f> points;
  while (static_cast<int>(points.size()) < count) {
    const float x = next(), y = next(), z = next();
    if (x * x + y * y + z * z <= 1) points.push_back(Vec3f{x, y, z} * radius);
  }
  return points;
}

std::vector<Vec3f> onSphere(int count, float radius) {
  std::vector<Vec3f> points;
  for (int k = 0; k < count; ++k) {
    const float y = 1 - 2 * (static_cast<float>(k) + 0.5f) / static_cast<float>(count);
    const float turn = 2.3999632f * static_cast<float>(k), r = std::sqrt(1 - y * y);
    points.push_back(Vec3f{r * std::cos(turn), y, r * std::sin(turn)} * radius);
  }
  return points;
}

std::vector<Vec3f> cube(float half, Vec3f at, int steps = 1) {
  std::vector<Vec3f> points;
  for (int i = 0; i <= steps; ++i)
    for (int j = 0; j <= steps; ++j)
      for (int k = 0; k <= steps; ++k) {
        const auto place = [&](int n) {
          return half * (2 * static_cast<float>(n) / static_cast<float>(steps) - 1);
        };
        points.push_back(at + Vec3f{place(i), place(j), place(k)});
      }
  return points;
}

float extentOf(const std::vector<Vec3f>& points) {
  Bounds box;
  for (const Vec3f p : points) box.add(p);
  return length(box.hi - box.lo);
}

// Every point inside, every edge between two faces that lean away from each other, Euler's formula.
void expectSound(const Convex& convex, const std::vector<Vec3f>& points, float slack) {
  ASSERT_TRUE(convex.hull);
  const Hull& hull = *convex.hull;
  for (int f = 0; f < hull.faces(); ++f) {
    EXPECT_NEAR(length(hull.normals[f]), 1, 1e-5f);
    for (const Vec3f p : points) EXPECT_LE(dot(hull.normals[f], p), hull.offsets[f] + slack);
    for (int k = hull.face_first[f]; k < hull.face_first[f + 1]; ++k)
      EXPECT_NEAR(dot(hull.normals[f], hull.corners[hull.face_corners[k]]), hull.offsets[f], slack);
  }
  EXPECT_EQ(static_cast<int>(hull.corners.size()) + hull.faces(), static_cast<int>(hull.edges.size()) + 2);
  for (const Hull::Edge& edge : hull.edges) {
    ASSERT_GE(edge.right, 0);
    const Vec3f along = hull.corners[edge.b] - hull.corners[edge.a];
    EXPECT_GT(dot(cross(hull.normals[edge.left], hull.normals[edge.right]), along), 0);
  }
}

}  // namespace

TEST(Hull, CubeOfManyPointsHasSixFaces) {
  for (const float half : {1e-4f, 0.5f, 1e4f}) {
    for (const int steps : {1, 2, 5}) {
      const std::vector<Vec3f> points = cube(half, {half, 2 * half, -half}, steps);
      const Result<Convex> made = makeHull(points);
      ASSERT_TRUE(made.ok()) << made.status().message();
      EXPECT_EQ(made->hull->corners.size(), 8u);
      EXPECT_EQ(made->hull->faces(), 6);
      EXPECT_EQ(made->hull->edges.size(), 12u);
      expectSound(*made, points, 1e-5f * half);
    }
  }
}

TEST(Hull, TurnedBoxesKeepSixFaces) {
  for (int k = 0; k < 50; ++k) {
    const float t = 0.37f * static_cast<float>(k);
    const Pose pose =
        poseOf({1, 2, 3}, normalized({std::sin(t), std::cos(1.3f * t), std::sin(2.1f * t), 0.3f}));
    std::vector<Vec3f> points;
    for (const Vec3f p : cube(1, {}, 3)) points.push_back(pose.world({p.x, 0.2f * p.y, 3 * p.z}));
    const Result<Convex> made = makeHull(points);
    ASSERT_TRUE(made.ok()) << made.status().message();
    EXPECT_EQ(made->hull->faces(), 6);
    EXPECT_EQ(made->hull->corners.size(), 8u);
    expectSound(*made, points, 1e-5f);
  }
}

TEST(Hull, ContainsRandomPoints) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const float size = std::pow(10.0f, static_cast<float>(seed % 9) - 4);
    const std::vector<Vec3f> points = randomBall(5 + static_cast<int>(seed), size, seed);
    const Result<Convex> made = makeHull(points);
    ASSERT_TRUE(made.ok()) << made.status().message();
    expectSound(*made, points, 2e-5f * extentOf(points));
  }
}

TEST(Hull, SphereHasOneCornerAPoint) {
  const std::vector<Vec3f> points = onSphere(60, 2);
  const Result<Convex> made = makeHull(points);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made->hull->corners.size(), 60u);
  EXPECT_EQ(made->hull->faces(), 2 * 60 - 4);
  expectSound(*made, points, 2e-5f);
}

TEST(Hull, FewCornersKeepTheFarthest) {
  std::vector<Vec3f> points = onSphere(500, 1);
  const Result<Convex> made = makeHull(points, 32);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made->hull->corners.size(), 32u);
  expectSound(*made, made->hull->corners, 1e-5f);
  // what 32 corners of a ball leave out is thin
  for (int f = 0; f < made->hull->faces(); ++f) EXPECT_GT(made->hull->offsets[f], 0.7f);
  for (const Vec3f p : points) {
    float above = -1;
    for (int f = 0; f < made->hull->faces(); ++f)
      above = std::max(above, dot(made->hull->normals[f], p) - made->hull->offsets[f]);
    EXPECT_LT(above, 0.25f);
  }
}

TEST(Hull, SameInputSameHull) {
  const std::vector<Vec3f> points = randomBall(300, 1, 7);
  const Result<Convex> a = makeHull(points, 24), b = makeHull(points, 24);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->hull->face_corners, b->hull->face_corners);
  for (std::size_t k = 0; k < a->hull->corners.size(); ++k)
    EXPECT_TRUE(a->hull->corners[k] == b->hull->corners[k]);
}

TEST(Hull, CornersTwiceAndInsideChangeNothing) {
  std::vector<Vec3f> points = cube(1, {});
  const std::vector<Vec3f> once = points;
  points.insert(points.end(), once.begin(), once.end());
  points.push_back({0, 0, 0});
  points.push_back({0.99f, 0.2f, 0.1f});
  const Result<Convex> made = makeHull(points);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->hull->corners.size(), 8u);
  EXPECT_EQ(made->hull->faces(), 6);
}

TEST(Hull, ThinPlatesAreSolidsAndSheetsAreNot) {
  std::vector<Vec3f> plate;
  for (const Vec3f p : cube(0.05f, {})) plate.push_back({p.x, 0.003f * p.y, p.z});
  const Result<Convex> made = makeHull(plate);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made->hull->faces(), 6);
}

TEST(Hull, RefusesWhatIsNoSolid) {
  const auto message = [](const std::vector<Vec3f>& points) {
    const Result<Convex> made = makeHull(points);
    EXPECT_FALSE(made.ok());
    return made.ok() ? std::string() : made.status().message();
  };
  EXPECT_EQ(message({}), "has no points");
  EXPECT_EQ(message({{1, 2, 3}}), "is a single point");
  EXPECT_EQ(message({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}), "is a single point");
  EXPECT_EQ(message({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), "lies on a line");
  EXPECT_EQ(message({{0, 0, 0}, {1, 0, 1}, {0, 0, 1}, {1, 0, 0}, {0.3f, 0, 0.2f}}), "lies in a plane");
  EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::numeric_limits<float>::quiet_NaN()}}),
            "has a position that is not finite");
  EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::numeric_limits<float>::infinity()}}),
            "has a position that is not finite");
}

TEST(Convex, SupportIsTheFarthestPoint) {
  const Convex solids[] = {makeSphere(0.7f), makeCapsule(0.3f, 1.2f), makeCylinder(0.4f, 0.9f),
                           makeBox({1, 2, 3}), *makeHull(randomBall(30, 1, 3))};
  const float sizes[] = {0.7f, 0.9f, std::sqrt(0.16f + 0.2025f), std::sqrt(0.25f + 1 + 2.25f), 1};
  for (int s = 0; s < 5; ++s) {
    for (const Vec3f d : onSphere(100, 1)) {
      const Vec3f p = solids[s].support(d);
      EXPECT_LE(length(p), sizes[s] * 1.0001f);
      for (const Vec3f other : onSphere(50, 1))
        EXPECT_LE(dot(solids[s].support(other), d), dot(p, d) + 1e-5f);
    }
    EXPECT_NEAR(solids[s].reach(), sizes[s], s == 4 ? 0.2f : 1e-5f);
  }
}

TEST(Convex, ReachCountsThePlace) {
  Convex cylinder = makeCylinder(0.5f, 2);
  cylinder.place.origin = {3, 0, 0};
  EXPECT_NEAR(cylinder.reach(), std::sqrt(3.5f * 3.5f + 1), 1e-5f);
  Convex capsule = makeCapsule(0.5f, 2);
  capsule.place.origin = {0, 3, 0};
  EXPECT_NEAR(capsule.reach(), 4.5f, 1e-5f);
}

TEST(Convex, BoxHasItsHull) {
  const Convex box = makeBox({1, 2, 3});
  expectSound(box, {{0.5f, 1, 1.5f}, {-0.5f, -1, -1.5f}}, 1e-6f);
  EXPECT_EQ(box.hull->edges.size(), 12u);
}

}  // namespace repose
