// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A body as a host or a cache sees it. A view is filled again and again, and keeps its memory.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace repose {

// Where the grains of a body are in the state, which keeps them in space order: id << 32 | place, ascending.
struct GrainOrder {
  std::vector<std::uint64_t> keys, spare;
};

// One body as it is now; pointers stay valid until the next advance().
struct BodyView {
  std::string name;
  const Geometry* geometry;        // topology, attributes, rest points; of cloth that tears as it is now
  std::vector<Vec3f> positions;    // [m], in the order of the geometry's points; grains in that of their ids
  std::vector<Vec3f> velocities;   // [m/s]
  std::vector<std::uint64_t> ids;  // grains only, ascending; never used again after a grain's end
  std::vector<float> widths;       // grains only: diameters [m]
  GrainOrder order;                // grains only
};

// The pieces of a rigid body as they are now, in the order of the scene. The space of a piece is that of its
// shape's geometry as the scene has it, not that of the axes of inertia.
struct RigidView {
  const Body* body = nullptr;     // names and shapes of the pieces; null: it is not rigid
  std::vector<Pose> poses;        // of the shapes' spaces
  std::vector<Vec3f> velocities;  // of the origins of the poses [m/s]
  std::vector<Vec3f> spins;       // [rad/s]
};

// What has hit: a rigid piece, a body of another kind, or a collider.
struct HitSide {
  int body = -1;  // of the scene; -1: a collider
  int index = 0;  // of the piece, or of the collider
};

// Two that came together during a step. A contact that lasts is one hit, at its beginning.
struct Hit {
  double frame = 0;   // when
  Vec3f place;        // [m]
  Vec3f normal;       // unit, towards the first
  float impulse = 0;  // along the normal [N s]
  float speed = 0;    // at which they came together [m/s]
  HitSide first, second;
};

}  // namespace repose
