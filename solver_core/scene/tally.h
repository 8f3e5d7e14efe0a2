// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>

namespace repose {

// Counts faults of one kind and remembers the first, so that a broken mesh gives one sentence and not a
// million.
class Tally {
 public:
  void add(std::string first_sentence) {
    if (count_++ == 0) sentence_ = std::move(first_sentence);
  }
  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  std::string sentence() const {
    return count_ > 1 ? fmt::format("{} (and {} more like it)", sentence_, count_ - 1) : sentence_;
  }

 private:
  std::size_t count_ = 0;
  std::string sentence_;
};

}  // namespace repose
