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

Side sideOf(const RigidMovers& movers, const Vec4f* v, int i, const RigidJointEnd& end) {
  Side s;
  s.q = {movers.q[i].x, movers.q[i].y, movers.q[i].z, movers.q[i].w};
  s.centre = xyz(movers.x[i]), s.w = v[i].w;
  const Vec4f a = movers.turn_a[i], b = movers.turn_b[i];
  const float turn[6] = {a.x, a.y, a.z, a.w, b.x, b.y};
  std::copy(turn, turn + 6, s.turn);
  s.place = s.centre + rotate(s.q, end.frame.origin);
  s.axis = rotate(s.q, end.frame.axis[0]);
  return s;
}

// Both bodies of a joint as they stand now.
struct Stance {
  Side a, b;
  Quat turned;  // of a against b since the start
  Vec3f turned_by;
  Vec3f arm_a, arm_b;

  Stance(const RigidJoint& joint, const Side& side_a, const Side& side_b)
      : a(side_a), b(side_b), turned(a.q * joint.rest * conjugate(b.q)) {
    const float sign = turned.w < 0 ? -2.0f : 2.0f;
    turned_by = Vec3f{turned.x, turned.y, turned.z} * sign;
    // a slider's levers end at one place, however far it is out
    const bool slides = joint.kind == Joint::Kind::slider;
    arm_a = (slides ? b.place : a.place) - a.centre, arm_b = b.place - b.centre;
  }
  Vec3f apart() const { return a.place - b.place; }
  // angle of b against a about the axis, in (-pi, pi]
  float angle() const { return -2 * lane1::re_atan2(dot(turned_by, a.axis) * 0.5f, std::abs(turned.w)); }
};

// What a joint holds both ways.
void writeBlock(const RigidJoint& joint, const JointParams& p, const Stance& now, RowWriter& rows) {
  const Vec3f apart = now.apart();
  Vec3f one, other;
  across(now.a.axis, one, other);
  const Vec3f axes[3] = {now.a.axis, one, other};
  switch (joint.kind) {
    case Joint::Kind::fixed:
      for (const Vec3f& d : axes) rows.place(d, dot(d, apart));
      for (const Vec3f& d : axes) rows.turning(d, dot(d, now.turned_by));
      break;
    case Joint::Kind::spherical:
      for (const Vec3f& d : axes) rows.place(d, dot(d, apart));
      break;
    case Joint::Kind::hinge: {
      const Vec3f lean = cross(now.b.axis, now.a.axis);
      for (const Vec3f& d : axes) rows.place(d, dot(d, apart));
      for (const Vec3f& d : {one, other}) rows.turning(d, dot(d, lean));
      break;
    }
    case Joint::Kind::slider:
      for (const Vec3f& d : {one, other}) rows.place(d, dot(d, apart));
      for (const Vec3f& d : axes) rows.turning(d, dot(d, now.turned_by));
      break;
    case Joint::Kind::distance: {
      const float rest = p.restlength >= 0 ? p.restlength : joint.length;
      rows.place(direction(apart), length(apart) - rest);
      break;
    }
  }
}

// Writes the limits and the motor of a joint, one after another.
class BarWriter {
 public:
  BarWriter(ContactRows& rows, const int* row_of, const Stance& now)
      : rows_(rows), row_of_(row_of), now_(now) {}

  void limit(Vec3f along, bool turns, float error) { add(along, turns, error, 0, kNoEnd, 0, 0); }
  void limits(Vec3f along, bool turns, float at, float lower, float upper) {
    limit(along, turns, at - lower);
    limit(-along, turns, upper - at);
  }
  void motor(const JointParams& p, Vec3f along, bool turns, float at, float target, float h) {
    const bool position = p.motor == JointMotor::position;
    add(along, turns, position ? at - target : 0.0f, -p.motorforce * h, p.motorforce * h,
        position ? 0.0f : target, position ? kServo / h : 0.0f);
  }

