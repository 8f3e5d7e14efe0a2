// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A box cut into cells, and each cell into tetrahedra.
#pragma once
#include <string_view>

#include "scene/tet_mesh.h"

namespace repose {

// kuhn: six around the diagonal of the cell, all alike. mirrored: the same, but neighbours are mirror images,
// so that the box behaves the same to both sides. five: a middle one and four corners, the best shaped.
enum class CellCut { mirrored, kuhn, five };
inline constexpr std::string_view kCellCutNames[] = {"mirrored", "kuhn", "five"};

// Centred at the origin, with the groups left right bottom top back front of its sides.
TetMesh cutBox(Vec3f size, const std::array<int, 3>& divisions, CellCut cut);

}  // namespace repose
