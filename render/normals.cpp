// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/normals.h"

#include <tbb/parallel_for.h>

namespace repose {
namespace {

constexpr float kCreaseCosine = 0.34f;  // 70 degrees

// For each point, the triangles that use it: triangles[start[p]] up to start[p + 1].
struct Fans {
  std::vector<std::uint32_t> start, triangles;
};

Fans findFans(const RenderMesh& mesh) {
  Fans fans;
  fans.start.assign(mesh.points.size() + 1, 0);
  for (const Triangle& t : mesh.triangles)
    for (std::uint32_t corner : t) ++fans.start[corner + 1];
  for (std::size_t p = 0; p < mesh.points.size(); ++p) fans.start[p + 1] += fans.start[p];
  fans.triangles.resize(mesh.triangles.size() * 3);
  std::vector<std::uint32_t> next(fans.start.begin(), fans.start.end() - 1);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::uint32_t corner : mesh.triangles[t]) fans.triangles[next[corner]++] = t;
  return fans;
}

}  // namespace

std::vector<std::array<Vec3f, 3>> cornerNormals(const RenderMesh& mesh) {
  const std::size_t count = mesh.triangles.size();
  std::vector<Vec3f> doubled_areas(count), directions(count);
  for (std::size_t t = 0; t < count; ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    doubled_areas[t] = cross(mesh.points[b] - mesh.points[a], mesh.points[c] - mesh.points[a]);
    directions[t] = normalized(doubled_areas[t]);
  }
  const Fans fans = findFans(mesh);
  std::vector<std::array<Vec3f, 3>> normals(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t point = mesh.triangles[t][k];
      Vec3f sum;
      for (std::uint32_t f = fans.start[point]; f < fans.start[point + 1]; ++f) {
        const std::uint32_t other = fans.triangles[f];
        if (dot(directions[t], directions[other]) > kCreaseCosine) sum += doubled_areas[other];
      }
      normals[t][k] = length(sum) > 0 ? normalized(sum) : directions[t];
    }
  });
  return normals;
}

}  // namespace repose
