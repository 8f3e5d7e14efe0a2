// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Triangle meshes: still, moved by keys, or deforming. A closed mesh is solid, or a container; an open one
// stops bodies from the side where they are at the start of the step.
#include <fmt/format.h>

#include <algorithm>

#include "collide/behind_grid.h"
#include "collide/obstacle_kinds.h"
#include "collide/rigid_motion.h"
#include "collide/triangle_surface.h"

namespace repose {

namespace {

using Kind = TriangleSurface::Kind;

Vec3f middle(const std::vector<Vec3f>& points) {
  Bounds box;
  for (const Vec3f p : points) box.add(p);
  return box.lo * 0.5f + box.hi * 0.5f;
}

Mat4d moved(Vec3f to) {
  Mat4d place;
  for (int k = 0; k < 3; ++k) place.m[k][3] = to[k];
  return place;
}

// What the touches of a sphere are, its own space aside.
class MeshSurface {
 public:
  MeshSurface(TriangleList triangles, const std::vector<Vec3f>& points, Kind kind, bool turned)
      : surface_(std::move(triangles), points, kind, turned),
        closed_(kind == Kind::closed),
        turned_(turned) {}

  void place(const std::vector<Vec3f>& points, const std::vector<Vec3f>* shifts) {
    surface_.place(points, shifts);
    if (closed_) behind_.build(surface_, points, turned_);
  }
  int touch(Vec3f centre, Vec3f motion, float reach, TriangleTouch* touches) const {
    const int count = surface_.touch(centre, motion, reach, touches);
    if (count || !closed_) return count;
    // Nothing within reach: in front of the surface, or deep behind it.
    const BehindGrid::Cell cell = behind_.at(centre);
    if (cell == BehindGrid::Cell::front) return 0;
    touches[0] = surface_.nearest(centre);
    return touches[0].gap < 0 ? 1 : 0;
  }
  // A container has no end: what is outside is behind its surface.
  bool endless() const { return closed_ && turned_; }
  const TriangleSurface& surface() const { return surface_; }

 private:
  TriangleSurface surface_;
  BehindGrid behind_;
  bool closed_, turned_;
};

// Its points stand still in a space that moves; they are kept about their middle, where floats are finest.
class RigidMesh final : public RigidObstacle {
 public:
  RigidMesh(const Collider& collider, TriangleList triangles, Kind kind, Vec3f origin,
            const std::vector<Vec3f>& points)
      : RigidObstacle(collider, moved(origin)), mesh_(std::move(triangles), points, kind, collider.inside) {
    mesh_.place(points, nullptr);
  }

  int touch(Vec3f centre, Vec3f motion, float reach, Touch* touches) const override {
    TriangleTouch found[kMostTouches];
    const Pose& pose = motion_.pose();
    const int count = mesh_.touch(pose.local(centre), motion_.localMotion(centre, motion), reach, found);
    for (int k = 0; k < count; ++k) {
      const Vec3f normal = pose.worldVector(found[k].normal);
      touches[k] = {normal, found[k].gap, motion_.velocity(centre - normal * found[k].gap), found[k].feature};
    }
    return count;
  }
  Form form() const override { return Form::triangles; }
  void eachTriangle(const Bounds& box, TriangleVisitor& visitor) const override {
    visitMoved(mesh_.surface(), motion_, box, visitor);
  }
  Bounds bounds() const override {
    return mesh_.endless() ? endlessBounds() : motion_.bounds(mesh_.surface().bounds());
  }

 private:
  MeshSurface mesh_;
};

// Its points are read at both ends of every step.
class DeformingMesh final : public Obstacle {
 public:
  DeformingMesh(const Collider& collider, TriangleList triangles, Kind kind)
      : name_(collider.name),
        keys_(collider, {}),
        source_(collider.motion),
        start_(collider.geometry.points.size()),
        end_(collider.geometry.points.size()),
        shifts_(collider.geometry.points.size()),
        mesh_(std::move(triangles), collider.geometry.points, kind, collider.inside) {}

