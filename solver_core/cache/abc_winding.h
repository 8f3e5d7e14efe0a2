// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Alembic's faces are clockwise seen from outside, ours counter-clockwise (alembic.md 5).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace repose {

// Reverses the order of the corners of each face, `width` values a corner. Its own inverse.
template <class T>
void reverseCorners(const std::vector<std::int32_t>& face_counts, std::size_t width, std::vector<T>& values) {
  std::size_t begin = 0;
  for (const std::int32_t count : face_counts) {
    for (std::size_t low = begin, high = begin + static_cast<std::size_t>(count); low + 1 < high; ++low) {
      --high;
      std::swap_ranges(values.begin() + static_cast<std::ptrdiff_t>(low * width),
                       values.begin() + static_cast<std::ptrdiff_t>((low + 1) * width),
                       values.begin() + static_cast<std::ptrdiff_t>(high * width));
    }
    begin += static_cast<std::size_t>(count);
  }
}

}  // namespace repose
