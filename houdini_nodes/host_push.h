// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Forces that a host computes by itself, at each step for each point: they join the point attribute force.
#pragma once
#include <functional>

#include "houdini_nodes/assembly.h"

namespace repose::nodes {

// In the world [N, N m].
struct HostLoad {
  Vec3f force, torque;
};
// What pushes and turns something of that mass [kg] at a place.
using HostForce = std::function<HostLoad(Vec3f place, Vec3f velocity, Vec3f spin, double mass)>;

// A force on some points in a row.
struct HostPush {
  std::size_t first = 0, count = 0;
  HostForce force;
};

// On points of cloth and on grains; soft bodies and rigid pieces are pushed as wholes (push_world.h).
void addPushes(const std::vector<HostPush>& pushes, const Assembly& assembly, NodeGeometry& geometry);

}  // namespace repose::nodes
