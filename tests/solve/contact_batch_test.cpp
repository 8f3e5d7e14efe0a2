// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rows of contacts in colours, and in tiles where they are many.
#include "solve/contact/contact_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

namespace repose {
namespace {

// Pairs of a lattice, each mover with the next ones along three axes, in the order of the first.
std::vector<int> latticePairs(int slabs, int rows, int columns) {
  std::vector<int> mover;
  const int steps[] = {1, columns, rows * columns}, count = slabs * rows * columns;
  for (int m = 0; m < count; ++m)
    for (const int step : steps)
      if (m + step < count) mover.push_back(m), mover.push_back(m + step);
  return mover;
}

struct Batch : ContactBatch {
  Batch(const std::vector<int>& mover, int mover_count) : ContactBatch(2, kPairFields) {
    const auto backend = makeTbbBackend(2);
    giveColours(static_cast<int>(mover.size() / 2), mover, mover_count, RowOrder::coloured);
    whole_colours = static_cast<int>(colours.size());
    giveRowsInTiles(mover, false, *backend);
    pad(mover_count);
  }
  int whole_colours = 0;
  // What each row is in: its tile and its colour.
  std::vector<std::pair<int, int>> placeOf() const {
    std::vector<std::pair<int, int>> place_of(rows.size(), {-1, -1});
    for (int tile = 0; tile < tiles(); ++tile)
      for (int c = tile_first[tile]; c < tile_first[tile + 1]; ++c)
        for (int row = colours[c].first; row < colours[c].end; ++row) place_of[row] = {tile, c};
    return place_of;
  }
};

// Each contact has a row of its own, in a colour in which none of its movers has another.
void expectColours(const std::vector<int>& mover, const Batch& batch) {
  const auto place_of = batch.placeOf();
  EXPECT_EQ(std::set<int>(batch.row_of.begin(), batch.row_of.end()).size(), batch.row_of.size());
  std::set<std::pair<int, int>> seen;  // colour of a tile, mover
  for (std::size_t c = 0; c < batch.row_of.size(); ++c) {
    const int colour = place_of[batch.row_of[c]].second;
    ASSERT_GE(colour, 0);
    ASSERT_TRUE(seen.emplace(colour, mover[2 * c]).second);
    ASSERT_TRUE(seen.emplace(colour, mover[2 * c + 1]).second);
  }
  // one row behind another as they are solved, each colour from a multiple of 16 on
  for (std::size_t k = 0; k < batch.colours.size(); ++k) {
    EXPECT_EQ(batch.colours[k].first, k ? (batch.colours[k - 1].end + 15) / 16 * 16 : 0);
    EXPECT_LT(batch.colours[k].first, batch.colours[k].end);
  }
}

// The order in which the contacts of each mover are solved decides the bits: within a tile it is that of
// greedy colours.
void expectOrderOfColours(const std::vector<int>& mover, int mover_count, const Batch& batch) {
  const auto place_of = batch.placeOf();
  std::vector<std::vector<int>> taken(mover_count);                  // colours of a mover
  std::vector<std::vector<std::array<int, 3>>> visits(mover_count);  // tile, colour, launch
  for (std::size_t c = 0; c < batch.row_of.size(); ++c) {
    const int a = mover[2 * c], b = mover[2 * c + 1];
    const auto has = [&](int m, int k) { return std::count(taken[m].begin(), taken[m].end(), k) > 0; };
    int colour = 0;
    while (has(a, colour) || has(b, colour)) ++colour;
    const auto [tile, launch] = place_of[batch.row_of[c]];
    for (const int m : {a, b}) taken[m].push_back(colour), visits[m].push_back({tile, colour, launch});
  }
  for (std::vector<std::array<int, 3>>& of_mover : visits) {
    std::sort(of_mover.begin(), of_mover.end());
    for (std::size_t k = 1; k < of_mover.size(); ++k) ASSERT_LT(of_mover[k - 1][2], of_mover[k][2]);
  }
}

TEST(ContactBatch, OnlyTilesSideBySideShareMovers) {
  const int slabs = 400, rows = 30, columns = 40, count = slabs * rows * columns;
  const std::vector<int> mover = latticePairs(slabs, rows, columns);
  const Batch batch(mover, count);
  EXPECT_GE(batch.tiles(), 64);
  expectColours(mover, batch);
  expectOrderOfColours(mover, count, batch);
  const auto place_of = batch.placeOf();
  std::vector<int> least(count, batch.tiles()), greatest(count, -1);
  for (std::size_t c = 0; c < batch.row_of.size(); ++c)
    for (const int m : {mover[2 * c], mover[2 * c + 1]}) {
      least[m] = std::min(least[m], place_of[batch.row_of[c]].first);
      greatest[m] = std::max(greatest[m], place_of[batch.row_of[c]].first);
    }
  for (int m = 0; m < count; ++m) ASSERT_LE(greatest[m], least[m] + 1) << m;
}

TEST(ContactBatch, FewRowsAndThoseThatReachFarAreNotCut) {
  const std::vector<int> few = latticePairs(10, 10, 10);
  const Batch small(few, 1000);
  EXPECT_EQ(small.tiles(), 1);
  EXPECT_EQ(static_cast<int>(small.colours.size()), small.whole_colours);
  expectColours(few, small);
  expectOrderOfColours(few, 1000, small);
  // every mover also with one from the other end
  const int count = 200000;
  std::vector<int> far = latticePairs(500, 20, 20);
  for (int m = 0; m < count / 2; ++m) far.push_back(m), far.push_back(count - 1 - m);
  const Batch wide(far, count);
  EXPECT_EQ(wide.tiles(), 1);
  EXPECT_EQ(static_cast<int>(wide.colours.size()), wide.whole_colours);
  expectColours(far, wide);
  expectOrderOfColours(far, count, wide);
}

// In stretches of the list, two of each thread or more, so that threads keep to their part of it.
TEST(ContactBatch, RowsOfAStretchOfAColourComeByTheirRanks) {
  const std::vector<int> mover = latticePairs(10, 20, 20);
  const int count = static_cast<int>(mover.size() / 2);
  std::vector<unsigned char> rank(count);
  for (int c = 0; c < count; ++c) rank[c] = static_cast<unsigned char>(c * 7 % ContactBatch::kRanks);
  Batch batch(mover, 4000);
  const auto unranked = batch.placeOf();
  const std::vector<int> before = batch.row_of;
  for (const auto& [threads, stretches] : {std::pair{1, 2}, std::pair{2, 6}}) {
    batch.giveColours(count, mover, 4000, RowOrder::coloured);
    batch.giveRows(false, *makeTbbBackend(threads), rank);
    expectColours(mover, batch);
    const auto place_of = batch.placeOf();
    std::vector<int> contact_of(batch.rows.size(), -1);
    for (int c = 0; c < count; ++c) {
      contact_of[batch.row_of[c]] = c;
      EXPECT_EQ(place_of[batch.row_of[c]], unranked[before[c]]);  // the colour is that of before
    }
    std::size_t most = 0;
    for (const ContactBatch::Colour& colour : batch.colours) {
      std::vector<std::pair<int, int>> found;  // least and greatest contact of each stretch
      for (int row = colour.first; row < colour.end; ++row) {
        const int here = contact_of[row], last = row > colour.first ? contact_of[row - 1] : -1;
        if (last < 0 || rank[here] < rank[last]) {
          found.emplace_back(here, here);
        } else {
          ASSERT_TRUE(rank[last] < rank[here] || last < here);
          found.back() = {std::min(found.back().first, here), std::max(found.back().second, here)};
        }
      }
      for (std::size_t k = 1; k < found.size(); ++k) ASSERT_LT(found[k - 1].second, found[k].first);
      most = std::max(most, found.size());
    }
    EXPECT_EQ(most, static_cast<std::size_t>(stretches));
  }
}

TEST(ContactBatch, NoContactsHaveNoRows) {
  const Batch none({}, 16);
  EXPECT_TRUE(none.colours.empty());
  EXPECT_EQ(none.rows.size(), 0);
}

}  // namespace
}  // namespace repose
