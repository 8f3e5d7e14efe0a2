// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The solids that rigid pieces touch with, from their meshes.
#pragma once
#include <string_view>

#include "scene/scene.h"

namespace repose {

struct FormulaShape;

enum class Collision { automatic, hull, box, sphere, parts, concave };
inline constexpr std::string_view kCollisionNames[] = {"auto", "hull", "box", "sphere", "parts", "concave"};

// A mesh in the space of its piece. `formula` is the shape it was made as, null for another; `scale` has been
// applied to the mesh. Fails when its points make no solid; the message goes on from the name of the piece.
Result<RigidShape> makeRigidShape(Geometry geometry, const FormulaShape* formula, Vec3f scale,
                                  Collision collision, float voxel);

// Volume, centre and inertia of a shape of density 1: those of its parts, or of a concave mesh.
MassProperties massOf(const RigidShape& shape);

// The place of a transform without its scale.
Pose poseOf(const Mat4d& place);

}  // namespace repose
