// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host writes into a state between two substeps. A value that is given as it was read changes no bit;
// whatever does change wakes all that sleeps.
#pragma once
#include <cstddef>
#include <string>

#include "base/pose.h"
#include "base/status.h"
#include "model/model.h"
#include "model/state.h"
#include "scene/scene.h"

namespace repose {

// Of the points of Body::simulated(), or of grains in the order of their ids; null: as they are.
struct PointEdit {
  std::size_t count = 0;
  const Vec3f* positions = nullptr;   // [m]
  const Vec3f* velocities = nullptr;  // [m/s]
};

// Of the pieces of a rigid body, as RigidView has them; null: as they are.
struct RigidEdit {
  std::size_t count = 0;
  const Pose* poses = nullptr;
  const Vec3f* velocities = nullptr;  // of the origins of the poses [m/s]
  const Vec3f* spins = nullptr;       // [rad/s]
};

// pace: seconds of the simulation in one of the shot. On bad_input, which names the body and the point, the
// state is as it was.
Status editPoints(const Model& model, const Body& source, int body, const PointEdit& edit, float pace,
                  State& state);
Status editGrains(const Body& source, int body, const PointEdit& edit, float pace, State& state);
Status editRigid(const Model& model, const Body& source, int body, const RigidEdit& edit, float pace,
                 State& state);

// The other way, for points that no view shows: those of tetrahedra.
void readPoints(const Model& model, const State& state, int body, float pace, std::vector<Vec3f>& positions,
                std::vector<Vec3f>& velocities);

}  // namespace repose
