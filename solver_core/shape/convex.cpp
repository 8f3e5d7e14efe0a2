// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "shape/convex.h"

#include <algorithm>

namespace repose {

namespace {

Vec3f boxCorner(Vec3f half, int corner) {
  return {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z};
}

// Corner k has bit 0, 1, 2 for the positive side of x, y, z; face 2 k is the positive side of axis k, face
// 2 k + 1 the negative one.
Hull boxHull(Vec3f half) {
  Hull hull;
  for (int corner = 0; corner < 8; ++corner) hull.corners.push_back(boxCorner(half, corner));
  for (int face = 0; face < 6; ++face) {
    const int k = face / 2, u = 1 << (k + 1) % 3, v = 1 << (k + 2) % 3, side = face % 2 ? 0 : 1 << k;
    const int ring[4] = {side, side | u, side | u | v, side | v};
    Vec3f normal;
    normal[k] = face % 2 ? -1.0f : 1.0f;
    hull.face_first.push_back(4 * face);
    for (int i = 0; i < 4; ++i) hull.face_corners.push_back(face % 2 ? ring[3 - i] : ring[i]);
    hull.normals.push_back(normal);
    hull.offsets.push_back(half[k]);
  }
  hull.face_first.push_back(24);
  linkEdges(hull);
  return hull;
}

}  // namespace

void linkEdges(Hull& hull) {
  hull.edges.clear();
  const auto beside = [&](int from, int to) {
    for (int f = 0; f < hull.faces(); ++f) {
      const int first = hull.face_first[f], count = hull.face_first[f + 1] - first;
      for (int k = 0; k < count; ++k)
        if (hull.face_corners[first + k] == from && hull.face_corners[first + (k + 1) % count] == to)
          return f;
    }
    return -1;
  };
  for (int f = 0; f < hull.faces(); ++f) {
    const int first = hull.face_first[f], count = hull.face_first[f + 1] - first;
    for (int k = 0; k < count; ++k) {
      const int a = hull.face_corners[first + k], b = hull.face_corners[first + (k + 1) % count];
      if (const int other = beside(b, a); a < b || other < 0) hull.edges.push_back({a, b, f, other});
    }
  }
}

float Convex::reach() const {
  float far2 = 0;
  switch (kind) {
    case Kind::sphere:
      return length(place.origin) + radius;
    case Kind::capsule:
      for (const float y : {-half.y, half.y}) {
        const Vec3f end = place.world({0, y, 0});
        far2 = std::max(far2, dot(end, end));
      }
      return std::sqrt(far2) + radius;
    case Kind::cylinder: {
      // on each rim the farthest place lies where its centre leans to
      const Vec3f centre = place.localVector(place.origin);
      const float out = std::sqrt(centre.x * centre.x + centre.z * centre.z) + radius;
      const float along = std::abs(centre.y) + half.y;
      return std::sqrt(out * out + along * along);
    }
    case Kind::box:
    case Kind::hull:
      for (const Vec3f corner : hull->corners) {
        const Vec3f p = place.world(corner);
        far2 = std::max(far2, dot(p, p));
      }
      return std::sqrt(far2);
  }
  return 0;
}

Vec3f Convex::support(Vec3f direction) const {
  const float size = length(direction);
  switch (kind) {
    case Kind::sphere:
      return size > 0 ? direction * (radius / size) : Vec3f{0, radius, 0};
    case Kind::capsule: {
      const Vec3f end{0, direction.y < 0 ? -half.y : half.y, 0};
      return size > 0 ? end + direction * (radius / size) : end + Vec3f{0, radius, 0};
    }
    case Kind::cylinder: {
      const float out = std::sqrt(direction.x * direction.x + direction.z * direction.z);
      const float scale = out > 0 ? radius / out : 0;
      return {direction.x * scale, direction.y < 0 ? -half.y : half.y, direction.z * scale};
    }
    case Kind::box:
      return {direction.x < 0 ? -half.x : half.x, direction.y < 0 ? -half.y : half.y,
              direction.z < 0 ? -half.z : half.z};
    case Kind::hull: {
      std::size_t best = 0;
      float most = dot(hull->corners[0], direction);
      for (std::size_t k = 1; k < hull->corners.size(); ++k)
        if (const float along = dot(hull->corners[k], direction); along > most) most = along, best = k;
      return hull->corners[best];
    }
  }
  return {};
}

Convex makeSphere(float radius) {
  Convex c;
  c.kind = Convex::Kind::sphere;
  c.radius = radius;
  return c;
}

Convex makeCapsule(float radius, float straight) {
  Convex c;
  c.kind = Convex::Kind::capsule;
  c.radius = radius;
  c.half = {0, straight / 2, 0};
  return c;
}

Convex makeCylinder(float radius, float height) {
  Convex c;
  c.kind = Convex::Kind::cylinder;
  c.radius = radius;
  c.half = {0, height / 2, 0};
  return c;
}

Convex makeBox(Vec3f size) {
  Convex c;
  c.kind = Convex::Kind::box;
  c.half = size * 0.5f;
  c.hull = std::make_shared<const Hull>(boxHull(c.half));
  return c;
}

}  // namespace repose