  Status move(double from, double to, float seconds) override {
    if (from == end_frame_) {
      std::swap(start_, end_);
    } else if (Status status = read(from, start_); !status.ok()) {
      return status;
    }
    end_frame_ = kNoFrame;
    if (Status status = read(to, end_); !status.ok()) return status;
    end_frame_ = to;
    rate_ = 1 / seconds;
    for (std::size_t p = 0; p < shifts_.size(); ++p) shifts_[p] = end_[p] - start_[p];
    mesh_.place(start_, &shifts_);
    return {};
  }
  int touch(Vec3f centre, Vec3f motion, float reach, Touch* touches) const override {
    TriangleTouch found[kMostTouches];
    const int count = mesh_.touch(centre, motion, reach, found);
    for (int k = 0; k < count; ++k) {
      const std::array<int, 3>& corner = mesh_.surface().triangles()[found[k].triangle];
      Vec3f shift;
      for (int i = 0; i < 3; ++i) shift += shifts_[corner[i]] * found[k].weights[i];
      touches[k] = {found[k].normal, found[k].gap, shift * rate_, found[k].feature};
    }
    return count;
  }
  Form form() const override { return Form::triangles; }
  void eachTriangle(const Bounds& box, TriangleVisitor& visitor) const override {
    mesh_.surface().eachTriangle(box, [&](NearTriangle triangle) {
      const std::array<int, 3>& corner = mesh_.surface().triangles()[triangle.index];
      for (int k = 0; k < 3; ++k) triangle.velocity[k] = shifts_[corner[k]] * rate_;
      visitor.visit(triangle);
    });
  }
  Bounds bounds() const override { return mesh_.endless() ? endlessBounds() : mesh_.surface().bounds(); }

 private:
  static constexpr double kNoFrame = std::numeric_limits<double>::lowest();

  Status read(double frame, std::vector<Vec3f>& points) {
    const std::size_t count = shifts_.size();
    if (Status status = source_->positionsAt(frame, points); !status.ok()) return status;
    if (points.size() != count)
      return badInput(fmt::format("collider \"{}\" has {} points at frame {}, but {} at the start", name_,
                                  points.size(), frame, count));
    const Mat4d placed = keys_.at(frame);
    for (std::size_t p = 0; p < count; ++p) {
      points[p] = transformPoint(placed, points[p]);
      if (!isFinite(points[p]))
        return badInput(fmt::format(
            "collider \"{}\" has a position at frame {}, point {}, that is not finite", name_, frame, p));
    }
    return {};
  }

  std::string name_;
  RigidMotion keys_;
  std::shared_ptr<Motion> source_;
  double end_frame_ = kNoFrame;
  float rate_ = 0;
  std::vector<Vec3f> start_, end_, shifts_;
  MeshSurface mesh_;
};

}  // namespace

Result<SurfaceTriangles> surfaceTriangles(const Collider& collider) {
  const std::vector<Vec3f>& points = collider.geometry.points;
  SurfaceTriangles surface{fanTriangles(collider.geometry), false};
  surface.closed = isClosed(surface.triangles);
  for (const Vec3f p : points)
    if (!isFinite(p)) return badInput("has a position that is not finite");
  if (surface.closed && enclosedVolume(surface.triangles, points) < 0)
    for (std::array<int, 3>& t : surface.triangles) std::swap(t[1], t[2]);
  surface.triangles.erase(std::remove_if(surface.triangles.begin(), surface.triangles.end(),
                                         [&](const std::array<int, 3>& t) {
                                           return isDegenerate(points[t[0]], points[t[1]], points[t[2]]);
                                         }),
                          surface.triangles.end());
  if (surface.triangles.empty()) return badInput("has no triangle with an area");
  if (collider.inside && !surface.closed) return badInput("must be closed to keep bodies inside");
  return surface;
}

ObstacleResult makeMesh(const Collider& collider) {
  Result<SurfaceTriangles> surface = surfaceTriangles(collider);
  if (!surface.ok()) return surface.status();
  const Kind kind = surface->closed ? Kind::closed : Kind::open;
  if (collider.motion)
    return std::unique_ptr<Obstacle>(
        std::make_unique<DeformingMesh>(collider, std::move(surface->triangles), kind));
  const Vec3f origin = middle(collider.geometry.points);
  std::vector<Vec3f> points = collider.geometry.points;
  for (Vec3f& p : points) p = p - origin;
  return std::unique_ptr<Obstacle>(
      std::make_unique<RigidMesh>(collider, std::move(surface->triangles), kind, origin, points));
}

}  // namespace repose
