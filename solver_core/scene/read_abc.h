// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A mesh of an Alembic file as the source of a body, still or moving.
#pragma once
#include <memory>
#include <string>

#include "scene/scene.h"

namespace repose {

struct AbcSource {
  Geometry geometry;               // at the first frame, world space of the file
  std::shared_ptr<Motion> motion;  // null unless animated
};

struct AbcSourceOptions {
  std::string object;  // path or name; empty for the only mesh
  bool animated = false;
  double first_frame = 1, fps = 24;
  Mat4d transform;  // of the body, applied to the positions of the motion
};

Result<AbcSource> readAbcSource(const std::string& path, const AbcSourceOptions& options);

}  // namespace repose
