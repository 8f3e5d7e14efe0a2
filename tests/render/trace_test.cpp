// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/trace.h"

#include <gtest/gtest.h>

#include "render/normals.h"
#include "render/sampler.h"

namespace repose {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

float lightness(Color c) { return dot(c, {0.2126f, 0.7152f, 0.0722f}); }

RenderScene oneSphere(Vec3f center, float radius) {
  RenderSpheres spheres;
  spheres.points = {center};
  spheres.radii = {radius};
  spheres.color = {0.8f, 0.05f, 0.05f};
  RenderScene scene;
  scene.spheres.push_back(spheres);
  return scene;
}

RenderMesh square(float half, float y) {
  RenderMesh mesh;
  mesh.points = {{-half, y, half}, {half, y, half}, {half, y, -half}, {-half, y, -half}};
  mesh.triangles = triangulate({4}, {0, 1, 2, 3}, 4);
  mesh.color = {0.5f, 0.5f, 0.5f};
  return mesh;
}

TraceSettings small(int width = 96, int height = 64) {
  TraceSettings settings;
  settings.width = width;
  settings.height = height;
  settings.samples = 16;
  return settings;
}

Image mustTrace(RenderScene scene, const Camera& camera, const TraceSettings& settings) {
  auto image = trace(std::move(scene), camera, settings);
  EXPECT_TRUE(image) << image.status().message();
  return image ? *image : Image(settings.width, settings.height);
}

float largestDifference(const Image& a, const Image& b) {
  float largest = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) largest = std::max(largest, length(a.at(x, y) - b.at(x, y)));
  return largest;
}

// A sphere of radius r at distance d shows as a disc of radius r / sqrt(d^2 - r^2) over the tangent of the
// view.
TEST(Trace, SphereHasItsPlaceAndSize) {
  TraceSettings settings = small(200, 200);
  settings.floor.shown = false;
  const float r = 0.5f, d = 5;
  const Camera camera{{0, 0, d}, {0, 0, 0}, 30};
  const Image image = mustTrace(oneSphere({0, 0, 0}, r), camera, settings);
  double count = 0, sum_x = 0, sum_y = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x)
      if (image.at(x, y).x > 2 * image.at(x, y).z) ++count, sum_x += x + 0.5, sum_y += y + 0.5;
  const double radius = 100 * (r / std::sqrt(d * d - r * r)) / std::tan(radians(15));
  EXPECT_NEAR(std::sqrt(count / kPi), radius, 0.4);
  EXPECT_NEAR(sum_x / count, 100, 0.3);
  EXPECT_NEAR(sum_y / count, 100, 0.3);

  const Image moved = mustTrace(oneSphere({0.8f, 0.4f, 0}, r), camera, settings);
  const Vec3f place = View(camera, 200, 200).project({0.8f, 0.4f, 0});
  EXPECT_GT(place.x, 100 + radius);
  EXPECT_LT(place.y, 100);
  const Color inside = moved.at(static_cast<int>(place.x), static_cast<int>(place.y));
  EXPECT_GT(inside.x, 2 * inside.z);
  EXPECT_LT(moved.at(100, 100).x, 2 * moved.at(100, 100).z);
}

TEST(Trace, ShadowLiesAwayFromTheSun) {
  TraceSettings settings = small();
  const Camera from_above{{0, 12, 0.01f}, {0, 0, 0}, 40};
  const View view(from_above, settings.width, settings.height);
  const auto at = [&](const Image& image, float x) {
    const Vec3f place = view.project({x, 0, 0});
    return lightness(image.at(static_cast<int>(place.x), static_cast<int>(place.y)));
  };
  for (float side : {1.0f, -1.0f}) {
    settings.to_sun = {side, 1, 0};  // the shadow of a ball at height 1 falls one metre to the other side
    const Image image = mustTrace(oneSphere({0, 1.5f, 0}, 0.5f), from_above, settings);
    EXPECT_LT(at(image, -1.5f * side), 0.5f * at(image, 1.5f * side));
  }
}

