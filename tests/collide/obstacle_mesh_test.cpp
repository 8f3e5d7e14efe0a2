// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Triangle meshes and heightfields: against exact shapes, in corners, fast, deforming, and bad ones.
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "obstacle_fixtures.h"

namespace repose {

namespace {

Geometry roundMesh(int divisions) {
  Shape shape;
  shape.divisions = {2 * divisions, divisions, 1};
  return makeSphere(shape);
}

Geometry boxMesh(Vec3f size, int divisions = 3) {
  Shape shape;
  shape.size = size;
  shape.divisions = {divisions, divisions, divisions};
  return makeBox(shape);
}

Geometry moved(Geometry geometry, const Mat4d& place) {
  for (Vec3f& p : geometry.points) p = transformPoint(place, p);
  return geometry;
}

Geometry gridMesh(Vec3f size, int divisions) {
  Shape shape;
  shape.size = size;
  shape.divisions = {divisions, divisions, 1};
  return makeGrid(shape);
}

// Two meshes as one.
Geometry joined(Geometry a, const Geometry& b) {
  const auto offset = static_cast<std::int32_t>(a.points.size());
  a.points.insert(a.points.end(), b.points.begin(), b.points.end());
  a.face_counts.insert(a.face_counts.end(), b.face_counts.begin(), b.face_counts.end());
  for (const std::int32_t p : b.face_indices) a.face_indices.push_back(p + offset);
  return a;
}

// Points by a formula of the frame.
class Formula : public Motion {
 public:
  Formula(std::vector<Vec3f> rest, std::function<Vec3f(Vec3f, double)> at)
      : rest_(std::move(rest)), at_(std::move(at)) {}
  Status positionsAt(double frame, std::vector<Vec3f>& points) override {
    points.clear();
    for (const Vec3f p : rest_) points.push_back(at_(p, frame));
    return {};
  }

 private:
  std::vector<Vec3f> rest_;
  std::function<Vec3f(Vec3f, double)> at_;
};

Collider deforming(const Geometry& geometry, std::function<Vec3f(Vec3f, double)> at) {
  Collider collider = meshCollider(geometry);
  collider.motion = std::make_shared<Formula>(geometry.points, std::move(at));
  return collider;
}

Collider heightfield(int columns, int rows, const std::function<float(float, float)>& height) {
  Collider collider;
  collider.name = "c";
  collider.shape = Collider::Shape::heightfield;
  collider.columns = columns;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const float x = 2.0f * i / (columns - 1) - 1, z = 2.0f * j / (rows - 1) - 1;
      collider.geometry.points.push_back({x, height(x, z), z});
    }
  return collider;
}

}  // namespace

TEST(Mesh, ARoundMeshIsNearlyASphere) {
  // 64 rows: a chord of the great circle is off by 0.5 (1 - cos(pi / 128)) = 1.5e-4 m, twice that in a face
  const auto mesh = made(meshCollider(roundMesh(64)));
  for (const Vec3f p : randomPoints(2000, 1)) {
    const Touch touch = touches(*mesh, p, 100).at(0);
    EXPECT_NEAR(touch.gap, length(p) - 0.5f, 5e-4f);
    if (length(p) > 0.2f) {
      EXPECT_GT(dot(touch.normal, p) / length(p), 0.998f);
    }
  }
}

TEST(Mesh, ABoxOfTrianglesIsABox) {
  const Mat4d place = placed({0.2f, 0.1f, -0.3f}, {30, 50, 10});
  Volume volume;
  volume.size = {1, 0.6f, 1.4f};
  volume.place = place;
  for (const bool inside : {false, true}) {
    const auto box = made(volumeCollider(volume, inside));
    const auto mesh = made(meshCollider(moved(boxMesh(volume.size), place), inside));
    for (const Vec3f p : randomPoints(2000, 1)) {
      const std::vector<Touch> of_box = touches(*box, p, 0.2f), of_mesh = touches(*mesh, p, 0.2f);
      // outside a container its walls are planes, those of a mesh end
      if (inside && !of_box.empty() && of_box[0].gap < 0) continue;
      ASSERT_EQ(of_box.size(), of_mesh.size()) << p.x << " " << p.y << " " << p.z;
      for (std::size_t k = 0; k < of_box.size(); ++k) {
        EXPECT_NEAR(of_box[k].gap, of_mesh[k].gap, 2e-6f);
        // near a middle plane inside, either wall may be the nearest
        if (of_box[k].gap > -0.1f) {
          EXPECT_GT(dot(of_box[k].normal, of_mesh[k].normal), 0.999f);
        }
      }
    }
  }
}

