// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where a rigid thing stands, and rotations by quaternions (algorithms.md 6.2).
#pragma once
#include "base/types.h"

namespace repose {

// A place that turns and moves: axes of its own space and its origin, in the world.
struct Pose {
  Vec3f axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3f origin;

  Vec3f localVector(Vec3f v) const { return {dot(axis[0], v), dot(axis[1], v), dot(axis[2], v)}; }
  Vec3f local(Vec3f p) const { return localVector(p - origin); }
  Vec3f worldVector(Vec3f v) const { return axis[0] * v.x + axis[1] * v.y + axis[2] * v.z; }
  Vec3f world(Vec3f p) const { return worldVector(p) + origin; }
};
// What stands at b in the space of a.
inline Pose operator*(const Pose& a, const Pose& b) {
  Pose r;
  for (int k = 0; k < 3; ++k) r.axis[k] = a.worldVector(b.axis[k]);
  r.origin = a.world(b.origin);
  return r;
}

// Of a pose whose axes are orthonormal.
inline Pose inverse(const Pose& pose) {
  Pose r;
  for (int k = 0; k < 3; ++k) r.axis[k] = {pose.axis[0][k], pose.axis[1][k], pose.axis[2][k]};
  r.origin = -pose.localVector(pose.origin);
  return r;
}

// A unit quaternion, from the own space to the world.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
};
inline Quat operator*(Quat a, Quat b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline Quat conjugate(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }
inline Quat normalized(Quat q) {
  const float s = 1 / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}
inline Pose poseOf(Vec3f at, Quat q) {
  Pose p;
  p.axis[0] = {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)};
  p.axis[1] = {2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x)};
  p.axis[2] = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)};
  p.origin = at;
  return p;
}
inline Vec3f rotate(Quat q, Vec3f v) {
  const Vec3f u{q.x, q.y, q.z}, t = cross(u, v) * 2.0f;
  return v + t * q.w + cross(u, t);
}
// The rotation of a pose whose axes are orthonormal and right handed.
Quat quatOf(const Pose& pose);

}  // namespace repose
