// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/placement.h"

#include <cmath>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/node_geometry.h"

namespace repose::nodes {

namespace {

constexpr double kFlat = 1e-30;  // a volume that is none

double determinant(const double (&m)[4][4]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

NodeAttribute* find(const char* name, int width, NodeGeometry& geometry) {
  for (NodeAttribute& a : geometry.attributes)
    if (a.owner == Owner::point && a.name == name && a.width == width && !a.isText()) return &a;
  return nullptr;
}

template <class Move>
void moveAttribute(const char* name, const Move& move, NodeGeometry& geometry) {
  NodeAttribute* attribute = find(name, 3, geometry);
  if (!attribute) return;
  const PointVectors vectors(geometry, name);
  std::vector<Vec3f> moved;
  for (std::size_t p = 0; p < geometry.points.size(); ++p) moved.push_back(move(vectors.at(p)));
  attribute->values = flat(moved);
}

}  // namespace

bool Placement::isIdentity() const {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (rows[i][j] != (i == j ? 1 : 0)) return false;
  return true;
}

double Placement::scale() const { return std::cbrt(std::abs(determinant(rows))); }

Vec3f Placement::moved(Vec3f p, double along, double over) const {
  Vec3f result;
  for (int k = 0; k < 3; ++k)
    result[k] = static_cast<float>(
        (p.x * rows[0][k] + p.y * rows[1][k] + p.z * rows[2][k] + along * rows[3][k]) / over);
  return result;
}

std::optional<Placement> Placement::inverse() const {
  const double volume = determinant(rows);
  if (!(std::abs(volume) > kFlat) || !std::isfinite(volume)) return std::nullopt;
  Placement back;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      back.rows[i][j] = (rows[a][c] * rows[b][d] - rows[a][d] * rows[b][c]) / volume;
    }
  for (int k = 0; k < 3; ++k)
    back.rows[3][k] =
        -(rows[3][0] * back.rows[0][k] + rows[3][1] * back.rows[1][k] + rows[3][2] * back.rows[2][k]);
  return back;
}

Placement Placement::then(const Placement& next) const {
  Placement both;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      both.rows[i][j] = 0;
      for (int k = 0; k < 4; ++k) both.rows[i][j] += rows[i][k] * next.rows[k][j];
    }
  return both;
}

void place(const Placement& by, NodeGeometry& geometry) {
  for (Packed& packed : geometry.packed) packed.transform = packed.transform.then(by);
  for (Vec3f& p : geometry.points) p = by.point(p);
  for (const char* name : {"v", "force", "targetv"})
    moveAttribute(
        name, [&](Vec3f v) { return by.vector(v); }, geometry);
  for (const char* name : {"w", "torque"})
    moveAttribute(
        name, [&](Vec3f w) { return by.turned(w); }, geometry);
  moveAttribute(
      "pivot", [&](Vec3f p) { return by.point(p); }, geometry);
  NodeAttribute* orient = find("orient", 4, geometry);
  if (!orient) return;
  std::vector<float> orients;  // of a turn the axis, which the vector of a quaternion is along
  for (std::size_t p = 0; p < geometry.points.size(); ++p) {
    const auto at = [&](std::size_t k) { return static_cast<float>(orient->number(4 * p + k)); };
    const Vec3f axis = by.turned({at(0), at(1), at(2)});
    orients.insert(orients.end(), {axis.x, axis.y, axis.z, at(3)});
  }
  orient->values = std::move(orients);
}

}  // namespace repose::nodes
