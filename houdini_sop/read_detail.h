// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Parts of a geometry of the host to plain arrays.
#pragma once
#include <GU/GU_Detail.h>

#include "houdini_nodes/node_geometry.h"

namespace repose::houdini {

std::vector<Vec3f> readPlaces(const GU_Detail& detail);
// With packed primitives.
void readPrimitives(const GU_Detail& detail, nodes::NodeGeometry& geometry);
// The values; name, owner and width are there. False: a kind that no node of ours reads.
bool readAttribute(const GU_Detail& detail, const GA_Attribute& attribute, nodes::NodeAttribute& read);
void readGroups(const GU_Detail& detail, const std::vector<std::string>& groups,
                nodes::NodeGeometry& geometry);

}  // namespace repose::houdini
