// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Tetrahedra of files: Medit .mesh (ASCII), TetGen .node and .ele, or a list beside the points of a mesh. The
// first mistake ends the reading, with its line or the number of the tetrahedron.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"
#include "scene/tet_mesh.h"

namespace repose {

struct TetSource {
  TetMesh mesh;
  std::vector<std::string> notes;  // what was mended, as "has 3 tetrahedra ..."
};

// References of vertices become the groups ref1, ref2 ...
Result<TetSource> readMedit(const std::string& path);
// Either of the two files; the other one lies beside it. Numbers start at that of the first point, boundary
// markers become the groups marker1, marker2 ...
Result<TetSource> readTetGen(const std::string& path);
// `list` is "faces", every face of four corners being a tetrahedron, or the name of an attribute of the whole
// mesh with four whole numbers a tetrahedron, from 0.
Result<TetSource> tetsOfList(Geometry mesh, const std::string& list);

}  // namespace repose
