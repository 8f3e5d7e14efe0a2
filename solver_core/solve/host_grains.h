// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains that a host takes out of bodies and puts into them: a state goes on in a scene whose bodies have
// other grains. Those that stay keep all that the state knows of them, and get the numbers of the new scene.
#pragma once
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "model/state.h"

namespace repose {

// A body of the new scene, against that of the state.
struct BodyGrains {
  static constexpr std::int64_t kBorn = -1, kNone = -2;

  int before = -1;                // which body it was; -1: it was not there
  std::vector<std::int64_t> was;  // of each point of a grain body: its id in the state; born now; no grain
  std::vector<Vec3f> velocities;  // of each point, for those that are born [m/s]; empty: they stand still
};

// `fresh` are the grains that the new scene begins with; pace: seconds of the simulation in one of the shot.
// False: the lists do not fit these states, and nothing has changed.
bool changeGrains(const std::vector<BodyGrains>& bodies, const GrainState& fresh, double seconds, float pace,
                  GrainState& grains);

}  // namespace repose
