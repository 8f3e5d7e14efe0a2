// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Sand in pictures, and the colliders that hold it.
#include <gtest/gtest.h>

#include <filesystem>

#include "cache/abc_writer.h"
#include "render/cache_source.h"
#include "render/draw_colliders.h"
#include "render/ray_scene.h"
#include "render/trace.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

Collider volume(Volume::Shape shape, Vec3f at, bool inside = false) {
  Collider collider;
  collider.shape = Collider::Shape::volume;
  collider.volume.shape = shape;
  collider.inside = inside;
  collider.point = at;
  for (int k = 0; k < 3; ++k) collider.volume.place.m[k][3] = at[k];
  return collider;
}

RenderScene drawn(const Collider& collider, double frame = 1) {
  Scene scene;
  scene.colliders.push_back(collider);
  RenderScene picture;
  const Status added = addColliders(scene, frame, {{-1, -1, -1}, {1, 1, 1}}, picture);
  EXPECT_TRUE(added.ok()) << added.message();
  return picture;
}

std::unique_ptr<RayScene> rays(RenderScene scene) {
  auto made = RayScene::create(std::move(scene), {});
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

TEST(Sand, TonesAreStableAndSlight) {
  constexpr std::uint64_t kCount = 10000;
  double sum = 0, squares = 0;
  for (std::uint64_t id = 0; id < kCount; ++id) {
    const float tone = sandTone(id, kCount);
    EXPECT_EQ(tone, sandTone(id, kCount));
    EXPECT_GT(tone, 0.5f);
    EXPECT_LT(tone, 1.5f);
    sum += tone, squares += tone * tone;
  }
  const double mean = sum / kCount, deviation = std::sqrt(squares / kCount - mean * mean);
  EXPECT_NEAR(mean, 1, 0.02);
  EXPECT_GT(deviation, 0.08);
  EXPECT_LT(deviation, 0.25);
  // those that came together are alike on average: layers
  const auto meanOf = [&](std::uint64_t first) {
    double part = 0;
    for (std::uint64_t id = first; id < first + 100; ++id) part += sandTone(id, kCount);
    return part / 100;
  };
  EXPECT_GT(std::abs(meanOf(450) - meanOf(1450)), 0.2);
}

TEST(Sand, AGrainKeepsItsToneAsOthersComeAndGo) {
  const std::string path = (fs::path(testing::TempDir()) / "repose_sand_tone.abc").string();
  AbcOptions abc;
  auto writer = AbcWriter::create(path, abc);
  ASSERT_TRUE(writer.ok());
  const int sand = (*writer)->addPoints("sand", PointWidths::per_point);
  const std::vector<std::vector<std::uint64_t>> ids = {{0, 1, 2}, {1, 2, 5}, {2, 5, 9, 12}};
  for (std::size_t f = 0; f < ids.size(); ++f) {
    std::vector<Vec3f> places;
    for (const std::uint64_t id : ids[f]) places.push_back({static_cast<float>(id), 0, 0});
    const std::vector<float> widths(places.size(), 0.5f);
    ASSERT_TRUE((*writer)->setPoints(sand, 0, places, {}, ids[f], widths).ok());
    ASSERT_TRUE((*writer)->endFrame(static_cast<int>(f) + 1).ok());
  }
  ASSERT_TRUE((*writer)->close().ok());
  const auto source = CacheSource::open(path, "");
  ASSERT_TRUE(source.ok()) << source.status().message();
  for (std::size_t f = 0; f < ids.size(); ++f) {
    std::size_t lost = 0;
    const auto frame = (*source)->load(static_cast<int>(f) + 1, lost);
    ASSERT_TRUE(frame.ok());
    const RenderSpheres& spheres = frame->spheres.at(0);
    ASSERT_EQ(spheres.tones.size(), ids[f].size());
    for (std::size_t k = 0; k < ids[f].size(); ++k) EXPECT_EQ(spheres.tones[k], sandTone(ids[f][k], 13));
  }
  fs::remove(path);
}

TEST(Sand, TheToneIsOnTheGrain) {
  RenderScene scene;
  scene.spheres.push_back({{{0, 0, 0}, {3, 0, 0}}, {1, 1}, {}, {0.5f, 0.4f, 0.3f}, {1.0f, 0.5f}});
  const auto both = rays(std::move(scene));
  Surface light, dark;
  ASSERT_TRUE(both->nearest({{0, 0, 5}, {0, 0, -1}}, 100, light));
  ASSERT_TRUE(both->nearest({{3, 0, 5}, {0, 0, -1}}, 100, dark));
  EXPECT_EQ(light.albedo, (Color{0.5f, 0.4f, 0.3f}));
  EXPECT_EQ(dark.albedo, (Color{0.25f, 0.2f, 0.15f}));
}

TEST(Colliders, VolumesStandWhereTheyAre) {
  const Vec3f at{1, 2, 3};
  struct Case {
    Volume::Shape shape;
    float top, side;  // of the bounds above and beside the centre
  };
  for (const Case& c : {Case{Volume::Shape::box, 0.5f, 0.5f}, Case{Volume::Shape::sphere, 0.5f, 0.5f},
                        Case{Volume::Shape::cylinder, 0.5f, 0.5f}, Case{Volume::Shape::cone, 0.5f, 0.5f},
                        Case{Volume::Shape::capsule, 1.0f, 0.5f}, Case{Volume::Shape::torus, 0.1f, 0.6f}}) {
    const Bounds bounds = boundsOf(drawn(volume(c.shape, at)));
    EXPECT_NEAR(bounds.hi.y, at.y + c.top, 1e-5f);
    EXPECT_NEAR(bounds.lo.y, at.y - c.top, 1e-5f);
    EXPECT_NEAR(bounds.hi.x, at.x + c.side, 1e-5f);
    EXPECT_NEAR(bounds.lo.z, at.z - c.side, 1e-5f);
  }
}

// Faces look outwards: a ray from the middle leaves through a back, one from far away meets a front.
TEST(Colliders, VolumesAreClosed) {
  for (const auto shape : {Volume::Shape::box, Volume::Shape::sphere, Volume::Shape::cylinder,
                           Volume::Shape::cone, Volume::Shape::capsule}) {
    const RenderScene picture = drawn(volume(shape, {}));
    const RenderMesh& mesh = picture.meshes.at(0);
    double six = 0;
    for (const Triangle& t : mesh.triangles)
      six += dot(mesh.points[t[0]], cross(mesh.points[t[1]], mesh.points[t[2]]));
    EXPECT_GT(six / 6, 0.2);
    const auto closed = rays(picture);
    for (const Vec3f d : {Vec3f{1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, -1, 0}, Vec3f{0, 0, 1}})
      EXPECT_TRUE(closed->blocked({{0.01f, 0.02f, 0.015f}, d}));
  }
}

TEST(Colliders, MoveByTheirKeys) {
  Collider box = volume(Volume::Shape::box, {0, 1, 0});
  box.volume.size = {2, 0.2f, 0.4f};
  box.translate.keys = {{1, {0, 0, 0}}, {11, {10, 0, 0}}};
  box.rotate.keys = {{1, {0, 0, 0}}, {11, {0, 0, 90}}};
  Bounds bounds = boundsOf(drawn(box, 1));
  EXPECT_NEAR(bounds.hi.x, 1, 1e-5f);
  bounds = boundsOf(drawn(box, 11));  // turned upright about its own middle, ten metres on
  EXPECT_NEAR(bounds.lo.x, 9.9f, 1e-4f);
  EXPECT_NEAR(bounds.hi.x, 10.1f, 1e-4f);
  EXPECT_NEAR(bounds.hi.y, 2, 1e-4f);
  EXPECT_NEAR(bounds.lo.y, 0, 1e-4f);
}

TEST(Colliders, OneLooksIntoAContainer) {
  RenderScene picture = drawn(volume(Volume::Shape::box, {}, true));
  EXPECT_EQ(picture.curves.at(0).counts.size(), 12u);  // the edges of a box
  picture.curves.clear();
  const auto container = rays(std::move(picture));
  Surface wall;
  ASSERT_TRUE(container->nearest({{0.1f, 0.2f, 5}, {0, 0, -1}}, 100, wall));
  EXPECT_NEAR(wall.position.z, -0.5f, 1e-3f);  // the far wall
  EXPECT_NEAR(wall.normal.z, 1, 1e-5f);
  EXPECT_FALSE(container->nearest({{0.1f, 0.2f, 0}, {0, 0, -1}}, 100, wall, RayScene::Eye::light));
  EXPECT_FALSE(container->blocked({{0, 0, 0}, {0, 1, 0}}));
}

TEST(Colliders, ALevelPlaneIsTheGround) {
  Scene scene;
  EXPECT_FALSE(groundHeight(scene, 1).has_value());
  Collider plane;
  plane.point = {0, 0.25f, 0};
  scene.colliders.push_back(plane);
  EXPECT_EQ(groundHeight(scene, 1), 0.25f);
  RenderScene picture;
  ASSERT_TRUE(addColliders(scene, 1, {{-1, -1, -1}, {1, 1, 1}}, picture).ok());
  EXPECT_TRUE(picture.meshes.empty());
}

TEST(Colliders, ASlopeIsASquareOfItsPlane) {
  Collider slope;
  slope.point = {0, 1, 0};
  slope.normal = {0.6f, 0.8f, 0};
  const RenderScene picture = drawn(slope);
  const RenderMesh& mesh = picture.meshes.at(0);
  ASSERT_EQ(mesh.triangles.size(), 2u);
  for (const Vec3f p : mesh.points) EXPECT_NEAR(dot(p - slope.point, slope.normal), 0, 1e-5f);
  const Triangle& t = mesh.triangles[0];
  const Vec3f front = cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]);
  EXPECT_GT(dot(front, slope.normal), 0);
}

TEST(Colliders, AMissingFileIsNamed) {
  Scene scene;
  Collider field;
  field.shape = Collider::Shape::field;
  field.path = "no/such.vdb";
  scene.colliders.push_back(field);
  RenderScene picture;
  const Status added = addColliders(scene, 1, {}, picture);
  EXPECT_EQ(added.code(), Code::bad_input);
  EXPECT_NE(added.message().find("no/such.vdb"), std::string::npos);
}

}  // namespace
}  // namespace repose
