// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One stitch of a scene file: two bodies and the points that threads join.
#pragma once
#include "scene/object_reader.h"

namespace repose {

// After the bodies of the scene. What is wrong is reported; the pairs that are right are there.
Stitch readStitch(const JsonNode& node, const Scene& scene, Problems& problems);

}  // namespace repose
