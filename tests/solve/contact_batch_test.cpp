// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rows of contacts in colours, and in tiles of colours where they are many.
#include "solve/contact/contact_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
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
    giveRows(mover, false, *backend);
    pad(mover_count);
  }
  int whole_colours = 0;
  // The launch that a contact's row is in.
  std::vector<int> launchOf() const {
    std::vector<int> launch_of(row_of.size(), -1), of_row(rows.size(), -1);
    for (std::size_t k = 0; k < colours.size(); ++k)
      std::fill(of_row.begin() + colours[k].first, of_row.begin() + colours[k].end, static_cast<int>(k));
    for (std::size_t c = 0; c < row_of.size(); ++c) launch_of[c] = of_row[row_of[c]];
    return launch_of;
  }
};

// The order in which the contacts of each mover are solved decides the bits: it is that of greedy colours.
void expectOrderOfColours(const std::vector<int>& mover, int mover_count, const std::vector<int>& launch_of) {
  std::vector<std::vector<int>> taken(mover_count);  // colours of a mover
  std::vector<std::vector<std::pair<int, int>>> visits(mover_count);
  for (std::size_t c = 0; c < launch_of.size(); ++c) {
    const int a = mover[2 * c], b = mover[2 * c + 1];
    const auto has = [&](int m, int k) { return std::count(taken[m].begin(), taken[m].end(), k) > 0; };
    int colour = 0;
    while (has(a, colour) || has(b, colour)) ++colour;
    for (const int m : {a, b}) taken[m].push_back(colour), visits[m].emplace_back(colour, launch_of[c]);
  }
  for (std::vector<std::pair<int, int>>& of_mover : visits) {
    std::sort(of_mover.begin(), of_mover.end());
    for (std::size_t k = 1; k < of_mover.size(); ++k) ASSERT_LT(of_mover[k - 1].second, of_mover[k].second);
  }
}

TEST(ContactBatch, ManyRowsAreSolvedTileByTileInTheOrderOfTheirColours) {
  const int slabs = 400, rows = 40, columns = 50, count = slabs * rows * columns;
  const std::vector<int> mover = latticePairs(slabs, rows, columns);
  const Batch batch(mover, count);
  EXPECT_GT(static_cast<int>(batch.colours.size()), 10 * batch.whole_colours);
  const std::vector<int> rows_of = batch.row_of;
  EXPECT_EQ(std::set<int>(rows_of.begin(), rows_of.end()).size(), rows_of.size());
  const std::vector<int> launch_of = batch.launchOf();
  EXPECT_EQ(std::count(launch_of.begin(), launch_of.end(), -1), 0);
  expectOrderOfColours(mover, count, launch_of);
  // one row behind another as they are solved, each launch from a multiple of 16 on
  for (std::size_t k = 0; k < batch.colours.size(); ++k) {
    EXPECT_EQ(batch.colours[k].first, k ? (batch.colours[k - 1].end + 15) / 16 * 16 : 0);
    EXPECT_LT(batch.colours[k].first, batch.colours[k].end);
  }
}

TEST(ContactBatch, FewRowsAndThoseThatReachFarAreOneLaunchAColour) {
  const std::vector<int> few = latticePairs(10, 10, 10);
  const Batch small(few, 1000);
  EXPECT_EQ(static_cast<int>(small.colours.size()), small.whole_colours);
  expectOrderOfColours(few, 1000, small.launchOf());
  // every mover also with one from the other end
  std::vector<int> far = latticePairs(300, 20, 20);
  for (int m = 0; m < 60000; ++m) far.push_back(m), far.push_back(119999 - m);
  const Batch wide(far, 120000);
  EXPECT_EQ(static_cast<int>(wide.colours.size()), wide.whole_colours);
  expectOrderOfColours(far, 120000, wide.launchOf());
}

TEST(ContactBatch, NoContactsHaveNoRows) {
  const Batch none({}, 16);
  EXPECT_TRUE(none.colours.empty());
  EXPECT_EQ(none.rows.size(), 0);
}

}  // namespace
}  // namespace repose
