// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A mesh of an Alembic file as the source of a body, still or moving; points of one as grains.
#pragma once
#include <memory>
#include <string>

#include "scene/mesh_pieces.h"
#include "scene/scene.h"

namespace repose {

struct AbcSource {
  Geometry geometry;               // at the first frame, world space of the file
  std::shared_ptr<Motion> motion;  // null unless animated
};

struct AbcSourceOptions {
  std::string object;  // path or name; empty for the only one
  bool animated = false;
  double first_frame = 1, fps = 24;
  Mat4d transform;  // of the body, applied to the positions of the motion
};

Result<AbcSource> readAbcSource(const std::string& path, const AbcSourceOptions& options);
// Every mesh of the file at the first frame, under the last name that tells it from the others.
Result<std::vector<MeshPiece>> readAbcMeshes(const std::string& path, const AbcSourceOptions& options);
// Points, or those of a mesh, at the first frame; widths become the point attribute "pscale", the radius.
Result<Geometry> readAbcPoints(const std::string& path, const AbcSourceOptions& options);

}  // namespace repose
