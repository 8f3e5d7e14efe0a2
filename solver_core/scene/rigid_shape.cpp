// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/rigid_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "scene/mesh_check.h"
#include "scene/mesh_pieces.h"
#include "scene/shapes.h"

namespace repose {

namespace {

constexpr float kSameScale = 1e-5f;

bool same(float a, float b) { return std::abs(a - b) <= kSameScale * a; }

// The exact solid of a shape by formula, if it has one and the scale leaves it one of its kind.
std::optional<Convex> exactSolid(const FormulaShape& formula, Vec3f scale) {
  const Shape& shape = formula.shape;
  const bool round = same(scale.x, scale.z), alike = round && same(scale.x, scale.y);
  if (formula.row->name == "box")
    return makeBox(Vec3f{shape.size.x * scale.x, shape.size.y * scale.y, shape.size.z * scale.z});
  if (formula.row->name == "sphere" && alike) return makeSphere(shape.radius * scale.x);
  if (formula.row->name == "capsule" && alike)
    return makeCapsule(shape.radius * scale.x, shape.height * scale.y);
  if (formula.row->name == "cylinder" && round)
    return makeCylinder(shape.radius * scale.x, shape.height * scale.y);
  return std::nullopt;
}

Result<Convex> boxAround(const std::vector<Vec3f>& points) {
  Bounds bounds;
  for (const Vec3f p : points) bounds.add(p);
  const Vec3f size = bounds.hi - bounds.lo;
  if (!(std::min({size.x, size.y, size.z}) > 0)) return badInput("is flat, and makes no box");
  Convex box = makeBox(size);
  box.place.origin = (bounds.lo + bounds.hi) * 0.5f;
  return box;
}

Result<Convex> sphereAround(const std::vector<Vec3f>& points) {
  Bounds bounds;
  for (const Vec3f p : points) bounds.add(p);
  const Vec3f centre = (bounds.lo + bounds.hi) * 0.5f;
  float radius = 0;
  for (const Vec3f p : points) radius = std::max(radius, length(p - centre));
  if (!(radius > 0)) return badInput("is one point, and makes no sphere");
  Convex sphere = makeSphere(radius);
  sphere.place.origin = centre;
  return sphere;
}

}  // namespace

Result<RigidShape> makeRigidShape(Geometry geometry, const FormulaShape* formula, Vec3f scale,
                                  Collision collision, float voxel) {
  RigidShape shape;
  shape.voxel = voxel;
  std::optional<Convex> exact;
  if (formula && (collision == Collision::automatic || collision == Collision::sphere))
    exact = exactSolid(*formula, scale);
  if (collision == Collision::sphere && exact && exact->kind != Convex::Kind::sphere) exact.reset();
  std::vector<Result<Convex>> solids;
  if (exact) {
    solids.emplace_back(*exact);
  } else if (collision == Collision::box) {
    solids.push_back(boxAround(geometry.points));
  } else if (collision == Collision::sphere) {
    solids.push_back(sphereAround(geometry.points));
  } else if (collision == Collision::parts) {
    for (const MeshPiece& part : connectedPieces(geometry)) solids.push_back(makeHull(part.geometry.points));
  } else if (collision != Collision::concave) {
    solids.push_back(makeHull(geometry.points));
  }
  for (Result<Convex>& solid : solids) {
    if (!solid.ok()) return solid.status();
    shape.parts.push_back(std::move(*solid));
  }
  shape.geometry = std::move(geometry);
  return shape;
}

MassProperties massOf(const RigidShape& shape) {
  if (shape.parts.empty()) return massOf(shape.geometry.points, fanTriangles(shape.geometry));
  MassProperties mass = massOf(shape.parts[0]);
  for (std::size_t k = 1; k < shape.parts.size(); ++k) mass = mass + massOf(shape.parts[k]);
  return mass;
}

Pose poseOf(const Mat4d& place) {
  Pose pose;
  for (int c = 0; c < 3; ++c) {
    Vec3f& axis = pose.axis[c];
    double square = 0;
    for (int r = 0; r < 3; ++r) square += place.m[r][c] * place.m[r][c];
    for (int r = 0; r < 3; ++r) axis[r] = static_cast<float>(place.m[r][c] / std::sqrt(square));
  }
  pose.origin = transformPoint(place, {});
  return pose;
}

}  // namespace repose
