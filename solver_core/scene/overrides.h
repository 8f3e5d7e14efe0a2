// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// "NAME=VALUE" texts that take the place of what the scene file says: "iterations=40",
// "solver.iterations=40", "friction=0.3" (every body and collider), "cloth.density=0.3" (every cloth),
// "flag.density=0.3" (one body), "flag.preset=denim", "frames=1001-1048".
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/object_reader.h"

namespace repose {

// "1001-1240" as first and last frame.
Result<std::pair<int, int>> parseFrames(std::string_view text);

struct Override {
  std::string text;   // as given, for messages
  std::string owner;  // group, body or collider, or "*" for all kinds that have it; empty for `frames`
  std::string name, value;
};

std::vector<Override> parseOverrides(const std::vector<std::string>& sets, Problems& problems);
// Frames, world and solver, which the sources of the bodies depend on; then the bodies.
void overrideSettings(const std::vector<Override>& overrides, Scene& scene, Problems& problems);
// A preset comes before the body's own values, so those are read again from its node in the scene file.
void overridePresets(const std::vector<Override>& overrides, const std::vector<JsonNode>& nodes,
                     Scene& scene);
// Bodies and colliders.
void overrideBodies(const std::vector<Override>& overrides, Scene& scene, Problems& problems);

}  // namespace repose
