// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Tetrahedra of a lattice that fill what a field of signed distances encloses.
#pragma once
#include "scene/tet_mesh.h"
#include "tetra/distance_field.h"
#include "tetra/lattice.h"

namespace repose {

// Isosurface stuffing (Labelle and Shewchuk 2007): nodes near the surface move onto it, tetrahedra that it
// still cuts are cut, so that no angle between faces is bad. `level` [m]: how far outside the surface they
// end.
TetMesh stuff(const Lattice& lattice, const DistanceField& field, double level);

// Every tetrahedron of the lattice that reaches inside or holds one of `marks`. The point attributes
// "density" and "youngsmodulus" say how full they are.
TetMesh cover(const Lattice& lattice, const DistanceField& field, const std::vector<Vec3f>& marks);

}  // namespace repose
