// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Solids at colliders. Corners of the solid are asked like spheres; a collider with corners and edges of its
// own is met as a convex solid or triangle by triangle.
#include <cmath>

#include "base/triangle.h"
#include "collide/touch_groups.h"

namespace repose {

namespace {

constexpr int kRim = 12;      // places on each rim of a cylinder
constexpr int kSamples = 14;  // of a solid at a surface of which only distances are known
constexpr int kSteps = 24;    // of each
constexpr float kFirstStep = 0.4f, kShrink = 0.75f;
constexpr float kSamePlace = 2e-3f;  // share of the size
constexpr float kAcross = 0.02f;     // cosine over a triangle from which a normal counts as in front of it
constexpr float kOverSide = 2e-3f;   // lean of a normal over a side that is not a ridge

// A solid about its own middle, where floats are finest, and the collider around it.
struct Meeting {
  const Core& solid;
  Vec3f origin, motion;
  const Obstacle& obstacle;
  float reach;
  TouchGroups& groups;

  // What a sphere of the solid's rounding around a place of its core touches.
  int touch(Vec3f p, int feature) const {
    Touch found[kMostTouches];
    const int count = obstacle.touch(p + origin, motion, reach + solid.margin, found);
    for (int k = 0; k < count; ++k) {
      const Vec3f n = found[k].normal;
      // a corner that went through a sheet is not held from the other side: its solid's middle counts
      if (found[k].gap >= 0 && dot(n, p) - found[k].gap > 0.5f * (solid.least(n) + solid.most(n))) continue;
      groups.add(n, p - n * solid.margin, found[k].gap - solid.margin, found[k].velocity,
                 static_cast<std::uint32_t>(feature) << 16 ^ static_cast<std::uint32_t>(found[k].feature));
    }
    return count;
  }
};

void touchCorners(const Meeting& meeting) {
  const Core& solid = meeting.solid;
  if (solid.corners) {
    for (int k = 0; k < solid.corners; ++k) meeting.touch(solid.corner[k], k);
    return;
  }
  const Vec3f axis = solid.pose.axis[1];
  for (const float side : {-1.0f, 1.0f})
    for (int k = 0; k < kRim; ++k) {
      const float turn = 6.2831853f / kRim * static_cast<float>(k);
      const Vec3f out = solid.pose.axis[0] * std::cos(turn) + solid.pose.axis[2] * std::sin(turn);
      const Vec3f p = solid.pose.origin + axis * (side * solid.half) + out * solid.radius;
      Touch found[kMostTouches];
      const int count =
          meeting.obstacle.touch(p + meeting.origin, meeting.motion, meeting.reach + solid.radius, found);
      // the places of this rim, and of the other one, that are lowest along the normal
      for (int t = 0; t < count; ++t) {
        const Vec3f lean = found[t].normal - axis * dot(axis, found[t].normal);
        if (found[t].gap <= meeting.reach) meeting.touch(p, k + (side > 0 ? kRim : 0));
        if (dot(lean, lean) < 1e-6f) continue;
        meeting.touch(solid.pose.origin + axis * (side * solid.half) - unit(lean) * solid.radius,
                      2 * kRim + (side > 0));
      }
    }
}

// Between the corners: places that wander over the solid to where the surface is nearest.
void touchBetween(const Meeting& meeting, const Convex& convex, const Pose& place) {
  const Core& solid = meeting.solid;
  constexpr float kS = 0.57735027f;  // the root of 1/3
  static constexpr Vec3f kWays[kSamples] = {{1, 0, 0},      {-1, 0, 0},     {0, 1, 0},     {0, -1, 0},
                                            {0, 0, 1},      {0, 0, -1},     {kS, kS, kS},  {-kS, kS, kS},
                                            {kS, -kS, kS},  {-kS, -kS, kS}, {kS, kS, -kS}, {-kS, kS, -kS},
                                            {kS, -kS, -kS}, {-kS, -kS, -kS}};
  const float wide = meeting.reach + 2 * solid.size;
  for (int k = 0; k < kSamples; ++k) {
    Vec3f p = nearestAt(convex, place, place.worldVector(kWays[k]) * (2 * solid.size)).place;
    Touch found[kMostTouches], best;
    Vec3f lowest;
    best.gap = meeting.reach;
    float step = kFirstStep * solid.size;
    // down along the surface of the solid, in ever smaller steps
    for (int round = 0; round < kSteps; ++round, step *= kShrink) {
      if (meeting.obstacle.touch(p + meeting.origin, {}, wide, found) == 0) break;
      if (found[0].gap < best.gap) best = found[0], lowest = p;
      p = nearestAt(convex, place, p - found[0].normal * step).place;
    }
    if (best.gap < meeting.reach)
      meeting.groups.add(best.normal, lowest, best.gap, best.velocity,
                         0x1000u + static_cast<std::uint32_t>(k));
  }
}

class Triangles final : public TriangleVisitor {
 public:
  explicit Triangles(const Meeting& meeting) : meeting_(meeting) {}

