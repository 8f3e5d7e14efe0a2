// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Host-neutral geometry: points, polygons, attributes and groups. Faces are counter-clockwise seen from
// outside; Alembic's clockwise order is a matter of cache/ alone.
#pragma once
#include <string>
#include <vector>

#include "base/types.h"

namespace repose {

enum class AttributeOwner { detail, point, face, corner };
enum class AttributeType { f32, i32, string };

// One named array. With `indices` (corner attributes such as uv) element k has the value values[indices[k]].
struct Attribute {
  std::string name;
  AttributeOwner owner = AttributeOwner::point;
  AttributeType type = AttributeType::f32;
  int width = 1;                   // components an element
  std::string interpretation;      // "", point, vector, normal, rgb, rgba, quat
  std::vector<float> floats;       // f32: width per value
  std::vector<std::int32_t> ints;  // i32: width per value
  std::vector<std::string> strings;
  std::vector<std::uint32_t> indices;
};

struct PointGroup {
  std::string name;
  std::vector<std::int32_t> points;  // ascending
};

struct Geometry {
  std::vector<Vec3f> points;
  std::vector<std::int32_t> face_counts;   // corners of each face
  std::vector<std::int32_t> face_indices;  // corner -> point, face after face
  std::vector<Attribute> attributes;
  std::vector<PointGroup> groups;

  const Attribute* find(AttributeOwner owner, const std::string& name) const {
    for (const Attribute& a : attributes)
      if (a.owner == owner && a.name == name) return &a;
    return nullptr;
  }
  const PointGroup* findGroup(const std::string& name) const {
    for (const PointGroup& g : groups)
      if (g.name == name) return &g;
    return nullptr;
  }
};

}  // namespace repose
