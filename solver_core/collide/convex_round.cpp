// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pairs with a round solid: spheres by the nearest place, capsules by segments, cylinders as they are.
#include <cmath>

#include "collide/convex_pairs.h"

namespace repose {

namespace {

constexpr float kApart = 1e-4f;  // share of the sizes from which the direction between nearest places is sure

// Where two segments are nearest (Ericson 2005, 5.1.9).
void nearestOfSegments(Vec3f p1, Vec3f q1, Vec3f p2, Vec3f q2, Vec3f& c1, Vec3f& c2) {
  const Vec3f d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const float a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
  float s = 0, t = 0;
  if (a > 0 && e > 0) {
    const float c = dot(d1, r), b = dot(d1, d2), under = a * e - b * b;
    s = under > 1e-6f * a * e ? std::clamp((b * f - c * e) / under, 0.0f, 1.0f) : 0.5f;
    t = (b * s + f) / e;
    if (t < 0 || t > 1) {
      t = std::clamp(t, 0.0f, 1.0f);
      s = std::clamp((b * t - c) / a, 0.0f, 1.0f);
    }
  } else if (a > 0) {
    s = std::clamp(-dot(d1, r) / a, 0.0f, 1.0f);
  } else if (e > 0) {
    t = std::clamp(f / e, 0.0f, 1.0f);
  }
  c1 = p1 + d1 * s, c2 = p2 + d2 * t;
}

}  // namespace

bool collideSphere(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint&, Manifold& out) {
  const SolidTouch touch = nearestAt(b, to, {});
  if (touch.gap - a.radius > reach) return false;
  out.normal = touch.normal;
  out.count = 1;
  out.point[0] = {touch.normal * -a.radius, touch.place, touch.gap - a.radius, 0};
  return true;
}

bool collideCapsules(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint&,
                     Manifold& out) {
  Core core_a, core_b;
  makeCore(a, {}, core_a);
  makeCore(b, to, core_b);
  Vec3f on_a, on_b;
  nearestOfSegments(core_a.corner[0], core_a.corner[1], core_b.corner[0], core_b.corner[1], on_a, on_b);
  const Vec3f apart = on_a - on_b;
  const float distance = length(apart), both = a.radius + b.radius;
  if (distance - both > reach) return false;
  // segments that cross part at right angles to both
  Vec3f n = distance > 1e-6f * both ? apart * (1 / distance) : cross(Vec3f{0, 1, 0}, to.axis[1]);
  if (dot(n, n) < 1e-6f) n = {1, 0, 0};
  n = unit(n);
  return clipCores(core_a, core_b, n, on_a - n * a.radius, on_b + n * b.radius, reach, out);
}

bool touchCores(const Core& a, const Core& b, float reach, Manifold& out) {
  const float margins = a.margin + b.margin, sure = kApart * std::min(a.size, b.size);
  Vec3f on_a, on_b;
  const float distance = coreDistance(a, b, on_a, on_b);
  if (distance - margins > reach) return false;
  Vec3f n;
  if (distance > sure) {
    n = (on_a - on_b) * (1 / distance);
  } else {
    float gap;
    n = separatingAxis(a, b, gap);
    if (gap - margins > reach) return false;
    // the lowest places of both along the axis: that of the one with the smaller end is on the other
    const Vec3f low = a.support(-n), high = b.support(n);
    const float depth = dot(n, low - high);
    const bool from_a = a.corners == 0 || (b.corners != 0 && a.corners <= b.corners);
    on_a = from_a ? low : high + n * depth;
    on_b = from_a ? low - n * depth : high;
  }
  return clipCores(a, b, n, on_a - n * a.margin, on_b + n * b.margin, reach, out);
}

bool collideCores(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint&, Manifold& out) {
  Core core_a, core_b;
  makeCore(a, {}, core_a);
  makeCore(b, to, core_b);
  return touchCores(core_a, core_b, reach, out);
}

}  // namespace repose
