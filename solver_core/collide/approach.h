// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A point and a triangle, or two edges, that move: how near they are, and how far they may go. Four places:
// the point and the corners, or the two ends of each edge.
#pragma once
#include "base/types.h"

namespace repose {

enum class Parts { point_triangle, edge_edge };

// The nearest places of the two, by signed weights: sum weight_k x_k = distance * normal.
struct Nearness {
  float weight[4];
  Vec3f normal;  // to the first from the second
  float distance;
  bool inside;  // not at a corner or a side of the triangle, or at the end of an edge
};
Nearness nearness(Parts parts, const Vec3f x[4]);

// How far the two can come nearer at most when each place goes by `way` [m].
float approachBound(Parts parts, const Vec3f way[4]);

// The share of the way after which they are `distance` apart, by steps that are never too long; more than 1
// when they are not. close: the nearest places then.
float shareUntil(Parts parts, const Vec3f x[4], const Vec3f way[4], float distance, Nearness& close);

// The share of the way, up to 1, that leaves a part of their distance: never do they meet or pass (additive
// continuous collision detection, Li et al. 2021).
float safeShare(Parts parts, const Vec3f x[4], const Vec3f way[4]);

// Whether the edge from x[0] to x[1] goes through the triangle of the other three.
bool edgeCrosses(const Vec3f x[5]);

}  // namespace repose
