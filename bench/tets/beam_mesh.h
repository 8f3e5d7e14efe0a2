// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The beam of scene S4 (peers.md).
#pragma once
#include "scene/scene.h"

namespace repose {

// 2 m long, `along` x `across` x `across` cells of five tetrahedra, held at x = 0.
struct BeamShape {
  int along, across;
  int tets() const { return 5 * along * across * across; }
};

inline TetMesh makeBeam(const BeamShape& shape) {
  TetMesh mesh;
  const int side = shape.across + 1;
  const float cell = 2.0f / static_cast<float>(shape.along);
  const auto id = [&](int i, int j, int k) { return (i * side + j) * side + k; };
  for (int i = 0; i <= shape.along; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k)
        mesh.geometry.points.push_back(
            {cell * static_cast<float>(i), cell * static_cast<float>(j), cell * static_cast<float>(k)});
  // five a cell, cut the other way in every second cell
  constexpr int kCuts[2][5][4] = {{{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}},
                                  {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 5, 6, 3}, {0, 3, 5, 6}}};
  const std::vector<Vec3f>& x = mesh.geometry.points;
  for (int i = 0; i < shape.along; ++i)
    for (int j = 0; j < shape.across; ++j)
      for (int k = 0; k < shape.across; ++k)
        for (const auto& cut : kCuts[(i + j + k) & 1]) {
          std::array<std::int32_t, 4> t;
          for (int s = 0; s < 4; ++s) t[s] = id(i + (cut[s] & 1), j + ((cut[s] >> 1) & 1), k + (cut[s] >> 2));
          if (dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]])) < 0) std::swap(t[2], t[3]);
          mesh.tets.push_back(t);
        }
  return mesh;
}

}  // namespace repose
