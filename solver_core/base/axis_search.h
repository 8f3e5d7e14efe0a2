// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The nearest of many things: they are visited outwards along the longest axis, until nothing further along
// it can be nearer than the best.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "base/types.h"

namespace repose {

class AxisSearch {
 public:
  // reach: no part of a thing is further from its centre than this.
  explicit AxisSearch(const std::vector<Vec3f>& centres, float reach = 0)
      : reach_(reach), order_(centres.size()) {
    Bounds box;
    for (const Vec3f p : centres) box.add(p);
    const Vec3f size = box.hi - box.lo;
    axis_ = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return centres[a][axis_] < centres[b][axis_]; });
    for (const int k : order_) along_.push_back(centres[k][axis_]);
  }

  // The thing with the least distance2(thing) that is not above limit * limit, of equals the first; -1: none.
  template <class Distance2>
  int nearest(Vec3f at, float limit, const Distance2& distance2) const {
    int best = -1;
    float best2 = limit * limit;
    const auto visit = [&](int k) {
      const float gap = std::max(std::abs(along_[k] - at[axis_]) - reach_, 0.0f);
      if (gap * gap > best2) return false;
      const float d2 = distance2(order_[k]);
      if (d2 < best2 || (d2 == best2 && (best < 0 || order_[k] < best))) best = order_[k], best2 = d2;
      return true;
    };
    const int size = static_cast<int>(along_.size());
    int above = static_cast<int>(std::lower_bound(along_.begin(), along_.end(), at[axis_]) - along_.begin());
    int below = above - 1;
    while (above < size || below >= 0) {
      if (above < size) above = visit(above) ? above + 1 : size;
      if (below >= 0) below = visit(below) ? below - 1 : -1;
    }
    return best;
  }

 private:
  float reach_;
  int axis_ = 0;
  std::vector<int> order_;    // things along the axis
  std::vector<float> along_;  // their centres on it
};

}  // namespace repose
