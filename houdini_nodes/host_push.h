// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Forces that a host computes by itself, at each step for each point: they join the point attribute force.
#pragma once
#include <functional>

#include "houdini_nodes/assembly.h"

namespace repose::nodes {

// What pushes something of that mass [kg] at a place, in the world [N].
using HostForce = std::function<Vec3f(Vec3f place, Vec3f velocity, Vec3f spin, double mass)>;

// A force on some points in a row.
struct HostPush {
  std::size_t first = 0, count = 0;
  HostForce force;
};

// On points of cloth and on grains as they are; of a rigid piece every point takes its share, so that the
// piece is pushed once, with its whole mass.
void addPushes(const std::vector<HostPush>& pushes, const Assembly& assembly, NodeGeometry& geometry);

}  // namespace repose::nodes
