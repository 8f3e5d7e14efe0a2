// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ meshes: v, vt and f with every index form; g and o become point groups. Normals, materials,
// smoothing, lines and free-form curves are skipped. The first mistake ends the reading, with its line.
#pragma once
#include <string>
#include <string_view>

#include "base/status.h"
#include "scene/geometry.h"

namespace repose {

Result<Geometry> readObj(const std::string& path);
// The points alone, of a file with or without faces.
Result<Geometry> readObjPoints(const std::string& path);
// `name` stands for the file in messages.
Result<Geometry> parseObj(std::string_view text, const std::string& name);

}  // namespace repose
