// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multilevel/aggregates.h"

#include <algorithm>

namespace repose {

std::vector<int> aggregate(const Graph& graph, int& count) {
  std::vector<int> of(graph.points, -1);
  count = 0;
  for (int p = 0; p < graph.points; ++p) {
    if (!graph.live[p] || of[p] >= 0) continue;
    const auto& around = graph.neighbours[p];
    if (std::any_of(around.begin(), around.end(), [&](int q) { return of[q] >= 0; })) continue;
    of[p] = count;
    for (const int q : around)
      if (graph.live[q]) of[q] = count;
    ++count;
  }
  const std::vector<int> opened = of;
  for (int p = 0; p < graph.points; ++p) {
    if (!graph.live[p] || of[p] >= 0) continue;
    for (const int q : graph.neighbours[p])
      if (opened[q] >= 0 && (of[p] < 0 || opened[q] < of[p])) of[p] = opened[q];
    if (of[p] < 0) of[p] = count++;
  }
  return of;
}

}  // namespace repose
