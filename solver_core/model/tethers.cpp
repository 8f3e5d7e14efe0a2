// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "model/tethers.h"

#include <functional>
#include <limits>
#include <queue>

namespace repose {

// Dijkstra's algorithm from all pins at once.
std::vector<Tether> findTethers(const std::vector<WayEdge>& edges, const std::vector<bool>& pinned) {
  const std::size_t points = pinned.size();
  std::vector<int> start(points + 1, 0);
  for (const WayEdge& e : edges) ++start[e.a + 1], ++start[e.b + 1];
  for (std::size_t p = 0; p < points; ++p) start[p + 1] += start[p];
  struct Neighbour {
    int point;
    float length;
  };
  std::vector<Neighbour> neighbours(2 * edges.size());
  std::vector<int> cursor(start.begin(), start.end() - 1);
  for (const WayEdge& e : edges) {
    neighbours[cursor[e.a]++] = {e.b, e.length};
    neighbours[cursor[e.b]++] = {e.a, e.length};
  }

  std::vector<float> way(points, std::numeric_limits<float>::infinity());
  std::vector<int> pin(points, -1), next(points, -1), tether_of(points, -1);
  std::vector<bool> settled(points, false);
  using Visit = std::pair<float, int>;  // way, point: equal ways in the order of points
  std::priority_queue<Visit, std::vector<Visit>, std::greater<>> queue;
  for (std::size_t p = 0; p < points; ++p)
    if (pinned[p]) way[p] = 0, pin[p] = static_cast<int>(p), queue.push({0.0f, static_cast<int>(p)});

  std::vector<Tether> tethers;
  while (!queue.empty()) {
    const int p = queue.top().second;
    queue.pop();
    if (settled[p]) continue;
    settled[p] = true;
    if (!pinned[p]) {
      tether_of[p] = static_cast<int>(tethers.size());
      tethers.push_back({p, pin[p], way[p], tether_of[next[p]]});
    }
    for (int k = start[p]; k < start[p + 1]; ++k) {
      const auto [q, length] = neighbours[k];
      const float longer = way[p] + length;
      if (settled[q] || longer > way[q] || (longer == way[q] && pin[p] >= pin[q])) continue;
      way[q] = longer, pin[q] = pin[p], next[q] = p;
      queue.push({longer, q});
    }
  }
  return tethers;
}

}  // namespace repose
