// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Points that go with tetrahedra.
#pragma once
#include "scene/tet_mesh.h"

namespace repose {

// The tetrahedron that holds each point, else the nearest one, whose motion it extends. The weights give back
// where the points are.
std::vector<Embedded> embed(const TetMesh& mesh, const std::vector<Vec3f>& points);

// How far outside a point is: its least weight is minus this; 0 for one that is inside.
float outsideOf(const Embedded& at);

}  // namespace repose
