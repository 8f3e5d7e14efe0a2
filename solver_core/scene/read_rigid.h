// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies of a scene file: their shapes, pieces and copies, and the joints of assemblies.
#pragma once
#include "scene/read_source.h"

namespace repose {

// Keys of rigid bodies that are no parameters.
inline const std::vector<std::string> kRigidKeys = {"collision", "voxel", "pieces",    "copies",
                                                    "places",    "spin",  "translate", "rotate"};

// The joints that the source itself makes are added to `joints`, for the body that comes next in the scene.
void readRigidBody(ObjectReader& object, Body& body, std::vector<Joint>& joints, const SceneContext& context);

}  // namespace repose
