// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One item of the joints of a scene file: a joint, or one for each point of a cloth.
#pragma once
#include "scene/object_reader.h"

namespace repose {

// All bodies and colliders have been read. Nothing is added after a report.
void readJoints(const JsonNode& node, Scene& scene, Problems& problems);

// As a file writes it: "world", "crate" or "wall/wall_0001".
std::string endName(const Scene& scene, const JointEnd& end);

}  // namespace repose
