// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Lists of what touches each point, in slices of 16 points: entry k of the points of a slice lies side by
// side, so that lanes load it at once. A slice is as wide as its longest list; free slots are padding. The
// order within a list is the order of placing, which fixes the order of every sum (algorithms.md 10).
#pragma once
#include <cstddef>
#include <vector>

#include "base/vectors.h"

namespace repose {

class SlicedLists {
 public:
  SlicedLists() : start_(1, 0) {}
  // lengths: entries of each point; their number is a multiple of 16.
  explicit SlicedLists(const std::vector<int>& lengths);

  int slots() const { return start_.back() * 16; }  // with padding; size of the payload arrays
  int slot(int point, int entry) const { return (start_[point / 16] + entry) * 16 + point % 16; }
  const std::vector<int>& start() const { return start_; }  // of each slice, in rows of 16 slots
  std::size_t bytes() const { return bytesOf(start_); }

 private:
  std::vector<int> start_;
};

}  // namespace repose
