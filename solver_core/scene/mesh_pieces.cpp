// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/mesh_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace repose {

namespace {

std::vector<std::size_t> firstCorners(const Geometry& geometry) {
  std::vector<std::size_t> first = {0};
  for (const std::int32_t count : geometry.face_counts) first.push_back(first.back() + count);
  return first;
}

template <class T>
void take(const std::vector<T>& from, const std::vector<std::size_t>& elements, int width,
          std::vector<T>& to) {
  for (const std::size_t e : elements)
    for (int k = 0; k < width; ++k)
      if (e * width + k < from.size()) to.push_back(from[e * width + k]);
}

// The attribute at the chosen elements of its owner.
Attribute chosen(const Attribute& attribute, const std::vector<std::size_t>& elements) {
  Attribute some = attribute;
  if (!attribute.indices.empty()) {
    some.indices.clear();
    take(attribute.indices, elements, 1, some.indices);
    return some;
  }
  some.floats.clear(), some.ints.clear(), some.strings.clear();
  take(attribute.floats, elements, attribute.width, some.floats);
  take(attribute.ints, elements, attribute.width, some.ints);
  take(attribute.strings, elements, attribute.width, some.strings);
  return some;
}

// The faces with the points they use, which keep their order.
MeshPiece chosenFaces(const Geometry& geometry, const std::vector<std::size_t>& first,
                      const std::vector<std::size_t>& faces, const std::string& name) {
  MeshPiece piece{name, {}};
  Geometry& some = piece.geometry;
  std::vector<std::size_t> points, corners;
  for (const std::size_t f : faces) {
    some.face_counts.push_back(geometry.face_counts[f]);
    for (std::size_t c = first[f]; c < first[f + 1]; ++c) {
      corners.push_back(c);
      points.push_back(static_cast<std::size_t>(geometry.face_indices[c]));
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  const auto numberOf = [&](std::int32_t p) {
    return static_cast<std::int32_t>(
        std::lower_bound(points.begin(), points.end(), static_cast<std::size_t>(p)) - points.begin());
  };
  piece.points.assign(points.begin(), points.end());
  for (const std::size_t p : points) some.points.push_back(geometry.points[p]);
  for (const std::size_t c : corners) some.face_indices.push_back(numberOf(geometry.face_indices[c]));
  for (const Attribute& attribute : geometry.attributes) {
    if (attribute.owner == AttributeOwner::point) some.attributes.push_back(chosen(attribute, points));
    if (attribute.owner == AttributeOwner::face) some.attributes.push_back(chosen(attribute, faces));
    if (attribute.owner == AttributeOwner::corner) some.attributes.push_back(chosen(attribute, corners));
    if (attribute.owner == AttributeOwner::detail) some.attributes.push_back(attribute);
  }
  return piece;
}

// Cuts by the number that each face has, from 0.
std::vector<MeshPiece> cut(const Geometry& geometry, const std::vector<std::size_t>& piece_of,
                           const std::vector<std::string>& names) {
  std::vector<std::vector<std::size_t>> faces(names.size());
  for (std::size_t f = 0; f < piece_of.size(); ++f) faces[piece_of[f]].push_back(f);
  const std::vector<std::size_t> first = firstCorners(geometry);
  std::vector<MeshPiece> pieces;
  for (std::size_t k = 0; k < faces.size(); ++k)
    if (!faces[k].empty()) pieces.push_back(chosenFaces(geometry, first, faces[k], names[k]));
  return pieces;
}

// The names of faces: in the order in which they come.
template <class NameOf>
std::vector<MeshPiece> cutByName(const Geometry& geometry, const NameOf& nameOf) {
  std::map<std::string, std::size_t> number_of;
  std::vector<std::string> names;
  std::vector<std::size_t> piece_of;
  for (std::size_t f = 0; f < geometry.face_counts.size(); ++f) {
    const std::string name = nameOf(f);
    const auto [entry, fresh] = number_of.try_emplace(name, names.size());
    if (fresh) names.push_back(name);
    piece_of.push_back(entry->second);
  }
  return cut(geometry, piece_of, names);
}

}  // namespace

std::vector<MeshPiece> connectedPieces(const Geometry& geometry) {
  std::vector<std::int32_t> root(geometry.points.size());
  std::iota(root.begin(), root.end(), 0);
  const auto rootOf = [&](std::int32_t p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  const std::vector<std::size_t> first = firstCorners(geometry);
  for (std::size_t f = 0; f + 1 < first.size(); ++f)
    for (std::size_t c = first[f] + 1; c < first[f + 1]; ++c)
      root[rootOf(geometry.face_indices[c])] = rootOf(geometry.face_indices[first[f]]);
  std::map<std::int32_t, std::size_t> number_of;
  std::vector<std::size_t> piece_of;
  for (std::size_t f = 0; f + 1 < first.size(); ++f)
    piece_of.push_back(
        number_of.try_emplace(rootOf(geometry.face_indices[first[f]]), number_of.size()).first->second);
  return cut(geometry, piece_of, std::vector<std::string>(number_of.size()));
}

Result<std::vector<MeshPiece>> groupPieces(const Geometry& geometry) {
  if (geometry.groups.empty()) return badInput("has no objects or groups by which to cut it");
  const std::vector<std::size_t> first = firstCorners(geometry);
  std::vector<std::size_t> piece_of;
  std::vector<std::string> names;
  for (const PointGroup& group : geometry.groups) names.push_back(group.name);
  for (std::size_t f = 0; f + 1 < first.size(); ++f) {
    const auto whole = [&](const PointGroup& group) {
      return std::all_of(
          geometry.face_indices.begin() + static_cast<std::ptrdiff_t>(first[f]),
          geometry.face_indices.begin() + static_cast<std::ptrdiff_t>(first[f + 1]),
          [&](std::int32_t p) { return std::binary_search(group.points.begin(), group.points.end(), p); });
    };
    // the group of the face before is the likely one
    std::size_t g = piece_of.empty() ? 0 : piece_of.back();
    if (!whole(geometry.groups[g]))
      g = std::find_if(geometry.groups.begin(), geometry.groups.end(), whole) - geometry.groups.begin();
    if (g == geometry.groups.size()) return badInput(fmt::format("has a face {} that is in no group", f));
    piece_of.push_back(g);
  }
  return cut(geometry, piece_of, names);
}

Result<std::vector<MeshPiece>> namedPieces(const Geometry& geometry) {
  const std::vector<std::size_t> first = firstCorners(geometry);
  for (const AttributeOwner owner : {AttributeOwner::face, AttributeOwner::point}) {
    const Attribute* attribute = geometry.find(owner, "name");
    if (!attribute || attribute->type == AttributeType::f32) continue;
    const auto valueAt = [&](std::size_t element) -> std::string {
      const std::size_t e = attribute->indices.empty() ? element : attribute->indices[element];
      if (attribute->type == AttributeType::string)
        return e < attribute->strings.size() ? attribute->strings[e] : "";
      return e < attribute->ints.size() ? std::to_string(attribute->ints[e]) : "";
    };
    return cutByName(geometry, [&](std::size_t f) {
      return valueAt(owner == AttributeOwner::face ? f : geometry.face_indices[first[f]]);
    });
  }
  return badInput("has no attribute \"name\" at its faces or points by which to cut it");
}

}  // namespace repose
