// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multilevel/hierarchy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "base/vectors.h"
#include "solve/multilevel/aggregates.h"

namespace repose {

namespace {

constexpr int kBottomNodes = 40;  // small enough for a dense factor
constexpr double kSmoothing = 2.0 / 3.0;

struct Entry {
  int node;
  int weight;  // in units
};
using SparseRows = std::vector<std::vector<Entry>>;

int padded(int n) { return (n + 15) / 16 * 16; }

// The exact weights of a row in units, with what rounding lost given to the heaviest.
std::vector<Entry> inUnits(const std::vector<std::pair<int, double>>& exact) {
  std::vector<Entry> row;
  double sum = 0;
  int units = 0;
  std::size_t heaviest = 0;
  for (const auto& [node, weight] : exact) {
    row.push_back({node, static_cast<int>(std::lround(weight * kWeightUnits))});
    sum += weight, units += row.back().weight;
    if (row.back().weight > row[heaviest].weight) heaviest = row.size() - 1;
  }
  row[heaviest].weight += static_cast<int>(std::lround(sum * kWeightUnits)) - units;
  row.erase(std::remove_if(row.begin(), row.end(), [](const Entry& e) { return e.weight == 0; }), row.end());
  std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.node < b.node; });
  return row;
}

// P = (1 - w) T + w D^-1 A T, T the aggregates, A the graph (cloth_study.md 5); pinned points have empty
// rows.
SparseRows prolongator(const Graph& graph, const std::vector<int>& of) {
  SparseRows p(graph.points);
  std::vector<std::pair<int, double>> exact;
  for (int i = 0; i < graph.points; ++i) {
    if (!graph.live[i]) continue;
    exact.clear();
    const auto add = [&](int node, double weight) {
      for (auto& [known, sum] : exact)
        if (known == node) {
          sum += weight;
          return;
        }
      exact.emplace_back(node, weight);
    };
    const auto degree = static_cast<double>(graph.neighbours[i].size());
    add(of[i], degree > 0 ? 1 - kSmoothing : 1);
    for (const int q : graph.neighbours[i])
      if (graph.live[q]) add(of[q], kSmoothing / degree);
    p[i] = inUnits(exact);
  }
  return p;
}

// A term of a coarse block: the pair of nodes it belongs to, where it comes from, and its weight in units
// squared.
struct Term {
  std::uint64_t pair;
  int source;
  int weight;
};

// The same with all that is constant in it: masses and bending.
struct Constant {
  std::uint64_t pair;
  float value;
};

std::uint64_t pairOf(int a, int b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint32_t>(std::max(a, b));
}

int weightAt(const std::vector<Entry>& row, int node) {
  for (const Entry& e : row)
    if (e.node == node) return e.weight;
  return 0;
}

