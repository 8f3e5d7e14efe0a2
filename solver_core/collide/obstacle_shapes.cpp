// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Planes and volumes by formula, as solids and as containers. Distances are exact.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "collide/obstacle_kinds.h"
#include "collide/rigid_motion.h"
#include "scene/volume.h"

namespace repose {

namespace {

// Signed distance, and the unit normal away from the solid.
struct Surface {
  float distance;
  Vec3f normal;
  int part = 0;  // of the walls of a container
};
constexpr int kMostWalls = 3;

Surface turned(Surface a) { return {-a.distance, -a.normal}; }

// The direction of v, and its length; `fallback` for none.
Vec3f direction(Vec3f v, Vec3f fallback, float& size) {
  size = length(v);
  return size > 0 ? v * (1 / size) : fallback;
}

// ---- the shapes, each at its own origin with y up ----
// nearest(p): of the solid. walls(p, out): of the container, one for each smooth part.

struct SphereShape {
  float radius;

  Surface nearest(Vec3f p) const {
    float size;
    const Vec3f normal = direction(p, {0, 1, 0}, size);
    return {size - radius, normal};
  }
  int walls(Vec3f p, Surface* out) const {
    out[0] = turned(nearest(p));
    return 1;
  }
  Bounds bounds() const { return {{-radius, -radius, -radius}, {radius, radius, radius}}; }
  std::optional<Convex> solid() const { return makeSphere(radius); }
};

struct BoxShape {
  Vec3f half;

  Surface nearest(Vec3f p) const {
    Vec3f out, side;  // how far beyond each pair of faces
    int deepest = 0;
    for (int k = 0; k < 3; ++k) {
      side[k] = p[k] < 0 ? -1.0f : 1.0f;
      out[k] = std::abs(p[k]) - half[k];
      if (out[k] > out[deepest]) deepest = k;
    }
    Vec3f normal;
    if (out[deepest] <= 0) {
      normal[deepest] = side[deepest];
      return {out[deepest], normal};
    }
    for (int k = 0; k < 3; ++k) normal[k] = side[k] * std::max(out[k], 0.0f);
    float size;
    normal = direction(normal, {0, 1, 0}, size);
    return {size, normal};
  }
  // Of each pair the nearer one.
  int walls(Vec3f p, Surface* out) const {
    for (int k = 0; k < 3; ++k) {
      out[k] = {half[k] - std::abs(p[k]), {}, 2 * k + (p[k] < 0)};
      out[k].normal[k] = p[k] < 0 ? 1.0f : -1.0f;
    }
    return 3;
  }
  Bounds bounds() const { return {-half, half}; }
  std::optional<Convex> solid() const { return makeBox(half * 2.0f); }
};

struct CapsuleShape {
  float radius, half;  // of the straight part

  Surface nearest(Vec3f p) const {
    float size;
    const Vec3f from_axis{p.x, p.y - std::clamp(p.y, -half, half), p.z};
    const Vec3f normal = direction(from_axis, {1, 0, 0}, size);
    return {size - radius, normal};
  }
  int walls(Vec3f p, Surface* out) const {
    out[0] = turned(nearest(p));
    return 1;
  }
  Bounds bounds() const { return {{-radius, -half - radius, -radius}, {radius, half + radius, radius}}; }
  std::optional<Convex> solid() const { return makeCapsule(radius, 2 * half); }
};

struct TorusShape {
  float ring, tube;

  Surface nearest(Vec3f p) const {
    float around, size;
    const Vec3f outward = direction({p.x, 0, p.z}, {1, 0, 0}, around);
    const Vec3f normal = direction(p - outward * ring, outward, size);
    return {size - tube, normal};
  }
  int walls(Vec3f p, Surface* out) const {
    out[0] = turned(nearest(p));
    return 1;
  }
  Bounds bounds() const { return {{-ring - tube, -tube, -ring - tube}, {ring + tube, tube, ring + tube}}; }
  std::optional<Convex> solid() const { return {}; }
};

struct CylinderShape {
  float radius, half;

  Surface nearest(Vec3f p) const {
    float around;
    const Vec3f outward = direction({p.x, 0, p.z}, {1, 0, 0}, around);
    const Vec3f along{0, p.y < 0 ? -1.0f : 1.0f, 0};
    const float out = around - radius, over = std::abs(p.y) - half;
    if (out <= 0 || over <= 0) return out > over ? Surface{out, outward} : Surface{over, along};
    float size;
    const Vec3f normal = direction(outward * out + along * over, along, size);
    return {size, normal};
  }
  int walls(Vec3f p, Surface* out) const {
    float around;
    const Vec3f outward = direction({p.x, 0, p.z}, {1, 0, 0}, around);
    out[0] = {radius - around, -outward};
    out[1] = {half - std::abs(p.y), {0, p.y < 0 ? 1.0f : -1.0f, 0}, p.y < 0 ? 1 : 2};
    return 2;
  }
  Bounds bounds() const { return {{-radius, -half, -radius}, {radius, half, radius}}; }
  std::optional<Convex> solid() const { return makeCylinder(radius, 2 * half); }
};

struct ConeShape {
  float radius, half;  // of the base, and of the height; the tip is up

