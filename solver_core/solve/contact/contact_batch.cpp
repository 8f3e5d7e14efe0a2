// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contact_batch.h"

#include <algorithm>

namespace repose {

namespace {

constexpr int kMaskColours = 64;

}  // namespace

void ContactBatch::arrange(int contacts, const std::vector<int>& mover, int mover_count, RowOrder order,
                           bool with_extra) {
  colour_of_.resize(contacts);
  row_of.resize(contacts);
  colours.clear();
  used_.assign(mover_count, 0);
  next_.assign(mover_count, kMaskColours);
  for (int c = 0; c < contacts; ++c) {
    const int* m = mover.data() + static_cast<std::size_t>(c) * movers_;
    std::uint64_t taken = 0;
    for (int k = 0; k < movers_; ++k) taken |= used_[m[k]];
    int colour;
    if (order != RowOrder::coloured) {
      colour = order == RowOrder::alone ? c : 0;
    } else if (~taken) {
      colour = __builtin_ctzll(~taken);
      for (int k = 0; k < movers_; ++k) used_[m[k]] |= std::uint64_t{1} << colour;
    } else {
      colour = kMaskColours;
      for (int k = 0; k < movers_; ++k) colour = std::max(colour, next_[m[k]]);
      for (int k = 0; k < movers_; ++k) next_[m[k]] = colour + 1;
    }
    colour_of_[c] = colour;
    if (colour >= static_cast<int>(colours.size())) colours.resize(colour + 1, {0, 0});
    ++colours[colour].end;
  }
  int row = 0;
  for (Colour& colour : colours) {
    const int count = colour.end;
    colour = {row, row};
    row += (count + 15) / 16 * 16;
  }
  for (int c = 0; c < contacts; ++c) row_of[c] = colours[colour_of_[c]].end++;
  rows.resize(row);
  extra.resize(with_extra ? row : 0);
}

void ContactBatch::pad(int nobody) {
  for (const Colour colour : colours)
    for (int row = colour.end; row % 16 != 0; ++row) {
      for (int k = 0; k < movers_; ++k) rows.mover(row, k) = nobody;
      rows.clear(row);
      if (extra.size() > 0) extra.clear(row);
    }
}

std::size_t ContactBatch::bytes() const {
  return rows.bytes() + extra.bytes() + used_.capacity() * sizeof(std::uint64_t) +
         (next_.capacity() + colour_of_.capacity() + row_of.capacity()) * sizeof(int) +
         colours.capacity() * sizeof(Colour);
}

}  // namespace repose
