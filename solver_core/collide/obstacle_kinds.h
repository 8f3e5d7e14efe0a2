// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One maker for each kind of obstacle, and what they share.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/obstacle.h"
#include "collide/rigid_motion.h"
#include "collide/triangle_surface.h"
#include "scene/mesh_check.h"

namespace repose {

using ObstacleResult = Result<std::unique_ptr<Obstacle>>;

// Messages do not name the collider: makeObstacle() does.
ObstacleResult makePlane(const Collider& collider);
ObstacleResult makeVolume(const Collider& collider);
ObstacleResult makeHeightfield(const Collider& collider);
ObstacleResult makeMesh(const Collider& collider);
ObstacleResult makeFileField(const Collider& collider, float reach);
ObstacleResult makeMeshField(const Collider& collider, float reach);

// The triangles of a mesh that have an area, facing outwards when they enclose a volume.
struct SurfaceTriangles {
  TriangleList triangles;
  bool closed;
};
Result<SurfaceTriangles> surfaceTriangles(const Collider& collider);

// What keys move as a whole.
class RigidObstacle : public Obstacle {
 public:
  RigidObstacle(const Collider& collider, const Mat4d& place) : motion_(collider, place) {}
  Status move(double from, double to, float seconds) override {
    motion_.move(from, to, seconds);
    return {};
  }
  bool moves() const override { return motion_.moves(); }

 protected:
  RigidMotion motion_;
};

// The triangles of a surface that stands still in a space that moves.
inline void visitMoved(const TriangleSurface& surface, const RigidMotion& motion, const Bounds& box,
                       TriangleVisitor& visitor) {
  const Pose& pose = motion.pose();
  Bounds own;
  for (int corner = 0; corner < 8; ++corner)
    own.add(pose.local({corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                        corner & 4 ? box.hi.z : box.lo.z}));
  surface.eachTriangle(own, [&](NearTriangle triangle) {
    triangle.normal = pose.worldVector(triangle.normal);
    for (int k = 0; k < 3; ++k) {
      triangle.corner[k] = pose.world(triangle.corner[k]);
      triangle.velocity[k] = motion.velocity(triangle.corner[k]);
    }
    visitor.visit(triangle);
  });
}

inline Bounds endlessBounds() {
  const float most = std::numeric_limits<float>::max();
  return {{-most, -most, -most}, {most, most, most}};
}

// Keeps the touches in order of their gaps, of equal ones that of their features. Returns their new number.
inline int insertTouch(const Touch& touch, int count, Touch* touches) {
  const auto before = [](const Touch& a, const Touch& b) {
    return a.gap < b.gap || (a.gap == b.gap && a.feature < b.feature);
  };
  int at = count;
  while (at > 0 && before(touch, touches[at - 1])) --at;
  if (at == kMostTouches) return count;
  const int last = count < kMostTouches ? count : kMostTouches - 1;
  for (int k = last; k > at; --k) touches[k] = touches[k - 1];
  touches[at] = touch;
  return last + 1;
}

// Follows a centre until something is nearer than reach that was not at the start. distance(p) never is more
// than the true distance. A way longer than a hundred reaches is followed in coarser steps.
template <class Distance>
bool traceMotion(const Distance& distance, Vec3f start, Vec3f motion, float reach, Vec3f& hit) {
  const float way = length(motion);
  const float least = std::max(0.1f * reach, way / 128);
  bool left = false;
  for (float t = 0;;) {
    hit = start + motion * (t / way);
    const float d = distance(hit);
    if (d < reach && left) return true;
    left = d >= reach;
    if (t >= way) return false;
    t = std::min(t + std::max(std::abs(d) - reach, least), way);
  }
}

}  // namespace repose
