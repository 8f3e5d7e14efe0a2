// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where things stand in the world: {"translate", "rotate", "scale"}.
#pragma once
#include "scene/geometry.h"
#include "scene/object_reader.h"

namespace repose {

// Scale first, then rotations about x, y and z [degrees], then the translation.
Mat4d composeTransform(Vec3f translate, Vec3f rotate, const double (&scale)[3]);
Mat4d readTransform(const JsonNode& node, Problems& problems);
// Moves the points, and turns and stretches their velocities: the point attribute "v".
void placeGeometry(Geometry& geometry, const Mat4d& transform);

}  // namespace repose
