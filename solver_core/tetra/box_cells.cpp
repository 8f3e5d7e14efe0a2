// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/box_cells.h"

#include <utility>

#include "tetra/tet_surface.h"

namespace repose {

namespace {

// Corners of a cell are numbered by bits: 1 is +x, 2 is +y, 4 is +z.
constexpr int kKuhn[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                             {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
constexpr int kFive[5][4] = {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}};

}  // namespace

TetMesh cutBox(Vec3f size, const std::array<int, 3>& divisions, CellCut cut) {
  TetMesh mesh;
  const std::array<int, 3>& n = divisions;
  std::vector<Vec3f>& points = mesh.geometry.points;
  for (int k = 0; k <= n[2]; ++k)
    for (int j = 0; j <= n[1]; ++j)
      for (int i = 0; i <= n[0]; ++i) {
        const int node[3] = {i, j, k};
        Vec3f p;
        for (int a = 0; a < 3; ++a)
          p[a] = size[a] * (static_cast<float>(node[a]) / static_cast<float>(n[a]) - 0.5f);
        points.push_back(p);
      }

  const auto addCell = [&](int i, int j, int k) {
    const int odd = (i % 2) | (j % 2) << 1 | (k % 2) << 2;
    const bool alike = cut == CellCut::kuhn;
    // mirrored along the axes of `flip`; of five, along one when the sum of the cell's indices is odd
    const int flip = alike ? 0 : cut == CellCut::mirrored ? odd : (i + j + k) % 2;
    const auto corner = [&](int bits) {
      bits ^= flip;
      return static_cast<std::int32_t>(
          ((k + (bits >> 2 & 1)) * (n[1] + 1LL) + j + (bits >> 1 & 1)) * (n[0] + 1LL) + i + (bits & 1));
    };
    const int count = cut == CellCut::five ? 5 : 6;
    for (int t = 0; t < count; ++t) {
      const int* at = cut == CellCut::five ? kFive[t] : kKuhn[t];
      TetCorners tet = {corner(at[0]), corner(at[1]), corner(at[2]), corner(at[3])};
      if (sixVolumes(tet, points) < 0) std::swap(tet[2], tet[3]);
      mesh.tets.push_back(tet);
    }
  };
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) addCell(i, j, k);

  static constexpr const char* kSides[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
  for (int axis = 0; axis < 3; ++axis)
    for (int far = 0; far < 2; ++far) {
      PointGroup group{kSides[axis][far], {}};
      const float at = size[axis] * (far ? 0.5f : -0.5f);
      for (std::size_t p = 0; p < points.size(); ++p)
        if (points[p][axis] == at) group.points.push_back(static_cast<std::int32_t>(p));
      mesh.geometry.groups.push_back(std::move(group));
    }
  addSurface(mesh);
  return mesh;
}

}  // namespace repose