  // Of the side in the plane of the axis: (outward, up) is normal to the slant.
  float slant() const { return std::sqrt(radius * radius + 4 * half * half); }

  Surface nearest(Vec3f p) const {
    float around;
    const Vec3f outward = direction({p.x, 0, p.z}, {1, 0, 0}, around);
    const float rim_out = around - radius, over = p.y + half;  // from the rim
    const float size = slant(), out_part = 2 * half / size, up_part = radius / size;
    const float side = rim_out * out_part + over * up_part;   // above the slant
    const float climb = over * out_part - rim_out * up_part;  // along it, from the rim to the tip
    const Vec3f side_normal = outward * out_part + Vec3f{0, up_part, 0};
    if (side <= 0 && over >= 0) return side > -over ? Surface{side, side_normal} : Surface{-over, {0, -1, 0}};
    if (over < 0 && rim_out <= 0) return {-over, {0, -1, 0}};
    float away;
    if (climb <= 0) {
      const Vec3f normal = direction(outward * rim_out + Vec3f{0, over, 0}, side_normal, away);
      return {away, normal};
    }
    if (climb < size) return {side, side_normal};
    const Vec3f normal = direction({p.x, p.y - half, p.z}, {0, 1, 0}, away);
    return {away, normal};
  }
  int walls(Vec3f p, Surface* out) const {
    float around;
    const Vec3f outward = direction({p.x, 0, p.z}, {1, 0, 0}, around);
    const float size = slant(), out_part = 2 * half / size, up_part = radius / size;
    out[0] = {-((around - radius) * out_part + (p.y + half) * up_part),
              -(outward * out_part + Vec3f{0, up_part, 0})};
    out[1] = {p.y + half, {0, 1, 0}, 1};
    return 2;
  }
  Bounds bounds() const { return {{-radius, -half, -radius}, {radius, half, radius}}; }
  // A pyramid of many sides, the middle of each as far from the axis as its corners are too far.
  std::optional<Convex> solid() const {
    constexpr int kSides = 48;
    const float step = 6.2831853f / kSides, out = 2 * radius / (1 + std::cos(step / 2));
    std::vector<Vec3f> points{{0, half, 0}};
    for (int k = 0; k < kSides; ++k) {
      const float turn = step * static_cast<float>(k);
      points.push_back({out * std::cos(turn), -half, out * std::sin(turn)});
    }
    Result<Convex> hull = makeHull(points);
    return hull.ok() ? std::optional<Convex>(*hull) : std::nullopt;
  }
};

// ---- at work ----

class PlaneObstacle final : public Obstacle {
 public:
  bool moves() const override { return motion_.moves(); }
  PlaneObstacle(const Collider& collider, Vec3f normal)
      : motion_(collider, {}), own_point_(collider.point), own_normal_(normal) {
    stand();
  }

  Status move(double from, double to, float seconds) override {
    motion_.move(from, to, seconds);
    stand();
    return {};
  }
  int touch(Vec3f centre, Vec3f motion, float reach, Touch* touches) const override {
    const float gap = dot(normal_, centre - point_);
    const float approach = std::min(dot(motion_.motionAgainst(centre, motion), normal_), 0.0f);
    if (gap + approach >= reach) return 0;
    touches[0] = {normal_, gap, motion_.velocity(centre - normal_ * gap), 0};
    return 1;
  }
  Form form() const override { return Form::hollow; }
  Bounds bounds() const override { return endlessBounds(); }
  bool mayTouch(const Bounds& box, float reach) const override {
    if (!motion_.still()) return true;
    const Pose& pose = motion_.pose();
    const Vec3f normal = pose.worldVector(normal_);
    const Vec3f nearest{normal.x > 0 ? box.lo.x : box.hi.x, normal.y > 0 ? box.lo.y : box.hi.y,
                        normal.z > 0 ? box.lo.z : box.hi.z};
    return dot(normal, nearest - pose.world(point_)) < reach;
  }

 private:
  void stand() {
    point_ = motion_.pose().world(own_point_);
    normal_ = motion_.pose().worldVector(own_normal_);
  }

