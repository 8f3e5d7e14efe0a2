// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/frame_name.h"

#include <fmt/format.h>

#include <cctype>

namespace repose {
namespace {

struct Token {
  std::size_t length = 0;  // characters of the pattern; 0 = no token here
  int width = 0;           // digits, padded with zeros
};

// A token `opening`, digits, `closing` at the start of `text`.
Token bracketedToken(std::string_view text, std::string_view opening, std::string_view closing) {
  if (text.substr(0, opening.size()) != opening) return {};
  std::size_t end = opening.size();
  int width = 0;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) && width < 10) {
    width = width * 10 + (text[end++] - '0');
  }
  if (text.substr(end, closing.size()) != closing) return {};
  return {end + closing.size(), width};
}

Token tokenAt(std::string_view text) {
  const std::size_t hashes = std::min(text.find_first_not_of('#'), text.size());
  if (hashes > 0) return {hashes, static_cast<int>(hashes)};
  for (const auto& [opening, closing] : {std::pair{"%", "d"}, std::pair{"<F", ">"}, std::pair{"$F", ""}}) {
    const Token token = bracketedToken(text, opening, closing);
    const bool part_of_a_word =
        *closing == 0 && token.length < text.size() &&
        (std::isalnum(static_cast<unsigned char>(text[token.length])) || text[token.length] == '_');
    if (token.length > 0 && !part_of_a_word) return token;
  }
  return {};
}

}  // namespace

bool hasFrameToken(const std::string& pattern) {
  for (std::size_t at = 0; at < pattern.size(); ++at)
    if (tokenAt(std::string_view(pattern).substr(at)).length > 0) return true;
  return false;
}

std::string expandFrameToken(const std::string& pattern, int frame) {
  std::string name;
  for (std::size_t at = 0; at < pattern.size();) {
    const Token token = tokenAt(std::string_view(pattern).substr(at));
    if (token.length > 0) {
      name += fmt::format("{:0{}d}", frame, token.width);
    } else {
      name += pattern[at];
    }
    at += std::max<std::size_t>(token.length, 1);
  }
  return name;
}

}  // namespace repose
