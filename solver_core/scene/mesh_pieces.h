// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A mesh cut into pieces: by what hangs together, by groups of points, or by a name at each face.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"
#include "scene/geometry.h"

namespace repose {

struct MeshPiece {
  std::string name;  // "" for one without
  Geometry geometry;
  std::vector<std::int32_t> points = {};  // of the whole mesh, those of the geometry; empty: not known
};

// Faces that share points belong together.
std::vector<MeshPiece> connectedPieces(const Geometry& geometry);
// Each face belongs to the first group that has all its points. Fails when there are no groups, or a face is
// in none.
Result<std::vector<MeshPiece>> groupPieces(const Geometry& geometry);
// By the attribute "name" (text, or whole numbers) of faces or points.
Result<std::vector<MeshPiece>> namedPieces(const Geometry& geometry);

}  // namespace repose