TEST(Mesh, AFlatFloorIsOneTouchWhateverItsTriangles) {
  const auto floor = made(meshCollider(gridMesh({2, 2, 0}, 17)));
  for (const Vec3f p : randomPoints(500, 0.9f)) {
    const std::vector<Touch> found = touches(*floor, {p.x, 0.05f, p.z}, 0.2f);
    ASSERT_EQ(found.size(), 1u);
    expectNear(found[0].normal, {0, 1, 0}, 1e-6f);
    EXPECT_NEAR(found[0].gap, 0.05f, 1e-6f);
  }
  // from below it is a ceiling
  expectNear(touches(*floor, {0.1f, -0.05f, 0.1f}, 0.2f).at(0).normal, {0, -1, 0}, 1e-6f);
}

TEST(Mesh, AConcaveCornerIsTwoTouches) {
  const Geometry floor = gridMesh({2, 2, 0}, 4), wall = moved(floor, placed({1, 1, 0}, {0, 0, 90}));
  const auto mesh = made(meshCollider(joined(floor, wall)));
  const std::vector<Touch> corner = touches(*mesh, {0.9f, 0.08f, 0.3f}, 0.2f);
  ASSERT_EQ(corner.size(), 2u);
  expectNear(corner[0].normal, {0, 1, 0}, 1e-6f);
  expectNear(corner[1].normal, {-1, 0, 0}, 1e-6f);
  EXPECT_NE(corner[0].feature, corner[1].feature);
  // the same when the walls share their points: the inside of a box
  const auto box = made(meshCollider(boxMesh({2, 2, 2}), true));
  EXPECT_EQ(touches(*box, {0.9f, -0.92f, 0.85f}, 0.2f).size(), 3u);
}

TEST(Mesh, FastSpheresDoNotPassThroughAThinWall) {
  const auto wall = made(meshCollider(boxMesh({2, 2, 0.01f}, 5)));
  const auto sheet = made(meshCollider(moved(gridMesh({2, 2, 0}, 5), placed({}, {90, 0, 0}))));
  for (const Vec3f p : randomPoints(300, 0.6f)) {
    const Vec3f start{p.x, p.y, 1 + 0.2f * p.z}, motion{0.1f, -0.2f, -4};
    EXPECT_TRUE(touches(*wall, start, 0.05f).empty());
    for (const Obstacle* obstacle : {wall.get(), sheet.get()}) {
      const std::vector<Touch> caught = touches(*obstacle, start, 0.05f, motion);
      ASSERT_EQ(caught.size(), 1u);
      EXPECT_NEAR(caught[0].normal.z, 1, 1e-5f);
      EXPECT_NEAR(caught[0].gap, start.z, 0.006f);
      EXPECT_TRUE(touches(*obstacle, start, 0.05f, -motion).empty());
    }
    // an open mesh stops from the other side too
    EXPECT_NEAR(touches(*sheet, -start, 0.05f, -motion).at(0).normal.z, -1, 1e-5f);
  }
}

TEST(Mesh, WhoIsDeepInsideIsShownTheNearestWayOut) {
  const auto box = made(meshCollider(boxMesh({2, 2, 2})));
  const std::vector<Touch> deep = touches(*box, {0.1f, 0.5f, -0.2f}, 0.01f);
  ASSERT_EQ(deep.size(), 1u);
  expectNear(deep[0].normal, {0, 1, 0}, 1e-6f);
  EXPECT_NEAR(deep[0].gap, -0.5f, 1e-6f);
  const auto container = made(meshCollider(boxMesh({2, 2, 2}), true));
  EXPECT_TRUE(touches(*container, {0.1f, 0.5f, -0.2f}, 0.01f).empty());
  EXPECT_NEAR(touches(*container, {5, 0, 0}, 0.01f).at(0).gap, -4, 1e-5f);
  // random points in and around a shape with a hole: there is a touch exactly for those inside
  Shape ring;
  ring.divisions = {96, 48, 1};
  const auto torus = made(meshCollider(makeTorus(ring)));
  for (const Vec3f p : randomPoints(3000, 0.8f)) {
    const float away = std::hypot(std::hypot(p.x, p.z) - ring.radius, p.y);
    if (std::abs(away - ring.tuberadius) < 0.01f) continue;
    EXPECT_EQ(!touches(*torus, p, 1e-3f).empty(), away < ring.tuberadius);
  }
}

TEST(Mesh, DeformingPointsCarryTheirVelocity) {
  // a floor that rises by x metres a second at x, and stretches along z
  const auto at = [](Vec3f p, double frame) {
    const auto t = static_cast<float>((frame - 1) / 24);
    return Vec3f{p.x, p.y + p.x * t, p.z * (1 + t)};
  };
  const auto floor = made(deforming(gridMesh({2, 2, 0}, 8), at), 1.5);
  for (const Vec3f p : randomPoints(200, 0.9f)) {
    const std::vector<Touch> found = touches(*floor, {p.x, 0.05f, p.z}, 0.06f);
    ASSERT_EQ(found.size(), 1u);
    expectNear(found[0].velocity, {0, p.x, p.z}, 1e-4f);
  }
  // later it stands tilted: at frame 25 its height is x
  ASSERT_TRUE(floor->move(25, 25.5, 0.5f / 24).ok());
  EXPECT_NEAR(touches(*floor, {0.5f, 0.6f, 0}, 0.2f).at(0).gap, 0.1f * std::sqrt(0.5f), 1e-5f);
}

