// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where convex solids touch each other, a sphere, or a collider.
#pragma once
#include <cstdint>

#include "collide/obstacle.h"
#include "shape/convex.h"

namespace repose {

struct ManifoldPoint {
  Vec3f a, b;                 // on the two surfaces [m]; gap = normal . (a - b)
  float gap = 0;              // [m], negative when they overlap
  std::uint32_t feature = 0;  // tells the points of a pair apart, the same from step to step
};

// Up to four points with one normal, from b to a: impulses on a point along it.
inline constexpr int kMostPoints = 4;
struct Manifold {
  Vec3f normal;
  int count = 0;
  ManifoldPoint point[kMostPoints];
};

// What a pair remembers from one step to the next, only to be faster: the axis that kept them apart.
using PairHint = std::uint32_t;

// The places where a and b are nearer than reach, or overlap. Poses are those of the bodies. False when there
// are none.
bool collide(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b, float reach,
             PairHint& hint, Manifold& out);

// The place on a solid nearest to p: the normal points from the solid to p (out of it, when p is inside), the
// gap is that of p [m], negative inside.
struct SolidTouch {
  Vec3f normal, place;
  float gap = 0;
};
SolidTouch nearest(const Convex& convex, const Pose& pose, Vec3f p);

// Where a solid touches a collider, whose parts are a's others: normals point into the room where bodies are.
// motion: way of the solid's centre in the step [m]. Returns the number of manifolds, at most kMostManifolds;
// velocity[k]: of the collider's surface at the points of manifold k.
inline constexpr int kMostManifolds = 4;
int collide(const Convex& a, const Pose& pose, Vec3f motion, const Obstacle& obstacle, float reach,
            Manifold* out, Vec3f* velocity);

}  // namespace repose
