// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What every node needs of Houdini: its interrupt, and geometry to plain arrays and back. Arrays are in the
// order of indices; offsets stay here. Polygons are turned round on the way, for Houdini's are clockwise.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "houdini_nodes/cook.h"

class GU_Detail;

namespace repose::houdini {

// Asks whether somebody has pressed Esc, and shows how far the work is.
std::unique_ptr<nodes::CookControl> hostControl();

// Groups are only read when their names are given.
nodes::NodeGeometry readDetail(const GU_Detail& detail, const std::vector<std::string>& groups = {});
// What a node has written, and nothing else; every attribute that changes gets a new data id. False: an
// attribute of that name is of another kind and cannot be written; `problem` names it.
bool writeDetail(const nodes::NodeGeometry& geometry, GU_Detail& detail, std::string& problem);

}  // namespace repose::houdini
