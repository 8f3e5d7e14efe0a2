// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Geometry of a host in plain arrays, in the order of its elements: points, primitives, attributes of any
// owner and storage, point groups. Polygons are counter-clockwise seen from outside; the glue turns those of
// the host.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/types.h"
#include "houdini_nodes/placement.h"
#include "houdini_nodes/shared.h"
#include "scene/geometry.h"

namespace repose::nodes {

enum class Owner { point, vertex, primitive, detail };
inline constexpr const char* kOwnerNames[] = {"point", "vertex", "primitive", "detail"};

using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                            std::vector<std::int64_t>, std::vector<std::string>, std::string>;

struct NodeAttribute {
  std::string name;
  Owner owner = Owner::point;
  int width = 1;          // values an element
  Shared<Values> values;  // a string: bytes on the detail, which a host keeps as an array of 32-bit numbers

  bool isBytes() const { return std::holds_alternative<std::string>(*values); }
  bool isText() const { return std::holds_alternative<std::vector<std::string>>(*values); }
  bool isWhole() const {
    return std::holds_alternative<std::vector<std::int32_t>>(*values) ||
           std::holds_alternative<std::vector<std::int64_t>>(*values);
  }
  std::size_t size() const {
    return std::visit([](const auto& list) { return list.size(); }, *values);
  }
  // Whatever the numbers are stored as; 0 of text.
  double number(std::size_t k) const {
    if (const auto* floats = std::get_if<std::vector<float>>(&*values)) return (*floats)[k];
    if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&*values))
      return static_cast<double>((*wholes)[k]);
    return numberOfOther(k);
  }
  const std::string& text(std::size_t k) const { return std::get<std::vector<std::string>>(*values)[k]; }

 private:
  double numberOfOther(std::size_t k) const;
};

enum class PrimitiveKind { polygon, curve, tetrahedron, packed, other };

struct Primitive {
  PrimitiveKind kind = PrimitiveKind::polygon;
  int first = 0, count = 0;  // of its corners
};

// What a primitive of the kind packed holds, hung up at its one point.
struct Packed {
  int primitive = 0;
  std::shared_ptr<const NodeGeometry> inside;  // several may hold the same
  Placement transform;                         // of the inside, into the space of the geometry
};

class NodeGeometry {
 public:
  std::vector<Vec3f> points;
  bool double_points = false;  // the host keeps P in doubles
  SharedList<Primitive> primitives;
  SharedList<int> corners;  // points
  std::vector<NodeAttribute> attributes;
  std::vector<PointGroup> groups;
  std::vector<Packed> packed;
  // Of each point: nobody has touched it since the solver. Empty: P and v tell.
  std::vector<char> as_shown;

  const NodeAttribute* find(Owner owner, std::string_view name) const;
  const PointGroup* findGroup(std::string_view name) const;
  // Makes or replaces it, and remembers that it was written.
  NodeAttribute& write(Owner owner, const std::string& name, int width, Values values);
  void writeDetail(const std::string& name, const std::string& text);
  void writePoints(std::vector<Vec3f> places);
  void writePacked(std::size_t k, const Placement& transform);
  // What a host has to take over: names of attributes, P for the points.
  bool isWritten(Owner owner, std::string_view name) const;
  bool pointsWritten() const { return points_written_; }
  bool packedWritten() const { return packed_written_; }
  bool topologyWritten() const { return topology_written_; }
  void addPrimitive(PrimitiveKind kind, const std::vector<int>& points_of);  // the host rebuilds all of it
  void replaceTopology();  // points and primitives are new, without the host's other attributes

 private:
  std::vector<std::pair<Owner, std::string>> written_;
  bool points_written_ = false, packed_written_ = false, topology_written_ = false;
};

// Its points and polygons, as the core has them.
Geometry polygonsOf(const NodeGeometry& geometry);

}  // namespace repose::nodes
