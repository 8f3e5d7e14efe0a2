// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How good tetrahedra are.
#pragma once
#include "tetra/tet_surface.h"

namespace repose {

// Of the six angles between the faces [deg].
struct AngleRange {
  double least, greatest;
};
AngleRange angleRange(const TetCorners& tet, const std::vector<Vec3f>& points);

struct TetQuality {
  AngleRange angles{180, 0};
  double volume = 0;          // [m^3]
  double surface_volume = 0;  // of what the drawn surface encloses [m^3]; 0 when it is open
  double mean_edge = 0;       // [m]
  double worst_aspect = 1;    // longest edge over the least height, 1 for a regular one
  int parts = 0;              // that do not hang together
};
TetQuality qualityOf(const TetMesh& mesh, const Geometry& surface);

}  // namespace repose
