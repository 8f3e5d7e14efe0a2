// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/rigid_motion.h"

#include "scene/read_transform.h"

namespace repose {

namespace {

Pose poseOf(const Mat4d& place) {
  Pose pose;
  for (int k = 0; k < 3; ++k)
    pose.axis[k] = transformVector(place, Vec3f{k == 0 ? 1.f : 0, k == 1 ? 1.f : 0, k == 2 ? 1.f : 0});
  pose.origin = transformPoint(place, {});
  return pose;
}

void addCorners(const Bounds& local, const Pose& pose, Bounds& bounds) {
  for (int corner = 0; corner < 8; ++corner)
    bounds.add(pose.world({corner & 1 ? local.hi.x : local.lo.x, corner & 2 ? local.hi.y : local.lo.y,
                           corner & 4 ? local.hi.z : local.lo.z}));
}

Mat4d keyedPlace(const Keys<Vec3f>& translate, const Keys<Vec3f>& rotate, Vec3f about, double frame) {
  if (translate.empty() && rotate.empty()) return {};
  const double scale[3] = {1, 1, 1};
  Mat4d back;
  for (int k = 0; k < 3; ++k) back.m[k][3] = -static_cast<double>(about[k]);
  return composeTransform(about + translate.at(frame), rotate.at(frame), scale) * back;
}

}  // namespace

Pose keyedPose(const Keys<Vec3f>& translate, const Keys<Vec3f>& rotate, Vec3f about, double frame) {
  return poseOf(keyedPlace(translate, rotate, about, frame));
}

RigidMotion::RigidMotion(const Collider& collider, const Mat4d& place)
    : translate_(collider.translate),
      rotate_(collider.rotate),
      point_(collider.point),
      place_(place),
      still_(translate_.keys.size() < 2 && rotate_.keys.size() < 2) {
  pose_ = end_ = poseOf(at(0) * place_);
}

Mat4d RigidMotion::at(double frame) const { return keyedPlace(translate_, rotate_, point_, frame); }

void RigidMotion::move(double from, double to, float seconds) {
  if (still_) return;
  seconds_ = seconds;
  const Mat4d start = at(from) * place_, end = at(to) * place_;
  pose_ = poseOf(start), end_ = poseOf(end);
  for (int i = 0; i < 3; ++i) {
    drift_[i] = static_cast<float>((end.m[i][3] - start.m[i][3]) / seconds);
    for (int j = 0; j < 3; ++j) {
      // R_end R_start^T - 1
      double turn = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) turn += end.m[i][k] * start.m[j][k];
      spin_[i][j] = static_cast<float>(turn / seconds);
    }
  }
}

Bounds RigidMotion::bounds(const Bounds& local) const {
  Bounds bounds;
  addCorners(local, pose_, bounds);
  if (!still_) addCorners(local, end_, bounds);
  return bounds;
}

}  // namespace repose
