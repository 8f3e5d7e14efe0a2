// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Solids at every kind of collider.
#include "tests/collide/obstacle_fixtures.h"
#include "tests/collide/solid_fixtures.h"

namespace repose {

namespace {

struct Met {
  int count = 0;
  Manifold manifold[kMostManifolds];
  Vec3f velocity[kMostManifolds];

  float deepestGap() const {
    float least = 1e30f;
    for (int k = 0; k < count; ++k) least = std::min(least, deepest(manifold[k]));
    return least;
  }
};

Met meet(const Convex& solid, const Pose& pose, const Obstacle& obstacle, float reach = 0.05f,
         Vec3f motion = {}) {
  Met met;
  met.count = collide(solid, pose, motion, obstacle, reach, met.manifold, met.velocity);
  for (int k = 0; k < met.count; ++k) {
    EXPECT_GT(met.manifold[k].count, 0);
    for (int p = 0; p < met.manifold[k].count; ++p) {
      const ManifoldPoint& point = met.manifold[k].point[p];
      EXPECT_NEAR(dot(met.manifold[k].normal, point.a - point.b), point.gap, 1e-5f);
    }
  }
  return met;
}

Pose at(Vec3f p, Quat q = {}) { return poseOf(p, normalized(q)); }

Collider ground() {
  Collider plane;
  plane.name = "ground";
  plane.shape = Collider::Shape::plane;
  plane.normal = {0, 1, 0};
  return plane;
}

Volume box(Vec3f size, Vec3f where) {
  Volume volume;
  volume.shape = Volume::Shape::box;
  volume.size = size;
  volume.place = placed(where);
  return volume;
}

Geometry triangles(std::vector<Vec3f> points, std::vector<std::array<int, 3>> faces) {
  Geometry geometry;
  geometry.points = std::move(points);
  for (const auto& f : faces) {
    geometry.face_counts.push_back(3);
    for (const int p : f) geometry.face_indices.push_back(p);
  }
  return geometry;
}

// A floor of many triangles at y = 0.
Geometry floorMesh(int cells, float size) {
  std::vector<Vec3f> points;
  std::vector<std::array<int, 3>> faces;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i)
      points.push_back({size * (static_cast<float>(i) / static_cast<float>(cells) - 0.5f), 0,
                        size * (static_cast<float>(j) / static_cast<float>(cells) - 0.5f)});
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = j * (cells + 1) + i, b = a + 1, c = b + cells + 1, d = a + cells + 1;
      faces.push_back({a, d, c});
      faces.push_back({a, c, b});
    }
  return triangles(points, faces);
}

// A pyramid with its tip up at 0.
Geometry spike() {
  return triangles({{0, 0, 0}, {-1, -2, -1}, {1, -2, -1}, {1, -2, 1}, {-1, -2, 1}},
                   {{0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {0, 1, 4}, {1, 2, 3}, {1, 3, 4}});
}

}  // namespace

TEST(SolidColliders, EverySolidRestsOnAPlane) {
  const auto plane = made(ground());
  ASSERT_TRUE(plane);
  const float low = 0.01f;
  EXPECT_NEAR(meet(makeSphere(0.5f), at({0, 0.5f - low, 0}), *plane).deepestGap(), -low, 1e-6f);
  Met met = meet(makeBox(Vec3f{1, 1, 1}), at({3, 0.5f - low, 0}), *plane);
  ASSERT_EQ(met.count, 1);
  EXPECT_EQ(met.manifold[0].count, 4);
  EXPECT_NEAR(met.deepestGap(), -low, 1e-6f);
  met = meet(makeCapsule(0.25f, 1), at({0, 0.25f - low, 0}, {0, 0, 0.70710678f, 0.70710678f}), *plane);
  ASSERT_EQ(met.count, 1);
  EXPECT_EQ(met.manifold[0].count, 2);
  EXPECT_NEAR(met.deepestGap(), -low, 1e-6f);
  met = meet(makeCylinder(0.5f, 1), at({0, 0.5f - low, 0}), *plane);
  ASSERT_EQ(met.count, 1);
  EXPECT_EQ(met.manifold[0].count, 4);
  met = meet(makeCylinder(0.5f, 1), at({0, 0.5f - low, 0}, {0.1f, 0, 0.70710678f, 0.70710678f}), *plane);
  ASSERT_GE(met.count, 1);
  // lying and turned a little: the lowest place is exact
  const Pose lying = at({0, 0.5f - low, 0}, {0.1f, 0, 0.70710678f, 0.70710678f});
  EXPECT_NEAR(met.deepestGap(), supportAt(makeCylinder(0.5f, 1), lying, {0, -1, 0}).y, 1e-4f);
  EXPECT_EQ(meet(makeBox(Vec3f{1, 1, 1}), at({0, 0.6f, 0}), *plane).count, 0);
}

