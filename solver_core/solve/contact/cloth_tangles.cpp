// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth that goes through something already, and the way out.
#include <algorithm>
#include <cmath>

#include "kernel/lane1.h"
#include "solve/contact/cloth_self_parts.h"

namespace repose {

namespace {

// Whether the edge from x[0] to x[1] goes through the triangle of the other three.
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

}  // namespace

// Points of all that goes through something now: their sides are not known.
void ClothSelf::findTangles() {
  std::fill(tangled_.begin(), tangled_.end(), 0);
  crossings_.clear();
  for (int task = 0; task < tree_.tasks(); ++task)
    for (const auto [s, t] : tree_.pairs(task)) {
      if (!tree_.mayMeet(s, t, 0)) continue;
      for (int k = 0; k < 6; ++k) {
        const int from = k < 3 ? s : t, to = k < 3 ? t : s;
        if (!(owns_[from] >> (3 + k % 3) & 1)) continue;
        const int edge = edge_of_[from][k % 3];
        if (!crosses(edges_[edge], tree_.triangle(to))) continue;
        crossings_.push_back({edge, to});
        for (const int p : edges_[edge]) tangled_[p] = 1;
        for (const int p : tree_.triangle(to)) tangled_[p] = 1;
      }
    }
  std::sort(crossings_.begin(), crossings_.end());
  look_for_tangles_ = !crossings_.empty() || solid_meets_;
}

bool ClothSelf::crosses(const std::array<int, 2>& edge, const std::array<int, 3>& c) const {
  lane1::meet_rest at;
  at.rest = rest_.data(), at.seam = seam_.data(), at.inv_mass = inv_mass_.data();
  at.cloth_of = cloth_of_point_.data(), at.cloth = cloth_.data();
  for (const int p : edge) {
    if (p == c[0] || p == c[1] || p == c[2]) return false;
    const lane1::meet_parts parts = {0, {p, c[0], c[1], c[2]}, 0, 0};
    if (lane1::meet_related(&at, &parts)) return false;
  }
  const Vec3f x[5] = {x_[edge[0]], x_[edge[1]], x_[c[0]], x_[c[1]], x_[c[2]]};
  return edgeCrosses(x);
}

// Pushes an edge and the triangle that it goes through to where their line of intersection gets shorter
// (Volino and Magnenat-Thalmann 2006): it needs no memory of sides, and parts cloth that is tangled at its
// rim. Of the triangle only two corners take part.
bool ClothSelf::untangle(const std::array<int, 2>& crossing, const StepParams& params, Touch& touch) const {
  const std::array<int, 2>& edge = edges_[crossing[0]];
  const std::array<int, 3>& c = tree_.triangle(crossing[1]);
  const auto unit = [](Vec3f a) {
    const float size = length(a);
    return size > 0 ? a * (1 / size) : Vec3f{};
  };
  touch.body = body_of_cloth_[cloth_of_point_[edge[0]]], touch.other = body_of_cloth_[cloth_of_point_[c[0]]];
  if (params.cloth[touch.body].layer != params.cloth[touch.other].layer) return false;
  const Vec3f upright = unit(cross(x_[c[1]] - x_[c[0]], x_[c[2]] - x_[c[0]]));
  const Vec3f span = x_[edge[1]] - x_[edge[0]], along = unit(span);
  constexpr float kLeastSlope = 0.1f;
  float slope = dot(along, upright);
  if (std::abs(slope) < kLeastSlope) slope = slope < 0 ? -kLeastSlope : kLeastSlope;
  Vec3f way;
  for (const int* t = tree_.ringBegin(edge[0]); t != tree_.ringEnd(edge[0]); ++t) {
    const std::array<int, 3>& face = tree_.triangle(*t);
    int other = -1, ends = 0;
    for (const int p : face) {
      if (p == edge[0] || p == edge[1])
        ++ends;
      else
        other = p;
    }
    if (ends < 2) continue;
    const Vec3f out = x_[other] - x_[edge[0]];
    Vec3f line = unit(cross(upright, cross(span, out)));
    if (dot(line, out - along * dot(along, out)) < 0) line = -line;
    way += line - upright * (2 * dot(along, line) / slope);
  }
  constexpr float kStraight = 0.05f;
  const float size = length(way);
  if (size < kStraight) return false;
  // where the edge goes through, of the nearest two corners
  const float height = dot(x_[edge[0]] - x_[c[0]], upright), drop = dot(span, upright);
  const float s = std::min(std::max(-height / drop, 0.0f), 1.0f);
  const int point[4] = {edge[0], c[0], c[1], c[2]};
  const Vec3f through[4] = {x_[edge[0]] + span * s, x_[c[0]], x_[c[1]], x_[c[2]]};
  const lane1::approach_near near = lane1::approach_nearness(0, through);
  int least = 1;
  for (int k = 2; k < 4; ++k)
    if (near.weight[k] > near.weight[least]) least = k;
  touch.point[0] = edge[0], touch.point[1] = edge[1];
  touch.weight[0] = 1 - s, touch.weight[1] = s;
  for (int k = 1, slot = 2; k < 4; ++k) {
    if (k == least) continue;
    touch.point[slot] = point[k], touch.weight[slot] = near.weight[k] / (1 + near.weight[least]);
    ++slot;
  }
  touch.normal = way * (1 / size);
  const float thickness = params.cloth[touch.body].thickness + params.cloth[touch.other].thickness;
  touch.gap = -std::min(size, 1.0f) * std::max(thickness, kLeastDistance);
  touch.surface = kPointSurface | kEdgeSurface | static_cast<std::uint64_t>(crossing[0]) << 31 |
                  static_cast<std::uint64_t>(crossing[1]);
  return true;
}

}  // namespace repose
