// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Fields and surface points of concave meshes, against what is known of a torus.
#include "collide/concave.h"

#include <gtest/gtest.h>

#include "scene/mesh_check.h"
#include "scene/shapes.h"

namespace repose {
namespace {

constexpr float kRing = 0.4f, kTube = 0.1f;

std::unique_ptr<Concave> torus(float voxel) {
  Shape shape;
  shape.radius = kRing, shape.tuberadius = kTube, shape.divisions = {96, 48, 1};
  const Geometry mesh = makeTorus(shape);
  return std::move(*Concave::make(mesh.points, fanTriangles(mesh), voxel, 0.5f * kTube));
}
float exact(Vec3f p) { return std::hypot(std::hypot(p.x, p.z) - kRing, p.y) - kTube; }

TEST(ConcaveField, KnowsDistancesInsideOutsideAndBeyondItsGrid) {
  const float voxel = 0.02f;
  const auto field = torus(voxel);
  for (const Vec3f p : {Vec3f{0.4f, 0, 0},
                        {0.35f, 0.02f, 0},
                        {0, 0, 0},
                        {0, 0.05f, -0.52f},
                        {0.3f, 0.2f, 0.3f},
                        {0.1f, 0.12f, 0.1f},
                        {2, 0, 0},
                        {0.5f, 1.5f, 0.2f}}) {
    Vec3f normal;
    const float d = field->distance(p, normal);
    EXPECT_NEAR(d, exact(p), 0.3f * voxel + 0.02f * std::abs(exact(p))) << p.x << " " << p.y << " " << p.z;
    if (p.x == 0 && p.y == 0) continue;  // no one way out
    const float step = 0.01f;
    if (exact(p) > -0.9f * kTube) {
      EXPECT_GT(exact(p + normal * step), exact(p) + 0.9f * step);
    }
  }
}

TEST(ConcaveField, SamplesLieOnTheSurfaceAndLeaveNoGap) {
  const float voxel = 0.02f;
  const auto field = torus(voxel);
  std::vector<Concave::Sample> all;
  field->eachNear({}, 10, [&](int number, const Concave::Sample& sample) {
    EXPECT_EQ(number, static_cast<int>(all.size()));
    EXPECT_NEAR(exact(sample.place), 0, 0.002f);
    const float around = std::hypot(sample.place.x, sample.place.z);
    const Vec3f out{sample.place.x * (1 - kRing / around), sample.place.y,
                    sample.place.z * (1 - kRing / around)};
    EXPECT_GT(dot(out, sample.normal), 0.95f * kTube);
    all.push_back(sample);
  });
  EXPECT_TRUE(field->ridges().empty()) << "it has no edge";
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 20; ++j) {
      const float u = 0.157f * static_cast<float>(i), v = 0.314f * static_cast<float>(j);
      const float r = kRing + kTube * std::cos(v);
      const Vec3f p{r * std::cos(u), kTube * std::sin(v), r * std::sin(u)};
      float least = 1;
      for (const auto& sample : all) least = std::min(least, length(sample.place - p));
      EXPECT_LT(least, 2.2f * voxel) << i << " " << j;
    }
}

TEST(ConcaveField, ABallInTheRingTouchesIt) {
  const auto field = torus(0.02f);
  Manifold found[kMostManifolds];
  // half a centimetre into the inner side
  const Pose at = poseOf({0.3f - 0.05f + 0.005f, 0, 0}, {});
  ASSERT_GE(collide(*field, {}, makeSphere(0.05f), at, 0.01f, found), 1);
  EXPECT_GT(found[0].normal.x, 0.99f) << "from the ball to the ring";
  float deepest = 1;
  for (int k = 0; k < found[0].count; ++k) deepest = std::min(deepest, found[0].point[k].gap);
  EXPECT_NEAR(deepest, -0.005f, 0.002f);
  EXPECT_EQ(collide(*field, {}, makeSphere(0.05f), {}, 0.01f, found), 0) << "in the hole";
  EXPECT_GE(collide(*field, {}, *field, poseOf({0, 0.19f, 0}, {}), 0.01f, found), 1);
  EXPECT_LT(found[0].normal.y, -0.98f);
  EXPECT_EQ(collide(*field, {}, *field, poseOf({0, 0.25f, 0}, {}), 0.01f, found), 0);
}

}  // namespace
}  // namespace repose
