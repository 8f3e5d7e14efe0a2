// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/grain_grid.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/vectors.h"

namespace repose {

namespace {

constexpr int kChunk = RE_GRID_CHUNK;  // grains an item handles
constexpr float kCellSlack = 1.1f;     // cell over the greatest diameter of its grains
constexpr int kCellsPerGrain = 8;      // that a table may have
constexpr int kLeastTable = 1 << 16;
constexpr int kPadding = 16;    // entries that the search may read behind the last grain
constexpr int kFirstRoom = 8;   // partners of a grain to begin with
constexpr int kSpareShare = 4;  // a slice that grows has a fourth more than it needs
constexpr int kMany = 1 << 17;  // grains whose velocities are more than the caches near a core hold

int chunksOf(std::size_t count) { return static_cast<int>((count + kChunk - 1) / kChunk); }

}  // namespace

GrainGrid::GrainGrid(const std::vector<float>& level_radii) : level_box_(level_radii.size()) {
  static_assert(sizeof(LevelBox) == RE_GRID_BOX_INTS * sizeof(int));
  static_assert(sizeof(Part) == RE_GRID_PART_INTS * sizeof(int));
  for (const float radius : level_radii) {
    const float cell = 2 * kCellSlack * radius;
    level_form_.push_back({radius, 1 / cell, 0, 1});
  }
}

void GrainGrid::Part::add(const Part& other) {
  count += other.count;
  lo = {std::min(lo.x, other.lo.x), std::min(lo.y, other.lo.y), std::min(lo.z, other.lo.z)};
  hi = {std::max(hi.x, other.hi.x), std::max(hi.y, other.hi.y), std::max(hi.z, other.hi.z)};
}

// Many grains are counted along their longest side last, so that neighbours are not far apart in the order
// and contacts can be solved tile by tile (solve/contact/contact_batch.h); a few layer by layer. Sides of
// like length do not take turns.
int GrainGrid::Part::slowAxis() const {
  const int x = hi.x - lo.x, y = hi.y - lo.y, z = hi.z - lo.z;
  const auto longer = [](int a, int b) { return a > b + b / 8; };
  if (count < kMany || !longer(std::max(x, z), y)) return 1;
  return longer(z, x) ? 2 : 0;
}

void GrainGrid::placeLevel(LevelBox& level, const Part& sum, int first, std::uint64_t& cells) {
  level.first = first, level.end = first + sum.count;
  level.lo = sum.lo;
  level.size = sum.count ? Cell{sum.hi.x - sum.lo.x + 1, sum.hi.y - sum.lo.y + 1, sum.hi.z - sum.lo.z + 1}
                         : Cell{0, 0, 0};
  level_key_.push_back(level_key_.back() + level.keys());
  const std::uint64_t most =
      static_cast<std::uint64_t>(kLeastTable) + static_cast<std::uint64_t>(kCellsPerGrain) * sum.count;
  const std::uint64_t end = cells + level.keys() + 1;
  level.table = -1;
  if (level.keys() > most || end > std::numeric_limits<int>::max()) return;
  level.table = static_cast<int>(cells);
  cells = end;
}

// How many grains each level has, and the box of cells around them.
void GrainGrid::measureLevels(const std::vector<Vec4f>& x, Backend& backend) {
  const int chunks = chunksOf(x.size());
  parts_.resize(static_cast<std::size_t>(chunks) * levels());
  grid_measure_args args;
  args.x = x.data(), args.count = static_cast<int>(x.size());
  args.level_form = level_form_.data(), args.level_box = boxes(), args.levels = levels();
  args.part = reinterpret_cast<int*>(parts_.data());
  backend.launch(chunks, args);
  level_key_.assign(1, 0);
  int first = 0;
  std::uint64_t cells = 0;
  for (int l = 0; l < levels(); ++l) {
    Part sum;
    for (int chunk = 0; chunk < chunks; ++chunk)
      sum.add(parts_[static_cast<std::size_t>(chunk) * levels() + l]);
    const int slow_axis = sum.slowAxis();
    level_form_[l].w = static_cast<float>(slow_axis);
    if (slow_axis == 0) std::swap(sum.lo.x, sum.lo.y), std::swap(sum.hi.x, sum.hi.y);
    if (slow_axis == 2) std::swap(sum.lo.z, sum.lo.y), std::swap(sum.hi.z, sum.hi.y);
    placeLevel(level_box_[l], sum, first, cells);
    first += sum.count;
  }
  cell_start_.resize(cells);
}

bool GrainGrid::makeKeys(const std::vector<Vec4f>& x, Backend& backend, std::vector<int>& order) {
  const int chunks = chunksOf(x.size());
  key_.resize(x.size()), order.resize(x.size()), chunk_sum_.resize(chunks);
  grid_keys_args args;
  args.x = x.data(), args.count = static_cast<int>(x.size());
  args.level_form = level_form_.data(), args.level_box = boxes(), args.levels = levels();
  args.level_key = level_key_.data();
  args.key = key_.data(), args.order = order.data(), args.sorted = chunk_sum_.data();
  backend.launch(chunks, args);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const std::size_t begin = static_cast<std::size_t>(chunk) * kChunk;
    if (!chunk_sum_[chunk] || (chunk > 0 && key_[begin - 1] > key_[begin])) return false;
  }
  return true;
}

