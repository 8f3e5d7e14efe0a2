// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Broad phase of grains: puts them in space order by a stable counting sort on cells, then finds who is near.
// Each level holds grains of like size in cells of its own; cells start at the origin of the world and their
// size is that of the level alone, so that what lies far away changes neither order nor bits. A level whose
// grains are too far apart for a table of cells is searched by bisection: the domain has no bounds. All that
// looks at every grain is a kernel (kernel/grain_grid.h); the host adds up what chunks and levels have.
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
  static constexpr float kSlow = RE_GRID_SLOW;
  void findPairs(const std::vector<Vec4f>& x, const std::vector<float>& extent, Backend& backend,
                 Pairs& found);

  // Farthest cell from the origin: that of a grain at the end of its world (kWorldRadii of model/state.h).
  static constexpr int kFarthestCell = RE_GRID_FARTHEST;
  std::size_t bytes() const;

 private:
  struct Cell {
    int x, y, z;
  };
  // A level as the kernels read it.
  struct LevelBox {
    int first = 0, end = 0;           // grains
    Cell lo{0, 0, 0}, size{0, 0, 0};  // of the cells in use
    int table = -1;                   // where its first cell is in cell_start_; -1: it has no table
    int has_fast = 0;                 // some margin is greater than kSlow
    std::uint64_t keys() const { return static_cast<std::uint64_t>(size.x) * size.y * size.z; }
  };
  // What a chunk of grains has in a level.
  struct Part {
    int count = 0;
    Cell lo{kFarthestCell, kFarthestCell, kFarthestCell}, hi{-kFarthestCell, -kFarthestCell, -kFarthestCell};
    void add(const Part& other);
    int slowAxis() const;  // 0 x, 1 y, 2 z: that which keys count last
  };
  int levels() const { return static_cast<int>(level_box_.size()); }
  const int* boxes() const { return reinterpret_cast<const int*>(level_box_.data()); }
  void measureLevels(const std::vector<Vec4f>& x, Backend& backend);
  // first: its first grain; cells: of all tables so far.
  void placeLevel(LevelBox& level, const Part& sum, int first, std::uint64_t& cells);
  // False when the grains do not stand in the order of their keys.
  bool makeKeys(const std::vector<Vec4f>& x, Backend& backend, std::vector<int>& order);
  void radixSort(int bits, Backend& backend, std::vector<int>& order);
  void makeTables(Backend& backend);
  void spread(const std::vector<Vec4f>& x, const std::vector<float>& extent, Backend& backend);
  // Finds the partners, chunk by chunk, in slices_.
  void search(int count, Backend& backend, std::vector<int>& first);
  bool giveRoom(int chunks);  // true when some chunk had too little

  // Of each level: greatest radius, 1/cell, reach, which is its greatest extent, and the axis that keys count
  // last.
  std::vector<Vec4f> level_form_;
  std::vector<LevelBox> level_box_;
  std::vector<std::uint64_t> level_key_;  // first key of each level
  std::vector<std::uint64_t> key_, key_next_;
  std::vector<int> order_next_;
  std::vector<int> histogram_;
  std::vector<int> cell_start_;  // first grain of each cell, of all levels that have a table
  std::vector<Part> parts_;
  // Of the grains in their order, and a few more that are nowhere: what the search looks at.
  std::vector<float> x_, y_, z_, extent_;
  std::vector<char> fast_;
  std::vector<int> slices_;        // partners, chunk by chunk
  std::vector<int> room_, slice_;  // of each chunk: how many its slice holds, where that begins
  std::vector<int> chunk_found_;   // how many it needs
  std::vector<int> chunk_sum_;
  std::vector<float> chunk_reach_;
};

}  // namespace repose
