// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host may see of a simulation besides its bodies: how mass is spread, and what pushes.
#pragma once
#include "base/pose.h"

namespace repose {

// What a rigid piece weighs, and how that is spread about its centre of mass.
struct PieceMass {
  Pose axes;      // of inertia, their origin the centre of mass
  Vec3f moments;  // about them [kg m^2]
  float mass;     // [kg]
};

// Where two touch and push each other.
struct ContactView {
  Vec3f place;   // [m]
  Vec3f normal;  // unit, towards the one that is pushed along it
  float force;   // along the normal, of the last step that contacts were solved in [N]
};

}  // namespace repose
