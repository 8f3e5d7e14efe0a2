// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "model/tethers.h"

#include <functional>
#include <limits>
#include <queue>

namespace repose {

// Dijkstra's algorithm from all starts at once.
Ways shortestWays(const std::vector<WayEdge>& edges, const std::vector<float>& start) {
  const std::size_t points = start.size();
  std::vector<int> first(points + 1, 0);
  for (const WayEdge& e : edges) ++first[e.a + 1], ++first[e.b + 1];
  for (std::size_t p = 0; p < points; ++p) first[p + 1] += first[p];
  struct Neighbour {
    int point;
    float length;
  };
  std::vector<Neighbour> neighbours(2 * edges.size());
  std::vector<int> cursor(first.begin(), first.end() - 1);
  for (const WayEdge& e : edges) {
    neighbours[cursor[e.a]++] = {e.b, e.length};
    neighbours[cursor[e.b]++] = {e.a, e.length};
  }

  Ways ways{start, std::vector<int>(points, -1), std::vector<int>(points, -1), {}};
  std::vector<bool> settled(points, false);
  using Visit = std::pair<float, int>;  // way, point: equal ways in the order of points
  std::priority_queue<Visit, std::vector<Visit>, std::greater<>> queue;
  for (int p = 0; p < static_cast<int>(points); ++p)
    if (start[p] < std::numeric_limits<float>::infinity()) ways.source[p] = p, queue.push({start[p], p});
  while (!queue.empty()) {
    const int p = queue.top().second;
    queue.pop();
    if (settled[p]) continue;
    settled[p] = true;
    ways.order.push_back(p);
    for (int k = first[p]; k < first[p + 1]; ++k) {
      const auto [q, length] = neighbours[k];
      const float longer = ways.length[p] + length;
      if (settled[q] || longer > ways.length[q] ||
          (longer == ways.length[q] && ways.source[p] >= ways.source[q]))
        continue;
      ways.length[q] = longer, ways.source[q] = ways.source[p], ways.next[q] = p;
      queue.push({longer, q});
    }
  }
  return ways;
}

std::vector<Tether> findTethers(const std::vector<WayEdge>& edges, const std::vector<bool>& pinned) {
  std::vector<float> start(pinned.size(), std::numeric_limits<float>::infinity());
  for (std::size_t p = 0; p < pinned.size(); ++p)
    if (pinned[p]) start[p] = 0;
  const Ways ways = shortestWays(edges, start);
  std::vector<int> tether_of(pinned.size(), -1);
  std::vector<Tether> tethers;
  for (const int p : ways.order) {
    if (pinned[p]) continue;
    tether_of[p] = static_cast<int>(tethers.size());
    tethers.push_back({p, ways.source[p], ways.length[p], tether_of[ways.next[p]]});
  }
  return tethers;
}

}  // namespace repose
