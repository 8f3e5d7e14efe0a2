// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid pieces: cut by name or by what hangs together, gathered into bodies of the same motion at the start.
#pragma once
#include "houdini_nodes/assembly.h"

namespace repose::nodes {

// Adds the bodies that the pieces of a part make: one for each motion (v, w, active) that pieces start with.
void splitRigid(const NodeGeometry& geometry, Part part, Assembly& assembly);
// As a scene calls a piece of that name.
std::string pieceName(std::string name);

}  // namespace repose::nodes
