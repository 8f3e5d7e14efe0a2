// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A collider of the scene at work: where its surface is during a step, and how it moves.
#pragma once
#include <memory>

#include "base/status.h"
#include "scene/scene.h"
#include "shape/convex.h"

namespace repose {

// A place on the surface that a sphere touches or may touch.
struct Touch {
  Vec3f normal;     // unit, towards the side where bodies are
  float gap = 0;    // of the sphere's centre from the surface, along the normal [m]; negative behind it
  Vec3f velocity;   // of the surface there [m/s]
  int feature = 0;  // part of the surface, the same from step to step: tells the touches of a sphere apart
};
inline constexpr int kMostTouches = 4;

// A triangle of a surface near a solid.
struct NearTriangle {
  Vec3f corner[3];
  Vec3f normal;       // towards the side where bodies are
  bool both_sides;    // bodies may be on either side
  bool ridge[3];      // whether the side from corner k to the next sticks out, or nothing is beyond it
  Vec3f velocity[3];  // of the corners [m/s]
  int index;
};
class TriangleVisitor {
 public:
  virtual ~TriangleVisitor() = default;
  virtual void visit(const NearTriangle& triangle) = 0;
};

class Obstacle {
 public:
  // What solids must look at: only their own corners, where the surface is flat or hollow; the convex solid
  // that the obstacle is; its triangles; or distances alone.
  enum class Form { hollow, solid, triangles, distances };

  virtual ~Obstacle() = default;
  virtual Form form() const { return Form::distances; }
  // Of an obstacle that is a convex solid, with where it stands and how its surface moves at p.
  virtual const Convex* solid(Pose&) const { return nullptr; }
  virtual Vec3f velocityAt(Vec3f) const { return {}; }
  // Of an obstacle of triangles, those that reach into a box.
  virtual void eachTriangle(const Bounds&, TriangleVisitor&) const {}
  // Stands as at frame `from`, on its way to where it is at frame `to`, `seconds` later. Reads files.
  virtual Status move(double from, double to, float seconds) = 0;
  // The surface nearer than `reach` to the centre of a sphere, and what a sphere of that radius would run
  // into if its centre moved by `motion` [m] during the step, in the world: the obstacle takes away its own
  // motion. One touch for each direction, nearest first, at most kMostTouches. Returns their number. Called
  // from many threads.
  virtual int touch(Vec3f centre, Vec3f motion, float reach, Touch* touches) const = 0;
  // Holds the surface and what is behind it, wherever the obstacle goes in this step: a sphere whose way,
  // made larger by its reach, is outside has no touch. Planes and containers have no end.
  virtual Bounds bounds() const = 0;
  // Whether it goes anywhere in this step.
  virtual bool moves() const { return true; }
  // False when no centre in the box can be nearer than `reach` to the surface.
  virtual bool mayTouch(const Bounds& box, float reach) const {
    const Bounds mine = bounds();
    for (int k = 0; k < 3; ++k)
      if (box.hi[k] < mine.lo[k] - reach || box.lo[k] > mine.hi[k] + reach) return false;
    return true;
  }
};

// Fails with bad_input on geometry without faces, on files that are not level sets, and the like; the message
// names the collider. The obstacle keeps what it needs of the collider, and stands nowhere before move().
// reach: the largest that touch() is asked with; fields are made to know distances so far.
Result<std::unique_ptr<Obstacle>> makeObstacle(const Collider& collider, float reach = 0);

}  // namespace repose
