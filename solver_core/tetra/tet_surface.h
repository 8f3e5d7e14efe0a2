// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The surface of a solid of tetrahedra.
#pragma once
#include "base/vec3d.h"
#include "scene/tet_mesh.h"

namespace repose {

using TetCorners = std::array<std::int32_t, 4>;

// The corners of the face opposite to each corner, counter-clockwise seen from outside.
inline constexpr int kTetFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

inline Vec3d toDouble(Vec3f p) { return {p.x, p.y, p.z}; }
// Six times the volume [m^3]; below zero when it is inside out.
double sixVolumes(const TetCorners& tet, const std::vector<Vec3f>& points);

// The faces that only one tetrahedron has, in the order of the tetrahedra.
std::vector<std::array<std::int32_t, 3>> surfaceOf(const std::vector<TetCorners>& tets);
// Makes them the faces of the geometry.
void addSurface(TetMesh& mesh);

}  // namespace repose
