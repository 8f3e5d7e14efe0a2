// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Which rows push each mover, for contacts that are solved together: rows leave their changes here, then
// every mover sums those of its own list (algorithms.md 10). Without atomics, so any number of threads gives
// the same sums.
#pragma once
#include <array>
#include <vector>

#include "solve/contact/contact_batch.h"

namespace repose {

class ContactGather {
 public:
  using Batches = std::array<const ContactBatch*, 3>;

  // Lists of all rows, batch after batch. nobody: movers from here on have none. crowded: rows are divided by
  // their crowd (mass splitting). spins, rolls: rows turn grains, and hold back their rolling.
  void arrange(const Batches& batches, int movers, int nobody, bool crowded, bool spins, bool rolls);
  // Where the changes of a batch begin.
  int first(const ContactBatch& batch) const;
  std::size_t bytes() const;

  std::vector<float> crowd;                  // of each mover: its rows, or 1
  std::vector<int> start;                    // of each 16 movers, in rows of 16 slots (model/incidence.h)
  std::vector<int> row;                      // of each slot: where its change is
  std::vector<float> weight;                 // of each slot: 1 and -1 on the sides of a pair
  std::vector<Vec4f> change, twist, rolled;  // of each row, then 16 of nobody

 private:
  Batches batches_{};
  std::array<int, 3> first_{};
  std::vector<int> length_;  // of each mover's list
};

}  // namespace repose
