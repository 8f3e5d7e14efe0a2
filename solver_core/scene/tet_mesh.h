// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Solids of tetrahedra, and what goes with them.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "scene/geometry.h"

namespace repose {

// A solid cut into tetrahedra. The faces of its geometry are its surface, seen from outside
// counter-clockwise; its points, attributes and groups are those of the corners.
struct TetMesh {
  Geometry geometry;
  std::vector<std::array<std::int32_t, 4>> tets;  // of positive volume: (x1-x0).((x2-x0)x(x3-x0)) > 0
};

// A point that goes with a tetrahedron: the sum of its corners times these weights.
struct Embedded {
  std::int32_t tet = 0;
  float weight[4] = {1, 0, 0, 0};
};

}  // namespace repose
