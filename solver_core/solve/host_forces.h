// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host pushes bodies with until it says otherwise. Not part of a checkpoint: a host that goes on sets
// them again.
#pragma once
#include <cstddef>
#include <vector>

#include "backend/backend.h"
#include "base/status.h"
#include "model/model.h"
#include "model/state.h"
#include "scene/scene.h"

namespace repose {

// Of the points of Body::simulated() or of grains in the order of their ids; of a rigid body on the centre
// of mass of each piece. No forces at all: none any more.
struct BodyForces {
  std::vector<Vec3f> forces;   // [N]
  std::vector<Vec3f> torques;  // [N m], of rigid pieces only; empty: none
};

class HostForces {
 public:
  // Wakes what is pushed otherwise than before. bad_input names the body and the point.
  Status set(const Scene& scene, const Model& model, int body, const BodyForces& given, State& state);

  // The velocities that the forces add in h seconds: of points [first, end) of the model, of grains by their
  // places in the state, of rigid bodies with `turn` as RigidMovers has it. What has no inverse mass stays.
  void pushPoints(int first, int end, float h, State& state) const;
  void pushGrains(const GrainState& grains, float h, Vec4f* v, Backend& backend) const;
  void pushRigid(float h, const Vec4f* turn_a, const Vec4f* turn_b, Vec4f* v, Vec4f* spin) const;
  // Greatest acceleration that some force gives [m/s^2]: contacts are looked for so much farther.
  float greatest() const { return greatest_; }

  // Points have other numbers: map(values of the points before) are those of the points now.
  template <class Map>
  void renumberPoints(const Map& map) {
    if (!points_.empty()) points_ = map(points_);
  }

 private:
  void setPoints(const Model& model, int body, const std::vector<Vec3f>& forces);
  void setGrains(int body, const std::vector<Vec3f>& forces, State& state);
  void setRigid(const RigidModel& model, int body, const BodyForces& given, State& state);
  void weigh(const Model& model, const State& state);

  std::vector<Vec3f> points_;               // of the model's points; empty: none
  std::vector<std::vector<Vec3f>> grains_;  // of each body of the scene, by id
  std::vector<Vec3f> rigid_, torques_;      // of each rigid body of the model
  float greatest_ = 0;
};

}  // namespace repose
