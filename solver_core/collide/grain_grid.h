// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Broad phase of grains: puts them in space order by a stable counting sort on cells, then finds who is near.
// Each level holds grains of like size in cells of its own; cells start at the origin of the world and their
// size is that of the level alone, so that what lies far away changes neither order nor bits. A level whose
// grains are too far apart for a table of cells is searched by bisection: the domain has no bounds.
#pragma once
#include <cstdint>
#include <vector>

#include "backend/backend.h"
#include "base/types.h"

namespace repose {

class GrainGrid {
 public:
  // Greatest radius of the grains in each level, ascending [m].
  explicit GrainGrid(const std::vector<float>& level_radii);

  // order[k]: which grain comes k-th; levels ascending, in each y, then z, then x, then the order so far.
  // False when they stand in that order already.
  bool sort(const std::vector<Vec4f>& x, Backend& backend, std::vector<int>& order);
  // The grains stand in that order now. extent: how far each reaches, radius and margin [m]. Two grains are
  // near when their extents overlap; `found` lists each pair once, with the grain that found it: its partners
  // are partner[first[i]] to partner[first[i+1]]. Of two slow grains of a level, whose margins are at most
  // kSlow of their radius, the first finds the second; a fast one finds all slow ones; across levels the
  // smaller one finds.
  struct Pairs {
    std::vector<int> first, partner;
  };
  static constexpr float kSlow = 0.1f;
  void findPairs(const std::vector<Vec4f>& x, const std::vector<float>& extent, Backend& backend,
                 Pairs& found);

  // Farthest cell from the origin: that of a grain at the end of its world (kWorldRadii of model/state.h).
  static constexpr int kFarthestCell = 1 << 19;
  std::size_t bytes() const;

 private:
  struct Cell {
    int x, y, z;
  };
  struct Level {
    float radius, cell, inv_cell;
    int first = 0, count = 0;         // grains
    Cell lo{0, 0, 0}, size{0, 0, 0};  // of the cells in use
    bool table = false;               // start holds the first grain of each cell
    std::vector<int> start;
    float reach = 0;        // greatest extent of its grains [m]
    bool has_fast = false;  // some margin is greater than kSlow

    Cell cellOf(Vec4f p) const;
    std::uint64_t keyOf(Cell c) const {
      return (static_cast<std::uint64_t>(c.y - lo.y) * size.z + (c.z - lo.z)) * size.x + (c.x - lo.x);
    }
    std::uint64_t keys() const { return static_cast<std::uint64_t>(size.x) * size.y * size.z; }
  };
  // What a chunk of grains has in a level.
  struct Part {
    int count = 0;
    Cell lo{kFarthestCell, kFarthestCell, kFarthestCell}, hi{-kFarthestCell, -kFarthestCell, -kFarthestCell};
  };
  int levelOf(float radius) const;
  void measureLevels(const std::vector<Vec4f>& x, Backend& backend);
  void makeKeys(const std::vector<Vec4f>& x, Backend& backend, std::vector<int>& order);
  bool isSorted(Backend& backend);
  void radixSort(int bits, Backend& backend, std::vector<int>& order);
  void makeTables(Backend& backend);
  // [first, end) of the grains in the cells x0..x1 of a row.
  void rowRange(const Level& level, int y, int z, int x0, int x1, int& first, int& end) const;
  // Writes the grains of [first, end) near grain i behind `out`; returns the end of what is written.
  int* scan(int i, float mine, int first, int end, int* out) const;
  void searchGrain(int i, std::vector<int>& list, int& used) const;

  std::vector<Level> level_;
  std::vector<std::uint64_t> key_, key_next_;
  std::vector<int> order_next_;
  std::vector<int> histogram_;
  std::vector<Part> parts_;
  // Of the grains in their order, and a few more that are nowhere: what the search looks at.
  std::vector<float> x_, y_, z_, extent_;
  std::vector<char> fast_;
  std::vector<std::vector<int>> chunk_found_;  // partners, chunk by chunk
  std::vector<int> chunk_sum_;
  std::vector<float> chunk_reach_;
  std::vector<std::uint64_t> level_key_;  // first key of each level
};

}  // namespace repose