  void visit(const NearTriangle& triangle) override {
    const Core& solid = meeting_.solid;
    Vec3f corner[3];
    for (int k = 0; k < 3; ++k) corner[k] = triangle.corner[k] - meeting_.origin;
    Vec3f front = triangle.normal;
    if (triangle.both_sides && solid.least(front) + solid.most(front) < 2 * dot(front, corner[0]))
      front = -front;
    const float height = dot(front, corner[0]);
    if (solid.least(front) - solid.margin - height > meeting_.reach) return;
    if (solid.most(front) + solid.margin < height) return;  // behind it: no way out through it
    Core thin;
    makeTriangle(corner, thin);
    Manifold manifold;
    if (!touchCores(solid, thin, meeting_.reach, manifold)) return;
    if (!inFront(triangle, front, manifold.normal)) {
      const Vec3f low = solid.support(-front) - front * solid.margin;
      const Vec3f below = low - front * (dot(front, low) - height);
      const Shares shares = nearestOnTriangle(below, corner[0], corner[1], corner[2]);
      const Vec3f away = below - mix(shares, corner[0], corner[1], corner[2]);
      clipCores(solid, thin, front, low, below, meeting_.reach, manifold);
      const bool outside = dot(away, away) > kSamePlace * kSamePlace * thin.size * thin.size;
      // one place that nothing was clipped for, and that is not over the triangle
      if (manifold.count == 1 && outside && manifold.point[0].a == low) return;
    }
    for (int k = 0; k < manifold.count; ++k) {
      const ManifoldPoint& p = manifold.point[k];
      const Shares shares = nearestOnTriangle(p.b, corner[0], corner[1], corner[2]);
      const Vec3f velocity =
          triangle.velocity[0] * shares.a + triangle.velocity[1] * shares.b + triangle.velocity[2] * shares.c;
      meeting_.groups.add(manifold.normal, p.a, p.gap, velocity,
                          p.feature ^ (static_cast<std::uint32_t>(triangle.index) + 1) * 2654435761u);
    }
  }

 private:
  // A normal within those of the triangle and its ridges; over other sides the triangle next to it decides.
  bool inFront(const NearTriangle& triangle, Vec3f front, Vec3f normal) const {
    if (dot(front, normal) < (triangle.both_sides ? -kAcross : kAcross)) return false;
    for (int k = 0; k < 3; ++k) {
      if (triangle.ridge[k]) continue;
      const Vec3f side = triangle.corner[(k + 1) % 3] - triangle.corner[k];
      Vec3f out = unit(cross(side, front));
      if (dot(out, triangle.corner[(k + 2) % 3] - triangle.corner[k]) > 0) out = -out;
      if (dot(out, normal) > kOverSide) return false;
    }
    return true;
  }

  const Meeting& meeting_;
};

int touchSolid(const Convex& a, const Pose& pose, const Obstacle& obstacle, float reach, Manifold* out,
               Vec3f* velocity) {
  Pose stands;
  const Convex& solid = *obstacle.solid(stands);
  PairHint hint = 0;
  if (!collide(a, pose, solid, stands, reach, hint, out[0])) return 0;
  Vec3f middle;
  for (int k = 0; k < out[0].count; ++k) middle += out[0].point[k].b * (1 / static_cast<float>(out[0].count));
  velocity[0] = obstacle.velocityAt(middle);
  return 1;
}

}  // namespace

int collide(const Convex& a, const Pose& pose, Vec3f motion, const Obstacle& obstacle, float reach,
            Manifold* out, Vec3f* velocity) {
  const Obstacle::Form form = obstacle.form();
  if (form == Obstacle::Form::solid) return touchSolid(a, pose, obstacle, reach, out, velocity);
  Pose place = pose * a.place;
  const Vec3f origin = place.origin;
  place.origin = {};
  Core solid;
  makeCore(a, place, solid);
  TouchGroups groups(solid.size);
  const Meeting meeting{solid, origin, motion, obstacle, reach, groups};
  touchCorners(meeting);
  if (form == Obstacle::Form::distances && solid.corners != 1) touchBetween(meeting, a, place);
  if (form == Obstacle::Form::triangles && solid.corners != 1) {
    Bounds box;
    for (int k = 0; k < 3; ++k) {
      Vec3f way;
      way[k] = 1;
      const float room = reach + solid.margin;
      box.hi[k] = solid.most(way) + origin[k] + room;
      box.lo[k] = solid.least(way) + origin[k] - room;
    }
    Triangles triangles(meeting);
    obstacle.eachTriangle(box, triangles);
  }
  return groups.write(origin, out, velocity);
}

}  // namespace repose
