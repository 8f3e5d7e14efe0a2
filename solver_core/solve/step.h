// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One time step. Everything it needs is in its arguments; it allocates nothing after the first call.
#pragma once
#include <vector>

#include "backend/backend.h"
#include "base/profile.h"
#include "model/model.h"
#include "model/state.h"
#include "params/params.h"
#include "solve/host_forces.h"

namespace repose {

class Workspace;

// The parameters of one step, keys evaluated.
struct StepParams {
  float h = 0;  // time step [s]
  WorldParams world;
  SolverParams solver;
  std::vector<ClothParams> cloth;  // of each body
  std::vector<SoftParams> soft;    // those of a soft body's skin are also in `cloth`: see skinOf()
  std::vector<GrainParams> grain;
  std::vector<RigidParams> rigid;
  std::vector<JointParams> joint;        // of each joint
  std::vector<ColliderParams> collider;  // of each collider
  std::vector<Pose> animated;            // of each rigid body that goes by keys: its own space at the end
  // Of each collider: where keys have taken it since the first frame, at the start and the end; empty:
  // nowhere.
  std::vector<Pose> carried_from, carried_to;
  std::vector<Vec3f> pin_targets;      // of each of the model's pins, at the end of the step [m]
  std::vector<Vec3f> line_anchors;     // of each of the model's slides: a place on its line, at the end [m]
  const HostForces* forces = nullptr;  // null: none

  // Acceleration that contacts have to reckon with [m/s^2].
  float fall() const { return length(world.gravity) + (forces ? forces->greatest() : 0.0f); }
};

// A soft body's surface as the air and contacts see it: that of a cloth.
ClothParams skinOf(const SoftParams& soft);

// Rest lengths of the distance rows [m] and rest angles of the dihedral rows [rad] in this step.
inline const std::vector<float>& restLengths(const Model& model, const State& state) {
  return state.rest.empty() ? model.distance.rest : state.rest;
}
inline const std::vector<float>& restAngles(const Model& model, const State& state) {
  return state.rest_angle.empty() ? model.dihedral.rest_angle : state.rest_angle;
}

// Rows y_1 to y_3 of the tetrahedra at rest [1/m].
inline const std::vector<float>& restShapes(const Model& model, const State& state) {
  return state.tet_y.empty() ? model.tets.y : state.tet_y;
}

// What one step did; measured at its end.
struct StepResult {
  int iterations = 0;
  bool converged = true;   // false: all iterations used and the tolerance missed
  float strain_error = 0;  // largestStrainError() at the last test of the tolerance
};

StepResult step(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend,
                StageSeconds& seconds);

}  // namespace repose