TEST(Mesh, ADeformingWallSweepsUpWhatItPasses) {
  const Geometry wall = moved(boxMesh({2, 2, 0.02f}), placed({0, 0, 0}));
  const auto at = [](Vec3f p, double frame) { return p + Vec3f{0, 0, static_cast<float>(frame - 1)}; };
  const auto mesh = made(deforming(wall, at), 2);
  const std::vector<Touch> met = touches(*mesh, {0.2f, 0.3f, 0.5f}, 0.05f);
  ASSERT_EQ(met.size(), 1u);
  expectNear(met[0].normal, {0, 0, 1}, 1e-5f);
  expectNear(met[0].velocity, {0, 0, 24}, 1e-3f);
  EXPECT_TRUE(touches(*mesh, {0.2f, 0.3f, 1.5f}, 0.05f).empty());
}

TEST(Mesh, SpotInAFrameThatIsNotFinite) {
  const auto at = [](Vec3f p, double frame) { return frame > 3 && p.x > 0 ? p * NAN : p; };
  const auto mesh = makeObstacle(deforming(gridMesh({2, 2, 0}, 2), at));
  ASSERT_TRUE(mesh.ok());
  EXPECT_TRUE((*mesh)->move(1, 2, 1).ok());
  const Status status = (*mesh)->move(2, 3.5, 1);
  EXPECT_EQ(status.code(), Code::bad_input);
  EXPECT_EQ(status.message(), "collider \"c\" has a position at frame 3.5, point 2, that is not finite");
}

TEST(Mesh, InsideOutAndFlatTrianglesAreMended) {
  Geometry geometry = boxMesh({2, 2, 2});
  std::reverse(geometry.face_indices.begin(), geometry.face_indices.end());
  geometry.face_counts.push_back(3);
  for (const int p : {0, 1, 0}) geometry.face_indices.push_back(p);
  EXPECT_GT(gapAt(*made(meshCollider(geometry)), {1.5f, 0, 0}), 0);
  geometry.face_counts.resize(0);
  geometry.face_indices.resize(0);
  EXPECT_EQ(makeObstacle(meshCollider(geometry)).status().message(),
            "collider \"c\" has no triangle with an area");
  EXPECT_EQ(makeObstacle(meshCollider(gridMesh({1, 1, 0}, 1), true)).status().message(),
            "collider \"c\" must be closed to keep bodies inside");
}

TEST(Mesh, AnyThreadGetsTheSameBits) {
  const auto mesh = made(meshCollider(roundMesh(40)));
  const std::vector<Vec3f> points = randomPoints(20000, 0.7f);
  const auto run = [&](bool parallel) {
    std::vector<Touch> all(points.size() * kMostTouches);
    const auto one = [&](std::size_t k) {
      mesh->touch(points[k], points[points.size() - 1 - k] * 0.3f, 0.1f, &all[k * kMostTouches]);
    };
    if (parallel)
      oneapi::tbb::parallel_for(std::size_t{0}, points.size(), one);
    else
      for (std::size_t k = 0; k < points.size(); ++k) one(k);
    return all;
  };
  const std::vector<Touch> alone = run(false), together = run(true);
  EXPECT_EQ(std::memcmp(alone.data(), together.data(), alone.size() * sizeof(Touch)), 0);
}

TEST(Heightfield, IsGroundForWhatIsAboveAndBelow) {
  const auto slope = made(heightfield(21, 11, [](float x, float) { return 0.5f * x; }));
  const Vec3f up = Vec3f{-0.5f, 1, 0} * (1 / std::sqrt(1.25f));
  for (const Vec3f p : randomPoints(500, 0.5f)) {
    const std::vector<Touch> found = touches(*slope, p, 2);
    ASSERT_GE(found.size(), 1u);
    EXPECT_NEAR(found[0].gap, dot(up, p), 1e-5f);
    expectNear(found[0].normal, up, 1e-4f);
    // however deep
    EXPECT_EQ(touches(*slope, p, 1e-4f).size(), dot(up, p) < 0 ? 1u : 0u);
  }
  EXPECT_TRUE(touches(*slope, {-2, -1.2f, 0}, 0.5f).empty());  // beside it
  EXPECT_EQ(touches(*slope, {0, 3, 0}, 0.1f, {0, -5, 0}).size(), 1u);
}

TEST(Heightfield, AValleyIsTwoTouches) {
  const auto valley = made(heightfield(21, 11, [](float x, float) { return std::abs(x); }));
  const std::vector<Touch> found = touches(*valley, {0.01f, 0.2f, 0.13f}, 0.3f);
  ASSERT_EQ(found.size(), 2u);
  const float s = std::sqrt(0.5f);
  expectNear(found[0].normal, {-s, s, 0}, 1e-4f);
  expectNear(found[1].normal, {s, s, 0}, 1e-4f);
}

}  // namespace repose
