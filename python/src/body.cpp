// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose_python {

using repose::BodyKind;
using repose::Vec3f;

namespace {

constexpr float kUnit = 1e-2f;  // by which the length of a quaternion may be off

// Into the same memory when there are as many.
template <class T>
void refill(const std::vector<T>& from, std::vector<T>& to) {
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

const std::shared_ptr<BodyArrays>& BodyMirror::arrays(const repose::Simulation& simulation) {
  if (!arrays_) {
    arrays_ = std::make_shared<BodyArrays>();
    read(simulation);
  }
  return arrays_;
}

void BodyMirror::readRigid(const repose::Simulation& simulation, BodyArrays& to) {
  simulation.readRigid(body_, rigid_);
  to.positions.clear(), to.orientations.clear(), to.surface.clear();
  for (std::size_t k = 0; k < rigid_.poses.size(); ++k) {
    const repose::Pose& pose = rigid_.poses[k];
    const repose::Quat q = repose::quatOf(pose);
    to.positions.push_back(pose.origin);
    to.orientations.insert(to.orientations.end(), {q.x, q.y, q.z, q.w});
    for (const Vec3f p : source_.shapes[static_cast<std::size_t>(source_.pieces[k].shape)].geometry.points)
      to.surface.push_back(pose.world(p));
  }
  to.velocities = rigid_.velocities, to.spins = rigid_.spins;
  read_orientations_ = to.orientations;
}

void BodyMirror::read(const repose::Simulation& simulation) {
  BodyArrays& next = next_;
  if (source_.kind == BodyKind::rigid) {
    readRigid(simulation, next);
  } else {
    simulation.readBody(body_, view_);
    next.ids = view_.ids, next.widths = view_.widths;
    if (source_.kind == BodyKind::soft) {
      next.surface = view_.positions;
      simulation.readPoints(body_, next.positions, next.velocities);
    } else {
      next.positions = view_.positions, next.velocities = view_.velocities;
    }
  }
  if (arrays_->positions.size() != next.positions.size()) {
    arrays_ = std::make_shared<BodyArrays>(next);
    return;
  }
  refill(next.positions, arrays_->positions), refill(next.velocities, arrays_->velocities);
  refill(next.spins, arrays_->spins), refill(next.orientations, arrays_->orientations);
  refill(next.surface, arrays_->surface), refill(next.widths, arrays_->widths);
  refill(next.ids, arrays_->ids);
}

repose::Status BodyMirror::writeRigid(repose::Simulation& simulation) {
  // a pose that nobody has touched goes back with all its bits
  std::vector<repose::Pose> poses = rigid_.poses;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    const float* q = arrays_->orientations.data() + 4 * k;
    if (!std::equal(q, q + 4, read_orientations_.data() + 4 * k)) {
      const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      if (!(std::abs(length - 1) < kUnit))
        return repose::badInput(fmt::format(
            "body '{}', piece '{}': the orientation given is a quaternion of length {:.3g}, not 1",
            source_.name, source_.pieces[k].name, length));
      poses[k] = repose::poseOf(poses[k].origin, repose::normalized({q[0], q[1], q[2], q[3]}));
    }
    poses[k].origin = arrays_->positions[k];
  }
  return simulation.writeRigid(
      body_, {poses.size(), poses.data(), arrays_->velocities.data(), arrays_->spins.data()});
}

repose::Status BodyMirror::write(repose::Simulation& simulation) {
  if (!used()) return {};
  if (source_.kind == BodyKind::rigid) return writeRigid(simulation);
  return simulation.writeBody(
      body_, {arrays_->positions.size(), arrays_->positions.data(), arrays_->velocities.data()});
}

}  // namespace repose_python
