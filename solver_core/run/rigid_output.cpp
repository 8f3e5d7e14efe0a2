// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/rigid_output.h"

#include <limits>

namespace repose {
namespace {

Mat4d matrixOf(const Pose& pose) {
  Mat4d m;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m.m[r][c] = pose.axis[c][r];
    m.m[r][3] = pose.origin[r];
  }
  return m;
}

std::string nameOf(const Scene& scene, const HitSide& side) {
  if (side.body < 0) return scene.colliders[static_cast<std::size_t>(side.index)].name;
  const Body& body = scene.bodies[static_cast<std::size_t>(side.body)];
  return body.kind == BodyKind::rigid ? body.pieces[static_cast<std::size_t>(side.index)].name : body.name;
}

}  // namespace

RigidObject::RigidObject(AbcWriter& archive, const Body& body, RigidOutput as) : archive_(archive) {
  if (as == RigidOutput::xform) {
    for (const RigidPiece& piece : body.pieces)
      xforms_.push_back(
          archive.addRigid(piece.name, body.shapes[static_cast<std::size_t>(piece.shape)].geometry));
    return;
  }
  // Without widths: Houdini would take them for a scale of what is copied to the points.
  points_ = archive.addPoints(body.name, PointWidths::none);
  orient_ = archive.addAttribute(points_, "orient", AttributeType::f32, 4, "quat");
  spin_ = archive.addAttribute(points_, "w", AttributeType::f32, 3, "vector");
  name_ = archive.addAttribute(points_, "name", AttributeType::string);
}

Status RigidObject::write(const RigidView& view, int sample) {
  return points_ < 0 ? writeXforms(view, sample) : writePoints(view, sample);
}

Status RigidObject::writeXforms(const RigidView& view, int sample) {
  for (std::size_t k = 0; k < xforms_.size(); ++k)
    if (Status set = archive_.setTransform(xforms_[k], sample, matrixOf(view.poses[k])); !set) return set;
  return {};
}

Status RigidObject::writePoints(const RigidView& view, int sample) {
  places_.clear();
  orients_.clear();
  for (const Pose& pose : view.poses) {
    places_.push_back(pose.origin);
    orients_.push_back(quatOf(pose));
  }
  if (Status set = archive_.setPoints(points_, sample, places_, view.velocities); !set) return set;
  // x y z w, the order of Houdini's orient, whose Alembic reader and writer leave it as it is.
  static_assert(sizeof(Quat) == 4 * sizeof(float) && sizeof(Vec3f) == 3 * sizeof(float));
  const float* quats = orients_.empty() ? nullptr : &orients_.front().x;
  if (Status set = archive_.setAttribute(orient_, sample, quats, 4 * orients_.size()); !set) return set;
  const float* spins = view.spins.empty() ? nullptr : &view.spins.front().x;
  if (Status set = archive_.setAttribute(spin_, sample, spins, 3 * view.spins.size()); !set) return set;
  if (named_) return {};
  for (const RigidPiece& piece : view.body->pieces) names_.push_back(piece.name);
  named_ = true;
  return archive_.setAttribute(name_, sample, names_);
}

HitsObject::HitsObject(AbcWriter& archive, const Scene& scene)
    : archive_(archive),
      scene_(scene),
      points_(archive.addPoints("hits", PointWidths::none)),
      impulse_(archive.addAttribute(points_, "impulse", AttributeType::f32)),
      speed_(archive.addAttribute(points_, "speed", AttributeType::f32)),
      normal_(archive.addAttribute(points_, "N", AttributeType::f32, 3, "normal")),
      frame_(archive.addAttribute(points_, "frame", AttributeType::f32)),
      name_(archive.addAttribute(points_, "name", AttributeType::string)),
      other_(archive.addAttribute(points_, "othername", AttributeType::string)),
      written_(-std::numeric_limits<double>::infinity()) {}

Status HitsObject::write(const std::vector<Hit>& hits, double frame, int sample) {
  ids_.clear(), places_.clear(), normals_.clear(), impulses_.clear(), speeds_.clear(), frames_.clear();
  names_.clear(), others_.clear();
  for (const Hit& hit : hits) {
    if (hit.frame <= written_) continue;
    ids_.push_back(next_id_++);
    places_.push_back(hit.place);
    normals_.push_back(hit.normal);
    impulses_.push_back(hit.impulse);
    speeds_.push_back(hit.speed);
    frames_.push_back(static_cast<float>(hit.frame));
    names_.push_back(nameOf(scene_, hit.first));
    others_.push_back(nameOf(scene_, hit.second));
  }
  written_ = frame;
  const float* normals = normals_.empty() ? nullptr : &normals_.front().x;
  Status set = archive_.setPoints(points_, sample, places_, {}, ids_);
  if (set) set = archive_.setAttribute(impulse_, sample, impulses_.data(), impulses_.size());
  if (set) set = archive_.setAttribute(speed_, sample, speeds_.data(), speeds_.size());
  if (set) set = archive_.setAttribute(normal_, sample, normals, 3 * normals_.size());
  if (set) set = archive_.setAttribute(frame_, sample, frames_.data(), frames_.size());
  if (set) set = archive_.setAttribute(name_, sample, names_);
  return set ? archive_.setAttribute(other_, sample, others_) : set;
}

}  // namespace repose
