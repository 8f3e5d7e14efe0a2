// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/linear_sweep.h"

#include <cmath>

namespace repose {

namespace {

constexpr int kBlock = 1024;  // RE_BLOCK of kernel/measure.h
int blocks(int entries) { return (entries + kBlock - 1) / kBlock; }

}  // namespace

LinearSweep::Arrays LinearSweep::current() const {
  return {&state_.x, &work_.soft.lambda, &work_.quadratic.lambda, &work_.dihedral.lambda,
          &work_.membrane.lambda};
}

LinearSweep::Arrays LinearSweep::lastStep() const {
  return {&work_.momentum, &work_.soft.momentum, &work_.quadratic.momentum, &work_.dihedral.momentum,
          &work_.membrane.momentum};
}

LinearSweep::Arrays LinearSweep::direction() const {
  Changes& c = work_.direction;
  return {&c.points, &c.soft, &c.quadratic, &c.dihedral, &c.membrane};
}

LinearSweep::Arrays LinearSweep::response() const {
  Changes& c = work_.response;
  return {&c.points, &c.soft, &c.quadratic, &c.dihedral, &c.membrane};
}

void LinearSweep::respondQuadratic() {
  if (model_.quadratic.size() == 0) return;
  respond_quadratic_args a;
  a.u = work_.direction.points.data();
  a.corner = model_.quadratic.corner.data(), a.weight = model_.quadratic.weight.data();
  a.alpha = work_.quadratic.alpha.data(), a.inv_diagonal = work_.quadratic.inv_diagonal.data();
  a.multiplier = work_.direction.quadratic.data(), a.response = work_.response.quadratic.data();
  a.push = work_.push.data();
  a.stride = model_.quadratic.size();
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    if (model_.bodies[b].bend != BendModel::quadratic) continue;
    a.rho = work_.bend_rho[b], a.first_entry = model_.bodies[b].hinges.first;
    backend_.launchLanes(model_.bodies[b].hinges.padded(), a);
  }
}

void LinearSweep::respondDihedral() {
  if (model_.dihedral.size() == 0) return;
  respond_dihedral_args a;
  a.x = state_.x.data(), a.u = work_.direction.points.data();
  a.corner = model_.dihedral.corner.data(), a.split = work_.dihedral.split.data();
  a.alpha = work_.dihedral.alpha.data();
  a.multiplier = work_.direction.dihedral.data(), a.response = work_.response.dihedral.data();
  a.push = work_.push.data() + model_.quadratic.size();
  a.stride = model_.dihedral.size();
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    if (model_.bodies[b].bend != BendModel::dihedral) continue;
    a.rho = work_.bend_rho[b], a.first_entry = model_.bodies[b].hinges.first;
    backend_.launchLanes(model_.bodies[b].hinges.padded(), a);
  }
}

void LinearSweep::respondMembrane() {
  if (model_.membrane.size() == 0) return;
  respond_membrane_args a;
  a.x = state_.x.data(), a.u = work_.direction.points.data();
  a.corner = model_.membrane.corner.data(), a.warp = model_.membrane.warp.data();
  a.weft = model_.membrane.weft.data(), a.alpha = work_.membrane.alpha.data();
  a.inv_diagonal = work_.membrane.inv_diagonal.data(), a.rho = work_.membrane.rho.data();
  a.multiplier = work_.direction.membrane.data(), a.response = work_.response.membrane.data();
  a.push = work_.membranePush(model_);
  a.stride = model_.membrane.size();
  backend_.launchLanes(model_.membrane.size(), a);
}

void LinearSweep::respond() {
  respondQuadratic();
  respondDihedral();
  respondMembrane();
  respond_args a;
  a.x = state_.x.data(), a.u = work_.direction.points.data(), a.response = work_.response.points.data();
  a.rigid_start = work_.rigid.lists.start().data(), a.rigid_point = work_.rigid.point.data();
  a.rigid_inv_diagonal = work_.rigid.inv_diagonal.data();
  a.soft_start = work_.soft.lists.start().data(), a.soft_point = work_.soft.point.data();
  a.soft_inv_diagonal = work_.soft.inv_diagonal.data();
  a.soft_alpha = work_.soft.alpha.data(), a.soft_rho = work_.soft.rho.data();
  a.soft_multiplier = work_.direction.soft.data(), a.soft_response = work_.response.soft.data();
  a.bend_start = work_.bend_lists.start().data(), a.bend_row = work_.bend_row.data();
  a.bend_weight = work_.bend_weight.data(), a.bend_push = work_.push.data();
  a.pull_start = work_.pull.lists.start().data(), a.pull_point = work_.pull.point.data();
  a.pull_rest = work_.pull.rest.data(), a.pull_inv_diagonal = work_.pull.inv_diagonal.data();
  backend_.launchLanes(model_.numPoints(), a);
}

double LinearSweep::sum(int entries) {
  double total = 0;
  for (int k = 0; k < blocks(entries); ++k) total += work_.partial[k];
  return total;
}

double LinearSweep::dot(const Arrays& a, const Arrays& b) {
  double total = 0;
  const auto add = [&](auto args, const auto& left, const auto& right, const std::vector<float>& weight) {
    args.a = left.data(), args.b = right.data(), args.weight = weight.data(),
    args.result = work_.partial.data();
    args.count = static_cast<int>(left.size());
    backend_.launch(blocks(args.count), args);
    total += sum(args.count);
  };
  add(dot3_args{}, *a.points, *b.points, work_.energy[0]);
  add(dot_args{}, *a.soft, *b.soft, work_.energy[1]);
  add(dot3_args{}, *a.quadratic, *b.quadratic, work_.energy[2]);
  add(dot_args{}, *a.dihedral, *b.dihedral, work_.energy[3]);
  add(dot_args{}, *a.membrane, *b.membrane, work_.energy[4]);
  return total;
}

double LinearSweep::norm(const Arrays& a) { return std::sqrt(dot(a, a)); }

template <class T>
void LinearSweep::blendOne(std::vector<T>& y, float keep, const std::vector<T>& x, float gain) {
  blend_args a;
  a.y = reinterpret_cast<float*>(y.data()), a.x = reinterpret_cast<const float*>(x.data());
  a.keep = keep, a.gain = gain;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): one where T is float
  backend_.launchLanes(static_cast<int>(y.size() * (sizeof(T) / sizeof(float))), a);
}

void LinearSweep::blend(const Arrays& y, float keep, const Arrays& x, float gain) {
  blendOne(*y.points, keep, *x.points, gain);
  blendOne(*y.soft, keep, *x.soft, gain);
  blendOne(*y.quadratic, keep, *x.quadratic, gain);
  blendOne(*y.dihedral, keep, *x.dihedral, gain);
  blendOne(*y.membrane, keep, *x.membrane, gain);
}

void LinearSweep::takeBackMultipliers() {
  const Arrays now = current(), step = lastStep();
  blendOne(*now.soft, 1, *step.soft, -1);
  blendOne(*now.quadratic, 1, *step.quadratic, -1);
  blendOne(*now.dihedral, 1, *step.dihedral, -1);
  blendOne(*now.membrane, 1, *step.membrane, -1);
}

}  // namespace repose
