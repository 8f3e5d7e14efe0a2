// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/tet_surface.h"

#include <algorithm>

namespace repose {

namespace {

struct Side {
  std::array<std::int32_t, 3> points;  // ascending
  std::int32_t place;                  // 4 tet + face
};

}  // namespace

double sixVolumes(const TetCorners& tet, const std::vector<Vec3f>& points) {
  const Vec3d o = toDouble(points[tet[0]]);
  return dot(toDouble(points[tet[1]]) - o, cross(toDouble(points[tet[2]]) - o, toDouble(points[tet[3]]) - o));
}

std::vector<std::array<std::int32_t, 3>> surfaceOf(const std::vector<TetCorners>& tets) {
  std::vector<Side> sides;
  sides.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      const int* at = kTetFaces[f];
      Side side{{tets[t][at[0]], tets[t][at[1]], tets[t][at[2]]}, static_cast<std::int32_t>(4 * t + f)};
      std::sort(side.points.begin(), side.points.end());
      sides.push_back(side);
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.points != b.points ? a.points < b.points : a.place < b.place;
  });
  std::vector<std::int32_t> lone;
  for (std::size_t k = 0; k < sides.size();) {
    std::size_t end = k + 1;
    while (end < sides.size() && sides[end].points == sides[k].points) ++end;
    if (end == k + 1) lone.push_back(sides[k].place);
    k = end;
  }
  std::sort(lone.begin(), lone.end());
  std::vector<std::array<std::int32_t, 3>> faces;
  for (const std::int32_t place : lone) {
    const TetCorners& tet = tets[place / 4];
    const int* at = kTetFaces[place % 4];
    faces.push_back({tet[at[0]], tet[at[1]], tet[at[2]]});
  }
  return faces;
}

void addSurface(TetMesh& mesh) {
  const std::vector<std::array<std::int32_t, 3>> faces = surfaceOf(mesh.tets);
  mesh.geometry.face_counts.assign(faces.size(), 3);
  mesh.geometry.face_indices.clear();
  for (const std::array<std::int32_t, 3>& face : faces)
    mesh.geometry.face_indices.insert(mesh.geometry.face_indices.end(), face.begin(), face.end());
}

}  // namespace repose
