// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

namespace repose {

int fail(const Status& status) {
  if (!status.message().empty()) fmt::print(stderr, "repose: {}\n", status.message());
  return static_cast<int>(status.code());
}

std::string programPath() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).string();
}

Result<Scene> readScene(const std::string& path, const std::vector<std::string>& sets,
                        const std::vector<std::string>& roots) {
  SceneLoad load = loadScene(path, sets, roots);
  for (const std::string& warning : load.warnings) fmt::print(stderr, "repose: warning: {}\n", warning);
  for (const std::string& error : load.errors) fmt::print(stderr, "repose: {}\n", error);
  // The sentences are printed already, so the status carries only the code.
  if (!load.ok()) return Status(load.code, "");
  return std::move(load.scene);
}

bool hasExtension(const std::string& path, const std::string& extension) {
  std::string end = std::filesystem::path(path).extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return std::tolower(c); });
  return end == extension;
}

}  // namespace repose
