// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/cloth_tree.h"

#include <algorithm>
#include <numeric>

#include "base/median_split.h"
#include "base/vectors.h"
#include "kernel/lane1.h"

namespace repose {

namespace {

constexpr int kLeafTriangles = 4;
constexpr int kTasks = 256;      // of a search, however many threads there are
constexpr int kFirstRoom = 256;  // pairs of a task to begin with

const float* extentOf(const std::vector<float>& extents, int k) {
  return extents.data() + static_cast<std::size_t>(k) * RE_TREE_EXTENT_FLOATS;
}

}  // namespace

void ClothTree::add(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3f>& rest) {
  const int cloth = static_cast<int>(roots_.size()), first = size();
  const int count = static_cast<int>(triangles.size());
  std::vector<Vec3f> centres(first + count);
  for (int t = 0; t < count; ++t) {
    const std::array<int, 3>& c = triangles[t];
    centres[first + t] = (rest[c[0]] + rest[c[1]] + rest[c[2]]) * (1.0f / 3);
  }
  triangles_.insert(triangles_.end(), triangles.begin(), triangles.end());
  cloth_of_.resize(first + count, cloth);
  order_.resize(first + count), place_.resize(first + count);
  box_.resize(static_cast<std::size_t>(first + count) * RE_TREE_EXTENT_FLOATS);
  box_facing_.resize(first + count);
  std::iota(order_.begin() + first, order_.end(), first);
  const int root = static_cast<int>(nodes_.size());
  roots_.push_back(root);
  addNode(centres, first, count);
  for (int k = first; k < first + count; ++k) place_[order_[k]] = k;

  ring_start_.assign(rest.size() + 1, 0);
  for (const std::array<int, 3>& t : triangles_)
    for (const int p : t) ++ring_start_[p + 1];
  std::partial_sum(ring_start_.begin(), ring_start_.end(), ring_start_.begin());
  ring_.resize(ring_start_.back());
  std::vector<int> next(ring_start_.begin(), ring_start_.end() - 1);
  for (int t = 0; t < size(); ++t)
    for (const int p : triangles_[t]) ring_[next[p]++] = t;
  joinNodes(root);
  orderNodes();
}

int ClothTree::addNode(const std::vector<Vec3f>& centres, int first, int count) {
  const auto index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  nodes_[index].first = first, nodes_[index].count = count;
  if (count <= kLeafTriangles) return index;
  const int half = medianSplit(order_, centres, first, count);
  addNode(centres, first, half);
  const int right = addNode(centres, first + half, count - half);
  nodes_[index].right = right;
  return index;
}

// What is beside each node along an edge, and whether it hangs together by edges.
void ClothTree::joinNodes(int first_node) {
  std::vector<int> around, open;
  std::vector<char> seen(triangles_.size());
  for (std::size_t n = first_node; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    const int end = node.first + node.count;
    around.clear(), open.assign(1, node.first);
    std::fill(seen.begin() + node.first, seen.begin() + end, 0);
    seen[node.first] = 1;
    int reached = 0;
    while (!open.empty()) {
      const int k = open.back();
      open.pop_back(), ++reached;
      for (const int p : triangles_[order_[k]])
        for (const int* t = ringBegin(p); t != ringEnd(p); ++t) {
          const int other = place_[*t];
          if (!lane1::tree_share_edge(triangles_[order_[k]].data(), triangles_[*t].data())) continue;
          if (other < node.first || other >= end)
            around.push_back(other);
          else if (!seen[other])
            seen[other] = 1, open.push_back(other);
        }
    }
    node.whole = reached == node.count;
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    node.beside = static_cast<int>(beside_.size());
    beside_.insert(beside_.end(), around.begin(), around.end());
    node.beside_end = static_cast<int>(beside_.size());
  }
}

// By levels, so that those of one depend only on the levels before it.
void ClothTree::orderNodes() {
  static_assert(sizeof(Node) == RE_TREE_NODE_INTS * sizeof(int));
  const int count = static_cast<int>(nodes_.size());
  std::vector<int> level(count, 0);
  level_end_.assign(1, 0);
  for (int n = count; n-- > 0;) {  // children come after their parents
    if (nodes_[n].right >= 0) level[n] = 1 + std::max(level[n + 1], level[nodes_[n].right]);
    if (level[n] >= static_cast<int>(level_end_.size())) level_end_.resize(level[n] + 1, 0);
    ++level_end_[level[n]];
  }
  std::partial_sum(level_end_.begin(), level_end_.end(), level_end_.begin());
  std::vector<int> next(1, 0);
  next.insert(next.end(), level_end_.begin(), level_end_.end());
  node_order_.resize(count);
  for (int n = 0; n < count; ++n) node_order_[next[level[n]]++] = n;
  extent_.resize(static_cast<std::size_t>(count) * RE_TREE_EXTENT_FLOATS), facing_.resize(count);
}

void ClothTree::place(const Vec3f* x, const Vec3f* way, Backend& backend) {
  tree_place_args place;
  place.x = x, place.way = way, place.triangle = corners(), place.order = order_.data();
  place.box = box_.data(), place.box_facing = box_facing_.data(), place.count = size();
  backend.launch((size() + RE_TREE_CHUNK - 1) / RE_TREE_CHUNK, place);
  tree_join_args join;
  join.node_order = node_order_.data(), join.tree_node = nodes();
  join.box = box_.data(), join.box_facing = box_facing_.data();
  join.extent = extent_.data(), join.facing = facing_.data();
  for (const int end : level_end_) {
    join.count = end - join.first_entry, join.nodes = RE_TREE_CHUNK;
    // the last levels are small: one item joins them all
    if (join.count <= RE_TREE_CHUNK) join.count = join.nodes = level_end_.back() - join.first_entry;
    backend.launch((join.count + join.nodes - 1) / join.nodes, join);
    join.first_entry += join.count;
    if (join.first_entry == level_end_.back()) break;
  }
}

bool ClothTree::mayMeet(int s, int t, float reach) const {
  return lane1::tree_near(extentOf(box_, place_[s]), extentOf(box_, place_[t]), reach);
}

// Pairs of cloths, divided until there are enough for many threads.
void ClothTree::startTasks(float reach, const std::vector<char>& meets) {
  tasks_.clear();
  lane1::tree_walk walk;
  walk.node = nodes(), walk.beside = beside_.data(), walk.facing = facing_.data();
  walk.extent = extent_.data(), walk.reach = reach;
  const int cloths = static_cast<int>(roots_.size());
  for (int a = 0; a < cloths; ++a)
    for (int b = a; b < cloths; ++b) {
      if (!meets[a] || !meets[b]) continue;
      const int first = roots_[a], second = roots_[b];
      if (a == b ? nodes_[first].whole && facing_[first]
                 : !lane1::tree_near(extentOf(extent_, first), extentOf(extent_, second), reach))
        continue;
      tasks_.push_back({first, second});
    }
  for (bool divided = true; divided && !tasks_.empty() && tasks() < kTasks;) {
    next_.clear(), divided = false;
    for (const Task& task : tasks_) {
      int part[6];
      const int count = lane1::tree_split(&walk, task[0], task[1], part, 0);
      if (count < 0) next_.push_back(task);
      divided = divided || count >= 0;
      for (int k = 0; k < count; ++k) next_.push_back({part[2 * k], part[2 * k + 1]});
    }
    tasks_.swap(next_);
  }
}

void ClothTree::findPairs(float reach, const std::vector<char>& meets, Backend& backend) {
  startTasks(reach, meets);
  tree_search_args args;
  args.task = reinterpret_cast<const int*>(tasks_.data()), args.tree_node = nodes();
  args.beside = beside_.data(), args.triangle = corners(), args.order = order_.data();
  args.box = box_.data(), args.box_facing = box_facing_.data();
  args.extent = extent_.data(), args.facing = facing_.data(), args.reach = reach;
  found_.start(tasks(), kFirstRoom);
  do {
    if (static_cast<int>(pairs_.size()) < found_.end()) pairs_.resize(found_.end());
    args.pair = reinterpret_cast<int*>(pairs_.data());
    found_.pass(args);
    backend.launch(found_.todo(), args);
  } while (found_.grow());
}

std::size_t ClothTree::bytes() const {
  return bytesOf(triangles_, cloth_of_, order_, place_, nodes_, node_order_, level_end_, beside_, ring_start_,
                 ring_, box_, box_facing_, extent_, facing_, tasks_, next_, pairs_) +
         found_.bytes();
}

}  // namespace repose
