// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/rigid/joints.h"

#include <algorithm>
#include <cmath>

#include "kernel/lane1.h"

namespace repose {

namespace {

constexpr int kChunk = 64;  // joints a task handles
constexpr float kDegree = 0.0174532925f;
constexpr float kServo = 0.2f;  // share of its error that a motor takes away in a substep
constexpr float kNoEnd = 1e30f;
// A limit is never further behind than this [m or rad], so that it is not thrown back.
constexpr float kDeepest = 0.1f;
// Share of its error that a hard joint takes away in a substep.
constexpr double kJointShare = 0.3;

// How many limits and motors a joint has.
int barsOf(Joint::Kind kind, const JointParams& p) {
  const int limits = p.limited ? 2 : 0, motor = p.motor != JointMotor::none ? 1 : 0;
  switch (kind) {
    case Joint::Kind::spherical:
      return (p.coneangle < 180 ? 1 : 0) + (p.twistangle < 180 ? 2 : 0);
    case Joint::Kind::hinge:
    case Joint::Kind::slider:
      return limits + motor;
    case Joint::Kind::distance:
      return limits;
    case Joint::Kind::fixed:
      break;
  }
  return 0;
}
bool holdsBothWays(Joint::Kind kind, const JointParams& p) {
  return kind != Joint::Kind::distance || !p.limited;
}

// One body as a joint sees it.
struct Side {
  Vec3f centre, place, axis;  // of the body, of the joint's frame, and its x axis
  Quat q;
  float w;
  float turn[6];  // inverse inertia: xx xy xz yy yz zz
};

Vec3f multiply(const float* s, Vec3f a) {
  return {s[0] * a.x + s[1] * a.y + s[2] * a.z, s[1] * a.x + s[3] * a.y + s[4] * a.z,
          s[2] * a.x + s[4] * a.y + s[5] * a.z};
}

// Two directions across another.
void across(Vec3f axis, Vec3f& one, Vec3f& other) {
  one = cross(axis, std::abs(axis.x) < 0.7f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0});
  one = one * (1 / length(one));
  other = cross(axis, one);
}

// Adds rows to a block.
class RowWriter {
 public:
  RowWriter(JointBlock& block, Vec3f arm_a, Vec3f arm_b, float rate, float gamma)
      : block_(block), arm_{arm_a, arm_b}, rate_(rate), gamma_(gamma) {
    block_.rows = 0;
  }
  void place(Vec3f d, float error) {
    for (int side = 0; side < 2; ++side) set(side, d, cross(arm_[side], d));
    end(error);
  }
  void turning(Vec3f d, float error) {
    for (int side = 0; side < 2; ++side) set(side, {}, d);
    end(error);
  }

 private:
  void set(int side, Vec3f v, Vec3f spin) {
    const double sign = side ? -1 : 1;
    for (int k = 0; k < 3; ++k) {
      block_.along[side][block_.rows][k] = sign * v[k];
      block_.along[side][block_.rows][k + 3] = sign * spin[k];
    }
  }
  void end(float error) {
    block_.error[block_.rows] = error, block_.rate[block_.rows] = rate_, block_.gamma[block_.rows] = gamma_;
    ++block_.rows;
  }
  JointBlock& block_;
  Vec3f arm_[2];
  float rate_, gamma_;
};

Vec3f direction(Vec3f a) {
  const float size = length(a);
  return size > 1e-12f ? a * (1 / size) : Vec3f{0, 1, 0};
}

}  // namespace

void soften(float e, float c, float h, float& rate, float& gamma) {
  rate = gamma = 0;
  if (e <= 0) return;
  rate = 1 / (c * e + h);
  gamma = e * rate / h;
}

Joints::Joints(const Model& model) : model_(model.rigid) {
  for (const RigidJoint& joint : model_.joints)
    for (const RigidJointEnd* end : {&joint.a, &joint.b})
      anchor_of_.push_back(end->rigid < 0 ? model_.size() + anchors_++ : -1);
}

int Joints::endOf(int joint, const RigidJointEnd& end, bool second) const {
  return end.rigid >= 0 ? end.rigid : anchor_of_[2 * joint + second];
}

