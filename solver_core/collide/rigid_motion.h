// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How a collider turns and moves by its keys.
#pragma once
#include "base/pose.h"
#include "scene/scene.h"

namespace repose {

// Where keys put what is turned about a place at a frame, against where it stood.
Pose keyedPose(const Keys<Vec3f>& translate, const Keys<Vec3f>& rotate, Vec3f about, double frame);

class RigidMotion {
 public:
  // place: of the collider's own space, without scale.
  RigidMotion(const Collider& collider, const Mat4d& place);

  void move(double from, double to, float seconds);
  // Where keys put the collider at a frame, against where it was placed.
  Mat4d at(double frame) const;

  bool still() const { return still_; }
  // Goes anywhere in this step.
  bool moves() const {
    return !still_ &&
           !(drift_ == Vec3f{} && spin_[0] == Vec3f{} && spin_[1] == Vec3f{} && spin_[2] == Vec3f{});
  }
  const Pose& pose() const { return pose_; }  // at the start of the step
  // Of what stands at p at the start of the step: the way to its place at the end, over the time.
  Vec3f velocity(Vec3f p) const {
    if (still_) return {};
    const Vec3f d = p - pose_.origin;
    return drift_ + Vec3f{dot(spin_[0], d), dot(spin_[1], d), dot(spin_[2], d)};
  }
  // What moves by `motion` in the world moves by this against the collider: in the world, and in its own
  // space.
  Vec3f motionAgainst(Vec3f p, Vec3f motion) const {
    return still_ ? motion : motion - velocity(p) * seconds_;
  }
  Vec3f localMotion(Vec3f p, Vec3f motion) const { return pose_.localVector(motionAgainst(p, motion)); }
  // Of a box in the own space, at the start and at the end of the step.
  Bounds bounds(const Bounds& local) const;

 private:
  Keys<Vec3f> translate_, rotate_;
  Vec3f point_;
  Mat4d place_;
  bool still_;
  float seconds_ = 0;
  Pose pose_, end_;
  Vec3f drift_, spin_[3];  // velocity(p) = drift + spin (p - origin)
};

}  // namespace repose
