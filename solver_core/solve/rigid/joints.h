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

// Softness of a row with compliance e and damping c in a step of h: u + rate C + gamma p = 0.
void soften(float e, float c, float h, float& rate, float& gamma);

class Joints {
 public:
  explicit Joints(const Model& model);

  int anchors() const { return anchors_; }  // places in the world that joints hold to
  // visit(joint, anchor, collider, body at the other end or -1) for those that colliders carry along.
  template <class Visit>
  void eachCarried(const Visit& visit) const {
    for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
      const RigidJointEnd *a = &model_.joints[j].a, *b = &model_.joints[j].b;
      if (a->rigid < 0 && a->collider >= 0) visit(j, anchor_of_[2 * j], a->collider, b->rigid);
      if (b->rigid < 0 && b->collider >= 0) visit(j, anchor_of_[2 * j + 1], b->collider, a->rigid);
    }
  }
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
