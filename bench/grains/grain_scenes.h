// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains in an open box, and how far they sink into each other.
#pragma once
#include <memory>
#include <vector>

#include "tests/solve/grain_world.h"

namespace repose {

constexpr float kGrainRadius = 0.05f;  // [m]

enum class GrainScene {
  lattice,  // S2 of peers.md: as wide as high, hardly shaken; friction lets its columns stand
  packing,  // at most 31 layers, dropped apart and askew: each grain rests on several others
};
const char* grainSceneName(GrainScene scene);
int settlingFrames(GrainScene scene, int grains);  // of 16 ms, until it rests

// n grains before they fall, in a box just wide enough; friction 0.4, no sleep.
std::unique_ptr<GrainWorld> makeGrainScene(GrainScene scene, int n, float* half_width = nullptr);

// Overlap over the diameter, of all pairs that overlap; found by other means than the solver's.
struct Penetration {
  double mean = 0, p99 = 0, max = 0;
  double pairs_a_grain = 0;  // overlapping pairs
};
Penetration measurePenetration(const std::vector<Vec4f>& x);

}  // namespace repose
