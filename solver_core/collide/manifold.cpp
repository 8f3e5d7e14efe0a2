// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/manifold.h"

#include "collide/convex_pairs.h"

namespace repose {

namespace {

constexpr int kKinds = 5;

// THE table of pairs: which function looks at which kinds. Below the diagonal the solids change places.
constexpr PairFunction kPairs[kKinds][kKinds] = {
    // sphere, capsule, cylinder, box, hull
    {collideSphere, collideSphere, collideSphere, collideSphere, collideSphere},  // sphere
    {nullptr, collideCapsules, collideCores, collideCores, collideCores},         // capsule
    {nullptr, nullptr, collideCores, collideCores, collideCores},                 // cylinder
    {nullptr, nullptr, nullptr, collideBoxes, collideHulls},                      // box
    {nullptr, nullptr, nullptr, nullptr, collideHulls},                           // hull
};

}  // namespace

bool collide(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b, float reach,
             PairHint& hint, Manifold& out) {
  const Pose place_a = pose_a * a.place, place_b = pose_b * b.place;
  const int kind_a = static_cast<int>(a.kind), kind_b = static_cast<int>(b.kind);
  const bool turned = kind_a > kind_b;
  out.count = 0;
  const Pose& space = turned ? place_b : place_a;
  const bool touching = turned ? kPairs[kind_b][kind_a](b, a, seenFrom(place_b, place_a), reach, hint, out)
                               : kPairs[kind_a][kind_b](a, b, seenFrom(place_a, place_b), reach, hint, out);
  if (!touching) return false;
  out.normal = space.worldVector(turned ? -out.normal : out.normal);
  for (int k = 0; k < out.count; ++k) {
    ManifoldPoint& p = out.point[k];
    if (turned) std::swap(p.a, p.b);
    p.a = space.world(p.a), p.b = space.world(p.b);
  }
  return true;
}

}  // namespace repose
