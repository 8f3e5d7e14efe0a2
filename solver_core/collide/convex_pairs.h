// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the kinds of pairs share. All of it happens in the space of the first solid; `to` is where the second
// stands in it. No function allocates.
#pragma once
#include <algorithm>

#include "collide/manifold.h"

namespace repose {

using PairFunction = bool (*)(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint& hint,
                              Manifold& out);
bool collideBoxes(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint& hint,
                  Manifold& out);
bool collideHulls(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint& hint,
                  Manifold& out);
bool collideSphere(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint& hint,
                   Manifold& out);
bool collideCapsules(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint& hint,
                     Manifold& out);
bool collideCores(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint& hint,
                  Manifold& out);

// With the place of the solid itself instead of the pose of its body.
SolidTouch nearestAt(const Convex& convex, const Pose& place, Vec3f p);

inline Vec3f unit(Vec3f v) {
  const float size = length(v);
  return size > 0 ? v * (1 / size) : Vec3f{0, 1, 0};
}
// What stands at b, in the space of a.
inline Pose seenFrom(const Pose& a, const Pose& b) {
  Pose r;
  for (int k = 0; k < 3; ++k) r.axis[k] = a.localVector(b.axis[k]);
  r.origin = a.local(b.origin);
  return r;
}

// A solid without its rounding: corners with or without faces between them, or a cylinder.
struct Core {
  int corners = 0;  // 0: a cylinder
  Vec3f corner[kMostCorners];
  const Hull* hull = nullptr;  // whose corners they are; null for points, segments and triangles
  Pose pose;                   // of the hull or cylinder
  float radius = 0, half = 0;  // of a cylinder
  float margin = 0;            // of the sphere around every place
  float size = 0;              // how far it reaches from its middle

  Vec3f support(Vec3f d) const;
  // Least and most of n . x, the margin left out.
  float least(Vec3f n) const { return dot(n, support(-n)); }
  float most(Vec3f n) const { return dot(n, support(n)); }
};
void makeCore(const Convex& convex, const Pose& pose, Core& core);
void makeTriangle(const Vec3f (&corner)[3], Core& core);

// Gap of the cores along n, which points from b to a; never more than their distance.
inline float separation(const Core& a, const Core& b, Vec3f n) { return a.least(n) - b.most(n); }

// The nearest places of two cores that do not overlap (Gilbert, Johnson and Keerthi 1988), in double. Returns
// their distance, or 0 when they overlap.
float coreDistance(const Core& a, const Core& b, Vec3f& on_a, Vec3f& on_b);

// The axis with the largest separation among those that can have it.
Vec3f separatingAxis(const Core& a, const Core& b, float& separation);

// Points where solids touch whose normal is known: the faces, sides or ends that n is square to are clipped
// by each other. on_a and on_b: the nearest places, which remain when there is nothing to clip.
bool clipCores(const Core& a, const Core& b, Vec3f normal, Vec3f on_a, Vec3f on_b, float reach,
               Manifold& out);
// The whole of it for cores without faces on both sides.
bool touchCores(const Core& a, const Core& b, float reach, Manifold& out);

// A place that may become a point of a manifold.
struct Candidate {
  Vec3f a, b;
  float gap;
  std::uint32_t feature;
};
// The four that carry most: a deepest one, the one farthest from it, and those that span the largest area on
// either side. Returns the number in `out`.
int chooseFour(const Candidate* from, int count, Vec3f normal, ManifoldPoint* out);

}  // namespace repose
