// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Which triangles of all cloths may meet within a motion. A tree for each cloth, built once at rest, whose
// nodes know where their triangles are and which way they go: what moves alike meets no more than what stands
// still. A patch of cloth whose triangles all face one way cannot meet itself (Volino and Magnenat-Thalmann
// 1994): flat parts cost nothing. That a patch could also wind about itself like a spiral stair, facing up
// all the way, is not looked at.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "backend/backend.h"
#include "base/types.h"

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
  const std::vector<std::array<int, 2>>& pairs(int task) const { return found_[task]; }
  // Whether two triangles may come nearer than reach, as they were placed last.
  bool mayMeet(int s, int t, float reach) const { return near(boxes_[place_[s]], boxes_[place_[t]], reach); }
  std::size_t bytes() const;

 private:
  // Where it is, where it goes, and of 26 directions those that all its triangles face on all their way.
  struct Extent {
    Bounds at, way;
    std::uint32_t facing = 0;
  };
  struct Node {
    Extent extent;
    int right = -1;            // the left child follows its parent; -1: a leaf
    int first = 0, count = 0;  // of order_
    int beside = 0, beside_end = 0;
    bool whole = false;  // its triangles hang together by edges
  };
  struct Task {
    int a, b;  // equal: a node with itself
  };

  static bool near(const Extent& a, const Extent& b, float reach);
  int addNode(const std::vector<Vec3f>& centres, int first, int count);
  void joinNodes(int first_node);
  bool adjacent(const Node& a, const Node& b) const;
  bool facesOneWay(int a, int b) const;
  bool split(Task task, float reach, std::vector<Task>& to) const;
  void meetLeaves(Task task, float reach, std::vector<std::array<int, 2>>& to) const;

  std::vector<std::array<int, 3>> triangles_;
  std::vector<int> cloth_of_;
  std::vector<int> order_, place_;  // leaf order and its inverse
  std::vector<Node> nodes_;
  std::vector<int> roots_;
  std::vector<int>
      beside_;  // of each node: places in the order of what is beside it along an edge, ascending
  std::vector<int> ring_start_, ring_;
  std::vector<Extent> boxes_;  // of triangles, in leaf order
  std::vector<Task> tasks_, next_;
  std::vector<std::vector<std::array<int, 2>>> found_;
  std::vector<std::vector<Task>> stacks_;
};

}  // namespace repose
