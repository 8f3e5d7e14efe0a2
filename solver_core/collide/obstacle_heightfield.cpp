// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Heights over a grid: ground for everything above it. Beside the grid there is nothing.
#include <algorithm>
#include <cmath>

#include "collide/obstacle_kinds.h"
#include "collide/rigid_motion.h"
#include "collide/triangle_surface.h"

namespace repose {

namespace {

Vec3f unit(Vec3f v) { return v * (1 / length(v)); }

// Points in the own space of the field: rows along x, the next row further along z, y up.
struct Heights {
  std::vector<Vec3f> points;
  int columns = 0, rows = 0;
  Mat4d place;
};

// Two triangles a cell, facing up.
TriangleList cellTriangles(int columns, int rows) {
  TriangleList triangles;
  for (int j = 0; j + 1 < rows; ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int a = j * columns + i, b = a + 1, c = b + columns, d = a + columns;
      triangles.push_back({a, d, c});
      triangles.push_back({a, c, b});
    }
  return triangles;
}

class Heightfield final : public RigidObstacle {
 public:
  Heightfield(const Collider& collider, Heights heights)
      : RigidObstacle(collider, heights.place),
        heights_(std::move(heights)),
        surface_(cellTriangles(heights_.columns, heights_.rows), heights_.points,
                 TriangleSurface::Kind::sheet, false) {
    surface_.place(heights_.points, nullptr);
    const Vec3f first = heights_.points.front(), last = heights_.points.back();
    cell_x_ = (last.x - first.x) / static_cast<float>(heights_.columns - 1);
    cell_z_ = (last.z - first.z) / static_cast<float>(heights_.rows - 1);
  }

  int touch(Vec3f centre, Vec3f motion, float reach, Touch* touches) const override {
    TriangleTouch found[kMostTouches];
    const Pose& pose = motion_.pose();
    const Vec3f p = pose.local(centre);
    int count = surface_.touch(p, motion_.localMotion(centre, motion), reach, found);
    if (!count && below(p)) found[0] = surface_.nearest(p), count = found[0].gap < 0;
    for (int k = 0; k < count; ++k) {
      const Vec3f normal = pose.worldVector(found[k].normal);
      touches[k] = {normal, found[k].gap, motion_.velocity(centre - normal * found[k].gap), found[k].feature};
    }
    return count;
  }
  Form form() const override { return Form::triangles; }
  void eachTriangle(const Bounds& box, TriangleVisitor& visitor) const override {
    visitMoved(surface_, motion_, box, visitor);
  }
  // What is deep below counts too, as far down as the field is wide.
  Bounds bounds() const override {
    Bounds box = surface_.bounds();
    const Vec3f size = box.hi - box.lo;
    box.lo.y -= std::max(size.x, size.z);
    return motion_.bounds(box);
  }

 private:
  // Whether the cell over or under the point lies higher than it.
  bool below(Vec3f p) const {
    const float x = (p.x - heights_.points[0].x) / cell_x_, z = (p.z - heights_.points[0].z) / cell_z_;
    if (!(x >= 0 && z >= 0 && x < static_cast<float>(heights_.columns - 1) &&
          z < static_cast<float>(heights_.rows - 1)))
      return false;
    const int i = static_cast<int>(x), j = static_cast<int>(z);
    const Vec3f* a = &heights_.points[static_cast<std::size_t>(j) * heights_.columns + i];
    const Vec3f* d = a + heights_.columns;
    const float u = x - static_cast<float>(i), v = z - static_cast<float>(j);
    const float height = v > u ? a->y + u * (d[1].y - d->y) + v * (d->y - a->y)
                               : a->y + u * (a[1].y - a->y) + v * (d[1].y - a[1].y);
    return p.y < height;
  }

  Heights heights_;
  TriangleSurface surface_;
  float cell_x_ = 1, cell_z_ = 1;
};

}  // namespace

ObstacleResult makeHeightfield(const Collider& collider) {
  const std::vector<Vec3f>& points = collider.geometry.points;
  Heights heights;
  heights.columns = collider.columns;
  heights.rows = heights.columns > 1 ? static_cast<int>(points.size()) / heights.columns : 0;
  if (heights.rows < 2 || points.size() != static_cast<std::size_t>(heights.columns) * heights.rows)
    return badInput("must be a grid of at least 2 by 2 points");
  for (const Vec3f p : points)
    if (!isFinite(p)) return badInput("has a position that is not finite");

  // Rows are put in the order in which x, y and z are a right-handed space.
  const Vec3f up = unit(collider.normal);
  const Vec3f row = points[heights.columns - 1] - points[0];
  const Vec3f next = points[static_cast<std::size_t>(heights.columns) * (heights.rows - 1)] - points[0];
  const Vec3f x = unit(row - up * dot(up, row)), z = cross(x, up);
  const bool ascending = dot(next, z) > 0;
  const Vec3f origin = points[points.size() / 2];
  for (int k = 0; k < 3; ++k) {
    heights.place.m[k][0] = x[k], heights.place.m[k][1] = up[k], heights.place.m[k][2] = z[k];
    heights.place.m[k][3] = origin[k];
  }
  for (int j = 0; j < heights.rows; ++j)
    for (int i = 0; i < heights.columns; ++i) {
      const int from = (ascending ? j : heights.rows - 1 - j) * heights.columns + i;
      const Vec3f d = points[from] - origin;
      heights.points.push_back({dot(x, d), dot(up, d), dot(z, d)});
    }
  return std::unique_ptr<Obstacle>(std::make_unique<Heightfield>(collider, std::move(heights)));
}

}  // namespace repose
