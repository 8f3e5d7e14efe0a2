// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/rigid/rigid_loop.h"

#include <algorithm>

namespace repose {

namespace {

// Share of its error that a limit takes away in a substep.
constexpr float kLimitShare = 0.3f;
// As many stay in the cache of a core until they are visited again.
constexpr int kNearManifolds = 4096;

}  // namespace

RigidLoop::RigidLoop(Contacts& contacts, const StepParams& params, float h, Backend& backend)
    : contacts_(contacts),
      movers_(contacts.movers.rigid),
      v_(contacts.movers.v.data() + contacts.movers.first_rigid),
      params_(params),
      h_(h),
      together_(rowOrder(params.solver) == RowOrder::together),
      backend_(backend) {}

bool RigidLoop::any() const { return movers_.bodies > 0; }

bool RigidLoop::joined() const { return any() && contacts_.rigid->joints.any(); }

template <class Args>
void RigidLoop::aim(Args& a) const {
  a.v = v_, a.spin = movers_.spin.data();
  a.turn_a = movers_.turn_a.data(), a.turn_b = movers_.turn_b.data();
}

void RigidLoop::accelerate(Vec3f gravity) {
  if (!any()) return;
  for (const auto [first, count] : movers_.runs) {
    grain_accelerate_args a;
    a.v = v_ + first, a.h = h_;
    a.gravity_x = gravity.x, a.gravity_y = gravity.y, a.gravity_z = gravity.z;
    backend_.launchLanes(count, a);
    rigid_inertia_args i;
    i.q = movers_.q.data() + first, i.moment = movers_.moment.data() + first, i.v = v_ + first;
    i.turn_a = movers_.turn_a.data() + first, i.turn_b = movers_.turn_b.data() + first;
    backend_.launchLanes(count, i);
  }
}

// Runs a kernel of manifolds over all colours of both kinds of rows.
template <class Args, class More>
void RigidLoop::launchHulls(const More& more) {
  RigidContacts& rigid = *contacts_.rigid;
  for (RigidContacts::Rows* rows : {&rigid.hulls, &rigid.grounds}) {
    Args a;
    aim(a);
    a.shift = movers_.shift.data(), a.tilt = movers_.tilt.data();
    a.index = rows->batch.rows.indices(), a.value = rows->batch.rows.values();
    a.points = rows->points.data(), a.bodies = rows->batch.movers(), a.since = since_;
    a.far_end = rows->batch.farEnd(kNearManifolds);
    more(a);
    if constexpr (has<Args>(kPushed)) {
      RigidContacts::Gather& g = rigid.gather;
      const int first = rows == &rigid.hulls ? 0 : g.first_ground;
      a.crowd = g.crowd.data(), a.last = g.last.data() + static_cast<std::size_t>(first) * 16;
      a.pushed = g.pushed.data() + first, a.twisted = g.twisted.data() + first, a.stride = g.stride;
    }
    launchColours(rows->batch, a, backend_);
  }
}

void RigidLoop::gather() {
  const RigidContacts::Gather& g = contacts_.rigid->gather;
  hull_gather_args a;
  aim(a);
  a.start = g.start.data(), a.row = g.row.data(), a.pushed = g.pushed.data(), a.twisted = g.twisted.data();
  backend_.launchLanes(movers_.padded + 16, a);
}

void RigidLoop::begin(float warm) {
  if (!any()) return;
  Joints& joints = contacts_.rigid->joints;
  if (joints.any()) joints.prepare(params_, movers_, v_, h_, backend_);
  const auto set = [&](auto& a) { a.warm = warm, a.fresh = fresh_, a.regap = since_ > 0; };
  if (together_) {
    launchHulls<hull_begin_all_args>(set);
    gather();
  } else {
    launchHulls<hull_begin_args>(set);
  }
  fresh_ = false;
}

void RigidLoop::sweep(const ContactLaw& law, const Pass& pass) {
  if (!any()) return;
  Joints& joints = contacts_.rigid->joints;
  if (joints.any() && !pass.bounce) {
    bar_sweep_args a;
    aim(a);
    a.index = joints.bars.rows.indices(), a.value = joints.bars.rows.values();
    a.rate = pass.biased ? kLimitShare / h_ : 0.0f, a.inv_h = 1 / h_;
    launchColours(joints.bars, a, backend_);
    joints.solve(movers_, v_, h_, pass.biased, backend_);
  }
  const auto set = [&](auto& a) {
    a.model = law.model, a.inv_h = law.inv_h, a.bias = law.bias, a.push = law.push, a.soft = law.soft;
    a.regap = pass.regap, a.bounce = pass.bounce;
    if constexpr (has<std::decay_t<decltype(a)>>(kPushed)) a.beta = pass.beta;
  };
  if (together_) {
    launchHulls<hull_sweep_all_args>(set);
    gather();
  } else {
    launchHulls<hull_sweep_args>(set);
  }
}

void RigidLoop::move() {
  if (!any()) return;
  for (const auto [first, count] : movers_.runs) {
    rigid_move_args m;
    m.x = movers_.x.data() + first, m.q = movers_.q.data() + first, m.v = v_ + first;
    m.spin = movers_.spin.data() + first, m.moment = movers_.moment.data() + first;
    m.shift = movers_.shift.data() + first, m.tilt = movers_.tilt.data() + first, m.h = h_;
    backend_.launchLanes(count, m);
  }
  since_ += h_;
}

}  // namespace repose
