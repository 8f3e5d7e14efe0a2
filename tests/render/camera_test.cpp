// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/camera.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

struct Framing {
  Bounds bounds;
  int width, height;
};

class CameraFraming : public testing::TestWithParam<Framing> {};

// All eight corners lie inside the margin, and one of them on it: the camera is no farther than it must be.
TEST_P(CameraFraming, KeepsTheBoxJustInsideTheMargin) {
  const auto [box, width, height] = GetParam();
  const float margin = 0.08f;
  const View view(frameBounds(box, width, height, margin), width, height);
  float least_room = 1;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3f at = view.project({corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                                   corner & 4 ? box.hi.z : box.lo.z});
    EXPECT_GT(at.z, 0);
    least_room = std::min({least_room, at.x / width, 1 - at.x / width, at.y / height, 1 - at.y / height});
  }
  EXPECT_NEAR(least_room, margin, 2e-3f);
}

INSTANTIATE_TEST_SUITE_P(Boxes, CameraFraming,
                         testing::Values(Framing{{{-1, 0, -1}, {1, 1, 1}}, 960, 540},
                                         Framing{{{-1, 0, -1}, {1, 1, 1}}, 300, 800},
                                         Framing{{{0, 0, 0}, {0.001f, 5, 3}}, 640, 480},    // a thin wall
                                         Framing{{{-50, 2, -1}, {50, 2.5f, 1}}, 640, 480},  // a long strip
                                         Framing{{{100, 1, 99}, {100.02f, 1.01f, 99.02f}}, 320, 320}));

TEST(Camera, LooksAtTheBroadSide) {
  const Camera wall_across_x = frameBounds({{-1, 0, 0}, {1, 2, 0.1f}}, 160, 90);
  const Camera wall_across_z = frameBounds({{0, 0, -1}, {0.1f, 2, 1}}, 160, 90);
  EXPECT_GT(wall_across_x.eye.z, std::abs(wall_across_x.eye.x));
  EXPECT_GT(wall_across_z.eye.x, std::abs(wall_across_z.eye.z));
}

TEST(Camera, RaysAndProjectionAreInverse) {
  const View view({{1, 2, 3}, {0, 0.5f, -1}, 40}, 640, 360);
  for (float x : {0.5f, 200.0f, 639.5f})
    for (float y : {0.5f, 180.0f, 359.5f}) {
      const Ray ray = view.rayThrough(x, y);
      const Vec3f at = view.project(ray.origin + ray.direction * 7);
      EXPECT_NEAR(at.x, x, 2e-3f);
      EXPECT_NEAR(at.y, y, 2e-3f);
    }
}

TEST(Camera, FieldOfViewSpansTheShorterSide) {
  const View view({{0, 0, 0}, {0, 0, -1}, 90}, 400, 200);
  EXPECT_NEAR(view.project({0, 1, -1}).y, 0, 1e-3f);
  EXPECT_NEAR(view.project({2, 0, -1}).x, 400, 1e-3f);
}

TEST(Camera, FramesNothingAndASinglePoint) {
  for (const Bounds& box : {Bounds{}, Bounds{{3, 3, 3}, {3, 3, 3}}}) {
    const Camera camera = frameBounds(box, 160, 90);
    EXPECT_TRUE(isFinite(camera.eye));
    EXPECT_NE(camera.eye, camera.target);
  }
}

TEST(Camera, LooksStraightDown) {
  const View view({{0, 5, 0}, {0, 0, 0}, 30}, 100, 100);
  EXPECT_TRUE(isFinite(view.rayThrough(10, 10).direction));
  EXPECT_NEAR(view.project({0, 0, 0}).x, 50, 1e-4f);
}

}  // namespace
}  // namespace repose
