// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contact_batch.h"

#include <algorithm>

#include "base/vectors.h"

namespace repose {

namespace {

constexpr int kMaskColours = 64;
constexpr int kChunk = 8192;  // contacts a task handles

}  // namespace

void ContactBatch::giveColours(int contacts, const std::vector<int>& mover, int mover_count, RowOrder order) {
  colour_of_.resize(contacts);
  colours.clear();
  used_.assign(mover_count, 0);
  next_.clear();
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
      if (next_.empty()) next_.assign(mover_count, kMaskColours);
      colour = kMaskColours;
      for (int k = 0; k < movers_; ++k) colour = std::max(colour, next_[m[k]]);
      for (int k = 0; k < movers_; ++k) next_[m[k]] = colour + 1;
    }
    colour_of_[c] = colour;
    if (colour >= static_cast<int>(colours.size())) colours.resize(colour + 1, {0, 0});
    ++colours[colour].end;
  }
}

void ContactBatch::splitRough(const std::vector<int>& mover, const std::vector<unsigned char>& rough) {
  colours.assign(2 * colours.size(), {0, 0});
  for (std::size_t c = 0; c < colour_of_.size(); ++c) {
    const int* m = mover.data() + c * movers_;
    const bool is_rough = std::any_of(m, m + movers_, [&](int k) { return rough[k] != 0; });
    colour_of_[c] = 2 * colour_of_[c] + !is_rough;
    ++colours[colour_of_[c]].end;
  }
  for (std::size_t k = 0; k < colours.size(); k += 2) colours[k].rough = true;
}

void ContactBatch::giveRows(bool with_extra, Backend& backend) {
  const int contacts = static_cast<int>(colour_of_.size());
  row_of.resize(contacts);
  int row = 0;
  for (Colour& colour : colours) {
    const int count = colour.end;
    colour.first = row, colour.end = row + count;
    row += (count + 15) / 16 * 16;
  }
  rows.resize(row);
  extra.resize(with_extra ? row : 0);

  // chunks are counted and numbered side by side, unless there are more colours than that pays for
  const int kinds = static_cast<int>(colours.size());
  const int chunk_size = kinds > kMaskColours ? contacts : kChunk;
  const int chunks = contacts ? (contacts + chunk_size - 1) / chunk_size : 0;
  chunk_count_.assign(static_cast<std::size_t>(chunks) * kinds, 0);
  backend.forChunks(chunks, [&](int chunk) {
    int* count = chunk_count_.data() + static_cast<std::size_t>(chunk) * kinds;
    const int end = std::min(contacts, (chunk + 1) * chunk_size);
    for (int c = chunk * chunk_size; c < end; ++c) ++count[colour_of_[c]];
  });
  for (int colour = 0; colour < kinds; ++colour) {
    int first = colours[colour].first;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      int& count = chunk_count_[static_cast<std::size_t>(chunk) * kinds + colour];
      const int here = count;
      count = first;
      first += here;
    }
  }
  backend.forChunks(chunks, [&](int chunk) {
    int* next = chunk_count_.data() + static_cast<std::size_t>(chunk) * kinds;
    const int end = std::min(contacts, (chunk + 1) * chunk_size);
    for (int c = chunk * chunk_size; c < end; ++c) row_of[c] = next[colour_of_[c]]++;
  });
}

void ContactBatch::pad(int nobody) {
  for (const Colour colour : colours)
    for (int row = colour.end; row % 16 != 0; ++row) {
      for (int k = 0; k < movers_; ++k) rows.mover(row, k) = nobody;
      rows.clear(row);
      if (extra.size() > 0) extra.clear(row);
      if (lever.size() > 0) lever.mover(row, 0) = 0, lever.clear(row);
    }
}

std::size_t ContactBatch::bytes() const {
  return rows.bytes() + extra.bytes() + lever.bytes() +
         bytesOf(used_, next_, colour_of_, row_of, chunk_count_, colours);
}

}  // namespace repose
