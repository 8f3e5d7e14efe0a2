// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/frame_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

namespace repose {
namespace {

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

struct Token {
  std::size_t length = 0;  // characters of the pattern; 0 = no token here
  int width = 0;           // digits, padded with zeros
};

// A token `opening`, digits, `closing` at the start of `text`.
Token bracketedToken(std::string_view text, std::string_view opening, std::string_view closing) {
  if (text.substr(0, opening.size()) != opening) return {};
  std::size_t end = opening.size();
  int width = 0;
  while (end < text.size() && isDigit(text[end]) && width < 10) {
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

// The frame that a name has where the pattern has its first token.
std::optional<int> frameIn(const std::string& name, const std::string& pattern) {
  std::size_t at = 0;
  while (at < pattern.size() && tokenAt(std::string_view(pattern).substr(at)).length == 0) ++at;
  int frame = 0;
  if (name.size() <= at ||
      std::from_chars(name.data() + at, name.data() + name.size(), frame).ec != std::errc{} ||
      expandFrameToken(pattern, frame) != name)
    return {};
  return frame;
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

bool isOfPattern(const std::string& name, const std::string& pattern) {
  return name == pattern || frameIn(name, pattern);
}

std::vector<int> framesOnDisk(const std::string& pattern) {
  namespace fs = std::filesystem;
  const std::string name = fs::path(pattern).filename().string(),
                    folder = fs::path(pattern).parent_path().string();
  std::vector<int> frames;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, none))
    if (const auto frame = frameIn(entry.path().filename().string(), name)) frames.push_back(*frame);
  std::sort(frames.begin(), frames.end());
  return frames;
}

std::vector<std::string> patternsIn(const std::string& folder, const std::string& extension) {
  namespace fs = std::filesystem;
  std::vector<std::string> patterns;
  std::map<std::string, std::size_t> digits;  // the fewest, by what comes before them
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() != extension) continue;
    const std::string stem = entry.path().stem().string();
    std::size_t end = stem.size();
    while (end > 0 && isDigit(stem[end - 1])) --end;
    if (end == stem.size()) {
      patterns.push_back(entry.path().string());
      continue;
    }
    const auto [found, added] = digits.emplace(stem.substr(0, end), stem.size() - end);
    if (!added) found->second = std::min(found->second, stem.size() - end);
  }
  for (const auto& [stem, width] : digits)
    patterns.push_back((fs::path(folder) / fmt::format("{}%0{}d{}", stem, width, extension)).string());
  std::sort(patterns.begin(), patterns.end());
  return patterns;
}

}  // namespace repose
