// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/draw_colliders.h"

#include <algorithm>
#include <map>

#include "collide/rigid_motion.h"
#include "render/image.h"
#include "scene/shapes.h"
#include "vdb/level_set.h"

namespace repose {
namespace {

constexpr unsigned kColliderColor = 0x94989e, kEdgeColor = 0x63666b;
constexpr float kLevel = 0.999f;       // cosine of a plane that is still the ground
constexpr float kSharp = 0.8f;         // cosine between the faces at an edge that is drawn
constexpr float kEdgeRadius = 0.001f;  // of the size of the picture's contents
constexpr float kPlaneReach = 1.5f;    // of that size

// Where keys put a collider, against where it was placed.
Mat4d keyedMotion(const Collider& collider, double frame) { return RigidMotion(collider, {}).at(frame); }

void move(const Mat4d& by, Geometry& geometry) {
  for (Vec3f& p : geometry.points) p = transformPoint(by, p);
}

void append(Geometry& to, Geometry part, const Mat4d& place) {
  const auto offset = static_cast<std::int32_t>(to.points.size());
  move(place, part);
  to.points.insert(to.points.end(), part.points.begin(), part.points.end());
  to.face_counts.insert(to.face_counts.end(), part.face_counts.begin(), part.face_counts.end());
  for (const std::int32_t point : part.face_indices) to.face_indices.push_back(point + offset);
}

Geometry meshOfVolume(const Volume& volume) {
  Shape shape;
  shape.size = volume.size;
  shape.radius = volume.radius;
  shape.height = volume.height;
  shape.tuberadius = volume.tuberadius;
  shape.divisions = {64, 32, 1};
  switch (volume.shape) {
    case Volume::Shape::box:
      shape.divisions = {1, 1, 1};
      return makeBox(shape);
    case Volume::Shape::sphere:
      return makeSphere(shape);
    case Volume::Shape::cylinder:
      shape.divisions = {64, 1, 1};
      return makeCylinder(shape);
    case Volume::Shape::cone:
      return makeCone(shape);
    case Volume::Shape::capsule:
      return makeCapsule(shape);
    case Volume::Shape::torus:
      return makeTorus(shape);
  }
  return {};
}

float sizeOf(const Bounds& extent) { return extent.empty() ? 1.0f : length(extent.hi - extent.lo); }

// A square of the plane around what there is to see.
Geometry meshOfPlane(Vec3f point, Vec3f normal, const Bounds& extent) {
  const Vec3f centre = extent.empty() ? point : (extent.lo + extent.hi) * 0.5f;
  const Vec3f foot = centre - normal * dot(centre - point, normal);
  const float reach = kPlaneReach * sizeOf(extent);
  Vec3f t, b;
  tangentFrame(normal, t, b);
  Geometry square;
  square.points = {foot - (t + b) * reach, foot + (t - b) * reach, foot + (t + b) * reach,
                   foot - (t - b) * reach};
  square.face_counts = {4};
  square.face_indices = {0, 1, 2, 3};
  return square;
}

// Edges at which the surface ends or turns sharply, as lines of two points.
RenderCurves sharpEdges(const Geometry& mesh, float radius) {
  struct Edge {
    int faces = 0;
    float cosine = 1;
    Vec3f normal;
  };
  // by place: caps and walls made one by one do not share their points
  using Place = std::array<float, 3>;
  std::map<std::pair<Place, Place>, Edge> edges;
  const auto place = [&](std::int32_t point) {
    const Vec3f p = mesh.points[static_cast<std::size_t>(point)];
    const auto rounded = [radius](float x) { return std::round(x / radius) * radius; };
    return Place{rounded(p.x), rounded(p.y), rounded(p.z)};
  };
  std::size_t first = 0;
  for (const std::int32_t count : mesh.face_counts) {
    const std::int32_t* face = &mesh.face_indices[first];
    Vec3f area;
    const auto at = [&](std::int32_t k) { return mesh.points[static_cast<std::size_t>(face[k % count])]; };
    for (std::int32_t k = 1; k + 1 < count; ++k) area += cross(at(k) - at(0), at(k + 1) - at(0));
    const Vec3f normal = normalized(area);
    for (std::int32_t k = 0; k < count; ++k) {
      const Place a = place(face[k]), b = place(face[(k + 1) % count]);
      if (a == b) continue;
      Edge& edge = edges[std::minmax(a, b)];
      if (edge.faces++ > 0) edge.cosine = std::min(edge.cosine, dot(edge.normal, normal));
      edge.normal = normal;
    }
    first += static_cast<std::size_t>(count);
  }
  RenderCurves curves;
  curves.color = colorFromHex(kEdgeColor);
  for (const auto& [ends, edge] : edges) {
    if (edge.faces > 1 && edge.cosine > kSharp) continue;
    for (const Place& end : {ends.first, ends.second}) {
      curves.points.push_back({end[0], end[1], end[2]});
      curves.radii.push_back(radius);
    }
    curves.counts.push_back(2);
  }
  return curves;
}

Result<Geometry> meshOfCollider(const Collider& collider, double frame) {
  const Mat4d motion = keyedMotion(collider, frame);
  Geometry mesh;
  switch (collider.shape) {
    case Collider::Shape::plane:
      break;
    case Collider::Shape::volume:
      append(mesh, meshOfVolume(collider.volume), motion * collider.volume.place);
      break;
    case Collider::Shape::heightfield:
    case Collider::Shape::mesh:
      mesh = collider.geometry;
      if (collider.motion)
        if (Status read = collider.motion->positionsAt(frame, mesh.points); !read) return read;
      move(motion, mesh);
      break;
    case Collider::Shape::field: {
      const Result<LevelSet> field = readVdb(collider.path);
      if (!field) return field.status();
      append(mesh, meshOf(*field, 0), motion);
      break;
    }
  }
  return mesh;
}

bool isGround(const Collider& collider, double frame) {
  return collider.shape == Collider::Shape::plane &&
         normalized(transformVector(keyedMotion(collider, frame), collider.normal)).y > kLevel;
}

}  // namespace

Status addColliders(const Scene& scene, double frame, const Bounds& extent, RenderScene& picture) {
  for (const Collider& collider : scene.colliders) {
    if (isGround(collider, frame)) continue;
    Geometry mesh;
    if (collider.shape == Collider::Shape::plane) {
      const Mat4d motion = keyedMotion(collider, frame);
      mesh = meshOfPlane(transformPoint(motion, collider.point),
                         normalized(transformVector(motion, collider.normal)), extent);
    } else {
      Result<Geometry> made = meshOfCollider(collider, frame);
      if (!made) return made.status();
      mesh = std::move(*made);
    }
    if (collider.inside) picture.curves.push_back(sharpEdges(mesh, kEdgeRadius * sizeOf(extent)));
    RenderMesh drawn;
    drawn.triangles = triangulate(mesh.face_counts, mesh.face_indices, mesh.points.size());
    drawn.points = std::move(mesh.points);
    drawn.color = colorFromHex(kColliderColor);
    drawn.only_inside = collider.inside;
    picture.meshes.push_back(std::move(drawn));
  }
  return {};
}

std::optional<float> groundHeight(const Scene& scene, double frame) {
  std::optional<float> height;
  for (const Collider& collider : scene.colliders)
    if (isGround(collider, frame)) {
      const float y = transformPoint(keyedMotion(collider, frame), collider.point).y;
      height = std::max(height.value_or(y), y);
    }
  return height;
}

}  // namespace repose