void addPairs(const std::vector<Entry>& a, const std::vector<Entry>& b, std::vector<int>& nodes) {
  nodes.clear();
  for (const Entry& e : a) nodes.push_back(e.node);
  for (const Entry& e : b) nodes.push_back(e.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

// Edge (i, j) with block E enters (I, J) with (P_iI - P_jI)(P_iJ - P_jJ) E: visit(pair, weight).
template <class Visit>
void eachEdgeTerm(const std::vector<Entry>& pa, const std::vector<Entry>& pb, std::vector<int>& nodes,
                  const Visit& visit) {
  addPairs(pa, pb, nodes);
  for (std::size_t k = 0; k < nodes.size(); ++k)
    for (std::size_t l = k; l < nodes.size(); ++l) {
      const int w = (weightAt(pa, nodes[k]) - weightAt(pb, nodes[k])) *
                    (weightAt(pa, nodes[l]) - weightAt(pb, nodes[l]));
      if (w != 0) visit(pairOf(nodes[k], nodes[l]), w);
    }
}

std::vector<Term> edgeTerms(const std::vector<Edge>& edges, const SparseRows& p) {
  std::vector<Term> terms;
  std::vector<int> nodes;
  for (const Edge& e : edges)
    eachEdgeTerm(p[e.a], p[e.b], nodes, [&](std::uint64_t pair, int w) {
      terms.push_back({pair, e.slot, w});
    });
  return terms;
}

std::vector<Constant> bendTerms(const std::vector<WeightedPair>& bends, const SparseRows& p) {
  std::vector<Constant> terms;
  std::vector<int> nodes;
  for (const WeightedPair& b : bends)
    eachEdgeTerm(p[b.a], p[b.b], nodes, [&](std::uint64_t pair, int w) {
      terms.push_back({pair, b.weight * kUnitSquared * static_cast<float>(w)});
    });
  return terms;
}

struct BlockPair {
  int a, b;  // nodes of a block; equal on the diagonal
};

// Block (k, l) enters (I, J) with P_kI P_lJ + P_lI P_kJ, on the diagonal with P_kI P_kJ.
std::vector<Term> blockTerms(const std::vector<BlockPair>& blocks, const SparseRows& p) {
  std::vector<Term> terms;
  std::vector<int> nodes;
  for (std::size_t id = 0; id < blocks.size(); ++id) {
    const auto [a, b] = blocks[id];
    if (a < 0) continue;
    addPairs(p[a], p[b], nodes);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (std::size_t l = k; l < nodes.size(); ++l) {
        const int ak = weightAt(p[a], nodes[k]), bl = weightAt(p[b], nodes[l]);
        const int bk = weightAt(p[b], nodes[k]), al = weightAt(p[a], nodes[l]);
        const int w = a == b ? ak * al : ak * bl + bk * al;
        if (w != 0) terms.push_back({pairOf(nodes[k], nodes[l]), static_cast<int>(id), w});
      }
  }
  return terms;
}

// Point p enters mass block (I, J) with m P_pI P_pJ.
std::vector<Constant> massTerms(const std::vector<float>& mass, const SparseRows& p) {
  std::vector<Constant> terms;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t k = 0; k < p[i].size(); ++k)
      for (std::size_t l = k; l < p[i].size(); ++l)
        terms.push_back({pairOf(p[i][k].node, p[i][l].node),
                         mass[i] * kUnitSquared * static_cast<float>(p[i][k].weight * p[i][l].weight)});
  return terms;
}

// Where the blocks of a level are: all diagonals (padding too), then the pairs of nodes, those with the most
// terms first, so that lists of one slice are equally long.
class BlockOrder {
 public:
  BlockOrder(int nodes, const std::vector<Term>& terms, const std::vector<Constant>& masses,
             const std::vector<Constant>& bends)
      : nodes_(nodes) {
    const auto add = [this](const auto& list) {
      for (const auto& t : list)
        if (!onDiagonal(t.pair)) pairs_.push_back(t.pair);
    };
    add(terms), add(masses), add(bends);
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    std::vector<int> count(pairs_.size(), 0), order(pairs_.size());
    for (const Term& t : terms)
      if (!onDiagonal(t.pair)) ++count[indexOf(t.pair)];
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return count[a] > count[b]; });
    rank_.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) rank_[order[k]] = static_cast<int>(k);
  }
  int blocks() const { return nodes_ + padded(static_cast<int>(pairs_.size())); }
  int of(std::uint64_t pair) const { return onDiagonal(pair) ? first(pair) : nodes_ + rank_[indexOf(pair)]; }
  std::vector<BlockPair> nodesOf() const {
    std::vector<BlockPair> list(blocks(), {-1, -1});
    for (int n = 0; n < nodes_; ++n) list[n] = {n, n};
    for (const std::uint64_t pair : pairs_) list[of(pair)] = {first(pair), second(pair)};
    return list;
  }

 private:
  static int first(std::uint64_t pair) { return static_cast<int>(pair >> 32); }
  static int second(std::uint64_t pair) { return static_cast<int>(pair & 0xffffffffu); }
  static bool onDiagonal(std::uint64_t pair) { return first(pair) == second(pair); }
  int indexOf(std::uint64_t pair) const {
    return static_cast<int>(std::lower_bound(pairs_.begin(), pairs_.end(), pair) - pairs_.begin());
  }

  int nodes_;
  std::vector<std::uint64_t> pairs_;  // ascending
  std::vector<int> rank_;
};

template <class Each>
SlicedLists listsOf(int points, const Each& each) {
  std::vector<int> length(points, 0);
  each([&](int p, auto&&...) { ++length[p]; });
  return SlicedLists(length);
}

void fillTransfer(const SparseRows& p, CoarseLevel& level) {
  const auto fine = static_cast<int>(p.size());
  const auto partOf = [](const Entry& e) { return static_cast<float>(e.weight) / kWeightUnits; };
  const auto eachUp = [&](auto&& visit) {
    for (int i = 0; i < fine; ++i)
      for (const Entry& e : p[i]) visit(i, e.node, partOf(e));
  };
  const auto eachDown = [&](auto&& visit) {
    for (int i = 0; i < fine; ++i)
      for (const Entry& e : p[i]) visit(e.node, i, partOf(e));
  };
  const auto fill = [](int points, const auto& each, SlicedLists& lists, std::vector<int>& other,
                       std::vector<float>& weight) {
    lists = listsOf(points, each);
    other.assign(lists.slots(), 0);
    weight.assign(lists.slots(), 0.0f);
    std::vector<int> cursor(points, 0);
    each([&](int me, int it, float w) {
      const int s = lists.slot(me, cursor[me]++);
      other[s] = it;
      weight[s] = w;
    });
  };
  fill(fine, eachUp, level.up, level.up_node, level.up_weight);
  fill(level.nodes, eachDown, level.down, level.down_point, level.down_weight);
}