void Joints::arrange(const State& state, const StepParams& params, const RigidMovers& movers, const Vec4f* v,
                     Backend& backend) {
  joints_.clear(), bar_movers_.clear(), held_.clear();
  movable_.resize(movers.padded + 16);
  for (int i = 0; i < movers.padded + 16; ++i) movable_[i] = v[i].w > 0;
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const RigidJoint& joint = model_.joints[j];
    const JointParams& now = params.joint[joint.joint];
    Active active{static_cast<int>(j),
                  endOf(static_cast<int>(j), joint.a, false),
                  endOf(static_cast<int>(j), joint.b, true),
                  -1,
                  {-1, -1, -1, -1}};
    if (state.rigid.broken[j] || (!movable_[active.a] && !movable_[active.b])) continue;
    if (holdsBothWays(joint.kind, now)) {
      active.block = static_cast<int>(held_.size());
      held_.push_back(static_cast<int>(j));
    }
    for (int k = 0; k < barsOf(joint.kind, now); ++k) {
      active.bar[k] = static_cast<int>(bar_movers_.size() / 2);  // its number until it has a row
      bar_movers_.push_back(active.a), bar_movers_.push_back(active.b);
    }
    joints_.push_back(active);
  }
  if (held_ != last_held_ || movable_ != last_movable_) {
    last_held_ = held_, last_movable_ = movable_;
    system_.blocks.assign(held_.size(), {});
    for (const Active& active : joints_)
      if (active.block >= 0)
        system_.blocks[active.block].a = active.a, system_.blocks[active.block].b = active.b;
    system_.arrange(movable_, movers.padded + 16);
  }
  bars.giveColours(static_cast<int>(bar_movers_.size() / 2), bar_movers_, movers.padded + 16,
                   RowOrder::coloured);
  bars.giveRows(false, backend);
  bars.pad(movers.padded);
  for (std::size_t c = 0; c < bars.row_of.size(); ++c) {
    bars.rows.clear(bars.row_of[c]);
    for (int k = 0; k < 2; ++k) bars.rows.mover(bars.row_of[c], k) = bar_movers_[2 * c + k];
  }
  for (Active& active : joints_)
    for (int& row : active.bar)
      if (row >= 0) row = bars.row_of[row];
}

void Joints::prepareJoint(const Active& active, const StepParams& params, const RigidMovers& movers,
                          const Vec4f* v, float h) {
  const RigidJoint& joint = model_.joints[active.joint];
  const JointParams& p = params.joint[joint.joint];
  const auto sideOf = [&](int i, const RigidJointEnd& end) {
    Side s;
    s.q = {movers.q[i].x, movers.q[i].y, movers.q[i].z, movers.q[i].w};
    s.centre = xyz(movers.x[i]), s.w = v[i].w;
    const Vec4f a = movers.turn_a[i], b = movers.turn_b[i];
    const float turn[6] = {a.x, a.y, a.z, a.w, b.x, b.y};
    std::copy(turn, turn + 6, s.turn);
    s.place = s.centre + rotate(s.q, end.frame.origin);
    s.axis = rotate(s.q, end.frame.axis[0]);
    return s;
  };
  const Side a = sideOf(active.a, joint.a), b = sideOf(active.b, joint.b);
  const Quat turned = a.q * joint.rest * conjugate(b.q);  // of a against b since the start
  const float sign = turned.w < 0 ? -2.0f : 2.0f;
  const Vec3f turned_by = Vec3f{turned.x, turned.y, turned.z} * sign;
  const bool slides = joint.kind == Joint::Kind::slider;
  // a slider's levers end at one place, however far it is out
  const Vec3f arm_a = (slides ? b.place : a.place) - a.centre, arm_b = b.place - b.centre;
  float rate, gamma;
  soften(p.compliance, p.damping, h, rate, gamma);

  if (active.block >= 0) {
    RowWriter rows(system_.blocks[active.block], arm_a, arm_b, rate, gamma);
    const Vec3f apart = a.place - b.place;
    Vec3f one, other;
    across(a.axis, one, other);
    const Vec3f axes[3] = {a.axis, one, other};
    switch (joint.kind) {
      case Joint::Kind::fixed:
        for (const Vec3f& d : axes) rows.place(d, dot(d, apart));
        for (const Vec3f& d : axes) rows.turning(d, dot(d, turned_by));
        break;
      case Joint::Kind::spherical:
        for (const Vec3f& d : axes) rows.place(d, dot(d, apart));
        break;
      case Joint::Kind::hinge: {
        const Vec3f lean = cross(b.axis, a.axis);
        for (const Vec3f& d : axes) rows.place(d, dot(d, apart));
        for (const Vec3f& d : {one, other}) rows.turning(d, dot(d, lean));
        break;
      }
      case Joint::Kind::slider:
        for (const Vec3f& d : {one, other}) rows.place(d, dot(d, apart));
        for (const Vec3f& d : axes) rows.turning(d, dot(d, turned_by));
        break;
      case Joint::Kind::distance: {
        const float rest = p.restlength >= 0 ? p.restlength : joint.length;
        rows.place(direction(apart), length(apart) - rest);
        break;
      }
    }
  }

  int next = 0;
  const auto bar = [&](Vec3f along, bool turns, float error, float least, float most, float speed, float own,
                       float soft) {
    const int row = active.bar[next++];
    ContactRows& r = bars.rows;
    r.setVector(row, kBarAlong, along);
    r.setVector(row, kBarArmA, turns ? Vec3f{} : arm_a), r.setVector(row, kBarArmB, turns ? Vec3f{} : arm_b);
    float answer;
    if (turns) {
      answer = dot(along, multiply(a.turn, along)) + dot(along, multiply(b.turn, along));
    } else {
      const Vec3f lever_a = cross(arm_a, along), lever_b = cross(arm_b, along);
      answer = a.w + b.w + dot(lever_a, multiply(a.turn, lever_a)) + dot(lever_b, multiply(b.turn, lever_b));
    }
    r.value(row, kBarError) = std::max(error, -kDeepest);
    r.value(row, kBarInverse) = answer + soft > 0 ? 1 / (answer + soft) : 0.0f;
    r.value(row, kBarTurns) = turns ? 1.0f : 0.0f;
    r.value(row, kBarRate) = own, r.value(row, kBarGamma) = soft;
    r.value(row, kBarLeast) = least, r.value(row, kBarMost) = most, r.value(row, kBarSpeed) = speed;
    r.value(row, kBarImpulse) = 0;
  };
  const auto limits = [&](Vec3f along, bool turns, float at, float lower, float upper) {
    bar(along, turns, at - lower, 0, kNoEnd, 0, 0, 0);
    bar(-along, turns, upper - at, 0, kNoEnd, 0, 0, 0);
  };
  const auto motor = [&](Vec3f along, bool turns, float at, float target) {
    const bool position = p.motor == JointMotor::position;
    bar(along, turns, position ? at - target : 0.0f, -p.motorforce * h, p.motorforce * h,
        position ? 0.0f : target, position ? kServo / h : 0.0f, 0);
  };
  // angle of b against a about the axis, in (-pi, pi]
  const float angle = -2 * lane1::re_atan2(dot(turned_by, a.axis) * 0.5f, std::abs(turned.w));
  switch (joint.kind) {
    case Joint::Kind::distance: {
      const Vec3f apart = a.place - b.place;
      if (p.limited) limits(direction(apart), false, length(apart), p.lower, p.upper);
      break;
    }
    case Joint::Kind::hinge:
      if (p.limited) {
        // of all turns the nearest to the middle of the range
        const float turn = 6.28318531f, middle = 0.5f * (p.lower + p.upper) * kDegree;
        const float nearest = angle - turn * std::floor((angle - middle) / turn + 0.5f);
        limits(-a.axis, true, nearest, p.lower * kDegree, p.upper * kDegree);
      }
      if (p.motor != JointMotor::none) motor(-a.axis, true, angle, p.motortarget * kDegree);
      break;
    case Joint::Kind::slider: {
      const float out = dot(b.place - a.place, a.axis);
      if (p.limited) limits(-a.axis, false, out, p.lower, p.upper);
      if (p.motor != JointMotor::none) motor(-a.axis, false, out, p.motortarget);
      break;
    }
    case Joint::Kind::spherical: {
      if (p.coneangle < 180) {
        const Vec3f lean = cross(a.axis, b.axis);
        const float sine = length(lean);
        const Vec3f along = sine > 1e-6f ? lean * (1 / sine) : Vec3f{};
        bar(along, true, p.coneangle * kDegree - lane1::re_atan2(sine, dot(a.axis, b.axis)), 0, kNoEnd, 0, 0,
            0);
      }
      // what has been turned over has no twist
      const float twist = dot(a.axis, b.axis) > -0.5f ? angle : 0.0f;
      if (p.twistangle < 180) limits(-a.axis, true, twist, -p.twistangle * kDegree, p.twistangle * kDegree);
      break;
    }
    case Joint::Kind::fixed:
      break;
  }
}

