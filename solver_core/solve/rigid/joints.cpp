// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/rigid/joints.h"

#include <algorithm>
#include <cmath>

#include "kernel/lane1.h"

namespace repose {

namespace {

constexpr int kChunk = 64;        // joints a task handles
constexpr float kDegree = 0.0174532925f;
constexpr float kServo = 0.2f;    // share of its error that a motor takes away in a substep
constexpr float kNoEnd = 1e30f;

// Which rows a joint of each kind has.
struct RowsOfKind {
  bool places, turning;
  int bars;
};
RowsOfKind rowsOf(Joint::Kind kind, const JointParams& p) {
  const int limits = p.limited ? 2 : 0, motor = p.motor != JointMotor::none ? 1 : 0;
  switch (kind) {
    case Joint::Kind::fixed:
      return {true, true, 0};
    case Joint::Kind::spherical:
      return {true, false, (p.coneangle < 180 ? 1 : 0) + (p.twistangle < 180 ? 2 : 0)};
    case Joint::Kind::hinge:
      return {true, true, limits + motor};
    case Joint::Kind::slider:
      return {true, true, limits + motor};
    case Joint::Kind::distance:
      break;
  }
  return {false, false, p.limited ? 2 : 1};
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

// The inverse of P K P + (what stands in for the free axis) + gamma.
void invertInto(const Vec3f* columns, Vec3f axis, float gamma, ContactRows& rows, int row) {
  double k[3][3], p[3][3], t[3][3];
  const double n[3] = {axis.x, axis.y, axis.z};
  double trace = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) k[i][j] = columns[j][i], p[i][j] = (i == j) - n[i] * n[j];
  for (int i = 0; i < 3; ++i) trace += k[i][i];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      t[i][j] = 0;
      for (int m = 0; m < 3; ++m) t[i][j] += p[i][m] * k[m][j];
    }
  double s[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      s[i][j] = trace / 3 * n[i] * n[j] + (i == j ? gamma : 0.0);
      for (int m = 0; m < 3; ++m) s[i][j] += t[i][m] * p[m][j];
    }
  const double cxx = s[1][1] * s[2][2] - s[1][2] * s[2][1], cxy = s[0][2] * s[2][1] - s[0][1] * s[2][2],
               cxz = s[0][1] * s[1][2] - s[0][2] * s[1][1];
  const double det = s[0][0] * cxx + s[1][0] * cxy + s[2][0] * cxz;
  const double inv = std::abs(det) > 1e-60 ? 1 / det : 0;
  const double out[6] = {cxx * inv,
                         cxy * inv,
                         cxz * inv,
                         (s[0][0] * s[2][2] - s[0][2] * s[2][0]) * inv,
                         (s[0][2] * s[1][0] - s[0][0] * s[1][2]) * inv,
                         (s[0][0] * s[1][1] - s[0][1] * s[1][0]) * inv};
  for (int i = 0; i < 6; ++i) rows.value(row, kTieInverse + i) = static_cast<float>(out[i]);
}

// Softness of a row with compliance e and damping c in a step of h: u + rate C + gamma p = 0.
void soften(float e, float c, float h, float& rate, float& gamma) {
  rate = gamma = 0;
  if (e <= 0) return;
  rate = 1 / (c * e + h);
  gamma = e * rate / h;
}

}  // namespace

Joints::Joints(const Scene& scene, const Model& model) : model_(model.rigid), scene_(scene) {
  for (const RigidJoint& joint : model_.joints)
    for (const RigidJointEnd* end : {&joint.a, &joint.b})
      anchor_of_.push_back(end->rigid < 0 ? model_.size() + anchors_++ : -1);
}

int Joints::endOf(int joint, const RigidJointEnd& end, bool second) const {
  return end.rigid >= 0 ? end.rigid : anchor_of_[2 * joint + second];
}

