// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The shortest ways along the edges of a mesh, and the ropes from every point to a pin that follow them.
#pragma once
#include <vector>

namespace repose {

struct WayEdge {
  int a, b;
  float length;
};

// Shortest ways from some points to all others.
struct Ways {
  std::vector<float> length;      // with what the first point begins with; infinite where none reaches
  std::vector<int> source, next;  // of each point: where its way begins, and the point before it; or -1
  std::vector<int> order;         // points, shortest way first
};

// start: what a way counts where it begins, infinite where none does. Of equal ways that from the lowest
// index.
Ways shortestWays(const std::vector<WayEdge>& edges, const std::vector<float>& start);

struct Tether {
  int point, pin;
  float length;  // of the way
  int next;      // index of the next point's tether on the way; -1: that point is the pin
};

// Of every point that is not pinned and that some pin reaches, shortest first; of equal ways that to the pin
// with the lowest index.
std::vector<Tether> findTethers(const std::vector<WayEdge>& edges, const std::vector<bool>& pinned);

}  // namespace repose
