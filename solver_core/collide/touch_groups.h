// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Places where a solid touches a surface, sorted by their normals: each group becomes a manifold.
#pragma once
#include "collide/convex_pairs.h"

namespace repose {

class TouchGroups {
 public:
  // size: of the smaller one [m]; places nearer to each other than a share of it are one.
  explicit TouchGroups(float size) : same2_(kSamePlace * kSamePlace * size * size) {}

  // a: on the solid; the surface is gap away from it along the normal.
  void add(Vec3f normal, Vec3f a, float gap, Vec3f velocity, std::uint32_t feature);
  // Places were given against the origin. velocity: of the surface at each manifold; null: not asked for.
  // Returns the number of manifolds, at most kMostManifolds.
  int write(Vec3f origin, Manifold* out, Vec3f* velocity);

 private:
  static constexpr int kMostFound = 32;       // places of one direction before four of them are chosen
  static constexpr float kSamePlace = 2e-3f;  // share of the size

  struct Group {
    Vec3f normal;
    float deepest;
    int count;
    Candidate found[kMostFound];
    Vec3f velocity[kMostFound];
  };

  Group* find(Vec3f normal, float gap);
  static void shrink(Group& group);

  float same2_;
  int count_ = 0;
  Group groups_[kMostManifolds];
};

}  // namespace repose
