// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Points of a graph put together for the next coarser level.
#pragma once
#include <vector>

namespace repose {

struct Graph {
  int points = 0;          // padded
  std::vector<bool> live;  // has mass to move
  std::vector<std::vector<int>> neighbours;
};

// The aggregate of each point, -1 where it is not live, and their number. Visits points by index: one whose
// neighbourhood is still free opens an aggregate and takes it; the others join the aggregate of their first
// neighbour that has one, or stand alone.
std::vector<int> aggregate(const Graph& graph, int& count);

}  // namespace repose
