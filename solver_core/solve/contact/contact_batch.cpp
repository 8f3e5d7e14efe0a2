// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contact_batch.h"

#include <algorithm>
#include <limits>

#include "base/vectors.h"

namespace repose {

namespace {

constexpr int kMaskColours = 64;
constexpr int kChunk = 8192;   // contacts a task handles
constexpr int kLeastTile = 4;  // chunks: a launch should have enough rows of a colour
// As many tiles as there are colours are visited at a time; fewer than twice as many are not worth it.
constexpr int kTilesAColour = 2;

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

int ContactBatch::chunksInTile(int chunks, int kinds) {
  // chunks further apart than `reach` have no mover in common
  least_from_.assign(chunks + 1, std::numeric_limits<int>::max());
  for (int k = chunks - 1; k >= 0; --k) least_from_[k] = std::min(chunk_movers_[k].first, least_from_[k + 1]);
  int reach = 0, last = 0, greatest = 0;
  for (int k = 0; k < chunks; ++k) {
    greatest = std::max(greatest, chunk_movers_[k].second);
    while (last + 1 < chunks && least_from_[last + 1] <= greatest) ++last;
    reach = std::max(reach, last - k);
  }
  const int tile = std::max(reach, kLeastTile);
  return kinds > 1 && tile * kinds * kTilesAColour < chunks ? tile : std::max(chunks, 1);
}

void ContactBatch::giveRows(const std::vector<int>& mover, bool with_extra, Backend& backend) {
  const int contacts = static_cast<int>(colour_of_.size());
  row_of.resize(contacts);

  // chunks are counted and numbered side by side, unless there are more colours than that pays for
  const int kinds = static_cast<int>(colours.size());
  const int chunk_size = kinds > kMaskColours ? contacts : kChunk;
  const int chunks = contacts ? (contacts + chunk_size - 1) / chunk_size : 0;
  chunk_count_.assign(static_cast<std::size_t>(chunks) * kinds, 0);
  chunk_movers_.resize(chunks);
  backend.forChunks(chunks, [&](int chunk) {
    int* count = chunk_count_.data() + static_cast<std::size_t>(chunk) * kinds;
    const int first = chunk * chunk_size, end = std::min(contacts, first + chunk_size);
    for (int c = first; c < end; ++c) ++count[colour_of_[c]];
    const auto [least, greatest] =
        std::minmax_element(mover.begin() + static_cast<std::ptrdiff_t>(first) * movers_,
                            mover.begin() + static_cast<std::ptrdiff_t>(end) * movers_);
    chunk_movers_[chunk] = {*least, *greatest};
  });

  // in the wave w a colour c has its turn with the tile w - c: all rows of lower colours that share a mover
  // with that tile are in it or in the tiles beside it, and have had theirs
  const int tile_size = backend.launchesAreCheap() ? chunksInTile(chunks, kinds) : std::max(chunks, 1);
  const int tiles = (chunks + tile_size - 1) / tile_size;
  whole_.swap(colours);
  colours.clear();
  int row = 0;
  for (int wave = 0; wave < tiles + kinds - 1; ++wave)
    for (int colour = std::max(0, wave - tiles + 1); colour <= std::min(wave, kinds - 1); ++colour) {
      const int first = row, tile = wave - colour;
      for (int chunk = tile * tile_size; chunk < std::min(chunks, (tile + 1) * tile_size); ++chunk) {
        int& count = chunk_count_[static_cast<std::size_t>(chunk) * kinds + colour];
        const int here = count;
        count = row;
        row += here;
      }
      if (row == first) continue;
      colours.push_back({first, row, whole_[colour].rough});
      row = (row + 15) / 16 * 16;
    }
  rows.resize(row);
  extra.resize(with_extra ? row : 0);

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
         bytesOf(used_, next_, colour_of_, row_of, chunk_count_, chunk_movers_, least_from_, colours, whole_);
}

}  // namespace repose
