// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A closed surface by formula: volumes that flow into each other.
#pragma once
#include <optional>

#include "scene/read_source.h"

namespace repose {

// {"blob": [parts], "blend": metres, "voxel": metres}, in its own space; each part that has a name makes a
// group of the points nearest to it. Nothing after a report.
std::optional<Geometry> readBlob(ObjectReader& object, const JsonNode& parts, Problems& problems);

}  // namespace repose
