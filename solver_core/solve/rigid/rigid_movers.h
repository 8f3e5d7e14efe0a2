// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies as the loop sees them, behind the points among the movers. Behind the bodies come places that
// joints hold to the world, one for each, then nobody.
#pragma once
#include <vector>

#include "model/model.h"
#include "model/state.h"

namespace repose {

struct RigidMovers {
  std::vector<Vec4f> x, q, spin;      // as RigidState
  std::vector<Vec4f> moment;          // of inertia about the own axes [kg m^2]; w: 1 where it tumbles
  std::vector<Vec4f> turn_a, turn_b;  // inverse inertia in the world: xx xy xz yy, yz zz
  std::vector<Vec4f> shift, tilt;     // since the step began [m, rad]
  std::vector<Vec4f> lost;            // of the velocity by rounding, where cloth pushes [m/s]
  int bodies = 0;                     // without anchors
  int padded = 0;                     // with them, to a multiple of 16: the number of nobody
  // What moves, in whole blocks of 16 bodies: sleepers cost nothing.
  struct Run {
    int first, count;
  };
  std::vector<Run> runs;

  std::size_t bytes() const { return bytesOf(x, q, spin, moment, turn_a, turn_b, shift, tilt, lost, runs); }

  Pose pose(int i) const { return poseOf(xyz(x[i]), {q[i].x, q[i].y, q[i].z, q[i].w}); }
};

}  // namespace repose
