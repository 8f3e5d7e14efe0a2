// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/rigid_parts.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <numeric>
#include <tuple>

#include "houdini_nodes/attributes.h"

namespace repose::nodes {

namespace {

constexpr double kDegrees = 57.295779513082320877;

// Of each point the name of its piece.
std::vector<std::string> namesOfPoints(const NodeGeometry& geometry, const Part& part, Assembly& assembly) {
  std::vector<std::string> names(part.points.size());
  if (const NodeAttribute* of_points = geometry.find(Owner::point, "name"); of_points) {
    for (std::size_t k = 0; k < names.size(); ++k) names[k] = of_points->text(part.points[k]);
    return names;
  }
  const NodeAttribute* of_faces = geometry.find(Owner::primitive, "name");
  if (!of_faces || !of_faces->isText()) {
    assembly.fail(
        fmt::format("body \"{}\": pieces are told by name, but there is no attribute name (string) of points "
                    "or primitives",
                    part.name));
    return names;
  }
  std::vector<int> local(geometry.points.size(), -1);
  for (std::size_t k = 0; k < part.points.size(); ++k) local[part.points[k]] = static_cast<int>(k);
  for (std::size_t f = 0; f < geometry.primitives.size(); ++f)
    for (int i = 0; i < geometry.primitives[f].count; ++i)
      if (const int k = local[geometry.corners[geometry.primitives[f].first + i]]; k >= 0)
        names[k] = of_faces->text(f);
  return names;
}

// Of each point the first point of what hangs together with it.
std::vector<std::string> connectedNames(const Part& part) {
  std::vector<int> root(part.points.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  std::size_t first = 0;
  for (const std::int32_t count : part.mesh.face_counts) {
    for (int k = 1; k < count; ++k) {
      const int a = find(part.mesh.face_indices[first]), b = find(part.mesh.face_indices[first + k]);
      root[std::max(a, b)] = std::min(a, b);
    }
    first += static_cast<std::size_t>(count);
  }
  std::map<int, int> numbers;
  std::vector<std::string> names;
  for (std::size_t p = 0; p < root.size(); ++p)
    names.push_back(fmt::format(
        "{}_{:04}", part.name,
        numbers.try_emplace(find(static_cast<int>(p)), static_cast<int>(numbers.size()) + 1).first->second));
  return names;
}

struct Start {
  Vec3f v, w;
  bool active = true, follows = false;  // the animated source, when it is not active
  auto key() const { return std::make_tuple(v.x, v.y, v.z, w.x, w.y, w.z, active, follows); }
};

// How a piece starts: as its first point says.
Start startOf(const NodeGeometry& geometry, int point) {
  const PointVectors v(geometry, "v"), w(geometry, "w");
  const PointNumbers active(geometry, "active"), animated(geometry, "animated");
  Start start;
  if (const NodeAttribute* begun = geometry.find(Owner::point, kStart)) {
    for (int k = 0; k < 3; ++k) {
      start.v[k] = static_cast<float>(begun->number(6 * static_cast<std::size_t>(point) + k));
      start.w[k] = static_cast<float>(begun->number(6 * static_cast<std::size_t>(point) + 3 + k));
    }
  } else {
    if (v) start.v = v.at(point);
    if (w) start.w = w.at(point);
  }
  start.active = !active || active.at(point) != 0;
  start.follows = !start.active && animated && animated.at(point) != 0;
  return start;
}

// The pieces of one motion as a body of their own.
Part bodyOf(const Part& whole, const std::vector<char>& chosen, const Start& start) {
  Part body = whole;
  body.mesh = {}, body.points.clear(), body.piece_of.clear(), body.packed_names.clear();
  std::vector<int> local(whole.points.size(), -1);
  Attribute names;
  names.name = "name", names.type = AttributeType::string;
  for (std::size_t k = 0; k < whole.points.size(); ++k) {
    if (!chosen[whole.piece_of[k]]) continue;
    local[k] = static_cast<int>(body.points.size());
    body.points.push_back(whole.points[k]);
    body.packed_names.push_back(whole.isPacked(k) ? whole.packed_names[k] : "");
    body.piece_of.push_back(whole.piece_of[k]);
    body.mesh.points.push_back(whole.mesh.points[k]);
    names.strings.push_back(whole.pieces[whole.piece_of[k]]);
  }
  std::size_t first = 0;
  for (const std::int32_t count : whole.mesh.face_counts) {
    if (local[whole.mesh.face_indices[first]] >= 0) {
      body.mesh.face_counts.push_back(count);
      for (int i = 0; i < count; ++i)
        body.mesh.face_indices.push_back(local[whole.mesh.face_indices[first + i]]);
    }
    first += static_cast<std::size_t>(count);
  }
  if (whole.pieces.size() > 1) body.mesh.attributes.push_back(std::move(names));
  if (start.v != Vec3f{}) body.settings["velocity"] = exact(start.v);
  const Vec3f spin = start.w * static_cast<float>(kDegrees);
  if (start.w != Vec3f{}) body.settings["spin"] = exact(spin);
  if (!start.active) body.settings["animated"] = true;
  body.moves = start.follows;
  return body;
}

}  // namespace

std::string pieceName(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

void splitRigid(const NodeGeometry& geometry, Part part, Assembly& assembly) {
  const std::string cutting = part.settings.value("pieces", "whole");
  part.settings.erase("pieces");
  const std::vector<std::string> names = cutting == "whole"
                                             ? std::vector<std::string>(part.points.size(), part.name)
                                         : cutting == "name" ? namesOfPoints(geometry, part, assembly)
                                                             : connectedNames(part);
  if (!assembly.ok()) return;
  std::map<std::string, int> known;
  std::vector<int> first_point;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name = pieceName(part.isPacked(k) ? part.packed_names[k] : names[k]);
    const auto [at, is_new] = known.try_emplace(name, static_cast<int>(part.pieces.size()));
    if (is_new) part.pieces.push_back(name), first_point.push_back(part.points[k]);
    part.piece_of.push_back(at->second);
  }
  if (part.pieces.size() > 1) part.settings["pieces"] = "name";
  std::vector<std::pair<Start, std::vector<char>>> motions;
  std::map<decltype(Start().key()), std::size_t> at_motion;
  for (std::size_t p = 0; p < part.pieces.size(); ++p) {
    const Start start = startOf(geometry, first_point[p]);
    const auto [at, is_new] = at_motion.try_emplace(start.key(), motions.size());
    if (is_new) motions.push_back({start, std::vector<char>(part.pieces.size(), 0)});
    motions[at->second].second[p] = 1;
  }
  for (std::size_t m = 0; m < motions.size(); ++m) {
    Part body = bodyOf(part, motions[m].second, motions[m].first);
    if (m > 0) body.name = fmt::format("{}_{}", part.name, m + 1);
    assembly.bodies.push_back(std::move(body));
  }
}

}  // namespace repose::nodes
