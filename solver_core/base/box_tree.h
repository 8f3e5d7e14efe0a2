// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A tree of boxes that stand still: which thing is nearest to a place, and which ones are within a distance.
#pragma once
#include <numeric>
#include <vector>

#include "base/median_split.h"

namespace repose {

class BoxTree {
 public:
  explicit BoxTree(const std::vector<Bounds>& boxes) : order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::vector<Vec3f> centres;
    centres.reserve(boxes.size());
    for (const Bounds& box : boxes) centres.push_back((box.lo + box.hi) * 0.5f);
    if (!boxes.empty()) build(boxes, centres, 0, static_cast<int>(boxes.size()));
  }

  // The thing with the least distance2(thing) of those that are not above `limit2`, of equals the lowest
  // number; -1: none.
  template <class Distance2>
  int nearest(Vec3f at, float limit2, const Distance2& distance2) const {
    int best = -1;
    float best2 = limit2;
    if (!nodes_.empty())
      descend(0, at, best2, [&](int thing) {
        const float d2 = distance2(thing);
        if (d2 < best2 || (d2 == best2 && (best < 0 || thing < best))) best = thing, best2 = d2;
      });
    return best;
  }

  // Calls visit(thing) for all whose boxes are not further away; visit may lower the limit.
  template <class Visit>
  void within(Vec3f at, float& limit2, const Visit& visit) const {
    if (!nodes_.empty()) descend(0, at, limit2, visit);
  }

 private:
  static constexpr int kLeaf = 4;  // things
  struct Node {
    Bounds box;
    int first, count;  // of a leaf: places in `order_`; else the second child is `first` and count 0
  };

  int build(const std::vector<Bounds>& boxes, const std::vector<Vec3f>& centres, int first, int count) {
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, first, count});
    for (int k = first; k < first + count; ++k) nodes_[node].box.add(boxes[order_[k]]);
    if (count <= kLeaf) return node;
    const int half = medianSplit(order_, centres, first, count);
    build(boxes, centres, first, half);
    const int second = build(boxes, centres, first + half, count - half);
    nodes_[node].first = second, nodes_[node].count = 0;
    return node;
  }

  static float gap2(const Bounds& box, Vec3f at) {
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
      const float gap = std::max({box.lo[k] - at[k], at[k] - box.hi[k], 0.0f});
      sum += gap * gap;
    }
    return sum;
  }

  template <class Visit>
  void descend(int node, Vec3f at, const float& limit2, const Visit& visit) const {
    const Node& n = nodes_[node];
    if (gap2(n.box, at) > limit2) return;
    if (n.count > 0) {
      for (int k = n.first; k < n.first + n.count; ++k) visit(order_[k]);
      return;
    }
    const int left = node + 1, right = n.first;
    const bool left_first = gap2(nodes_[left].box, at) <= gap2(nodes_[right].box, at);
    descend(left_first ? left : right, at, limit2, visit);
    descend(left_first ? right : left, at, limit2, visit);
  }

  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace repose
