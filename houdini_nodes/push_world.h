// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host has done to the geometry between two steps: points that were moved, velocities that were set,
// forces of POPs (force, targetv and airresist).
#pragma once
#include "houdini_nodes/assembly.h"
#include "solve/simulation.h"

namespace repose::nodes {

// The simulation is at the frame of the geometry. Values that are as they were read change no bit.
Status pushWorld(const NodeGeometry& geometry, const Assembly& assembly, Simulation& simulation);

}  // namespace repose::nodes
