// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Joints between rigid bodies, or of one and the world, as rows of kernel/joint.h: a tie of places, a tie of
// turning, and up to four bars for lengths, limits and motors. Rows are solved one colour after another,
// whatever the method of the contacts.
#pragma once
#include "model/model.h"
#include "solve/contact/contact_batch.h"
#include "solve/rigid/rigid_movers.h"
#include "solve/step.h"

namespace repose {

// Fields; kernel/joint.h keeps the numbers.
enum TieField {
  kTieArmA = 0,
  kTieArmB = 3,
  kTieAxis = 6,      // direction that is free; 0: none
  kTieError = 9,     // [m or rad]
  kTieImpulse = 12,  // on the first body [N s or N m s]
  kTieInverse = 15,  // what stops a velocity: xx xy xz yy yz zz
  kTieTurns = 21,    // 1: of turning
  kTieRate,          // share of an error that a soft one takes away [1/s]; 0: hard
  kTieGamma,         // softness
  kTieFields
};
enum BarField {
  kBarAlong = 0,
  kBarArmA = 3,
  kBarArmB = 6,
  kBarError = 9,
  kBarImpulse,
  kBarInverse,
  kBarTurns,
  kBarRate,
  kBarGamma,
  kBarLeast,
  kBarMost,
  kBarSpeed,
  kBarFields
};

class Joints {
 public:
  Joints(const Scene& scene, const Model& model);

  int anchors() const { return anchors_; }  // places in the world that joints hold to
  // The joints that hold in this step, with the impulses of the last one.
  void arrange(const State& state, const RigidMovers& movers, const Vec4f* v, Backend& backend);
  // Before each contact substep of h seconds: where they stand, and how they are weighed.
  void prepare(const StepParams& params, const RigidMovers& movers, const Vec4f* v, float h, Backend& backend);
  // Impulses go back to the state; what was pulled too hard breaks.
  void store(State& state, const StepParams& params, float h) const;
  bool any() const { return !joints_.empty(); }

  ContactBatch ties{2, kTieFields}, bars{2, kBarFields};

 private:
  struct Active {
    int joint;       // of the model
    int a, b;        // bodies or anchors
    int tie[2];      // rows of places and of turning; -1: none
    int bar[4];
  };
  int endOf(int joint, const RigidJointEnd& end, bool second) const;
  void prepareJoint(const Active& active, const StepParams& params, const RigidMovers& movers, const Vec4f* v,
                    float h);

  const RigidModel& model_;
  const Scene& scene_;
  int anchors_ = 0;
  std::vector<int> anchor_of_;  // of each joint and side
  std::vector<Active> joints_;
  std::vector<int> tie_movers_, bar_movers_;
};

}  // namespace repose
