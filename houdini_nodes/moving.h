// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "houdini_nodes/assembly.h"

namespace repose::nodes {

// Where the points of all parts that move are at the frame of the input, bodies first; `assembly` says which
// those are and may be of an earlier frame. A part that is not there any more is an error of the result.
std::vector<std::vector<Vec3f>> placesOfMoving(const WorldInput& input, const Assembly& assembly,
                                               CookResult& result);

// Where the animated source is the geometry itself, as in DOPs: points of a body that are as the solver has
// shown them stay at their `last` place, which is exact; others go where somebody has put them.
void keepUntouched(const NodeGeometry& given, const NodeGeometry& shown, const Part& body,
                   const std::vector<Vec3f>& last, std::vector<Vec3f>& now);

}  // namespace repose::nodes
