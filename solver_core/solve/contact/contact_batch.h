// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contact rows of one kind, one colour after another: no two rows of a colour share a mover, unless rows are
// solved together, all in one. Very many pairs of grains are cut into tiles of which only those side by side
// share grains. All even tiles come first, each colour by colour, then the odd ones: so every other tile is
// work of its own, and a tile finds its grains in the caches.
#pragma once
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "collide/contact_rows.h"

namespace repose {

enum class RowOrder { coloured, alone, together };

class ContactBatch {
 public:
  ContactBatch(int movers, int fields)
      : rows(movers, fields), extra(0, kExtraFields), lever(1, kLeverFields), movers_(movers) {}

  // Gives `contacts` contacts their colours; mover[c * movers + k] is the k-th mover of contact c. In list
  // order each takes the first colour that none of its movers has, so a contact's colour depends on its
  // neighbours alone. RowOrder::alone: each row is a colour of its own, in list order; together: all are one
  // colour.
  void giveColours(int contacts, const std::vector<int>& mover, int mover_count, RowOrder order);
  // Makes two of each colour: rows with a mover that is rough, and the others.
  void splitRough(const std::vector<int>& mover, const std::vector<unsigned char>& rough);
  // Then their rows, those of a colour in list order; or by ranks, below kRanks, within stretches of the
  // list, which changes no bit.
  void giveRows(bool with_extra, Backend& backend, const std::vector<unsigned char>& rank = {});
  static constexpr int kRanks = 4;
  // The same in tiles where that pays, of contacts listed in an order in which neighbours are near.
  void giveRowsInTiles(const std::vector<int>& mover, bool with_extra, Backend& backend);

  // Gives the rows behind each colour to nobody.
  void pad(int nobody);

  struct Colour {    // of a tile
    int first, end;  // rows, without padding; first is a multiple of 16
    int rough = 0;   // 1 by splitRough()
  };
  ContactRows rows, extra;
  ContactRows lever;               // as many as rows where some have rigid bodies, else none
  std::vector<Colour> colours;     // tile after tile
  std::vector<int> tile_first{0};  // first colour of each tile, and how many there are
  int tiles() const { return static_cast<int>(tile_first.size()) - 1; }
  std::vector<int> row_of;  // of each contact
  int count() const { return static_cast<int>(row_of.size()); }
  int movers() const { return movers_; }
  // far_end of the kernels: all rows where there are more than stay in the cache of a core, else none.
  int farEnd(int near_rows) const { return rows.size() > near_rows ? rows.size() : 0; }
  std::size_t bytes() const;

 private:
  // Chunks of contacts in a tile such that only tiles side by side share movers; all where tiles do not pay.
  int chunksInTile(const std::vector<int>& mover, Backend& backend);
  // Tile by tile and colour by colour; at least one chunk in each tile.
  void numberRows(int chunks_in_tile, bool with_extra, Backend& backend,
                  const std::vector<unsigned char>& rank = {});

  int movers_;
  std::vector<std::uint64_t> used_;  // of each mover: colours below 64 that are taken
  std::vector<int> next_;            // of each mover: first free colour from 64 on
  std::vector<int> colour_of_;
  std::vector<int> chunk_count_;                   // of each chunk of contacts, colour and rank
  std::vector<std::pair<int, int>> chunk_movers_;  // of each chunk, least and greatest
  std::vector<int> least_from_;                    // of the chunks from each on, the least mover
  std::vector<Colour> whole_;                      // colours, before they are cut into tiles
};

}  // namespace repose
