// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/node_geometry.h"

#include <algorithm>
#include <type_traits>

namespace repose::nodes {

double NodeAttribute::numberOfOther(std::size_t k) const {
  return std::visit(
      [k](const auto& list) {
        using Value = typename std::decay_t<decltype(list)>::value_type;
        if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, char>)
          return static_cast<double>(list[k]);
        else
          return 0.0;
      },
      *values);
}

const NodeAttribute* NodeGeometry::find(Owner owner, std::string_view name) const {
  for (const NodeAttribute& a : attributes)
    if (a.owner == owner && a.name == name) return &a;
  return nullptr;
}

const PointGroup* NodeGeometry::findGroup(std::string_view name) const {
  for (const PointGroup& g : groups)
    if (g.name == name) return &g;
  return nullptr;
}

NodeAttribute& NodeGeometry::write(Owner owner, const std::string& name, int width, Values values) {
  if (!isWritten(owner, name)) written_.emplace_back(owner, name);
  for (NodeAttribute& a : attributes)
    if (a.owner == owner && a.name == name) {
      a.width = width, a.values = std::move(values);
      return a;
    }
  attributes.push_back({name, owner, width, std::move(values)});
  return attributes.back();
}

void NodeGeometry::writeDetail(const std::string& name, const std::string& text) {
  write(Owner::detail, name, 1, std::vector<std::string>{text});
}

void NodeGeometry::writePoints(std::vector<Vec3f> places) {
  points = std::move(places);
  points_written_ = true;
}

void NodeGeometry::writePacked(std::size_t k, const Placement& transform) {
  packed[k].transform = transform;
  packed_written_ = true;
}

bool NodeGeometry::isWritten(Owner owner, std::string_view name) const {
  return std::any_of(written_.begin(), written_.end(),
                     [&](const auto& w) { return w.first == owner && w.second == name; });
}

void NodeGeometry::addPrimitive(PrimitiveKind kind, const std::vector<int>& points_of) {
  primitives.push_back({kind, static_cast<int>(corners.size()), static_cast<int>(points_of.size())});
  std::vector<int>& all = corners.edit();
  all.insert(all.end(), points_of.begin(), points_of.end());
  topology_written_ = true;
}

void NodeGeometry::replaceTopology() {
  primitives.clear(), corners.clear(), packed.clear(), attributes.clear(), groups.clear(), written_.clear();
  points_written_ = topology_written_ = true;
}

Geometry polygonsOf(const NodeGeometry& geometry) {
  Geometry mesh;
  mesh.points = geometry.points;
  for (const Primitive& primitive : geometry.primitives) {
    if (primitive.kind != PrimitiveKind::polygon) continue;
    mesh.face_counts.push_back(primitive.count);
    const auto first = geometry.corners.begin() + primitive.first;
    mesh.face_indices.insert(mesh.face_indices.end(), first, first + primitive.count);
  }
  return mesh;
}

}  // namespace repose::nodes
