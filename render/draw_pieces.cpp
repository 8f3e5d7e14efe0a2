// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/draw_pieces.h"

#include <algorithm>
#include <unordered_map>

#include "base/pose.h"

namespace repose {
namespace {

constexpr std::size_t kQuat = 4;  // numbers

const Attribute* find(const AbcPoints& points, const char* name, AttributeType type) {
  for (const Attribute& a : points.attributes)
    if (a.name == name && a.type == type && a.owner == AttributeOwner::point) return &a;
  return nullptr;
}

const Attribute* orientOf(const AbcPoints& points) {
  const Attribute* orient = find(points, "orient", AttributeType::f32);
  const bool fits = orient && orient->width == static_cast<int>(kQuat) && orient->indices.empty() &&
                    orient->floats.size() == kQuat * points.positions.size();
  return fits ? orient : nullptr;
}

Geometry cube(float half) {
  Geometry g;
  for (int k = 0; k < 8; ++k)
    g.points.push_back({k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half});
  g.face_counts.assign(6, 4);
  g.face_indices = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  return g;
}

std::unordered_map<std::string, const Geometry*> shapesByName(const Scene* scene) {
  std::unordered_map<std::string, const Geometry*> shapes;
  if (!scene) return shapes;
  for (const Body& body : scene->bodies)
    for (const RigidPiece& piece : body.pieces)
      shapes.emplace(piece.name, &body.shapes[static_cast<std::size_t>(piece.shape)].geometry);
  return shapes;
}

std::string nameOf(const Attribute* names, std::size_t piece) {
  if (!names) return std::to_string(piece);
  const std::size_t at = names->indices.empty() ? piece : names->indices[piece];
  return at < names->strings.size() ? names->strings[at] : std::string();
}

}  // namespace

bool arePieces(const AbcPoints& points) { return !points.positions.empty() && orientOf(points); }

bool areHits(const AbcPoints& points) {
  return find(points, "impulse", AttributeType::f32) && find(points, "othername", AttributeType::string);
}

void addPieces(const AbcPoints& points, const std::vector<float>& values, const Scene* scene, float half,
               RenderScene& picture) {
  const Geometry box = cube(half);
  const auto shapes = shapesByName(scene);
  const float* q = orientOf(points)->floats.data();
  const Attribute* names = find(points, "name", AttributeType::string);
  for (std::size_t k = 0; k < points.positions.size(); ++k, q += kQuat) {
    const std::string name = nameOf(names, k);
    const auto known = shapes.find(name);
    const Geometry& shape = known == shapes.end() ? box : *known->second;
    RenderMesh mesh;
    for (const Vec3f p : shape.points)
      mesh.points.push_back(rotate({q[0], q[1], q[2], q[3]}, p) + points.positions[k]);
    mesh.triangles = triangulate(shape.face_counts, shape.face_indices, shape.points.size());
    if (!values.empty()) mesh.values.assign(mesh.points.size(), values[k]);
    mesh.color = pieceColor(name);
    picture.meshes.push_back(std::move(mesh));
  }
}

}  // namespace repose
