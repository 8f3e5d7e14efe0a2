// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Joints between rigid bodies, or of one and the world: what they hold both ways is a block of the joint
// system, limits and motors are up to four bars of kernel/joint.h, solved one colour after another, whatever
// the method of the contacts.
#pragma once
#include "model/model.h"
#include "solve/contact/contact_batch.h"
#include "solve/rigid/joint_system.h"
#include "solve/rigid/rigid_movers.h"
#include "solve/step.h"

namespace repose {

// Fields; kernel/joint.h keeps the numbers.
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
  explicit Joints(const Model& model);

  int anchors() const { return anchors_; }  // places in the world that joints hold to
  // The joints that hold in this step, with the impulses of the last one.
  void arrange(const State& state, const StepParams& params, const RigidMovers& movers, const Vec4f* v,
               Backend& backend);
  // Before each contact substep of h seconds: where they stand, and how they are weighed.
  void prepare(const StepParams& params, RigidMovers& movers, Vec4f* v, float h, Backend& backend);
  // One pass over what they hold both ways. biased: their errors are taken away.
  void solve(RigidMovers& movers, Vec4f* v, float h, bool biased, Backend& backend);
  // Impulses go back to the state; what was pulled too hard breaks.
  void store(State& state, const StepParams& params, float h) const;
  bool any() const { return !joints_.empty(); }

  ContactBatch bars{2, kBarFields};

 private:
  struct Active {
    int joint;   // of the model
    int a, b;    // bodies or anchors
    int block;   // of the system; -1: none
    int bar[4];  // rows; -1: none
  };
  int endOf(int joint, const RigidJointEnd& end, bool second) const;
  void prepareJoint(const Active& active, const StepParams& params, const RigidMovers& movers, const Vec4f* v,
                    float h);

  const RigidModel& model_;
  int anchors_ = 0;
  std::vector<int> anchor_of_;  // of each joint and side
  std::vector<Active> joints_;
  JointSystem system_;
  std::vector<char> movable_;
  std::vector<int> bar_movers_, held_, last_held_;  // those that hold: in this step and in the last
  std::vector<char> last_movable_;
};

}  // namespace repose
