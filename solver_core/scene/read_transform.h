// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where things stand in the world: {"translate", "rotate", "scale"}.
#pragma once
#include "scene/object_reader.h"

namespace repose {

// Scale first, then rotations about x, y and z [degrees], then the translation.
Mat4d composeTransform(Vec3f translate, Vec3f rotate, const double (&scale)[3]);
Mat4d readTransform(const JsonNode& node, Problems& problems);

}  // namespace repose
