// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/roots.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "params/text.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

// Without links and "..", as far as it is there; empty when that cannot be told.
fs::path real(const std::string& path) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return {};
  return found.has_filename() ? found : found.parent_path();
}

}  // namespace

Roots::Roots(const std::vector<std::string>& folders) : roots_(folders) {}

bool Roots::allow(const std::string& path) {
  if (roots_.empty()) return true;
  const fs::path file = real(path);
  const auto holds = [&file](const std::string& root) {
    const fs::path folder = real(root);
    const auto ends = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return !folder.empty() && ends.first == folder.end();
  };
  if (!file.empty() && std::any_of(roots_.begin(), roots_.end(), holds)) return true;
  refused_.push_back(path);
  return false;
}

std::vector<std::string> Roots::refusals(const std::string& scene) const {
  std::vector<std::string> sentences;
  for (const std::string& path : refused_)
    sentences.push_back(fmt::format("{}: the file \"{}\" is outside of what --root allows: {}", scene, path,
                                    joinText(roots_)));
  return sentences;
}

}  // namespace repose