TEST(SolidColliders, BoxOnASmallBoxDoesNotSinkIn) {
  const auto small = made(volumeCollider(box({0.2f, 0.2f, 0.2f}, {0, 0, 0})));
  ASSERT_TRUE(small);
  const Met met = meet(makeBox(Vec3f{2, 1, 2}), at({0.3f, 0.59f, 0.2f}), *small);
  ASSERT_EQ(met.count, 1);
  EXPECT_EQ(met.manifold[0].count, 4);
  EXPECT_NEAR(met.manifold[0].normal.y, 1, 1e-5f);
  EXPECT_NEAR(met.deepestGap(), -0.01f, 1e-5f);
}

TEST(SolidColliders, BoxOnAConesTip) {
  Volume cone;
  cone.shape = Volume::Shape::cone;
  cone.radius = 0.3f, cone.height = 1;
  const auto obstacle = made(volumeCollider(cone));
  ASSERT_TRUE(obstacle);
  const Met met = meet(makeBox(Vec3f{2, 1, 2}), at({0.3f, 0.99f, 0.2f}), *obstacle);
  ASSERT_EQ(met.count, 1);
  EXPECT_NEAR(met.manifold[0].normal.y, 1, 1e-4f);
  EXPECT_NEAR(met.deepestGap(), -0.01f, 1e-4f);
}

TEST(SolidColliders, BoxInTheCornerOfAContainer) {
  const auto container = made(volumeCollider(box({4, 4, 4}, {}), true));
  ASSERT_TRUE(container);
  const Met met = meet(makeBox(Vec3f{1, 1, 1}), at({-1.51f, -1.52f, 0}), *container);
  ASSERT_EQ(met.count, 2);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(met.manifold[k].count, 4);
    const bool floor = met.manifold[k].normal.y > 0.99f;
    EXPECT_NEAR(deepest(met.manifold[k]), floor ? -0.02f : -0.01f, 1e-5f);
  }
}

TEST(SolidColliders, BoxOnATorus) {
  Volume torus;
  torus.shape = Volume::Shape::torus;
  torus.radius = 1, torus.tuberadius = 0.25f;
  const auto obstacle = made(volumeCollider(torus));
  ASSERT_TRUE(obstacle);
  const Met met = meet(makeBox(Vec3f{4, 1, 4}), at({0, 0.74f, 0}), *obstacle);
  ASSERT_GE(met.count, 1);
  EXPECT_NEAR(met.deepestGap(), -0.01f, 2e-3f);
  EXPECT_GT(met.manifold[0].normal.y, 0.98f);
}

