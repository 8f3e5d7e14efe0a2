// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_types.h"

#include <algorithm>

namespace repose {

std::string joinMetadata(std::vector<std::pair<std::string, std::string>> pairs) {
  std::sort(pairs.begin(), pairs.end());
  std::string joined;
  for (auto& [key, value] : pairs) {
    // Both characters are separators of the format and cannot be escaped.
    std::replace_if(
        value.begin(), value.end(), [](char c) { return c == '=' || c == ';' || c == 0; }, '_');
    if (value.empty()) continue;
    if (!joined.empty()) joined += ';';
    joined.append(key).append(1, '=').append(value);
  }
  return joined;
}

std::string metadataValue(const std::string& metadata, const std::string& key) {
  for (std::size_t begin = 0; begin < metadata.size();) {
    const std::size_t end = std::min(metadata.find(';', begin), metadata.size());
    const std::size_t equals = metadata.find('=', begin);
    if (equals < end && metadata.compare(begin, equals - begin, key) == 0)
      return metadata.substr(equals + 1, end - equals - 1);
    begin = end + 1;
  }
  return {};
}

std::string geomParamMetadata(const char* scope, Pod pod, int extent, const std::string& interpretation) {
  return joinMetadata({{"arrayExtent", "1"},
                       {"geoScope", scope},
                       {"interpretation", interpretation},
                       {"isGeomParam", "true"},
                       {"podExtent", std::to_string(extent)},
                       {"podName", podName(pod)}});
}

std::string safeName(const std::string& name) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  std::string safe = name;
  for (char& c : safe)
    if (!isDigit(c) && !isLetter(c)) c = '_';
  if (safe.empty() || isDigit(safe[0])) safe.insert(0, "_");
  return safe;
}

}  // namespace repose