// Stable, from the lowest digit; chunks are counted and scattered side by side.
void GrainGrid::radixSort(int bits, Backend& backend, std::vector<int>& order) {
  constexpr int kBuckets = 1 << RE_GRID_DIGIT;
  const std::size_t n = key_.size();
  const int chunks = static_cast<int>((n + RE_GRID_SORT_CHUNK - 1) / RE_GRID_SORT_CHUNK);
  order_next_.resize(n), key_next_.resize(n);
  histogram_.resize(static_cast<std::size_t>(chunks) * kBuckets);
  for (int shift = 0; shift < bits; shift += RE_GRID_DIGIT) {
    grid_count_args count;
    count.key = key_.data(), count.bucket = histogram_.data();
    count.count = static_cast<int>(n), count.shift = shift;
    backend.launch(chunks, count);
    int sum = 0;
    for (int b = 0; b < kBuckets; ++b)
      for (int chunk = 0; chunk < chunks; ++chunk) {
        int& bucket = histogram_[static_cast<std::size_t>(chunk) * kBuckets + b];
        const int here = bucket;
        bucket = sum;
        sum += here;
      }
    grid_scatter_args scatter;
    scatter.key = key_.data(), scatter.order = order.data(), scatter.bucket = histogram_.data();
    scatter.key_to = key_next_.data(), scatter.order_to = order_next_.data();
    scatter.count = static_cast<int>(n), scatter.shift = shift;
    backend.launch(chunks, scatter);
    key_.swap(key_next_);
    order.swap(order_next_);
  }
}

void GrainGrid::makeTables(Backend& backend) {
  for (int l = 0; l < levels(); ++l) {
    const LevelBox& level = level_box_[l];
    if (level.table < 0) continue;
    grid_table_args args;
    args.key = key_.data(), args.level_key = level_key_.data(), args.cell_start = cell_start_.data();
    args.level = l, args.first_grain = level.first, args.count = level.end - level.first;
    args.table = level.table;
    backend.launch(args.count + 1, args);
  }
}

bool GrainGrid::sort(const std::vector<Vec4f>& x, Backend& backend, std::vector<int>& order) {
  measureLevels(x, backend);
  const bool moved = !makeKeys(x, backend, order);
  int bits = 0;
  while (bits < 64 && (level_key_.back() >> bits) > 0) ++bits;
  if (moved) radixSort(bits, backend, order);
  makeTables(backend);
  return moved;
}

