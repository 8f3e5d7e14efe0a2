// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// All that varies, and all that a checkpoint has to keep.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace repose {

// Grains that are alive, in space order: their places in these arrays change from step to step.
struct GrainState {
  // A grain's world ends so many of its radii from the origin: beyond, floats place it no finer than to a
  // sixteenth of its radius.
  static constexpr float kWorldRadii = 1e6f;

  std::vector<Vec4f> x;               // position and radius [m]
  std::vector<Vec4f> v;               // velocity [m/s] and inverse mass [1/kg]
  std::vector<Vec4f> spin;            // angular velocity times radius [m/s]; empty when no grain rotates
  std::vector<std::uint32_t> id;      // within the body; never used again
  std::vector<std::uint16_t> body;    // of the scene
  std::vector<float> born;            // [s] of State::seconds
  std::vector<float> calm;            // how long it has been slow [s]; asleep when this is kAsleep
  std::vector<std::uint32_t> births;  // of each body of the scene: ids given so far
  std::vector<std::int32_t> last;     // place in these arrays at the end of the last step; -1: born since
  std::vector<std::uint32_t>
      emitted;  // of each emitter, body after body: grains given, or lost for want of room
  static constexpr float kAsleep = 1e30f;

  std::size_t size() const { return x.size(); }
};

// Distance of a grain from the origin, along its farthest axis, over that of the end of its world.
inline float worldsAway(const Vec4f& x) {
  return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) / (GrainState::kWorldRadii * x.w);
}

// Rigid bodies, in the order of the model.
struct RigidState {
  std::vector<Vec4f> x;      // centre of mass [m]
  std::vector<Vec4f> q;      // quaternion x y z w, from the own space to the world
  std::vector<Vec4f> v;      // of the centre of mass [m/s]
  std::vector<Vec4f> spin;   // angular velocity [rad/s], in the world
  std::vector<float> calm;   // how long it has been slow [s]; asleep when this is kAsleep
  std::vector<int> island;   // of those asleep: the first body of those that fell asleep together
  std::vector<char> broken;  // of each joint of the model
  // Of each bond: impulse on the grain in the last contact substep [N s]; w: 1 when it has broken.
  std::vector<Vec4f> bonds;
  std::vector<char> loose;  // of each hold: 1 when it has broken
  static constexpr float kAsleep = 1e30f;

  std::size_t size() const { return x.size(); }
};

// Impulses of the contacts at the end of the last step, to begin the next one with.
struct ContactMemory {
  // Of pairs of grains: those that grain i found are [first[i], first[i + 1]), with the place of the other
  // grain and the impulse on grain i, tangential and normal (w) [N s].
  std::vector<std::int32_t> first, partner;
  std::vector<Vec4f> impulse;
  // Of the others: which mover and which surface, ascending, and the impulse on the mover.
  std::vector<std::uint64_t> mover, surface;
  std::vector<Vec4f> surface_impulse;
  // Of rigid bodies: which two sides, ascending, which place of them, and the impulse on the first.
  std::vector<std::uint64_t> rigid_pair, rigid_place;
  std::vector<Vec4f> rigid_impulse;
  // Rolling friction [N m s]; empty when there is none.
  std::vector<Vec4f> roll, surface_roll;
  float part = 0;           // contact substep that the impulses are of [s]
  std::uint64_t rules = 0;  // hash of gravity and of what surfaces are like; 0 before the first step
};

struct State {
  std::vector<Vec4f> x;  // position [m] and inverse mass [1/kg]
  std::vector<Vec4f>
      x_low;             // what a float position lacks [m]; only where the multilevel solver runs, else empty
  std::vector<Vec4f> v;  // velocity [m/s] and 0
  std::vector<Vec4f> v_last, v_mean;  // before the last step, and over it [m/s]; second order steps only
  std::vector<float> rest;        // [m] of Model::distance where rest lengths change over the run, else empty
  std::vector<float> rest_angle;  // [rad] of Model::dihedral where creases or shapes change them, else empty
  std::vector<float> rest_scale;  // of each body of the scene: that `rest` has
  std::vector<float> tet_y;       // [1/m] of Model::tets where bodies flow or grow, else empty
  std::vector<std::int32_t> torn;  // how bodies have come apart (solve/tearing.h); empty: they are whole
  GrainState grains;
  RigidState rigid;
  ContactMemory contacts;
  int rest_changes = 0;      // how often `rest` was written
  std::int64_t substep = 0;  // since the first frame
  double seconds = 0;        // simulated, for gusts that travel with the wind
  float row_radius = 0;      // spectral radius of D^-1 A, and of the iteration with it: 0 before the
  float map_radius = 0;      // first estimate (solve/relaxation.h)
};

// The same for equal states on every machine, thread count and instruction set.
std::uint64_t stateHash(const State& state);

}  // namespace repose
