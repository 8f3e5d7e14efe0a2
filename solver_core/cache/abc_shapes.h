// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The AbcGeom schemas of the objects that AbcWriter writes (alembic.md 4): which properties they have, and
// what of a Geometry goes into them once and for all.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"
#include "cache/abc_tree.h"
#include "cache/abc_writer.h"
#include "scene/geometry.h"

namespace repose {

inline constexpr int kFrameSampling = 1;  // index of the time sampling of what moves; 0 is for constants

enum class ShapeKind { mesh, tearing_mesh, changing_mesh, rigid, points, curves };

struct AbcShape {
  ShapeKind kind = ShapeKind::mesh;
  std::string path;                      // of the shape
  PropertyNode* geom = nullptr;          // schema of the shape
  PropertyNode* xform = nullptr;         // schema of the Xform above it
  PropertyNode* moving = nullptr;        // P, or the matrix of a rigid shape
  PropertyNode* bounds = nullptr;        // of what moves
  PropertyNode* face_indices = nullptr;  // changing and tearing meshes
  PropertyNode* face_counts = nullptr;   // changing meshes
  PropertyNode* ids = nullptr;           // points
  PropertyNode* widths = nullptr;        // points
  PropertyNode* parameters = nullptr;    // .arbGeomParams, once there is one
  std::vector<PropertyNode*> constant;   // repeated with every sample of the object
  std::size_t points = 0;                // meshes and curves
  std::vector<std::int32_t> corners;     // of each face of a tearing mesh

  PropertyNode* parameter(const std::string& name, Pod pod, int extent, int sampling, const char* scope,
                          const std::string& interpretation);
};

// Each adds NAME and below it NAMEShape to the archive. kind: a mesh, one that tears, or rigid.
Result<AbcShape> addMeshShape(AbcTree& tree, const std::string& name, const Geometry& geometry, double scale,
                              ShapeKind kind);
AbcShape addChangingMeshShape(AbcTree& tree, const std::string& name);
Result<AbcShape> addCurvesShape(AbcTree& tree, const std::string& name,
                                const std::vector<std::int32_t>& counts);
AbcShape addPointsShape(AbcTree& tree, const std::string& name, PointWidths widths);
PropertyNode* addVelocities(PropertyNode& geom);
// Whether faces and points of a mesh fit each other.
Status checkTopology(const std::string& name, const Geometry& geometry);

std::string boundsPayload(const Bounds& bounds);  // a finite box also if there are no points

}  // namespace repose