void GrainGrid::spread(const std::vector<Vec4f>& x, const std::vector<float>& extent, Backend& backend) {
  const int chunks = chunksOf(x.size());
  for (std::vector<float>* values : {&x_, &y_, &z_, &extent_}) values->resize(x.size() + kPadding);
  fast_.resize(x.size());
  const std::size_t parts = static_cast<std::size_t>(chunks) * levels();
  chunk_reach_.resize(parts), chunk_sum_.resize(parts);
  grid_spread_args args;
  args.grain = x.data(), args.extent_of = extent.data(), args.count = static_cast<int>(x.size());
  args.level_form = level_form_.data(), args.level_box = boxes(), args.levels = levels();
  args.x = x_.data(), args.y = y_.data(), args.z = z_.data();
  args.extent = extent_.data(), args.fast = fast_.data();
  args.part_reach = chunk_reach_.data(), args.part_fast = chunk_sum_.data();
  backend.launch(chunks, args);
  for (int l = 0; l < levels(); ++l) {
    level_form_[l].z = 0, level_box_[l].has_fast = 0;
    for (std::size_t part = l; part < parts; part += levels()) {
      level_form_[l].z = std::max(level_form_[l].z, chunk_reach_[part]);
      level_box_[l].has_fast |= chunk_sum_[part];
    }
  }
}

bool GrainGrid::giveRoom(int chunks) {
  bool grew = false;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int needed = chunk_found_[chunk];
    if (needed <= room_[chunk]) continue;
    room_[chunk] = needed + needed / kSpareShare;
    grew = true;
  }
  return grew;
}

void GrainGrid::search(int count, Backend& backend, std::vector<int>& first) {
  const int chunks = chunksOf(count);
  if (static_cast<int>(room_.size()) < chunks) room_.resize(chunks, kFirstRoom * kChunk);
  slice_.assign(chunks + 1, 0), chunk_found_.assign(chunks, 0);
  do {
    for (int chunk = 0; chunk < chunks; ++chunk) slice_[chunk + 1] = slice_[chunk] + room_[chunk];
    if (static_cast<int>(slices_.size()) < slice_[chunks]) slices_.resize(slice_[chunks]);
    grid_search_args args;
    args.x = x_.data(), args.y = y_.data(), args.z = z_.data();
    args.extent = extent_.data(), args.fast = fast_.data(), args.count = count;
    args.level_form = level_form_.data(), args.level_box = boxes(), args.levels = levels();
    args.key = key_.data(), args.level_key = level_key_.data(), args.cell_start = cell_start_.data();
    args.slice = slice_.data(), args.partner = slices_.data();
    args.first_of = first.data(), args.found = chunk_found_.data();
    backend.launch(chunks, args);
  } while (giveRoom(chunks));
}

void GrainGrid::findPairs(const std::vector<Vec4f>& x, const std::vector<float>& extent, Backend& backend,
                          Pairs& found) {
  const int count = static_cast<int>(x.size()), chunks = chunksOf(x.size());
  found.first.resize(x.size() + 1);
  spread(x, extent, backend);
  search(count, backend, found.first);
  chunk_sum_.resize(chunks + 1);
  chunk_sum_[0] = 0;
  for (int chunk = 0; chunk < chunks; ++chunk)
    chunk_sum_[chunk + 1] = chunk_sum_[chunk] + chunk_found_[chunk];
  found.first[count] = chunk_sum_[chunks];
  found.partner.resize(found.first[count]);
  grid_pack_args args;
  args.slice = slice_.data(), args.list = slices_.data(), args.list_start = chunk_sum_.data();
  args.first_of = found.first.data(), args.partner = found.partner.data(), args.count = count;
  backend.launch(chunks, args);
}

std::size_t GrainGrid::bytes() const {
  return bytesOf(level_form_, level_box_, level_key_, key_, key_next_, order_next_, histogram_, cell_start_,
                 parts_, x_, y_, z_, extent_, fast_, slices_, room_, slice_, chunk_found_, chunk_sum_,
                 chunk_reach_);
}

}  // namespace repose
