// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/quality.h"

#include <algorithm>
#include <numeric>

#include "tetra/closed_surface.h"

namespace repose {

namespace {

constexpr double kDegrees = 57.29577951308232;
constexpr double kRegularAspect = 1.2247448713915890;  // longest edge over height of a regular tetrahedron

// Normals of the faces, as long as twice their areas, outwards.
std::array<Vec3d, 4> normalsOf(const TetCorners& tet, const std::vector<Vec3f>& points) {
  std::array<Vec3d, 4> normals;
  for (int f = 0; f < 4; ++f) {
    const Vec3d a = toDouble(points[tet[kTetFaces[f][0]]]);
    normals[f] =
        cross(toDouble(points[tet[kTetFaces[f][1]]]) - a, toDouble(points[tet[kTetFaces[f][2]]]) - a);
  }
  return normals;
}

int partsOf(const TetMesh& mesh) {
  std::vector<int> root(mesh.geometry.points.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  for (const TetCorners& tet : mesh.tets)
    for (int k = 1; k < 4; ++k) root[find(tet[k])] = find(tet[0]);
  int parts = 0;
  for (std::size_t p = 0; p < root.size(); ++p) parts += root[p] == static_cast<int>(p);
  return parts;
}

}  // namespace

AngleRange angleRange(const TetCorners& tet, const std::vector<Vec3f>& points) {
  const std::array<Vec3d, 4> n = normalsOf(tet, points);
  AngleRange range{180, 0};
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) {
      const double angle = kDegrees * std::atan2(length(cross(n[i], n[j])), -dot(n[i], n[j]));
      range = {std::min(range.least, angle), std::max(range.greatest, angle)};
    }
  return range;
}

TetQuality qualityOf(const TetMesh& mesh, const Geometry& surface) {
  TetQuality q;
  const std::vector<Vec3f>& points = mesh.geometry.points;
  for (const TetCorners& tet : mesh.tets) {
    const double six = sixVolumes(tet, points);
    q.volume += six / 6;
    const AngleRange angles = angleRange(tet, points);
    q.angles = {std::min(q.angles.least, angles.least), std::max(q.angles.greatest, angles.greatest)};
    double longest = 0, widest = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const double edge = length(toDouble(points[tet[i]]) - toDouble(points[tet[j]]));
        longest = std::max(longest, edge);
        q.mean_edge += edge;
      }
    for (const Vec3d& n : normalsOf(tet, points)) widest = std::max(widest, length(n));
    if (six > 0) q.worst_aspect = std::max(q.worst_aspect, longest * widest / six / kRegularAspect);
  }
  if (!mesh.tets.empty()) q.mean_edge /= 6.0 * static_cast<double>(mesh.tets.size());
  q.parts = partsOf(mesh);
  const ClosedSurface closed(surface);
  if (closed.problem().empty()) q.surface_volume = closed.volume();
  return q;
}

}  // namespace repose
