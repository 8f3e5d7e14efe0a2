// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Packed pieces: their points join the mesh of the body, all at the point that the piece hangs at.
#pragma once
#include "houdini_nodes/assembly.h"

namespace repose::nodes {

// Takes the points that packed primitives hang at out of a part, before its mesh is made; gives them back.
std::vector<int> takePackedPoints(const NodeGeometry& geometry, Part& part);
// Adds what hangs at these points, as it was at the start.
void addPacked(const NodeGeometry& geometry, const std::vector<int>& hooks, Part& part);

// For later cooks: where packed pieces were at the start. Nothing without packed primitives.
void writeFrames(NodeGeometry& geometry);
// The start of a packed piece, with the digits that writeFrames() keeps.
Placement startOf(const NodeGeometry& geometry, const Packed& packed);
// The point that it hangs at, or -1.
int hookOf(const NodeGeometry& geometry, const Packed& packed);

}  // namespace repose::nodes