void Joints::prepare(const StepParams& params, RigidMovers& movers, Vec4f* v, float h, Backend& backend) {
  const int count = static_cast<int>(joints_.size());
  backend.forChunks((count + kChunk - 1) / kChunk, [&](int chunk) {
    const int end = std::min(count, (chunk + 1) * kChunk);
    for (int k = chunk * kChunk; k < end; ++k) prepareJoint(joints_[k], params, movers, v, h);
  });
  system_.prepare({v, movers.spin.data(), movers.turn_a.data(), movers.turn_b.data()}, backend);
}

void Joints::solve(RigidMovers& movers, Vec4f* v, float h, bool biased, Backend& backend) {
  system_.solve({v, movers.spin.data(), movers.turn_a.data(), movers.turn_b.data()},
                biased ? kJointShare / h : 0.0, backend);
}

void Joints::store(State& state, const StepParams& params, float h) const {
  for (const Active& active : joints_) {
    const RigidJoint& joint = model_.joints[active.joint];
    const JointParams& limits = params.joint[joint.joint];
    double force = 0, torque = 0;
    if (active.block < 0) {
      for (const int row : active.bar)
        if (row >= 0) force += bars.rows.value(row, kBarImpulse);
    } else {
      const JointBlock& block = system_.blocks[active.block];
      const int places = joint.kind == Joint::Kind::distance ? 1 : joint.kind == Joint::Kind::slider ? 2 : 3;
      for (int i = 0; i < block.rows; ++i)
        (i < places ? force : torque) += block.impulse[i] * block.impulse[i];
      force = std::sqrt(force), torque = std::sqrt(torque);
    }
    if ((limits.breakforce > 0 && force / h > limits.breakforce) ||
        (limits.breaktorque > 0 && torque / h > limits.breaktorque))
      state.rigid.broken[active.joint] = 1;
  }
}

}  // namespace repose
