// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Concave bodies and others: points of each surface against the distances of the other.
#include "collide/concave.h"
#include "collide/touch_groups.h"

namespace repose {

namespace {

constexpr float kFacing = 0.1f;  // cosine up to which a surface counts as facing the other one
constexpr int kRim = 12;         // places on each rim of a cylinder
constexpr float kGuess = 3;      // beyond its grid a field says too much, at most so many times a way there
constexpr std::uint32_t kOtherSide = 0x80000000u;

// Two bodies in the space of the first; normals of places point from the second to the first.
struct Meeting {
  TouchGroups& groups;
  float reach;

  void addOfFirst(Vec3f normal, Vec3f p, float gap, int number) const {
    groups.add(normal, p, gap, {}, static_cast<std::uint32_t>(number));
  }
  // out: from the first body to the place.
  void addOfSecond(Vec3f out, Vec3f p, float gap, int number) const {
    groups.add(-out, p - out * gap, gap, {}, kOtherSide | static_cast<std::uint32_t>(number));
  }
};

// A place of a convex solid's core that a sphere of its margin is around, if the field of a is near it.
void touchCorner(const Concave& a, const Core& b, Vec3f middle, Vec3f corner, int number,
                 const Meeting& meeting) {
  Vec3f out;
  const float gap = a.distance(corner, out) - b.margin;
  if (gap > meeting.reach) return;
  // on the side of the solid that looks at the surface; a ball has no sides
  if (b.corners != 1 && dot(out, corner - middle) > kFacing * b.size) return;
  meeting.addOfSecond(out, corner - out * b.margin, gap, number);
}

void touchCorners(const Concave& a, const Core& b, Vec3f middle, const Meeting& meeting) {
  for (int k = 0; k < b.corners; ++k) touchCorner(a, b, middle, b.corner[k], k, meeting);
  if (b.corners) return;
  for (const float side : {-1.0f, 1.0f}) {
    const Vec3f end = b.pose.origin + b.pose.axis[1] * (side * b.half);
    Vec3f out;
    a.distance(end, out);
    // the lowest place of the rim, and others around it
    const Vec3f lean = out - b.pose.axis[1] * dot(b.pose.axis[1], out);
    if (dot(lean, lean) > 1e-6f)
      touchCorner(a, b, middle, end - unit(lean) * b.radius, 2 * kRim + (side > 0), meeting);
    for (int k = 0; k < kRim; ++k) {
      const float turn = 6.2831853f / kRim * static_cast<float>(k);
      const Vec3f to = b.pose.axis[0] * std::cos(turn) + b.pose.axis[2] * std::sin(turn);
      touchCorner(a, b, middle, end + to * b.radius, k + (side > 0 ? kRim : 0), meeting);
    }
  }
}

int write(TouchGroups& groups, const Pose& space, Manifold* out) {
  const int count = groups.write({}, out, nullptr);
  for (int m = 0; m < count; ++m) {
    out[m].normal = space.worldVector(out[m].normal);
    for (int k = 0; k < out[m].count; ++k) {
      ManifoldPoint& p = out[m].point[k];
      p.a = space.world(p.a), p.b = space.world(p.b);
    }
  }
  return count;
}

// Corners of a collider's triangles that reach into the body.
class TriangleCorners final : public TriangleVisitor {
 public:
  TriangleCorners(const Concave& concave, const Pose& pose, float reach, TouchGroups& groups)
      : concave_(concave), pose_(pose), reach_(reach), groups_(groups) {}

  void visit(const NearTriangle& triangle) override {
    for (int k = 0; k < 3; ++k) {
      if (!triangle.ridge[k] && !triangle.ridge[(k + 2) % 3]) continue;
      const Vec3f corner = triangle.corner[k], next = triangle.corner[(k + 1) % 3];
      touch(triangle, corner, triangle.velocity[k], 4 * triangle.index + k);
      const int parts = std::min(static_cast<int>(length(next - corner) / concave_.voxel()), kMostParts);
      for (int i = 1; i < parts && triangle.ridge[k]; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(parts);
        touch(triangle, corner + (next - corner) * t,
              triangle.velocity[k] + (triangle.velocity[(k + 1) % 3] - triangle.velocity[k]) * t,
              (i << 20) + 4 * triangle.index + k);
      }
    }
  }

 private:
  static constexpr int kMostParts = 256;

  void touch(const NearTriangle& triangle, Vec3f p, Vec3f velocity, int number) {
    const SolidTouch found = nearest(concave_, pose_, p);
    if (found.gap > reach_ || dot(found.normal, triangle.normal) > kFacing) return;
    groups_.add(-found.normal, found.place - pose_.origin, found.gap, velocity,
                kOtherSide | static_cast<std::uint32_t>(number));
  }