void Joints::arrange(const State& state, const RigidMovers& movers, const Vec4f* v, Backend& backend) {
  joints_.clear(), tie_movers_.clear(), bar_movers_.clear();
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const RigidJoint& joint = model_.joints[j];
    Active active{static_cast<int>(j), endOf(static_cast<int>(j), joint.a, false),
                  endOf(static_cast<int>(j), joint.b, true), {-1, -1}, {-1, -1, -1, -1}};
    if (state.rigid.broken[j] || (v[active.a].w == 0 && v[active.b].w == 0)) continue;
    const RowsOfKind rows = rowsOf(joint.kind, scene_.joints[joint.joint].params.base);
    const auto add = [&](std::vector<int>& list, int& row) {
      row = static_cast<int>(list.size() / 2);  // the contact's number until it has a row
      list.push_back(active.a), list.push_back(active.b);
    };
    if (rows.places) add(tie_movers_, active.tie[0]);
    if (rows.turning) add(tie_movers_, active.tie[1]);
    for (int k = 0; k < rows.bars; ++k) add(bar_movers_, active.bar[k]);
    joints_.push_back(active);
  }
  const auto give = [&](ContactBatch& batch, const std::vector<int>& list) {
    batch.giveColours(static_cast<int>(list.size() / 2), list, movers.padded + 16, RowOrder::coloured);
    batch.giveRows(false, backend);
    batch.pad(movers.padded);
    for (std::size_t c = 0; c < batch.row_of.size(); ++c) {
      const int row = batch.row_of[c];
      batch.rows.clear(row);
      for (int k = 0; k < 2; ++k) batch.rows.mover(row, k) = list[2 * c + k];
    }
  };
  give(ties, tie_movers_);
  give(bars, bar_movers_);
  for (Active& active : joints_) {
    const float* p = state.rigid.joint_impulse.data() + RigidState::kJointImpulses * active.joint;
    for (int t = 0; t < 2; ++t)
      if (int& row = active.tie[t]; row >= 0) {
        row = ties.row_of[row];
        ties.rows.setVector(row, kTieImpulse, {p[3 * t], p[3 * t + 1], p[3 * t + 2]});
      }
    for (int k = 0; k < 4; ++k)
      if (int& row = active.bar[k]; row >= 0) {
        row = bars.row_of[row];
        bars.rows.value(row, kBarImpulse) = p[6 + k];
      }
  }
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

  if (const int row = active.tie[0]; row >= 0) {
    ContactRows& r = ties.rows;
    const Vec3f axis = slides ? a.axis : Vec3f{};
    const Vec3f apart = a.place - b.place;
    r.setVector(row, kTieArmA, arm_a), r.setVector(row, kTieArmB, arm_b);
    r.setVector(row, kTieAxis, axis);
    r.setVector(row, kTieError, apart - axis * dot(axis, apart));
    Vec3f columns[3];
    for (int k = 0; k < 3; ++k) {
      Vec3f unit;
      unit[k] = 1;
      columns[k] = unit * (a.w + b.w) + cross(multiply(a.turn, cross(arm_a, unit)), arm_a) +
                   cross(multiply(b.turn, cross(arm_b, unit)), arm_b);
    }
    r.value(row, kTieTurns) = 0, r.value(row, kTieRate) = rate, r.value(row, kTieGamma) = gamma;
    invertInto(columns, axis, gamma, r, row);
  }
  if (const int row = active.tie[1]; row >= 0) {
    ContactRows& r = ties.rows;
    const bool hinge = joint.kind == Joint::Kind::hinge;
    const Vec3f axis = hinge ? a.axis : Vec3f{};
    r.setVector(row, kTieArmA, {}), r.setVector(row, kTieArmB, {});
    r.setVector(row, kTieAxis, axis);
    r.setVector(row, kTieError, hinge ? cross(b.axis, a.axis) : turned_by);
    Vec3f columns[3];
    for (int k = 0; k < 3; ++k) {
      Vec3f unit;
      unit[k] = 1;
      columns[k] = multiply(a.turn, unit) + multiply(b.turn, unit);
    }
    r.value(row, kTieTurns) = 1, r.value(row, kTieRate) = rate, r.value(row, kTieGamma) = gamma;
    invertInto(columns, axis, gamma, r, row);
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
    r.value(row, kBarError) = error;
    r.value(row, kBarInverse) = answer + soft > 0 ? 1 / (answer + soft) : 0.0f;
    r.value(row, kBarTurns) = turns ? 1.0f : 0.0f;
    r.value(row, kBarRate) = own, r.value(row, kBarGamma) = soft;
    r.value(row, kBarLeast) = least, r.value(row, kBarMost) = most, r.value(row, kBarSpeed) = speed;
    float& impulse = r.value(row, kBarImpulse);
    impulse = std::min(std::max(impulse, least), most);
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
      const float distance = length(apart);
      const Vec3f along = distance > 1e-12f ? apart * (1 / distance) : Vec3f{0, 1, 0};
      if (p.limited) {
        limits(along, false, distance, p.lower, p.upper);
      } else {
        const float rest = p.restlength >= 0 ? p.restlength : joint.length;
        bar(along, false, distance - rest, -kNoEnd, kNoEnd, 0, rate, gamma);
      }
      break;
    }
    case Joint::Kind::hinge:
      if (p.limited) limits(-a.axis, true, angle, p.lower * kDegree, p.upper * kDegree);
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
        bar(along, true, p.coneangle * kDegree - lane1::re_atan2(sine, dot(a.axis, b.axis)), 0, kNoEnd, 0, 0, 0);
      }
      if (p.twistangle < 180) limits(-a.axis, true, angle, -p.twistangle * kDegree, p.twistangle * kDegree);
      break;
    }
    case Joint::Kind::fixed:
      break;
  }
}

void Joints::prepare(const StepParams& params, const RigidMovers& movers, const Vec4f* v, float h,
                     Backend& backend) {
  const int count = static_cast<int>(joints_.size());
  backend.forChunks((count + kChunk - 1) / kChunk, [&](int chunk) {
    const int end = std::min(count, (chunk + 1) * kChunk);
    for (int k = chunk * kChunk; k < end; ++k) prepareJoint(joints_[k], params, movers, v, h);
  });
}

void Joints::store(State& state, const StepParams& params, float h) const {
  for (const Active& active : joints_) {
    float* p = state.rigid.joint_impulse.data() + RigidState::kJointImpulses * active.joint;
    Vec3f pull[2];
    for (int t = 0; t < 2; ++t)
      if (active.tie[t] >= 0) {
        pull[t] = ties.rows.vector(active.tie[t], kTieImpulse);
        p[3 * t] = pull[t].x, p[3 * t + 1] = pull[t].y, p[3 * t + 2] = pull[t].z;
      }
    for (int k = 0; k < 4; ++k)
      if (active.bar[k] >= 0) p[6 + k] = bars.rows.value(active.bar[k], kBarImpulse);
    const RigidJoint& joint = model_.joints[active.joint];
    const JointParams& limits = params.joint[joint.joint];
    const float force =
        (joint.kind == Joint::Kind::distance ? std::abs(p[6]) + std::abs(p[7]) : length(pull[0])) / h;
    if ((limits.breakforce > 0 && force > limits.breakforce) ||
        (limits.breaktorque > 0 && length(pull[1]) / h > limits.breaktorque)) {
      state.rigid.broken[active.joint] = 1;
      std::fill(p, p + RigidState::kJointImpulses, 0.0f);
    }
  }
}

}  // namespace repose
