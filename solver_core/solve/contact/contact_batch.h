// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contact rows of one kind, one colour after another: no two rows of a colour share a mover, unless rows are
// solved together, all in one. Of many rows a colour is cut into tiles, and the next colour follows it a tile
// behind: movers are still in the caches when their next row comes, and each row still comes after the same
// rows.
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
  // Then their rows, those of a colour in list order, tile by tile where that pays.
  void giveRows(const std::vector<int>& mover, bool with_extra, Backend& backend);

  // Gives the rows behind each colour to nobody.
  void pad(int nobody);

  // Or a tile of one.
  struct Colour {
    int first, end;      // rows, without padding; first is a multiple of 16
    bool rough = false;  // by splitRough()
  };
  ContactRows rows, extra;
  ContactRows lever;  // as many as rows where some have rigid bodies, else none
  std::vector<Colour> colours;
  std::vector<int> row_of;  // of each contact
  int count() const { return static_cast<int>(row_of.size()); }
  int movers() const { return movers_; }
  std::size_t bytes() const;

 private:
  // Chunks of contacts in a tile such that only tiles side by side share movers; all chunks where that is not
  // worth it.
  int chunksInTile(int chunks, int kinds);

  int movers_;
  std::vector<std::uint64_t> used_;  // of each mover: colours below 64 that are taken
  std::vector<int> next_;            // of each mover: first free colour from 64 on
  std::vector<int> colour_of_;
  std::vector<int> chunk_count_;                   // of each chunk of contacts and colour
  std::vector<std::pair<int, int>> chunk_movers_;  // of each chunk, least and greatest
  std::vector<int> least_from_;                    // of the chunks from each on, the least mover
  std::vector<Colour> whole_;                      // colours before they were cut into tiles
};

}  // namespace repose
