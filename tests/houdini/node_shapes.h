// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Geometry for the tests of nodes, as a host would hand it over, and short ways to cook.
#pragma once
#include <string>
#include <vector>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/cook.h"
#include "scene/shapes.h"

namespace repose::nodes {

inline NodeGeometry meshOf(const Geometry& mesh, Vec3f by = {}) {
  NodeGeometry geometry;
  for (const Vec3f p : mesh.points) geometry.points.push_back(p + by);
  std::size_t first = 0;
  for (const std::int32_t count : mesh.face_counts) {
    geometry.primitives.push_back({PrimitiveKind::polygon, static_cast<int>(first), count});
    first += static_cast<std::size_t>(count);
  }
  geometry.corners = std::vector<int>(mesh.face_indices.begin(), mesh.face_indices.end());
  geometry.groups = mesh.groups;
  return geometry;
}

inline NodeGeometry sheet(int cells = 8, Vec3f by = {}) {
  Shape shape;
  shape.divisions = {cells, cells, 1}, shape.size = {1, 1, 1};
  return meshOf(makeGrid(shape), by);
}

inline NodeGeometry crate(float size = 0.4f, Vec3f by = {}) {
  Shape shape;
  shape.size = {size, size, size};
  shape.divisions = {1, 1, 1};
  return meshOf(makeBox(shape), by);
}

// Grains in rows, each a little off its place, so that they tumble.
inline NodeGeometry dots(int side = 4, float radius = 0.03f, Vec3f by = {}) {
  NodeGeometry geometry;
  for (int k = 0; k < side * side * side; ++k) {
    const int x = k % side, y = k / side % side, z = k / side / side;
    const float off = 0.003f * static_cast<float>((k * 7) % 5);
    geometry.points.push_back(by + Vec3f{2.4f * radius * static_cast<float>(x) + off,
                                         2.4f * radius * static_cast<float>(y) + radius,
                                         2.4f * radius * static_cast<float>(z) - off});
  }
  geometry.write(Owner::point, "pscale", 1, std::vector<float>(geometry.points.size(), radius));
  return geometry;
}

inline Parms parmsOf(const char* type) { return Parms(*findNode(type)); }

inline CookResult cook(const Parms& parms, std::vector<const NodeGeometry*> inputs, double frame = 1,
                       std::unique_ptr<NodeMemory>* memory = nullptr, CookControl* control = nullptr) {
  CookInput input;
  input.geometry = std::move(inputs), input.parms = &parms, input.frame = frame, input.memory = memory;
  input.control = control;
  return cookNode(input);
}

inline std::string lines(const std::vector<std::string>& sentences) {
  std::string all;
  for (const std::string& sentence : sentences) all += sentence + "\n";
  return all;
}

inline std::string hashOf(const NodeGeometry& geometry) {
  const NodeAttribute* hash = geometry.find(Owner::detail, kHash);
  return hash ? hash->text(0) : "";
}

}  // namespace repose::nodes
