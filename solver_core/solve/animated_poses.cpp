// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/animated_poses.h"

#include <algorithm>

#include "base/carried.h"
#include "collide/rigid_motion.h"

namespace repose {

AnimatedPieces::AnimatedPieces(const Scene& scene, const RigidModel& model) {
  std::ptrdiff_t first = 0;
  for (const RigidBody& rigid : model.bodies) {
    if (rigid.piece == 0) first = 0;
    const Body& body = scene.bodies[rigid.body];
    const RigidPiece& piece = body.pieces[rigid.piece];
    const std::vector<Vec3f>& points = body.shapes[piece.shape].geometry.points;
    if (rigid.animated) {
      Piece& made = pieces_.emplace_back();
      made.body = rigid.body, made.place = piece.place, made.own = model.forms[rigid.form].own;
      made.first = first;
      if (body.motion)
        for (const Vec3f p : points) made.points.push_back(piece.place.world(p));
    }
    first += static_cast<std::ptrdiff_t>(points.size());
  }
}

std::vector<Pose> AnimatedPieces::posesAt(double frame, const Scene& scene,
                                          const std::vector<std::vector<Vec3f>>& motion) const {
  std::vector<Pose> poses;
  for (const Piece& piece : pieces_) {
    const Body& body = scene.bodies[piece.body];
    Pose place;
    if (body.motion) {
      const auto from = motion[piece.body].begin() + piece.first;
      place =
          carried(piece.place, piece.points, {from, from + static_cast<std::ptrdiff_t>(piece.points.size())});
    } else {
      place = keyedPose(body.translate, body.rotate, piece.place.origin, frame) * piece.place;
    }
    poses.push_back(place * piece.own);
  }
  return poses;
}

std::vector<Pose> carriedPoses(const Scene& scene, double frame) {
  const auto onCollider = [](const Joint& joint) { return joint.a.collider >= 0 || joint.b.collider >= 0; };
  std::vector<Pose> poses;
  if (std::none_of(scene.joints.begin(), scene.joints.end(), onCollider)) return poses;
  for (const Collider& c : scene.colliders)
    poses.push_back(keyedPose(c.translate, c.rotate, c.point, frame) *
                    inverse(keyedPose(c.translate, c.rotate, c.point, scene.first_frame)));
  return poses;
}

}  // namespace repose
