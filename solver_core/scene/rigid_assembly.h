// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Things of several rigid pieces with joints, by formula: chains, bridges and ragdolls.
#pragma once
#include <string>
#include <vector>

#include "scene/object_reader.h"

namespace repose {

// In a space of its own, y up.
struct Assembly {
  struct Part {
    std::string name;
    int shape;
    Pose place;
  };
  struct Link {
    std::string name;
    Joint::Kind kind;
    int a, b;  // parts; -1: the world
    Pose frame;
    Keyed<JointParams> params;
  };
  std::vector<RigidShape> shapes;
  std::vector<Part> parts;
  std::vector<Link> links;
};

// The source {"assembly": "chain", ...}; empty after a report.
Assembly readAssembly(const JsonNode& node, Problems& problems);

// A frame whose x axis is `axis`, which has a length.
Pose frameAlong(Vec3f at, Vec3f axis);

}  // namespace repose
