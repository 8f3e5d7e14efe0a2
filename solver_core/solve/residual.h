// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the state is like: stretch, speed, energy, and whether it is still finite.
#pragma once
#include <cstdint>

#include "solve/step.h"

namespace repose {

// Largest length/rest - 1 over the stretch rows and over warps and wefts, at least 0.
float largestStretch(const Model& model, const State& state, const std::vector<ClothParams>& cloth,
                     Workspace& work, Backend& backend);

// The same over the rows of strain limits: by how much some edge is longer than its limit allows.
float beyondLimits(const Model& model, const State& state, Workspace& work, Backend& backend);

// The strain by which the stress of some tetrahedron was wrong in the last sweep that was asked to measure it
// (docs/soft_rows.md).
float largestStrainError(Workspace& work, Backend& backend);

struct MotionSummary {
  float max_speed = 0;        // [m/s]
  double kinetic_energy = 0;  // [J], of free points
  bool finite = true;
};
MotionSummary measureMotion(const Model& model, const State& state, Workspace& work, Backend& backend);

// The same of grains.
MotionSummary measureGrains(const GrainState& grains);
// Of rigid bodies that are not animated.
MotionSummary measureRigid(const RigidModel& model, const RigidState& rigid);
// Of height, of all that is free [J].
double heightEnergy(const Model& model, const State& state, Vec3f gravity);

// First rigid body whose place or motion is not finite, or -1.
int firstBrokenRigid(const RigidState& rigid);

// First grain whose position or velocity is not finite, or -1.
int firstBrokenGrain(const GrainState& grains);
// First point (of the model) whose position or velocity is not finite, or -1.
int firstBrokenPoint(const State& state);

}  // namespace repose
