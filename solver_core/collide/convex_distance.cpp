// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Distance of cores that are apart (Gilbert, Johnson and Keerthi 1988), with the nearest place of a simplex
// by its regions (Ericson 2005, 5.1). In double: floats lose the direction of small gaps.
#include <cmath>

#include "base/vec3d.h"
#include "collide/convex_pairs.h"

namespace repose {

namespace {

constexpr int kMostRounds = 64;
constexpr double kClose = 1e-7;     // share of the sizes that counts as touching
constexpr double kProgress = 1e-9;  // share of the square of the distance that ends the search

Vec3d widened(Vec3f v) { return {v.x, v.y, v.z}; }
Vec3f narrowed(Vec3d v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

struct Corner {
  Vec3d a, b, d;  // d = a - b
};

// Up to four corners and their shares in the place that is nearest to the origin.
struct Simplex {
  int count = 0;
  Corner corner[4];
  double share[4] = {};

  Vec3d sum(Vec3d Corner::*part) const {
    Vec3d s;
    for (int k = 0; k < count; ++k) s = s + corner[k].*part * share[k];
    return s;
  }
};

Simplex of(const Corner& a) {
  Simplex s;
  s.count = 1, s.corner[0] = a, s.share[0] = 1;
  return s;
}
Simplex onSegment(const Corner& a, const Corner& b) {
  const Vec3d ab = b.d - a.d;
  const double t = -dot(a.d, ab), whole = dot(ab, ab);
  if (t <= 0) return of(a);
  if (t >= whole) return of(b);
  Simplex s;
  s.count = 2, s.corner[0] = a, s.corner[1] = b, s.share[1] = t / whole, s.share[0] = 1 - s.share[1];
  return s;
}
Simplex onTriangle(const Corner& a, const Corner& b, const Corner& c) {
  const Vec3d ab = b.d - a.d, ac = c.d - a.d;
  const double d1 = -dot(ab, a.d), d2 = -dot(ac, a.d), d3 = -dot(ab, b.d), d4 = -dot(ac, b.d),
               d5 = -dot(ab, c.d), d6 = -dot(ac, c.d);
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  const double whole = va + vb + vc;
  const Vec3d n = cross(ab, ac);
  if (va > 0 && vb > 0 && vc > 0 && whole > 0 && dot(n, n) > 0) {
    Simplex s;
    s.count = 3, s.corner[0] = a, s.corner[1] = b, s.corner[2] = c;
    s.share[0] = va / whole, s.share[1] = vb / whole, s.share[2] = vc / whole;
    return s;
  }
  Simplex best = onSegment(a, b);
  Vec3d v = best.sum(&Corner::d);
  double least = dot(v, v);
  for (const Simplex& other : {onSegment(b, c), onSegment(c, a)}) {
    v = other.sum(&Corner::d);
    if (const double size2 = dot(v, v); size2 < least) least = size2, best = other;
  }
  return best;
}
// Count 4 when the origin is inside.
Simplex onTetrahedron(const Corner (&c)[4]) {
  const int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  Simplex best;
  double least = 0;
  bool outside = false;
  for (const auto& f : face) {
    const Vec3d a = c[f[0]].d, n = cross(c[f[1]].d - a, c[f[2]].d - a);
    const double origin = -dot(n, a), apex = dot(n, c[f[3]].d - a);
    // on the other side than the fourth corner, or all in one plane
    if (apex != 0 && origin * apex >= 0) continue;
    const Simplex on = onTriangle(c[f[0]], c[f[1]], c[f[2]]);
    const Vec3d v = on.sum(&Corner::d);
    const double d2 = dot(v, v);
    if (!outside || d2 < least) best = on, least = d2;
    outside = true;
  }
  if (!outside) best.count = 4;
  return best;
}

}  // namespace

Vec3f Core::support(Vec3f d) const {
  if (corners == 0) {
    const float along = dot(d, pose.axis[1]);
    const Vec3f out = d - pose.axis[1] * along;
    const float size2 = dot(out, out);
    const Vec3f end = pose.origin + pose.axis[1] * (along < 0 ? -half : half);
    return size2 > 1e-12f * dot(d, d) ? end + out * (radius / std::sqrt(size2)) : end;
  }
  int best = 0;
  float far = dot(corner[0], d);
  for (int k = 1; k < corners; ++k)
    if (const float along = dot(corner[k], d); along > far) far = along, best = k;
  return corner[best];
}

void makeCore(const Convex& convex, const Pose& pose, Core& core) {
  core.pose = pose;
  switch (convex.kind) {
    case Convex::Kind::sphere:
      core.corners = 1;
      core.corner[0] = pose.origin;
      core.margin = core.size = convex.radius;
      return;
    case Convex::Kind::capsule:
      core.corners = 2;
      core.corner[0] = pose.origin - pose.axis[1] * convex.half.y;
      core.corner[1] = pose.origin + pose.axis[1] * convex.half.y;
      core.margin = convex.radius;
      core.size = convex.radius + convex.half.y;
      return;
    case Convex::Kind::cylinder:
      core.radius = convex.radius;
      core.half = convex.half.y;
      core.size = core.radius + core.half;
      return;
    case Convex::Kind::box:
    case Convex::Kind::hull:
      core.hull = convex.hull.get();
      core.corners = static_cast<int>(core.hull->corners.size());
      for (int k = 0; k < core.corners; ++k) core.corner[k] = pose.world(core.hull->corners[k]);
      break;
  }
  Bounds box;
  for (int k = 0; k < core.corners; ++k) box.add(core.corner[k]);
  core.size = 0.5f * length(box.hi - box.lo);
}

void makeTriangle(const Vec3f (&corner)[3], Core& core) {
  core.corners = 3;
  Bounds box;
  for (int k = 0; k < 3; ++k) core.corner[k] = corner[k], box.add(corner[k]);
  core.size = 0.5f * length(box.hi - box.lo);
}

float coreDistance(const Core& a, const Core& b, Vec3f& on_a, Vec3f& on_b) {
  const auto support = [&](Vec3d d) {
    const Vec3f direction = narrowed(d * (1 / std::sqrt(dot(d, d))));
    Corner c{widened(a.support(direction)), widened(b.support(-direction)), {}};
    c.d = c.a - c.b;
    return c;
  };
  const double near = kClose * (static_cast<double>(a.size) + b.size);
  Simplex s = of(support({1, 0, 0}));
  Vec3d v = s.corner[0].d;
  for (int round = 0; round < kMostRounds; ++round) {
    const double v2 = dot(v, v);
    if (v2 <= near * near) return 0;
    const Corner w = support(v * -1);
    if (v2 - dot(v, w.d) <= kProgress * v2) break;
    bool known = false;
    for (int k = 0; k < s.count; ++k) {
      const Vec3d same = s.corner[k].d - w.d;
      known = known || dot(same, same) == 0;
    }
    if (known) break;
    Simplex next;
    if (s.count == 1) {
      next = onSegment(s.corner[0], w);
    } else if (s.count == 2) {
      next = onTriangle(s.corner[0], s.corner[1], w);
    } else {
      const Corner four[4] = {s.corner[0], s.corner[1], s.corner[2], w};
      next = onTetrahedron(four);
      if (next.count == 4) return 0;
    }
    const Vec3d u = next.sum(&Corner::d);
    if (dot(u, u) >= v2) break;  // rounding stands still
    s = next, v = u;
  }
  on_a = narrowed(s.sum(&Corner::a));
  on_b = narrowed(s.sum(&Corner::b));
  return static_cast<float>(std::sqrt(dot(v, v)));
}

}  // namespace repose
