// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Tetrahedra for the inside of a closed surface.
#pragma once
#include <string_view>

#include "base/status.h"
#include "scene/tet_mesh.h"
#include "tetra/closed_surface.h"

namespace repose {

// conforming: their own surface is that of the solid. embedded: whole tetrahedra of the lattice, which reach
// beyond it; for thin or very detailed surfaces.
enum class TetBoundary { conforming, embedded };
inline constexpr std::string_view kTetBoundaryNames[] = {"conforming", "embedded"};

struct FillOptions {
  double edge = 0;  // mean length of an edge [m]; 0 chooses
  TetBoundary boundary = TetBoundary::conforming;
};

// The edge that is chosen: about 8000 tetrahedra, more for thin solids, so that there are two across.
double chooseEdge(const ClosedSurface& surface);

struct Filled {
  TetMesh mesh;
  double solid;  // volume inside the surface, where it crosses itself counted once [m^3]
};
// Fails when there would be far too many, or none.
Result<Filled> fillSurface(const ClosedSurface& surface, const FillOptions& options);

// Groups and point attributes of a surface for the points of tetrahedra: each has those of the nearest place.
// Attributes that are there are multiplied.
void carryAttributes(const Geometry& surface, TetMesh& mesh);

}  // namespace repose
