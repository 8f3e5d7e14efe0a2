// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where the copies of a rigid body stand: patterns by formula, or a list of places.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "scene/object_reader.h"

namespace repose {

struct RigidCopy {
  Pose place;                           // in the space of the body
  bool half = false;                    // a half brick at the end of a row
  std::string name = {};                // "" for one by number
  std::optional<Vec3f> velocity, spin;  // of its own [m/s], [rad/s]
};

struct RigidLayout {
  std::vector<RigidCopy> copies;
  bool of_boxes = false;  // the pattern is one of boxes only
  float half_length = 0;  // of half bricks, along x [m]
};

// `size`: of the box around one copy [m], for spacing that is not given.
RigidLayout readCopies(const JsonNode& node, Vec3f size, Problems& problems);
RigidLayout readPlaces(const JsonNode& node, Problems& problems);

// A number of degrees a second about each axis, as [rad/s].
Vec3f readSpin(const JsonNode& node, Problems& problems);

}  // namespace repose