  RigidMotion motion_;
  Vec3f own_point_, own_normal_, point_, normal_;
};

template <class Shape>
class SolidObstacle final : public RigidObstacle {
 public:
  SolidObstacle(const Collider& collider, const Volume& volume, const Shape& shape)
      : RigidObstacle(collider, volume.place), shape_(shape), solid_(shape.solid()) {}

  Form form() const override { return solid_ ? Form::solid : Form::distances; }
  const Convex* solid(Pose& pose) const override {
    pose = motion_.pose();
    return solid_ ? &*solid_ : nullptr;
  }
  Vec3f velocityAt(Vec3f p) const override { return motion_.velocity(p); }
  int touch(Vec3f centre, Vec3f motion, float reach, Touch* touches) const override {
    const Pose& pose = motion_.pose();
    const Vec3f p = pose.local(centre);
    Surface surface = shape_.nearest(p);
    if (surface.distance >= reach) {
      const Vec3f way = motion_.localMotion(centre, motion);
      const float farthest = surface.distance - reach;
      if (dot(way, way) <= farthest * farthest) return 0;
      Vec3f hit;
      if (!traceMotion([&](Vec3f at) { return shape_.nearest(at).distance; }, p, way, reach, hit)) return 0;
      surface = shape_.nearest(hit);
      surface.distance += dot(p - hit, surface.normal);
    }
    const Vec3f normal = pose.worldVector(surface.normal);
    touches[0] = {normal, surface.distance, motion_.velocity(centre - normal * surface.distance), 0};
    return 1;
  }
  Bounds bounds() const override { return motion_.bounds(shape_.bounds()); }

 private:
  Shape shape_;
  std::optional<Convex> solid_;
};

template <class Shape>
class ContainerObstacle final : public RigidObstacle {
 public:
  ContainerObstacle(const Collider& collider, const Volume& volume, const Shape& shape)
      : RigidObstacle(collider, volume.place), shape_(shape) {}

  Form form() const override { return Form::hollow; }
  int touch(Vec3f centre, Vec3f motion, float reach, Touch* touches) const override {
    const Pose& pose = motion_.pose();
    const Vec3f p = pose.local(centre), way = motion_.localMotion(centre, motion);
    Surface now[kMostWalls], then[kMostWalls];
    const int walls = shape_.walls(p, now);
    const bool fast = dot(way, way) > 0;
    if (fast) shape_.walls(p + way, then);
    int count = 0;
    for (int k = 0; k < walls; ++k) {
      Surface wall = now[k];
      if (wall.distance >= reach) {
        // A centre on its way inside a convex wall is nearest at its end.
        if (!fast || then[k].distance >= reach) continue;
        wall = {then[k].distance - dot(way, then[k].normal), then[k].normal, then[k].part};
      }
      const Vec3f normal = pose.worldVector(wall.normal);
      count =
          insertTouch({normal, wall.distance, motion_.velocity(centre - normal * wall.distance), wall.part},
                      count, touches);
    }
    return count;
  }
  Bounds bounds() const override { return endlessBounds(); }

 private:
  Shape shape_;
};

template <class Shape>
std::unique_ptr<Obstacle> place(const Collider& collider, const Volume& volume, const Shape& shape) {
  if (collider.inside) return std::make_unique<ContainerObstacle<Shape>>(collider, volume, shape);
  return std::make_unique<SolidObstacle<Shape>>(collider, volume, shape);
}

}  // namespace

ObstacleResult makePlane(const Collider& collider) {
  const float size = length(collider.normal);
  if (!(size > 0) || !std::isfinite(size)) return badInput("has a normal without length");
  return std::unique_ptr<Obstacle>(std::make_unique<PlaneObstacle>(collider, collider.normal * (1 / size)));
}

ObstacleResult makeVolume(const Collider& collider) {
  Volume volume = collider.volume;
  if (const Status status = foldScale(volume); !status.ok())
    return badInput("is not possible: " + status.message());
  const float radius = volume.radius, half = volume.height / 2;
  switch (volume.shape) {
    case Volume::Shape::box:
      return place(collider, volume, BoxShape{volume.size * 0.5f});
    case Volume::Shape::sphere:
      return place(collider, volume, SphereShape{radius});
    case Volume::Shape::cylinder:
      return place(collider, volume, CylinderShape{radius, half});
    case Volume::Shape::cone:
      return place(collider, volume, ConeShape{radius, half});
    case Volume::Shape::capsule:
      return place(collider, volume, CapsuleShape{radius, half});
    case Volume::Shape::torus:
      return place(collider, volume, TorusShape{radius, volume.tuberadius});
  }
  return badInput("has a shape that this version does not know");
}

}  // namespace repose
