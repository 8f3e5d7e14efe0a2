// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The shortest way along the edges of a mesh from every point to a pin.
#pragma once
#include <vector>

namespace repose {

struct WayEdge {
  int a, b;
  float length;
};

struct Tether {
  int point, pin;
  float length;  // of the way
  int next;      // index of the next point's tether on the way; -1: that point is the pin
};

// Of every point that is not pinned and that some pin reaches, shortest first; of equal ways that to the pin
// with the lowest index.
std::vector<Tether> findTethers(const std::vector<WayEdge>& edges, const std::vector<bool>& pinned);

}  // namespace repose
