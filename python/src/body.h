// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One body of a simulation as Python sees it: arrays in source order over memory of our own, which is filled
// after each step, and written back before the next.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "arrays.h"
#include "solve/simulation.h"

namespace repose_python {

// What arrays look at. While the number of elements stays the same it is filled again and again; else there
// is a new one, and arrays that were handed out keep the old one as it is.
struct BodyArrays {
  std::vector<repose::Vec3f> positions, velocities, spins;
  std::vector<float> orientations;     // of rigid pieces: quaternions x y z w
  std::vector<repose::Vec3f> surface;  // of soft and rigid bodies: what is drawn
  std::vector<float> widths;           // of grains
  std::vector<std::uint64_t> ids;
};

class BodyMirror {
 public:
  BodyMirror(const repose::Scene& scene, int body) : source_(scene.bodies[body]), body_(body) {}

  const repose::Body& source() const { return source_; }
  // Whether Python has ever asked for the arrays; nothing is copied before.
  bool used() const { return arrays_ != nullptr; }
  const std::shared_ptr<BodyArrays>& arrays(const repose::Simulation& simulation);
  void read(const repose::Simulation& simulation);
  repose::Status write(repose::Simulation& simulation);
  // The view that fields are read in the order of.
  const repose::BodyView& view() const { return view_; }

 private:
  void readRigid(const repose::Simulation& simulation, BodyArrays& to);
  repose::Status writeRigid(repose::Simulation& simulation);

  const repose::Body& source_;
  int body_;
  std::shared_ptr<BodyArrays> arrays_;
  BodyArrays next_;
  repose::BodyView view_;
  repose::RigidView rigid_;
  std::vector<float> read_orientations_;
};

}  // namespace repose_python
