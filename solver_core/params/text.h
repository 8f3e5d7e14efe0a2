// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Small words and numbers of messages, shared by the parameter table and the readers.
#pragma once
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/nearest.h"

namespace repose {

// The number that the whole text spells, whatever the locale; nothing for other text, inf and nan.
template <class T>
std::optional<T> parseNumber(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

inline std::vector<std::string> splitText(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

inline std::string joinText(const std::vector<std::string>& parts, std::string_view separator = ", ") {
  std::string text;
  for (const std::string& part : parts) (text += text.empty() ? "" : separator) += part;
  return text;
}

// Words of the text in lines of at most `width` characters, each after `indent` blanks.
inline std::string wrapText(std::string_view text, std::size_t indent, std::size_t width) {
  std::string lines, line;
  const auto flush = [&] { lines += std::string(indent, ' ') + line + "\n", line.clear(); };
  for (const std::string& word : splitText(text, ' ')) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) flush();
    line += (line.empty() ? "" : " ") + word;
  }
  flush();
  return lines;
}

// `; did you mean "density"?` for a slip of the hand, else "".
inline std::string didYouMean(std::string_view wrong, const std::vector<std::string>& candidates) {
  const std::string nearest = nearestName(wrong, candidates);
  return nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?";
}

}  // namespace repose
