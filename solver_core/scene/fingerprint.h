// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a scene is made of, name by name, to tell whether a checkpoint belongs to it and what changed if not.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace repose {

// "solver.iterations" -> "15", "flag.density" -> "0.2", "flag: shape" -> a hash; in the order of the scene.
// Which frames come last, and where outputs go, is no part of it.
using Fingerprint = std::vector<std::pair<std::string, std::string>>;
Fingerprint fingerprint(const Scene& scene);

// "solver.iterations was 15 and is 20" for every difference.
std::vector<std::string> differences(const Fingerprint& was, const Fingerprint& is);

}  // namespace repose
