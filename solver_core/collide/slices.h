// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Lists that kernels fill side by side: each has a slice of one array, and says what it would have needed.
// Those that had too little are made again in a larger one, behind all others.
#pragma once
#include <numeric>
#include <vector>

#include "base/vectors.h"

namespace repose {

class Slices {
 public:
  // All lists are to be made; first_room: of those that are new. Others keep the room they came to need.
  void start(int lists, int first_room) {
    if (static_cast<int>(room_.size()) < lists) room_.resize(lists, first_room);
    first_.resize(lists), found_.assign(lists, 0), todo_.resize(lists);
    std::iota(todo_.begin(), todo_.end(), 0);
    end_ = 0;
    for (int list = 0; list < lists; ++list) first_[list] = end_, end_ += room_[list];
  }
  // Gives room to lists that had too little; true when there are some, and these are to be made again.
  bool grow() {
    constexpr int kSpareShare = 4;  // a fourth more than it needs
    todo_.clear();
    for (int list = 0; list < lists(); ++list) {
      if (found_[list] <= room_[list]) continue;
      room_[list] = found_[list] + found_[list] / kSpareShare;
      first_[list] = end_, end_ += room_[list];
      todo_.push_back(list);
    }
    return !todo_.empty();
  }

  int lists() const { return static_cast<int>(first_.size()); }
  int todo() const { return static_cast<int>(todo_.size()); }
  int end() const { return end_; }  // entries of the array
  int first(int list) const { return first_[list]; }
  int end(int list) const { return first_[list] + found_[list]; }
  const int* firsts() const { return first_.data(); }
  const int* counts() const { return found_.data(); }
  // What the kernels take.
  template <class Args>
  void pass(Args& args) {
    args.todo = todo_.data(), args.slice_first = first_.data(), args.slice_room = room_.data();
    args.found = found_.data();
  }
  std::size_t bytes() const { return bytesOf(first_) + bytesOf(room_) + bytesOf(found_) + bytesOf(todo_); }

 private:
  std::vector<int> first_, room_, found_, todo_;
  int end_ = 0;
};

}  // namespace repose
