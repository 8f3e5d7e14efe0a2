// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Colliders, random points and touches for the tests of obstacles.
#pragma once
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "collide/obstacle.h"
#include "scene/read_transform.h"
#include "scene/shapes.h"

namespace repose {

inline Mat4d placed(Vec3f translate, Vec3f rotate = {}) {
  const double scale[3] = {1, 1, 1};
  return composeTransform(translate, rotate, scale);
}

inline Collider volumeCollider(const Volume& volume, bool inside = false) {
  Collider collider;
  collider.name = "c";
  collider.shape = Collider::Shape::volume;
  collider.volume = volume;
  collider.point = transformPoint(volume.place, {});
  collider.inside = inside;
  return collider;
}

inline Collider meshCollider(const Geometry& geometry, bool inside = false) {
  Collider collider;
  collider.name = "c";
  collider.shape = Collider::Shape::mesh;
  collider.geometry = geometry;
  collider.inside = inside;
  return collider;
}

// Null after a failed expectation. Stands as at frame 1.
inline std::unique_ptr<Obstacle> made(const Collider& collider, double to = 1) {
  Result<std::unique_ptr<Obstacle>> obstacle = makeObstacle(collider);
  EXPECT_TRUE(obstacle.ok()) << obstacle.status().message();
  if (!obstacle.ok()) return nullptr;
  const Status status = (*obstacle)->move(1, to, to > 1 ? static_cast<float>((to - 1) / 24) : 1);
  EXPECT_TRUE(status.ok()) << status.message();
  return std::move(*obstacle);
}

inline std::vector<Touch> touches(const Obstacle& obstacle, Vec3f centre, float reach, Vec3f motion = {}) {
  Touch found[kMostTouches];
  const int count = obstacle.touch(centre, motion, reach, found);
  return {found, found + count};
}

// The gap to the nearest surface, however far.
inline float gapAt(const Obstacle& obstacle, Vec3f p) {
  const std::vector<Touch> found = touches(obstacle, p, 100);
  EXPECT_FALSE(found.empty());
  return found.empty() ? 0 : found[0].gap;
}

inline std::vector<Vec3f> randomPoints(int count, float half, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<Vec3f> points;
  const auto next = [&] { return half * (static_cast<float>(random()) / 2147483648.0f - 1); };
  for (int k = 0; k < count; ++k) {
    const float x = next(), y = next(), z = next();
    points.push_back({x, y, z});
  }
  return points;
}

inline void expectNear(Vec3f a, Vec3f b, float slack) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], slack) << "component " << k;
}

}  // namespace repose
