// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <algorithm>
#include <cctype>

namespace repose {

namespace {

// Edits (insert, delete, replace, swap of neighbours) that turn a into b, letter case ignored.
std::size_t editDistance(std::string_view a, std::string_view b) {
  const auto same = [](char p, char q) {
    return std::tolower(static_cast<unsigned char>(p)) == std::tolower(static_cast<unsigned char>(q));
  };
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool equal = same(a[i - 1], b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (equal ? 0 : 1)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string nearestName(std::string_view wrong, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_edits = std::max<std::size_t>(2, wrong.size() / 2) + 1;
  for (const std::string& name : candidates) {
    const std::size_t edits = editDistance(wrong, name);
    if (edits < best_edits) {
      best_edits = edits;
      best = name;
    }
  }
  return best;
}

}  // namespace repose
