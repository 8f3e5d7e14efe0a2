// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The place of a solid nearest to a point, exact inside and outside.
#include <cmath>

#include "base/triangle.h"
#include "collide/convex_pairs.h"

namespace repose {

namespace {

// From a place within the solid, towards p; `fallback` where p is that place.
SolidTouch roundTouch(Vec3f from, Vec3f p, float radius, Vec3f fallback) {
  const Vec3f d = p - from;
  const float size = length(d);
  const Vec3f n = size > 0 ? d * (1 / size) : fallback;
  return {n, from + n * radius, size - radius};
}

SolidTouch nearestOnCylinder(Vec3f p, float radius, float half) {
  const float around = std::sqrt(p.x * p.x + p.z * p.z);
  const Vec3f outward = around > 0 ? Vec3f{p.x / around, 0, p.z / around} : Vec3f{1, 0, 0};
  const Vec3f up{0, p.y < 0 ? -1.0f : 1.0f, 0};
  const float out = around - radius, over = std::abs(p.y) - half;
  if (out <= 0 || over <= 0) {
    if (out > over) return {outward, p - outward * out, out};
    return {up, p - up * over, over};
  }
  return roundTouch(outward * radius + up * half, p, 0, up);
}

SolidTouch nearestOnBox(Vec3f p, Vec3f half) {
  int deepest = 0;
  Vec3f out, inside;
  for (int k = 0; k < 3; ++k) {
    out[k] = std::abs(p[k]) - half[k];
    inside[k] = std::clamp(p[k], -half[k], half[k]);
    if (out[k] > out[deepest]) deepest = k;
  }
  if (out[deepest] > 0) {
    Vec3f fallback;
    fallback[deepest] = p[deepest] < 0 ? -1.0f : 1.0f;
    return roundTouch(inside, p, 0, fallback);
  }
  SolidTouch touch;
  touch.normal[deepest] = p[deepest] < 0 ? -1.0f : 1.0f;
  touch.gap = out[deepest];
  touch.place = p - touch.normal * touch.gap;
  return touch;
}

SolidTouch nearestOnHull(const Hull& hull, Vec3f p) {
  int top = 0;
  float most = -std::numeric_limits<float>::max();
  for (int f = 0; f < hull.faces(); ++f)
    if (const float d = dot(hull.normals[f], p) - hull.offsets[f]; d > most) most = d, top = f;
  if (most <= 0) return {hull.normals[top], p - hull.normals[top] * most, most};
  // outside: the nearest place is on a face that p is above
  float least = std::numeric_limits<float>::max();
  Vec3f place;
  for (int f = 0; f < hull.faces(); ++f) {
    const float height = dot(hull.normals[f], p) - hull.offsets[f];
    if (height <= 0 || height * height >= least) continue;
    const int first = hull.face_first[f];
    const Vec3f a = hull.corners[hull.face_corners[first]];
    for (int k = first + 1; k + 1 < hull.face_first[f + 1]; ++k) {
      const Vec3f b = hull.corners[hull.face_corners[k]], c = hull.corners[hull.face_corners[k + 1]];
      const Vec3f at = mix(nearestOnTriangle(p, a, b, c), a, b, c), d = p - at;
      if (const float d2 = dot(d, d); d2 < least) least = d2, place = at;
    }
  }
  // over a face its normal is surer than the way from a place that is rounded
  if (most * most >= 0.9999f * least) return {hull.normals[top], p - hull.normals[top] * most, most};
  return roundTouch(place, p, 0, hull.normals[top]);
}

SolidTouch nearestOwn(const Convex& convex, Vec3f p) {
  switch (convex.kind) {
    case Convex::Kind::sphere:
      return roundTouch({}, p, convex.radius, {0, 1, 0});
    case Convex::Kind::capsule:
      return roundTouch({0, std::clamp(p.y, -convex.half.y, convex.half.y), 0}, p, convex.radius, {1, 0, 0});
    case Convex::Kind::cylinder:
      return nearestOnCylinder(p, convex.radius, convex.half.y);
    case Convex::Kind::box:
      return nearestOnBox(p, convex.half);
    case Convex::Kind::hull:
      return nearestOnHull(*convex.hull, p);
  }
  return {};
}

}  // namespace

SolidTouch nearestAt(const Convex& convex, const Pose& place, Vec3f p) {
  const SolidTouch own = nearestOwn(convex, place.local(p));
  return {place.worldVector(own.normal), place.world(own.place), own.gap};
}

SolidTouch nearest(const Convex& convex, const Pose& pose, Vec3f p) {
  return nearestAt(convex, pose * convex.place, p);
}

}  // namespace repose
