// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is constant of rigid bodies. Their own space has its origin in the centre of mass and its axes along
// those of inertia.
#pragma once
#include <functional>
#include <vector>

#include "scene/mesh_check.h"
#include "scene/scene.h"

namespace repose {

// What pieces of one shape have in common.
struct RigidForm {
  std::vector<Convex> parts;  // in the own space of the bodies; none: the mesh is concave
  std::vector<Vec3f> points;  // of a concave mesh, in the own space
  TriangleList triangles;
  float voxel = 0;   // of its field [m]; 0 chooses
  Pose artist, own;  // the shape's space in that of the bodies, and the other way
  float volume = 0;  // [m^3]
  Vec3f moments;     // of inertia about the own axes, for a mass of 1 [m^2]
  float radius = 0;  // from the centre of mass to the farthest place [m]
  float inner = 0;   // half of the least extent [m]
};

struct RigidBody {
  int form = 0;           // of RigidModel::forms
  int body = 0;           // of the scene
  int piece = 0;          // of that body
  float mass = 0;         // [kg]
  Vec3f moments;          // of inertia about the own axes [kg m^2]
  bool animated = false;  // goes where keys say
};

// One side of a joint: a rigid body, or none for the world, and the joint's frame in its own space.
// Of the world the frame is where it is at the start; a collider may carry it along.
struct RigidJointEnd {
  int rigid = -1;
  Pose frame;
  int collider = -1;
};
struct RigidJoint {
  Joint::Kind kind;
  int joint = 0;  // of the scene
  RigidJointEnd a, b;
  Quat rest;         // of b as seen from a at the start
  float length = 0;  // at the start: of a distance joint [m]
};

// Holds a grain to a place of a rigid body or of the world.
struct GrainBond {
  int joint = 0;     // of the scene
  int body = 0;      // of the scene, that of the grain
  int grain = 0;     // its number in the body
  RigidJointEnd to;  // only the origin of its frame counts
  bool rod = false;  // keeps its length instead of standing there
  float length = 0;  // at the start [m]
};

// Holds a point of a cloth or soft body to a place of a rigid body or of the world, as if it were part of it.
struct PointHold {
  int joint = 0;     // of the scene
  int body = 0;      // of the scene, that of the point
  int point = 0;     // of the model
  RigidJointEnd to;  // only the origin of its frame counts
};

struct RigidModel {
  std::vector<RigidForm> forms;
  std::vector<RigidBody> bodies;
  std::vector<RigidJoint> joints;
  std::vector<GrainBond> bonds;
  std::vector<PointHold> holds;
  std::vector<int> first;  // of each body of the scene: its first rigid body; one more at the end

  int size() const { return static_cast<int>(bodies.size()); }
  // The artist's space of a body that stands at x, turned by q.
  Pose artistPose(int rigid, Vec3f x, Quat q) const {
    return poseOf(x, q) * forms[bodies[rigid].form].artist;
  }
};

struct RigidState;
// Fails with bad_input on shapes without volume and on joints that cannot hold points; the message names
// them. pointOf(body, point): of the model.
Status buildRigid(const Scene& scene, const std::function<int(int, int)>& pointOf, RigidModel& model,
                  RigidState& state);

}  // namespace repose