 private:
  // Change of speed along a bar by an impulse of one.
  float answer(Vec3f along, bool turns) const {
    const Side &a = now_.a, &b = now_.b;
    if (turns) return dot(along, multiply(a.turn, along)) + dot(along, multiply(b.turn, along));
    const Vec3f lever_a = cross(now_.arm_a, along), lever_b = cross(now_.arm_b, along);
    return a.w + b.w + dot(lever_a, multiply(a.turn, lever_a)) + dot(lever_b, multiply(b.turn, lever_b));
  }
  void add(Vec3f along, bool turns, float error, float least, float most, float speed, float rate) {
    const int row = *row_of_++;
    rows_.setVector(row, kBarAlong, along);
    rows_.setVector(row, kBarArmA, turns ? Vec3f{} : now_.arm_a);
    rows_.setVector(row, kBarArmB, turns ? Vec3f{} : now_.arm_b);
    const float moves = answer(along, turns);
    rows_.value(row, kBarError) = std::max(error, -kDeepest);
    rows_.value(row, kBarInverse) = moves > 0 ? 1 / moves : 0.0f;
    rows_.value(row, kBarTurns) = turns ? 1.0f : 0.0f;
    rows_.value(row, kBarRate) = rate, rows_.value(row, kBarGamma) = 0;
    rows_.value(row, kBarLeast) = least, rows_.value(row, kBarMost) = most;
    rows_.value(row, kBarSpeed) = speed, rows_.value(row, kBarImpulse) = 0;
  }
  ContactRows& rows_;
  const int* row_of_;
  const Stance& now_;
};

void writeBars(Joint::Kind kind, const JointParams& p, const Stance& now, float h, BarWriter& bars) {
  const Vec3f axis_a = now.a.axis, axis_b = now.b.axis;
  switch (kind) {
    case Joint::Kind::distance: {
      const Vec3f apart = now.apart();
      if (p.limited) bars.limits(direction(apart), false, length(apart), p.lower, p.upper);
      break;
    }
    case Joint::Kind::hinge: {
      const float angle = now.angle();
      if (p.limited) {
        // of all turns the nearest to the middle of the range
        const float turn = 6.28318531f, middle = 0.5f * (p.lower + p.upper) * kDegree;
        const float nearest = angle - turn * std::floor((angle - middle) / turn + 0.5f);
        bars.limits(-axis_a, true, nearest, p.lower * kDegree, p.upper * kDegree);
      }
      if (p.motor != JointMotor::none) bars.motor(p, -axis_a, true, angle, p.motortarget * kDegree, h);
      break;
    }
    case Joint::Kind::slider: {
      const float out = dot(now.b.place - now.a.place, axis_a);
      if (p.limited) bars.limits(-axis_a, false, out, p.lower, p.upper);
      if (p.motor != JointMotor::none) bars.motor(p, -axis_a, false, out, p.motortarget, h);
      break;
    }
    case Joint::Kind::spherical: {
      if (p.coneangle < 180) {
        const Vec3f lean = cross(axis_a, axis_b);
        const float sine = length(lean);
        const Vec3f along = sine > 1e-6f ? lean * (1 / sine) : Vec3f{};
        bars.limit(along, true, p.coneangle * kDegree - lane1::re_atan2(sine, dot(axis_a, axis_b)));
      }
      // what has been turned over has no twist
      const float twist = dot(axis_a, axis_b) > -0.5f ? now.angle() : 0.0f;
      if (p.twistangle < 180)
        bars.limits(-axis_a, true, twist, -p.twistangle * kDegree, p.twistangle * kDegree);
      break;
    }
    case Joint::Kind::fixed:
      break;
  }
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
  const Stance now(joint, sideOf(movers, v, active.a, joint.a), sideOf(movers, v, active.b, joint.b));
  if (active.block >= 0) {
    float rate, gamma;
    soften(p.compliance, p.damping, h, rate, gamma);
    RowWriter rows(system_.blocks[active.block], now.arm_a, now.arm_b, rate, gamma);
    writeBlock(joint, p, now, rows);
  }
  BarWriter writer(bars.rows, active.bar, now);
  writeBars(joint.kind, p, now, h, writer);
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
