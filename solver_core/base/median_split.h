// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How trees of boxes divide what they hold.
#pragma once
#include <algorithm>
#include <vector>

#include "base/types.h"

namespace repose {

// Puts those of order[first, first + count) whose centres lie lower along the longest axis of all of them
// before the others, half of them; of equal ones the lower number. Returns how many come first.
inline int medianSplit(std::vector<int>& order, const std::vector<Vec3f>& centres, int first, int count) {
  Bounds box;
  for (int k = first; k < first + count; ++k) box.add(centres[order[k]]);
  const Vec3f size = box.hi - box.lo;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int half = count / 2;
  std::nth_element(order.begin() + first, order.begin() + first + half, order.begin() + first + count,
                   [&](int a, int b) {
                     const float low = centres[a][axis], high = centres[b][axis];
                     return low < high || (low == high && a < b);
                   });
  return half;
}

}  // namespace repose
