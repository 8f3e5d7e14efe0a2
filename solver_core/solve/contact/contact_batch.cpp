// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contact_batch.h"

#include <algorithm>
#include <limits>

#include "base/vectors.h"

namespace repose {

namespace {

constexpr int kMaskColours = 64;
constexpr int kChunk = 2048;     // contacts a task handles
constexpr int kLeastInTile = 4;  // chunks
constexpr int kLeastTiles = 64;  // half of them are all that threads can share
constexpr int kStretches = 2;    // of each thread

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
  for (std::size_t k = 0; k < colours.size(); k += 2) colours[k].rough = 1;
}

int ContactBatch::chunksInTile(const std::vector<int>& mover, Backend& backend) {
  const int contacts = static_cast<int>(colour_of_.size()), chunks = (contacts + kChunk - 1) / kChunk;
  const int kinds = static_cast<int>(colours.size());
  if (chunks < kLeastTiles * kLeastInTile || kinds < 2 || kinds > kMaskColours) return chunks;
  chunk_movers_.resize(chunks);
  backend.forChunks(chunks, [&](int chunk) {
    const auto at = [&](int contact) {
      return mover.begin() + static_cast<std::ptrdiff_t>(std::min(contact, contacts)) * movers_;
    };
    const auto [least, greatest] = std::minmax_element(at(chunk * kChunk), at((chunk + 1) * kChunk));
    chunk_movers_[chunk] = {*least, *greatest};
  });
  // chunks further apart than `reach` have no mover in common
  least_from_.assign(chunks + 1, std::numeric_limits<int>::max());
  for (int k = chunks - 1; k >= 0; --k) least_from_[k] = std::min(chunk_movers_[k].first, least_from_[k + 1]);
  int reach = 0, last = 0, greatest = 0;
  for (int k = 0; k < chunks; ++k) {
    greatest = std::max(greatest, chunk_movers_[k].second);
    while (last + 1 < chunks && least_from_[last + 1] <= greatest) ++last;
    reach = std::max(reach, last - k);
  }
  const int tile = std::max(reach, kLeastInTile);
  return tile * kLeastTiles <= chunks ? tile : chunks;
}

void ContactBatch::numberRows(int chunks_in_tile, bool with_extra, Backend& backend,
                              const std::vector<unsigned char>& rank) {
  const int contacts = static_cast<int>(colour_of_.size()), kinds = static_cast<int>(colours.size());
  const int ranks = rank.empty() ? 1 : kRanks;
  // chunks are counted and numbered side by side, unless there are more colours than that pays for
  const int chunk_size = kinds > kMaskColours ? contacts : kChunk;
  const int chunks = contacts ? (contacts + chunk_size - 1) / chunk_size : 0;
  const auto endOf = [&](int chunk) { return std::min(contacts, (chunk + 1) * chunk_size); };
  const auto countsOf = [&](int chunk) {
    return chunk_count_.data() + static_cast<std::size_t>(chunk) * kinds * ranks;
  };
  const auto kindOf = [&](int c) { return colour_of_[c] * ranks + (ranks > 1 ? rank[c] : 0); };
  chunk_count_.assign(static_cast<std::size_t>(chunks) * kinds * ranks, 0);
  backend.forChunks(chunks, [&](int chunk) {
    int* count = countsOf(chunk);
    for (int c = chunk * chunk_size; c < endOf(chunk); ++c) ++count[kindOf(c)];
  });

  // Ranks are sorted within stretches of the list, as many as a launch has pieces: in every colour a thread
  // meets the same movers.
  const int stretch = std::max(1, chunks / (kStretches * backend.threads()));
  whole_.swap(colours);
  colours.clear(), tile_first.assign(1, 0);
  int row = 0;
  for (int first = 0; first < chunks; first += chunks_in_tile) {
    const int end = std::min(chunks, first + chunks_in_tile);
    for (int colour = 0; colour < kinds; ++colour) {
      const int first_row = row;
      for (int near = first; near < end; near += stretch)
        for (int kind = colour * ranks; kind < (colour + 1) * ranks; ++kind)
          for (int chunk = near; chunk < std::min(end, near + stretch); ++chunk)
            row += std::exchange(countsOf(chunk)[kind], row);
      if (row == first_row) continue;
      colours.push_back({first_row, row, whole_[colour].rough});
      row = (row + 15) / 16 * 16;
    }
    tile_first.push_back(static_cast<int>(colours.size()));
  }
  rows.resize(row);
  extra.resize(with_extra ? row : 0);
  row_of.resize(contacts);
  backend.forChunks(chunks, [&](int chunk) {
    int* next = countsOf(chunk);
    for (int c = chunk * chunk_size; c < endOf(chunk); ++c) row_of[c] = next[kindOf(c)]++;
  });
}

void ContactBatch::giveRows(bool with_extra, Backend& backend, const std::vector<unsigned char>& rank) {
  numberRows(static_cast<int>(colour_of_.size()), with_extra, backend, rank);
}

void ContactBatch::giveRowsInTiles(const std::vector<int>& mover, bool with_extra, Backend& backend) {
  numberRows(std::max(chunksInTile(mover, backend), 1), with_extra, backend);
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
         bytesOf(used_, next_, colour_of_, row_of, chunk_count_, chunk_movers_, least_from_, colours, whole_,
                 tile_first);
}

}  // namespace repose
