// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a simulation shows, written into the geometry of the host.
#pragma once
#include "houdini_nodes/assembly.h"
#include "solve/simulation.h"

namespace repose::nodes {

// P and v of all points; of rigid pieces also orient, w and pivot at each point; of grains that are gone dead
// = 1.
void readWorld(const Simulation& simulation, const Assembly& assembly, NodeGeometry& geometry);

}  // namespace repose::nodes
