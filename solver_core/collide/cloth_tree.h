// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Which triangles of all cloths may meet within a motion. A tree for each cloth, built once at rest, whose
// nodes know where their triangles are and which way they go: what moves alike meets no more than what stands
// still. A patch of cloth whose triangles all face one way cannot meet itself (Volino and Magnenat-Thalmann
// 1994): flat parts cost nothing. That a patch could also wind about itself like a spiral stair, facing up
// all the way, is not looked at. All that looks at every triangle is a kernel
// (kernel/cloth_tree.h); the host makes the first few hundred parts of a search.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "backend/backend.h"
#include "base/types.h"
#include "collide/slices.h"

namespace repose {

class ClothTree {
 public:
  // One cloth: its triangles by points of all cloths, and where these points are at rest.
  void add(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3f>& rest);

  int size() const { return static_cast<int>(triangles_.size()); }
  const std::array<int, 3>& triangle(int t) const { return triangles_[t]; }
  int cloth(int t) const { return cloth_of_[t]; }
  // Triangles around a point.
  const int* ringBegin(int point) const { return ring_.data() + ring_start_[point]; }
  const int* ringEnd(int point) const { return ring_.data() + ring_start_[point + 1]; }

  // The points are at x and go by `way`.
  void place(const Vec3f* x, const Vec3f* way, Backend& backend);
  // All pairs of triangles that may come nearer than reach on the way, first < second, in tasks whose lists
  // follow each other in a fixed order. meets: of each cloth, whether it takes part.
  void findPairs(float reach, const std::vector<char>& meets, Backend& backend);
  // Of task k; the lists stay until the next call.
  int tasks() const { return static_cast<int>(tasks_.size()); }
  struct Pairs {
    const std::array<int, 2>*from, *to;
    const std::array<int, 2>* begin() const { return from; }
    const std::array<int, 2>* end() const { return to; }
  };
  Pairs pairs(int task) const {
    return {pairs_.data() + found_.first(task), pairs_.data() + found_.end(task)};
  }
  // Whether two triangles may come nearer than reach, as they were placed last.
  bool mayMeet(int s, int t, float reach) const;
  std::size_t bytes() const;

  // What kernels of these triangles take.
  template <class Args>
  void passPairs(Args& args) const {
    args.pair = reinterpret_cast<const int*>(pairs_.data());
    args.pair_first = found_.firsts(), args.pair_count = found_.counts();
    args.triangle = corners();
  }
  template <class Args>
  void passRings(Args& args) const {
    args.ring_start = ring_start_.data(), args.ring = ring_.data();
  }
  const int* corners() const { return reinterpret_cast<const int*>(triangles_.data()); }

 private:
  // As the kernels read it.
  struct Node {
    int right = -1;            // the left child follows its parent; -1: a leaf
    int first = 0, count = 0;  // of order_
    int beside = 0, beside_end = 0;
    int whole = 0;  // its triangles hang together by edges
  };
  using Task = std::array<int, 2>;  // nodes; equal: one with itself

  const int* nodes() const { return reinterpret_cast<const int*>(nodes_.data()); }
  int addNode(const std::vector<Vec3f>& centres, int first, int count);
  void joinNodes(int first_node);
  void orderNodes();
  void startTasks(float reach, const std::vector<char>& meets);

  std::vector<std::array<int, 3>> triangles_;
  std::vector<int> cloth_of_;
  std::vector<int> order_, place_;  // leaf order and its inverse
  std::vector<Node> nodes_;
  std::vector<int> node_order_, level_end_;  // leaves first, then by how far they are from their last leaf
  std::vector<int> roots_;
  // of each node: places in the order of what is beside it along an edge, ascending
  std::vector<int> beside_;
  std::vector<int> ring_start_, ring_;
  // Of triangles in leaf order, and of nodes: where they are and go, and of 26 directions those that all face
  // on all their way.
  std::vector<float> box_, extent_;
  std::vector<int> box_facing_, facing_;
  std::vector<Task> tasks_, next_;
  Slices found_;
  std::vector<std::array<int, 2>> pairs_;
};

}  // namespace repose
