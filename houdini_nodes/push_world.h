// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host has done to the geometry between two steps: points that were moved, velocities that were set,
// forces of POPs (force, torque, targetv and airresist), and what it pushes whole bodies with.
#pragma once
#include "houdini_nodes/host_push.h"
#include "solve/simulation.h"

namespace repose::nodes {

// The simulation is at the frame of the geometry. Values that are as they were read change no bit; `touched`:
// they may be others. Pushes act
// on soft bodies and rigid pieces, each as one thing of its whole mass: a soft body takes its share at each
// point that is simulated, a piece that of six places about its centre which have its moments of inertia.
Status pushWorld(const NodeGeometry& geometry, const Assembly& assembly, bool touched, Simulation& simulation,
                 const std::vector<HostPush>& pushes = {});

}  // namespace repose::nodes
