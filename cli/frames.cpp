// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace repose {
namespace {

constexpr int kMaxFrames = 10'000'000;  // a slip of the hand must not fill the memory

// Takes a whole number with its sign off the front; false when there is none.
bool takeNumber(std::string_view& rest, int& value) {
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc{}) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

// Takes one of these characters off the front.
bool takeAnyOf(std::string_view& rest, std::string_view characters) {
  if (rest.empty() || characters.find(rest.front()) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

// One item of the list: FRAME, FIRST-LAST or FIRST-LASTxSTEP.
Status addRange(std::string_view item, std::vector<int>& frames) {
  const auto malformed = [item] {
    return badInput(fmt::format(
        "frame range \"{}\" is not understood; write 1001, 1001-1240, 1001-1240x2 or a list with commas",
        item));
  };
  std::string_view rest = item;
  int first = 0, step = 1;
  if (!takeNumber(rest, first)) return malformed();
  int last = first;
  if (takeAnyOf(rest, "-")) {
    if (!takeNumber(rest, last)) return malformed();
    if (takeAnyOf(rest, "x:") && !takeNumber(rest, step)) return malformed();
  }
  if (!rest.empty()) return malformed();
  if (last < first)
    return badInput(fmt::format("frame range \"{}\" runs backwards; write {}-{}", item, last, first));
  if (step < 1)
    return badInput(fmt::format("frame range \"{}\" has the step {}; it must be 1 or more", item, step));
  if ((static_cast<long long>(last) - first) / step + static_cast<long long>(frames.size()) >= kMaxFrames)
    return badInput(fmt::format("frame range \"{}\" has more than {} frames", item, kMaxFrames));
  for (long long frame = first; frame <= last; frame += step) frames.push_back(static_cast<int>(frame));
  return {};
}

}  // namespace

Result<std::vector<int>> parseFrameList(const std::string& text) {
  std::vector<int> frames;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string_view item(text.data() + start, comma - start);
    if (Status added = addRange(item, frames); !added) return added;
    start = comma + 1;
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

int frameStep(const std::vector<int>& frames) {
  if (frames.size() < 2) return 1;
  const int step = frames[1] - frames[0];
  for (std::size_t k = 2; k < frames.size(); ++k)
    if (frames[k] - frames[k - 1] != step) return 0;
  return step;
}

}  // namespace repose