// The edge of a shadow cast from two metres up: a small sun changes from light to dark within a hand's
// breadth.
TEST(Trace, LargerSunGivesSofterShadow) {
  const auto change_at_edge = [](float sun_size) {
    TraceSettings settings = small();
    settings.to_sun = {1, 1, 0};
    settings.sun_size = sun_size;
    RenderScene scene;
    scene.meshes.push_back(square(1, 2));
    const Camera from_above{{-2, 12, 0.01f}, {-2, 0, 0}, 25};
    const View view(from_above, settings.width, settings.height);
    const Image image = mustTrace(scene, from_above, settings);
    const auto at = [&](float x) {
      const Vec3f place = view.project({x, 0, 0});
      return lightness(image.at(static_cast<int>(place.x), static_cast<int>(place.y)));
    };
    return at(-3.15f) - at(-2.85f);
  };
  EXPECT_GT(change_at_edge(0.2f), 2 * change_at_edge(10));
  EXPECT_GT(change_at_edge(10), 0);
}

TEST(Trace, PixelsDoNotDependOnThreads) {
  RenderScene scene;
  RenderSpheres cloud;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const auto unit = [&](std::uint32_t k) { return sampling::unitFloat(sampling::hashBits(3 * i + k)); };
    cloud.points.push_back({2 * unit(0) - 1, unit(1), 2 * unit(2) - 1});
    cloud.radii.push_back(0.03f);
  }
  cloud.color = paletteColor(1);
  scene.spheres.push_back(cloud);
  scene.meshes.push_back(square(1, 0.5f));
  const Bounds bounds = boundsOf(scene);
  TraceSettings settings = small();
  settings.floor = floorBelow(bounds);
  const Camera camera = frameBounds(bounds, settings.width, settings.height);
  settings.threads = 1;
  const Image one = mustTrace(scene, camera, settings);
  for (int threads : {2, 0}) {
    settings.threads = threads;
    EXPECT_EQ(largestDifference(one, mustTrace(scene, camera, settings)), 0) << threads;
  }
}

TEST(Trace, EmptyFrameShowsTheFloor) {
  TraceSettings settings = small();
  settings.floor = floorBelow({});
  settings.floor.spacing = 0;
  const Camera camera{{0, 1, 4}, {0, 0.4f, 0}, 30};
  const Image with = mustTrace({}, camera, settings);
  settings.floor.shown = false;
  const Image without = mustTrace({}, camera, settings);
  EXPECT_NE(with.at(48, 60), without.at(48, 60));  // floor below
  EXPECT_EQ(with.at(48, 0), without.at(48, 0));    // backdrop above
  EXPECT_GT(lightness(with.at(48, 60)), 0.05f);
}

// A flat sheet in full light has one tone: no specks from rays that meet the sheet they start on.
TEST(Trace, ThinSheetDoesNotShadowItself) {
  for (float far_out : {0.0f, 500.0f}) {
    RenderScene scene;
    RenderMesh sheet = square(1, 0);
    for (Vec3f& p : sheet.points) p = p + Vec3f{far_out, 1, far_out};
    scene.meshes.push_back(sheet);
    TraceSettings settings = small(40, 40);
    settings.floor.shown = false;
    settings.to_sun = {0.3f, 1, 0.2f};
    const Image image =
        mustTrace(scene, {{far_out, 4, far_out + 0.01f}, {far_out, 1, far_out}, 20}, settings);
    for (int y = 4; y < 36; ++y)
      for (int x = 4; x < 36; ++x)
        EXPECT_NEAR(lightness(image.at(x, y)), lightness(image.at(20, 20)), 0.04f) << x << " " << y;
  }
}

TEST(Trace, BothSidesOfASheetAreLitAndDiffer) {
  TraceSettings settings = small(40, 40);
  settings.floor.shown = false;
  RenderScene scene;
  scene.meshes.push_back(square(1, 0));
  settings.to_sun = {1, 1, 0};
  const Color front = mustTrace(scene, {{0, 4, 0.01f}, {0, 0, 0}, 20}, settings).at(20, 20);
  settings.to_sun = {1, -1, 0};
  const Color back = mustTrace(scene, {{0, -4, 0.01f}, {0, 0, 0}, 20}, settings).at(20, 20);
  EXPECT_GT(lightness(back), 0.3f * lightness(front));
  EXPECT_GT(back.z / back.x, 1.1f * front.z / front.x);
}

TEST(Trace, ValuesShowAsColorsOfTheMap) {
  TraceSettings settings = small(40, 40);
  settings.range = {10, 20};
  settings.floor.shown = false;
  RenderScene scene;
  scene.meshes.push_back(square(1, 0));
  const Camera camera{{0, 4, 0.01f}, {0, 0, 0}, 20};
  for (const auto& [value, share] : {std::pair{10.0f, 0.0f}, {20.0f, 1.0f}}) {
    scene.meshes[0].values.assign(4, value);
    const Image by_value = mustTrace(scene, camera, settings);
    RenderScene by_color = scene;
    by_color.meshes[0].values.clear();
    by_color.meshes[0].color = mapColor(share);
    EXPECT_LT(largestDifference(by_value, mustTrace(by_color, camera, settings)), 1e-4f) << value;
  }
}

