// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/approach.h"

#include <algorithm>

#include "base/triangle.h"

namespace repose {

namespace {

constexpr float kKept = 0.2f;   // share of a distance that a safe motion leaves
constexpr float kStep = 0.9f;   // of the longest step that is surely safe
constexpr int kMostSteps = 64;  // of an approach; then it counts as reached
constexpr float kParallel = 1e-6f;

// Shares of the second ends of two edges from a to a + u and from b to b + w in their nearest places; d = a -
// b.
struct EdgeShares {
  float s, t;
};
EdgeShares nearestOnEdges(Vec3f d, Vec3f u, Vec3f w) {
  const float uu = dot(u, u), ww = dot(w, w), uw = dot(u, w), ud = dot(u, d), wd = dot(w, d);
  const auto unit = [](float a) { return std::min(std::max(a, 0.0f), 1.0f); };
  if (uu <= 0) return {0, ww > 0 ? unit(wd / ww) : 0};
  if (ww <= 0) return {unit(-ud / uu), 0};
  const float area = uu * ww - uw * uw;
  float s = area > kParallel * uu * ww ? unit((uw * wd - ud * ww) / area) : 0;
  const float t = (uw * s + wd) / ww;
  if (t < 0) return {unit(-ud / uu), 0};
  if (t > 1) return {unit((uw - ud) / uu), 1};
  return {s, t};
}

void moved(const Vec3f x[4], const Vec3f way[4], float share, Vec3f to[4]) {
  for (int k = 0; k < 4; ++k) to[k] = x[k] + way[k] * share;
}

}  // namespace

// Seen from the first place, so that differences of neighbours keep their digits.
Nearness nearness(Parts parts, const Vec3f x[4]) {
  Nearness near;
  const Vec3f a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  Vec3f apart, upright;
  if (parts == Parts::point_triangle) {
    const Shares s = nearestOnTriangle({}, a, b, c);
    near.weight[0] = 1, near.weight[1] = -s.a, near.weight[2] = -s.b, near.weight[3] = -s.c;
    near.inside = s.a > 0 && s.b > 0 && s.c > 0;
    apart = -mix(s, a, b, c), upright = cross(b - a, c - a);
  } else {
    const EdgeShares e = nearestOnEdges(-b, a, c - b);
    near.weight[0] = 1 - e.s, near.weight[1] = e.s, near.weight[2] = e.t - 1, near.weight[3] = -e.t;
    near.inside = e.s > 0 && e.s < 1 && e.t > 0 && e.t < 1;
    apart = a * e.s - b - (c - b) * e.t, upright = cross(a, c - b);
  }
  near.distance = length(apart);
  // what lies in one place parts across the surface
  constexpr float kOnePlace = 1e-12f;
  if (near.distance > kOnePlace) {
    near.normal = apart * (1 / near.distance);
  } else {
    const float size = length(upright);
    near.normal = size > 0 ? upright * (1 / size) : Vec3f{0, 1, 0};
  }
  return near;
}

float approachBound(Parts parts, const Vec3f way[4]) {
  const Vec3f mean = (way[0] + way[1] + way[2] + way[3]) * 0.25f;
  float of[4];
  for (int k = 0; k < 4; ++k) of[k] = length(way[k] - mean);
  return parts == Parts::point_triangle ? of[0] + std::max({of[1], of[2], of[3]})
                                        : std::max(of[0], of[1]) + std::max(of[2], of[3]);
}

float shareUntil(Parts parts, const Vec3f x[4], const Vec3f way[4], float distance, Nearness& close) {
  constexpr float kReached = 1.02f;
  constexpr int kSteps = 16;
  const float bound = approachBound(parts, way);
  Vec3f at[4];
  float share = 0;
  close = nearness(parts, x);
  for (int k = 0; k < kSteps && close.distance > kReached * distance; ++k) {
    share += (close.distance - distance) / std::max(bound, 1e-30f);
    if (!(share <= 1)) return 2;
    moved(x, way, share, at);
    close = nearness(parts, at);
  }
  return share;
}

float safeShare(Parts parts, const Vec3f x[4], const Vec3f way[4]) {
  const float bound = approachBound(parts, way);
  float distance = nearness(parts, x).distance;
  if (bound <= (1 - kKept) * distance) return 1;
  const float kept = kKept * distance;
  Vec3f at[4];
  float share = 0;
  for (int k = 0; k < kMostSteps; ++k) {
    const float step = kStep * (distance - kept) / bound;
    moved(x, way, share + step, at);
    distance = nearness(parts, at).distance;
    if (distance - kept < 0.1f * kept) return share;
    share += step;
    if (share >= 1) return 1;
  }
  return share;
}

bool edgeCrosses(const Vec3f x[5]) {
  const auto volume = [&](int a, int b, int c, int d) {
    double e[3][3];
    for (int k = 0; k < 3; ++k) {
      e[0][k] = static_cast<double>(x[b][k]) - x[a][k];
      e[1][k] = static_cast<double>(x[c][k]) - x[a][k];
      e[2][k] = static_cast<double>(x[d][k]) - x[a][k];
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
           e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  };
  if ((volume(0, 2, 3, 4) > 0) == (volume(1, 2, 3, 4) > 0)) return false;
  const bool side = volume(0, 1, 2, 3) > 0;
  return (volume(0, 1, 3, 4) > 0) == side && (volume(0, 1, 4, 2) > 0) == side;
}

}  // namespace repose
