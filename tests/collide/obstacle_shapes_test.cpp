// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Planes and volumes: distances against other formulas and against many points of the surface, normals
// against differences of the distance.
#include <algorithm>
#include <cmath>

#include "obstacle_fixtures.h"

namespace repose {

namespace {

using Kind = Volume::Shape;

const Kind kKinds[] = {Kind::box, Kind::sphere, Kind::cylinder, Kind::cone, Kind::capsule, Kind::torus};

Volume volumeOf(Kind kind, const Mat4d& place = {}) {
  Volume volume;
  volume.shape = kind;
  volume.size = {1.0f, 0.6f, 1.4f};
  volume.radius = 0.5f;
  volume.height = 0.8f;
  volume.tuberadius = 0.15f;
  volume.place = place;
  return volume;
}

// Points of the surface, close together, from the meshes that bodies have.
std::vector<Vec3f> surfacePoints(const Volume& volume) {
  Shape shape;
  shape.size = volume.size, shape.radius = volume.radius;
  shape.height = volume.height, shape.tuberadius = volume.tuberadius;
  shape.divisions = {160, 120, 1};
  if (volume.shape == Kind::sphere) return makeSphere(shape).points;
  if (volume.shape == Kind::capsule) return makeCapsule(shape).points;
  if (volume.shape == Kind::cone) return makeCone(shape).points;
  if (volume.shape == Kind::torus) return makeTorus(shape).points;
  if (volume.shape == Kind::box) {
    shape.divisions = {50, 50, 50};
    return makeBox(shape).points;
  }
  std::vector<Vec3f> points = makeTube(shape).points;
  shape.divisions = {160, 60, 1};
  for (Vec3f p : makeDisk(shape).points)
    for (const float y : {-volume.height / 2, volume.height / 2}) points.push_back({p.x, y, p.z});
  return points;
}

bool isInside(const Volume& volume, Vec3f p) {
  const float around = std::sqrt(p.x * p.x + p.z * p.z), half = volume.height / 2;
  switch (volume.shape) {
    case Kind::box:
      return std::abs(p.x) < volume.size.x / 2 && std::abs(p.y) < volume.size.y / 2 &&
             std::abs(p.z) < volume.size.z / 2;
    case Kind::sphere:
      return length(p) < volume.radius;
    case Kind::cylinder:
      return around < volume.radius && std::abs(p.y) < half;
    case Kind::cone:
      return p.y > -half && around < volume.radius * (half - p.y) / volume.height;
    case Kind::capsule:
      return length({p.x, std::max(std::abs(p.y) - half, 0.0f), p.z}) < volume.radius;
    case Kind::torus:
      return std::hypot(around - volume.radius, p.y) < volume.tuberadius;
  }
  return false;
}

}  // namespace

TEST(Shapes, DistancesAreThoseOfTheSurface) {
  for (const Kind kind : kKinds) {
    const Volume volume = volumeOf(kind);
    const auto obstacle = made(volumeCollider(volume));
    const std::vector<Vec3f> surface = surfacePoints(volume);
    for (const Vec3f p : randomPoints(200, 1)) {
      float nearest = 1e9f;
      for (const Vec3f q : surface) nearest = std::min(nearest, length(p - q));
      const float gap = gapAt(*obstacle, p);
      EXPECT_EQ(gap < 0, isInside(volume, p)) << static_cast<int>(kind);
      // the nearest of the points is no nearer than the surface, and at most half a cell further
      EXPECT_LE(std::abs(gap), nearest + 1e-3f) << static_cast<int>(kind);
      EXPECT_GE(std::abs(gap), nearest - 0.03f) << static_cast<int>(kind);
    }
  }
}

TEST(Shapes, NormalsAreTheSlopeOfTheDistance) {
  for (const bool inside : {false, true})
    for (const Kind kind : kKinds) {
      const Mat4d place = placed({0.3f, -0.2f, 0.1f}, {20, 40, 70});
      const auto obstacle = made(volumeCollider(volumeOf(kind, place), inside));
      int steady = 0;
      for (const Vec3f p : randomPoints(200, 1)) {
        const Touch touch = touches(*obstacle, p, 100)[0];
        EXPECT_NEAR(length(touch.normal), 1, 1e-5f);
        Vec3f slope;
        bool smooth = true;
        for (int k = 0; k < 3; ++k) {
          Vec3f step;
          step[k] = 2e-3f;
          const Touch ahead = touches(*obstacle, p + step, 100)[0],
                      back = touches(*obstacle, p - step, 100)[0];
          slope[k] = (ahead.gap - back.gap) / 4e-3f;
          smooth =
              smooth && dot(ahead.normal, touch.normal) > 0.999f && dot(back.normal, touch.normal) > 0.999f;
        }
        if (!smooth) continue;  // as near as this to a middle plane
        ++steady;
        expectNear(slope, touch.normal, 2e-3f);
      }
      EXPECT_GT(steady, 150);
    }
}

TEST(Shapes, PlaneTurnsAndMovesWithItsKeys) {
  Collider floor;
  floor.point = {0, 1, 0};
  floor.normal = {0, 2, 0};
  floor.translate.keys = {{1, {0, 0, 0}}, {25, {0, 3, 0}}};
  floor.rotate.keys = {{1, {0, 0, 0}}, {25, {0, 0, 90}}};
  const auto obstacle = made(floor);
  EXPECT_EQ(gapAt(*obstacle, {5, 1.5f, 2}), 0.5f);
  ASSERT_TRUE(obstacle->move(1, 1.25, 0.25f / 24).ok());
  // three metres a second up, a quarter turn a second about z
  expectNear(touches(*obstacle, {2, 1.2f, 0}, 1)[0].velocity, {0, 3 + 2 * 1.5707963f, 0}, 0.03f);
  ASSERT_TRUE(obstacle->move(25, 25.25, 0.25f / 24).ok());
  const Touch touch = touches(*obstacle, {-2, 7, 1}, 3)[0];
  expectNear(touch.normal, {-1, 0, 0}, 1e-6f);
  EXPECT_NEAR(touch.gap, 2, 1e-6f);
  expectNear(touch.velocity, {0, 0, 0}, 1e-12f);
  EXPECT_TRUE(touches(*obstacle, {-2, 7, 1}, 1).empty());
  // in one step through the plane
  EXPECT_EQ(touches(*obstacle, {-2, 7, 1}, 1, {3, 0, 0}).size(), 1u);
  EXPECT_TRUE(touches(*obstacle, {-2, 7, 1}, 1, {-3, 0, 0}).empty());
}

TEST(Shapes, ABoxContainerHasAWallForEachSide) {
  Volume volume = volumeOf(Kind::box);
  volume.size = {2, 2, 2};
  const auto obstacle = made(volumeCollider(volume, true));
  EXPECT_TRUE(touches(*obstacle, {}, 0.5f).empty());
  const std::vector<Touch> corner = touches(*obstacle, {0.9f, -0.95f, 0.8f}, 0.3f);
  ASSERT_EQ(corner.size(), 3u);
  expectNear(corner[0].normal, {0, 1, 0}, 0);
  expectNear(corner[1].normal, {-1, 0, 0}, 0);
  expectNear(corner[2].normal, {0, 0, -1}, 0);
  EXPECT_NEAR(corner[0].gap, 0.05f, 1e-6f);
  EXPECT_NEAR(corner[1].gap, 0.1f, 1e-6f);
  EXPECT_NEAR(corner[2].gap, 0.2f, 1e-6f);
  // outside of it, and on the way out
  EXPECT_NEAR(touches(*obstacle, {0, 1.5f, 0}, 0.1f).at(0).gap, -0.5f, 1e-6f);
  const std::vector<Touch> leaving = touches(*obstacle, {0.5f, 0, 0}, 0.1f, {1, 0.5f, 0});
  ASSERT_EQ(leaving.size(), 1u);
  EXPECT_NEAR(leaving[0].gap, 0.5f, 1e-6f);
  // solid, an edge is one touch
  EXPECT_EQ(touches(*made(volumeCollider(volume)), {1.1f, 1.1f, 0}, 0.3f).size(), 1u);
}

TEST(Shapes, ACylinderContainerHasASideAndEnds) {
  const auto obstacle = made(volumeCollider(volumeOf(Kind::cylinder), true));
  const std::vector<Touch> rim = touches(*obstacle, {0.45f, -0.38f, 0}, 0.1f);
  ASSERT_EQ(rim.size(), 2u);
  expectNear(rim[0].normal, {0, 1, 0}, 0);
  expectNear(rim[1].normal, {-1, 0, 0}, 0);
  EXPECT_NE(rim[0].feature, rim[1].feature);
}

TEST(Shapes, FastSpheresAreCaughtBeforeThinWalls) {
  Volume wall = volumeOf(Kind::box);
  wall.size = {2, 2, 0.01f};
  const auto obstacle = made(volumeCollider(wall));
  const Vec3f start{0.1f, 0.2f, 1};
  EXPECT_TRUE(touches(*obstacle, start, 0.05f).empty());
  EXPECT_TRUE(touches(*obstacle, start, 0.05f, {0, 0, 3}).empty());
  const std::vector<Touch> ahead = touches(*obstacle, start, 0.05f, {0.3f, 0, -3});
  ASSERT_EQ(ahead.size(), 1u);
  expectNear(ahead[0].normal, {0, 0, 1}, 1e-6f);
  EXPECT_NEAR(ahead[0].gap, 0.995f, 1e-4f);
  // through the hole of a torus, and into its tube
  const auto torus = made(volumeCollider(volumeOf(Kind::torus)));
  EXPECT_TRUE(touches(*torus, {0, 2, 0}, 0.05f, {0, -4, 0}).empty());
  EXPECT_EQ(touches(*torus, {0.5f, 2, 0}, 0.05f, {0, -4, 0}).size(), 1u);
}

TEST(Shapes, AWallThatComesFastIsMetAsIfTheSphereDid) {
  Volume wall = volumeOf(Kind::box);
  wall.size = {2, 2, 0.01f};
  Collider collider = volumeCollider(wall);
  collider.translate.keys = {{1, {0, 0, 0}}, {2, {0, 0, 1}}};
  const auto obstacle = made(collider, 2);
  const std::vector<Touch> met = touches(*obstacle, {0, 0, 0.5f}, 0.05f);
  ASSERT_EQ(met.size(), 1u);
  expectNear(met[0].velocity, {0, 0, 24}, 1e-3f);
  EXPECT_TRUE(touches(*obstacle, {0, 0, 0.5f}, 0.05f, {0, 0, 1}).empty());  // it goes along
  const Bounds bounds = obstacle->bounds();
  EXPECT_NEAR(bounds.lo.z, -0.005f, 1e-6f);
  EXPECT_NEAR(bounds.hi.z, 1.005f, 1e-6f);
}

TEST(Shapes, ScaleGoesIntoSizes) {
  const double scale[3] = {2, 3, 4};
  Volume box = volumeOf(Kind::box, composeTransform({}, {0, 90, 0}, scale));
  box.size = {1, 1, 1};
  expectNear(made(volumeCollider(box))->bounds().hi, {2, 1.5f, 1}, 1e-5f);
  const Volume sphere = volumeOf(Kind::sphere, composeTransform({}, {}, scale));
  EXPECT_EQ(
      makeObstacle(volumeCollider(sphere)).status().message(),
      "collider \"c\" is not possible: a sphere must have the same scale along x and z, but has 2 and 4");
  Volume flat = volumeOf(Kind::box);
  flat.size.y = 0;
  EXPECT_EQ(makeObstacle(volumeCollider(flat)).status().message(),
            "collider \"c\" is not possible: the sizes of a box must be above 0");
}

}  // namespace repose
