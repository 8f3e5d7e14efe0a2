// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Points of a mesh by the name of a group or by number. Without points in the geometry (whose error is
// reported) only the text is checked.
#pragma once
#include "scene/object_reader.h"

namespace repose {

// The points of a group, or those at which an attribute of that name is above one half; `name` becomes that
// of the group. `what` names the value in messages.
void readGroup(const JsonNode& node, std::string_view what, const Geometry& geometry, std::string& name,
               std::vector<std::int32_t>& points, Problems& problems);
// A list of numbers; the points are ascending and each is there once.
void readPoints(const JsonNode& node, const Geometry& geometry, std::vector<std::int32_t>& points,
                Problems& problems);
// One number; -1 after a report.
int readPoint(const JsonNode& node, const Geometry& geometry, Problems& problems);

}  // namespace repose
