// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/cloth_tree.h"

#include <algorithm>
#include <numeric>

#include "base/median_split.h"
#include "base/vectors.h"

namespace repose {

namespace {

constexpr int kLeafTriangles = 4;
constexpr int kChunk = 512;     // triangles a task handles
constexpr int kTasks = 256;     // of a search, however many threads there are
constexpr float kFaces = 0.3f;  // cosine between a normal and a direction that it faces

// Half of the directions; the others are their opposites.
constexpr float kDiagonal = 0.70710678f, kCorner = 0.57735027f;
constexpr Vec3f kDirections[13] = {{1, 0, 0},
                                   {0, 1, 0},
                                   {0, 0, 1},
                                   {kDiagonal, kDiagonal, 0},
                                   {kDiagonal, -kDiagonal, 0},
                                   {kDiagonal, 0, kDiagonal},
                                   {kDiagonal, 0, -kDiagonal},
                                   {0, kDiagonal, kDiagonal},
                                   {0, kDiagonal, -kDiagonal},
                                   {kCorner, kCorner, kCorner},
                                   {kCorner, kCorner, -kCorner},
                                   {kCorner, -kCorner, kCorner},
                                   {-kCorner, kCorner, kCorner}};

// The directions that a normal faces, and every other one that differs from it by at most `turn`.
std::uint32_t facing(Vec3f normal, float turn) {
  const float least = kFaces * (length(normal) + turn) + turn;
  std::uint32_t mask = 0;
  for (int k = 0; k < 13; ++k) {
    const float along = dot(normal, kDirections[k]);
    mask |= static_cast<std::uint32_t>(along > least) << k;
    mask |= static_cast<std::uint32_t>(along < -least) << (k + 13);
  }
  return mask;
}

// Two that share no more than a point may cross though both face one way: what lies between them may be
// folded over.
bool shareEdge(const std::array<int, 3>& s, const std::array<int, 3>& t) {
  int shared = 0;
  for (const int a : s)
    for (const int b : t) shared += a == b;
  return shared > 1;
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
  order_.resize(first + count), place_.resize(first + count), boxes_.resize(first + count);
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
          if (!shareEdge(triangles_[order_[k]], triangles_[*t])) continue;
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

void ClothTree::place(const Vec3f* x, const Vec3f* way, Backend& backend) {
  backend.forChunks((size() + kChunk - 1) / kChunk, [&](int chunk) {
    const int end = std::min(size(), (chunk + 1) * kChunk);
    for (int k = chunk * kChunk; k < end; ++k) {
      const std::array<int, 3>& t = triangles_[order_[k]];
      Extent& box = boxes_[k];
      box.at = {}, box.way = {};
      for (const int p : t) box.at.add(x[p]), box.way.add(way[p]);
      // the normal on its way is start + s turn + s^2 bend
      const Vec3f ab = x[t[1]] - x[t[0]], ac = x[t[2]] - x[t[0]];
      const Vec3f u = way[t[1]] - way[t[0]], w = way[t[2]] - way[t[0]];
      const Vec3f turn = cross(ab, w) + cross(u, ac), bend = cross(u, w);
      box.facing = facing(cross(ab, ac), length(turn) + length(bend));
    }
  });
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children come after their parents
    Node& node = nodes_[n];
    Extent all;
    all.facing = ~0u;
    const auto join = [&](const Extent& part) {
      all.at.add(part.at), all.way.add(part.way), all.facing &= part.facing;
    };
    if (node.right >= 0)
      join(nodes_[n + 1].extent), join(nodes_[node.right].extent);
    else
      for (int k = node.first; k < node.first + node.count; ++k) join(boxes_[k]);
    node.extent = all;
  }
}

// a + s way_a and b + s way_b differ by less than reach in every direction for some s of [0, 1].
bool ClothTree::near(const Extent& a, const Extent& b, float reach) {
  for (int k = 0; k < 3; ++k) {
    const float low = std::min(a.way.lo[k] - b.way.hi[k], 0.0f);
    const float high = std::max(a.way.hi[k] - b.way.lo[k], 0.0f);
    if (a.at.lo[k] - b.at.hi[k] + low > reach || a.at.hi[k] - b.at.lo[k] + high < -reach) return false;
  }
  return true;
}

bool ClothTree::adjacent(const Node& a, const Node& b) const {
  const auto from = beside_.begin() + a.beside, to = beside_.begin() + a.beside_end;
  const auto at = std::lower_bound(from, to, b.first);
  return at != to && *at < b.first + b.count;
}

bool ClothTree::facesOneWay(int a, int b) const {
  const Node &first = nodes_[a], &second = nodes_[b];
  return (first.extent.facing & second.extent.facing) != 0 && first.whole && second.whole &&
         adjacent(first, second);
}

// The parts of a task that are worth looking at; false when it is one of leaves, which stays as it is.
bool ClothTree::split(Task task, float reach, std::vector<Task>& to) const {
  const Node &a = nodes_[task.a], &b = nodes_[task.b];
  const auto pair = [&](int first, int second) {
    if (near(nodes_[first].extent, nodes_[second].extent, reach) && !facesOneWay(first, second))
      to.push_back({first, second});
  };
  const auto self = [&](int node) {
    if (!(nodes_[node].whole && nodes_[node].extent.facing)) to.push_back({node, node});
  };
  if (task.a == task.b) {
    if (a.right < 0) return false;
    self(task.a + 1), self(a.right), pair(task.a + 1, a.right);
    return true;
  }
  if (a.right < 0 && b.right < 0) return false;
  if (b.right < 0 || (a.right >= 0 && a.count >= b.count))
    pair(task.a + 1, task.b), pair(a.right, task.b);
  else
    pair(task.a, task.b + 1), pair(task.a, b.right);
  return true;
}

void ClothTree::meetLeaves(Task task, float reach, std::vector<std::array<int, 2>>& to) const {
  const Node &a = nodes_[task.a], &b = nodes_[task.b];
  for (int i = a.first; i < a.first + a.count; ++i)
    for (int j = task.a == task.b ? i + 1 : b.first; j < b.first + b.count; ++j) {
      if (!near(boxes_[i], boxes_[j], reach)) continue;
      const int s = order_[i], t = order_[j];
      if ((boxes_[i].facing & boxes_[j].facing) && shareEdge(triangles_[s], triangles_[t])) continue;
      to.push_back({std::min(s, t), std::max(s, t)});
    }
}

void ClothTree::findPairs(float reach, const std::vector<char>& meets, Backend& backend) {
  tasks_.clear();
  const int cloths = static_cast<int>(roots_.size());
  for (int a = 0; a < cloths; ++a)
    for (int b = a; b < cloths; ++b) {
      const Node &first = nodes_[roots_[a]], &second = nodes_[roots_[b]];
      if (!meets[a] || !meets[b]) continue;
      if (a == b ? first.whole && first.extent.facing : !near(first.extent, second.extent, reach)) continue;
      tasks_.push_back({roots_[a], roots_[b]});
    }
  for (bool parts = true; parts && !tasks_.empty() && static_cast<int>(tasks_.size()) < kTasks;) {
    next_.clear(), parts = false;
    for (const Task task : tasks_) {
      if (split(task, reach, next_))
        parts = true;
      else
        next_.push_back(task);
    }
    tasks_.swap(next_);
  }
  if (found_.size() < tasks_.size()) found_.resize(tasks_.size()), stacks_.resize(tasks_.size());
  backend.forChunks(tasks(), [&](int chunk) {
    std::vector<Task>& stack = stacks_[chunk];
    found_[chunk].clear(), stack.assign(1, tasks_[chunk]);
    while (!stack.empty()) {
      const Task task = stack.back();
      stack.pop_back();
      if (!split(task, reach, stack)) meetLeaves(task, reach, found_[chunk]);
    }
  });
}

std::size_t ClothTree::bytes() const {
  std::size_t sum = bytesOf(triangles_) + bytesOf(cloth_of_) + bytesOf(order_) + bytesOf(place_) +
                    bytesOf(nodes_) + bytesOf(beside_) + bytesOf(ring_start_) + bytesOf(ring_) +
                    bytesOf(boxes_) + bytesOf(tasks_) + bytesOf(next_);
  for (const auto& list : found_) sum += bytesOf(list);
  for (const auto& list : stacks_) sum += bytesOf(list);
  return sum;
}

}  // namespace repose