void fillBlocks(const std::vector<Term>& terms, const std::vector<Constant>& masses,
                const std::vector<Constant>& bends, const std::vector<BlockPair>& blocks,
                const BlockOrder& order, CoarseLevel& level) {
  level.block_mass.assign(level.blocks, 0.0f);
  for (const Constant& t : masses) level.block_mass[order.of(t.pair)] += t.value;
  level.block_bend.assign(level.blocks, 0.0f);
  for (const Constant& t : bends) level.block_bend[order.of(t.pair)] += t.value;

  const auto each = [&](auto&& visit) {
    for (const Term& t : terms) visit(order.of(t.pair), t.source, t.weight);
  };
  level.list = listsOf(level.blocks, each);
  level.source.assign(level.list.slots(), 0);
  level.weight.assign(level.list.slots(), 0);
  std::vector<int> cursor(level.blocks, 0);
  each([&](int block, int source, int weight) {
    const int s = level.list.slot(block, cursor[block]++);
    level.source[s] = source;
    level.weight[s] = static_cast<short>(weight);
  });

  const auto eachRow = [&](auto&& visit) {
    for (int k = level.nodes; k < level.blocks; ++k) {
      if (blocks[k].a < 0) continue;
      visit(blocks[k].a, blocks[k].b, k, 0);
      visit(blocks[k].b, blocks[k].a, k, 1);
    }
  };
  level.rows = listsOf(level.nodes, eachRow);
  const int nowhere = level.rows.slots() * 6;
  level.row_node.assign(level.rows.slots(), 0);
  level.row.assign(nowhere + 96, 0.0f);
  level.place.resize(2 * level.blocks);
  for (std::size_t k = 0; k < level.place.size(); ++k) level.place[k] = nowhere + static_cast<int>(k % 16);
  std::vector<int> row_cursor(level.nodes, 0);
  eachRow([&](int me, int other, int block, int side) {
    const int s = level.rows.slot(me, row_cursor[me]++);
    level.row_node[s] = other;
    level.place[side * level.blocks + block] = s / 16 * 96 + s % 16;
  });
}

}  // namespace

std::vector<CoarseLevel> buildHierarchy(int points, const std::vector<float>& mass,
                                        const std::vector<Edge>& edges,
                                        const std::vector<WeightedPair>& bends) {
  std::vector<CoarseLevel> levels;
  Graph graph;
  graph.points = points;
  graph.live.resize(points);
  graph.neighbours.resize(points);
  for (int p = 0; p < points; ++p) graph.live[p] = mass[p] > 0;
  for (const Edge& e : edges) {
    if (!e.near) continue;
    graph.neighbours[e.a].push_back(e.b);
    graph.neighbours[e.b].push_back(e.a);
  }
  for (std::vector<int>& around : graph.neighbours) {
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
  }
  std::vector<BlockPair> blocks;
  std::vector<float> block_mass;
  int live = static_cast<int>(std::count(graph.live.begin(), graph.live.end(), true));
  while (live > kBottomNodes || levels.empty()) {
    int count = 0;
    const std::vector<int> of = aggregate(graph, count);
    if (count == 0 || (!levels.empty() && count >= live)) break;
    const SparseRows p = prolongator(graph, of);
    CoarseLevel level;
    level.nodes = padded(count);
    const std::vector<Term> terms = levels.empty() ? edgeTerms(edges, p) : blockTerms(blocks, p);
    std::vector<Constant> masses, bending;
    if (levels.empty()) {
      masses = massTerms(mass, p);
      // coarser levels find the bending in the blocks of the finer one
      bending = bendTerms(bends, p);
    } else {
      for (const Term& t : terms)
        masses.push_back({t.pair, block_mass[t.source] * kUnitSquared * static_cast<float>(t.weight)});
    }
    const BlockOrder order(level.nodes, terms, masses, bending);
    level.blocks = order.blocks();
    blocks = order.nodesOf();
    fillTransfer(p, level);
    fillBlocks(terms, masses, bending, blocks, order, level);
    block_mass = level.block_mass;
    level.block.resize(6 * level.blocks);
    level.inverse.resize(6 * level.nodes);
    level.r.resize(level.nodes), level.z.resize(level.nodes), level.t.resize(level.nodes);
    level.power.resize(level.nodes);
    level.dot.resize(level.nodes);

    graph = Graph();
    graph.points = level.nodes;
    graph.live.assign(level.nodes, false);
    std::fill(graph.live.begin(), graph.live.begin() + count, true);
    graph.neighbours.resize(level.nodes);
    for (const BlockPair& b : blocks)
      if (b.a != b.b) graph.neighbours[b.a].push_back(b.b), graph.neighbours[b.b].push_back(b.a);
    live = count;
    levels.push_back(std::move(level));
  }
  return levels;
}

std::size_t CoarseLevel::bytes() const {
  return down.bytes() + up.bytes() + list.bytes() + rows.bytes() +
         bytesOf(down_point, down_weight, up_node, up_weight, source, weight, block_mass, block_bend, place,
                 block, row_node, row, inverse, r, z, t, dot, power);
}

}  // namespace repose
