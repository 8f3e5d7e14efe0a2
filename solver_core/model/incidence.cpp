// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "model/incidence.h"

#include <algorithm>
#include <cassert>

namespace repose {

SlicedLists::SlicedLists(const std::vector<int>& lengths) : start_(lengths.size() / 16 + 1, 0) {
  assert(lengths.size() % 16 == 0);
  for (std::size_t slice = 0; slice + 1 < start_.size(); ++slice) {
    const auto first = lengths.begin() + static_cast<std::ptrdiff_t>(slice * 16);
    start_[slice + 1] = start_[slice] + *std::max_element(first, first + 16);
  }
}

}  // namespace repose