TEST(SolidColliders, BoxOnAMeshFloorFeelsNoSeams) {
  for (const int cells : {1, 7, 40}) {
    const auto floor = made(meshCollider(floorMesh(cells, 4)));
    ASSERT_TRUE(floor);
    RandomPlaces places(2);
    for (int k = 0; k < 20; ++k) {
      const Vec3f where = places.vector(1);
      const Met met =
          meet(makeBox(Vec3f{1, 1, 1}), at({where.x, 0.49f, where.z}, {0, where.y, 0, 1}), *floor);
      ASSERT_EQ(met.count, 1) << cells << " " << k;
      EXPECT_EQ(met.manifold[0].count, 4);
      EXPECT_NEAR(met.manifold[0].normal.y, 1, 1e-5f);
      EXPECT_NEAR(met.deepestGap(), -0.01f, 1e-5f);
    }
  }
}

TEST(SolidColliders, SolidsOnAMeshSpike) {
  const auto obstacle = made(meshCollider(spike()));
  ASSERT_TRUE(obstacle);
  const Convex solids[] = {makeBox(Vec3f{1, 1, 1}), makeCylinder(0.5f, 1), testHull(40, 0.5f)};
  for (const Convex& solid : {solids[0], solids[1]}) {
    const Met met = meet(solid, at({0.1f, 0.49f, 0.05f}), *obstacle);
    ASSERT_GE(met.count, 1);
    EXPECT_NEAR(met.manifold[0].normal.y, 1, 1e-3f);
    EXPECT_NEAR(met.deepestGap(), -0.01f, 1e-4f);
  }
  const float low = -solids[2].support({0, -1, 0}).y;
  EXPECT_LT(meet(solids[2], at({0, low - 0.02f, 0}), *obstacle).deepestGap(), 0);
}

// The long edge of a box across the ridge of a mesh roof: no corner of either is near the other.
TEST(SolidColliders, EdgeAcrossARidge) {
  const auto roof =
      made(meshCollider(triangles({{-2, 0, 0}, {2, 0, 0}, {-2, -2, 2}, {2, -2, 2}, {-2, -2, -2}, {2, -2, -2}},
                                  {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}})));
  ASSERT_TRUE(roof);
  const Pose pose = at({0.3f, 0.70710678f - 0.01f, 0.1f}, {0, 0, 0.38268343f, 0.92387953f});
  const Met met = meet(makeBox(Vec3f{1, 1, 3}), pose, *roof);
  ASSERT_GE(met.count, 1);
  EXPECT_NEAR(met.deepestGap(), -0.01f, 1e-4f);
  EXPECT_NEAR(met.manifold[0].normal.y, 1, 1e-3f);
}

TEST(SolidColliders, FastBoxBeforeAMesh) {
  const auto floor = made(meshCollider(floorMesh(3, 4)));
  ASSERT_TRUE(floor);
  const Met met = meet(makeBox(Vec3f{0.1f, 0.1f, 0.1f}), at({0.2f, 0.85f, 0.1f}), *floor, 1);
  ASSERT_GE(met.count, 1);
  EXPECT_NEAR(met.deepestGap(), 0.8f, 1e-5f);
}

TEST(SolidColliders, SurfacesBringTheirVelocity) {
  Collider moving = volumeCollider(box({4, 1, 4}, {0, -0.5f, 0}));
  moving.translate.keys = {{1, {0, 0, 0}}, {2, {0.1f, 0, 0}}};
  const auto solid = made(moving, 2);
  ASSERT_TRUE(solid);
  Met met = meet(makeBox(Vec3f{1, 1, 1}), at({0, 0.49f, 0}), *solid);
  ASSERT_EQ(met.count, 1);
  EXPECT_NEAR(met.velocity[0].x, 2.4f, 1e-4f);

  Collider mesh = meshCollider(floorMesh(5, 4));
  mesh.translate.keys = moving.translate.keys;
  const auto surface = made(mesh, 2);
  ASSERT_TRUE(surface);
  met = meet(makeBox(Vec3f{1, 1, 1}), at({0, 0.49f, 0}), *surface);
  ASSERT_EQ(met.count, 1);
  EXPECT_NEAR(met.velocity[0].x, 2.4f, 1e-4f);
}

}  // namespace repose
