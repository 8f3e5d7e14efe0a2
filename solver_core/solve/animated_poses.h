// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where animation puts what nothing pushes: rigid pieces, and the colliders that joints hang on.
#pragma once
#include <vector>

#include "base/pose.h"
#include "model/rigid.h"
#include "scene/scene.h"

namespace repose {

class AnimatedPieces {
 public:
  AnimatedPieces(const Scene& scene, const RigidModel& model);
  // Where keys, or the points that they follow, put the animated bodies at a frame, in the order of the
  // model. motion: of each body of the scene, the points of its pieces one after another.
  std::vector<Pose> posesAt(double frame, const Scene& scene,
                            const std::vector<std::vector<Vec3f>>& motion) const;

 private:
  struct Piece {
    int body = 0;  // of the scene
    Pose place;    // of the piece at the start
    Pose own;      // of the body in the piece
    std::ptrdiff_t first = 0;
    std::vector<Vec3f> points;  // at the start, in the world; empty where keys say where it goes
  };
  std::vector<Piece> pieces_;
};

// Where keys have taken each collider since the first frame; nothing when no joint asks.
std::vector<Pose> carriedPoses(const Scene& scene, double frame);

}  // namespace repose
