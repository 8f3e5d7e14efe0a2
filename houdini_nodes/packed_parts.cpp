// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/packed_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "houdini_nodes/attributes.h"

namespace repose::nodes {

namespace {

constexpr int kNumbers = 12;  // of a transform: three axes and where the origin goes

}  // namespace

int hookOf(const NodeGeometry& geometry, const Packed& packed) {
  const Primitive& primitive = geometry.primitives[static_cast<std::size_t>(packed.primitive)];
  return primitive.count > 0 ? geometry.corners[static_cast<std::size_t>(primitive.first)] : -1;
}

std::vector<int> takePackedPoints(const NodeGeometry& geometry, Part& part) {
  if (geometry.packed.empty()) return {};
  std::vector<char> hangs(geometry.points.size(), 0);
  for (const Packed& packed : geometry.packed)
    if (const int hook = hookOf(geometry, packed); hook >= 0) hangs[hook] = 1;
  std::vector<int> hooks;
  for (const int p : part.points)
    if (hangs[p]) hooks.push_back(p);
  part.points.erase(
      std::remove_if(part.points.begin(), part.points.end(), [&](int p) { return hangs[p] != 0; }),
      part.points.end());
  return hooks;
}

void addPacked(const NodeGeometry& geometry, const std::vector<int>& hooks, Part& part) {
  const NodeAttribute* names = geometry.find(Owner::point, "name");
  part.packed_names.resize(part.points.size());
  for (const Packed& packed : geometry.packed) {
    const int hook = hookOf(geometry, packed);
    if (!std::binary_search(hooks.begin(), hooks.end(), hook)) continue;
    const Placement start = startOf(geometry, packed);
    const auto first = static_cast<std::int32_t>(part.points.size());
    const Geometry mesh = polygonsOf(*packed.inside);
    const std::string given = names && names->isText() ? names->text(static_cast<std::size_t>(hook)) : "";
    const std::string name = given.empty() ? fmt::format("{}_{:04}", part.name, packed.primitive + 1) : given;
    for (const Vec3f p : mesh.points) {
      part.mesh.points.push_back(start.point(p));
      part.points.push_back(hook);
      part.packed_names.push_back(name);
    }
    part.mesh.face_counts.insert(part.mesh.face_counts.end(), mesh.face_counts.begin(),
                                 mesh.face_counts.end());
    for (const std::int32_t corner : mesh.face_indices) part.mesh.face_indices.push_back(first + corner);
  }
}

Placement startOf(const NodeGeometry& geometry, const Packed& packed) {
  const NodeAttribute* frames = geometry.find(Owner::point, kFrame);
  const auto first = kNumbers * static_cast<std::size_t>(hookOf(geometry, packed));
  Placement start;
  for (int k = 0; k < kNumbers; ++k) {
    const double number =
        frames ? frames->number(first + static_cast<std::size_t>(k)) : packed.transform.rows[k / 3][k % 3];
    start.rows[k / 3][k % 3] = static_cast<float>(number);
  }
  return start;
}

void writeFrames(NodeGeometry& geometry) {
  if (geometry.packed.empty()) return;
  std::vector<float> frames(kNumbers * geometry.points.size(), 0);
  for (const Packed& packed : geometry.packed) {
    const int hook = hookOf(geometry, packed);
    for (int k = 0; hook >= 0 && k < kNumbers; ++k)
      frames[kNumbers * static_cast<std::size_t>(hook) + k] =
          static_cast<float>(packed.transform.rows[k / 3][k % 3]);
  }
  geometry.write(Owner::point, kFrame, kNumbers, std::move(frames));
}

}  // namespace repose::nodes