TEST(Trace, CurvesAreDrawn) {
  RenderCurves curves;
  curves.points = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}};
  curves.counts = {3};
  curves.radii.assign(3, 0.2f);
  curves.color = {0.8f, 0.05f, 0.05f};
  RenderScene scene;
  scene.curves.push_back(curves);
  TraceSettings settings = small();
  settings.floor.shown = false;
  const Image image = mustTrace(scene, {{0, 0, 5}, {0, 0, 0}, 30}, settings);
  EXPECT_GT(image.at(48, 32).x, 2 * image.at(48, 32).z);
  EXPECT_LT(image.at(48, 4).x, 2 * image.at(48, 4).z);
}

TEST(RenderScene, LeavesOutWhatHasNoPlace) {
  RenderScene scene;
  scene.meshes.push_back(square(1, 0));
  scene.meshes[0].points[3].y = kNan;  // of one of the two triangles
  RenderScene balls = oneSphere({0, 0, 0}, 1);
  balls.spheres[0].points.push_back({kNan, 0, 0});
  balls.spheres[0].points.push_back({0, std::numeric_limits<float>::infinity(), 0});
  balls.spheres[0].points.push_back({0, 3, 0});
  balls.spheres[0].radii = {1, 1, 1, 0.5f};
  scene.spheres = balls.spheres;
  RenderCurves curves;
  curves.points = {{0, 0, 0}, {1, 0, 0}, {0, kNan, 0}, {1, 0, 0}};
  curves.counts = {2, 2};
  curves.radii.assign(4, 0.1f);
  scene.curves.push_back(curves);
  EXPECT_EQ(removeUnplaced(scene), 4u);
  EXPECT_EQ(scene.meshes[0].triangles.size(), 1u);
  ASSERT_EQ(scene.spheres[0].points.size(), 2u);
  EXPECT_EQ(scene.spheres[0].radii[1], 0.5f);
  EXPECT_EQ(scene.curves[0].counts, (std::vector<std::int32_t>{2}));
  const Bounds bounds = boundsOf(scene);
  EXPECT_EQ(bounds.hi, (Vec3f{1.1f, 3.5f, 1}));
  const Image image = mustTrace(scene, {{0, 2, 9}, {0, 1, 0}, 30}, small());
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) EXPECT_TRUE(isFinite(image.at(x, y)));
}

TEST(RenderScene, TriangulatesOnlySoundFaces) {
  const auto triangles = triangulate({4, 2, 3, 5}, {0, 1, 2, 3, 0, 1, 0, 1, 9, 0, 1}, 4);
  EXPECT_EQ(triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_TRUE(triangulate({3, -1, 3}, {0, 1, -1, 0, 1, 2}, 4).empty());
}

TEST(Normals, AreSmoothOnAGentleFoldAndSharpOnABox) {
  RenderMesh fold = square(1, 0);
  const auto fold_by = [&](float degrees) {
    // Two triangles that share the diagonal from point 0 to point 2, one of them turned about it.
    fold.points[3] = Vec3f{0, std::sqrt(2.0f) * std::sin(radians(degrees)), 0} +
                     Vec3f{-1, 0, -1} * std::cos(radians(degrees));
    return cornerNormals(fold);
  };
  EXPECT_EQ(fold_by(40)[0][0], fold_by(40)[1][0]);
  const auto sharp = fold_by(90);
  EXPECT_NEAR(dot(sharp[0][0], sharp[1][0]), 0, 1e-5f);
  EXPECT_NEAR(dot(sharp[0][0], {0, 1, 0}), 1, 1e-5f);
}

// Every 16 successive points of a pixel lie one in each cell of a 4 x 4 grid.
TEST(Sampler, PointsOfAPixelAreStratified) {
  for (std::uint32_t purpose : {0u, 1u, 2u}) {
    const PixelSampler sampler(37, 21, 4);
    std::array<int, 16> cells{};
    for (int sample = 0; sample < 16; ++sample) {
      const SamplePoint p = sampler.point(sample, purpose);
      ++cells[static_cast<std::size_t>(4 * p.u) + 4 * static_cast<std::size_t>(4 * p.v)];
    }
    for (int count : cells) EXPECT_EQ(count, 1);
  }
}

}  // namespace
}  // namespace repose