  const Concave& concave_;
  const Pose& pose_;
  float reach_;
  TouchGroups& groups_;
};

}  // namespace

int collide(const Concave& a, const Pose& pose_a, const Convex& b, const Pose& pose_b, float reach,
            Manifold* out) {
  const Pose place = seenFrom(pose_a, pose_b * b.place);
  Core core;
  makeCore(b, place, core);
  TouchGroups groups(a.voxel());
  const Meeting meeting{groups, reach};
  Bounds box;
  for (int k = 0; k < core.corners; ++k) box.add(core.corner[k]);
  const Vec3f middle = core.corners ? (box.lo + box.hi) * 0.5f : place.origin;
  touchCorners(a, core, middle, meeting);
  a.eachNear(middle, core.size + core.margin + reach, [&](int number, const Concave::Sample& sample) {
    const SolidTouch touch = nearestAt(b, place, sample.place);
    if (touch.gap <= reach && dot(touch.normal, sample.normal) < kFacing)
      meeting.addOfFirst(touch.normal, sample.place, touch.gap, number);
  });
  return write(groups, pose_a, out);
}

int collide(const Concave& a, const Pose& pose_a, const Concave& b, const Pose& pose_b, float reach,
            Manifold* out) {
  const Pose to = seenFrom(pose_a, pose_b);
  TouchGroups groups(std::min(a.voxel(), b.voxel()));
  const Meeting meeting{groups, reach};
  const auto inReach = [reach](const Concave& field, const Pose& from) {
    return [&field, from, reach](Vec3f centre, float radius) {
      Vec3f normal;
      return field.distance(from.world(centre), normal) <= kGuess * (radius + reach);
    };
  };
  b.eachWhere(inReach(a, to), [&](int number, const Concave::Sample& sample) {
    const Vec3f p = to.world(sample.place);
    Vec3f normal;
    const float gap = a.distance(p, normal);
    if (gap <= reach && dot(normal, to.worldVector(sample.normal)) < kFacing)
      meeting.addOfSecond(normal, p, gap, number);
  });
  const Pose back = seenFrom(pose_b, pose_a);
  a.eachWhere(inReach(b, back), [&](int number, const Concave::Sample& sample) {
    Vec3f normal;
    const float gap = b.distance(back.world(sample.place), normal);
    normal = to.worldVector(normal);
    if (gap <= reach && dot(normal, sample.normal) < kFacing)
      meeting.addOfFirst(normal, sample.place, gap, number);
  });
  return write(groups, pose_a, out);
}

int collide(const Concave& a, const Pose& pose, Vec3f motion, Vec3f turn, const Obstacle& obstacle,
            float reach, Manifold* out, Vec3f* velocity) {
  const Obstacle::Form form = obstacle.form();
  if (form == Obstacle::Form::solid) {
    Pose stands;
    const Convex& solid = *obstacle.solid(stands);
    const int count = collide(a, pose, solid, stands, reach, out);
    for (int m = 0; m < count; ++m) velocity[m] = obstacle.velocityAt(out[m].point[0].b);
    return count;
  }
  TouchGroups groups(a.voxel());
  Bounds box;
  const auto inReach = [&](Vec3f centre, float radius) {
    Bounds ball;
    ball.add(pose.world(centre));
    const bool near = obstacle.mayTouch(ball, radius + reach);
    if (near) box.add(ball);
    return near;
  };
  a.eachWhere(inReach, [&](int number, const Concave::Sample& sample) {
    const Vec3f arm = pose.worldVector(sample.place);
    Touch found[kMostTouches];
    const int count = obstacle.touch(arm + pose.origin, motion + cross(turn, arm), reach, found);
    for (int k = 0; k < count; ++k) {
      if (dot(found[k].normal, pose.worldVector(sample.normal)) > kFacing) continue;
      groups.add(found[k].normal, arm, found[k].gap, found[k].velocity,
                 static_cast<std::uint32_t>(number) * 8 + static_cast<std::uint32_t>(k));
    }
  });
  if (form == Obstacle::Form::triangles && !box.empty()) {
    const float room = 8 * a.voxel() + reach;
    for (int k = 0; k < 3; ++k) box.lo[k] -= room, box.hi[k] += room;
    TriangleCorners corners(a, pose, reach, groups);
    obstacle.eachTriangle(box, corners);
  }
  return groups.write(pose.origin, out, velocity);
}

SolidTouch nearest(const Concave& concave, const Pose& pose, Vec3f p) {
  SolidTouch touch;
  Vec3f normal;
  touch.gap = concave.distance(pose.local(p), normal);
  touch.normal = pose.worldVector(normal);
  touch.place = p - touch.normal * touch.gap;
  return touch;
}

}  // namespace repose
