// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/kernel_cache.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/file.h"
#include "base/hash.h"

namespace repose {

namespace {

constexpr std::string_view kMagic = "repose kernel 1\n";

std::string checkOf(const std::string& key, std::string_view binary) {
  Hasher hasher;
  hasher.add(key.data(), key.size());
  hasher.add(binary.data(), binary.size());
  return hexHash(hasher.value()) + "\n";
}

}  // namespace

std::string KernelCache::pathOf(const std::string& key) const {
  return (std::filesystem::path(folder_) / (key + ".kernel")).string();
}

std::optional<std::string> KernelCache::find(const std::string& key) const {
  if (folder_.empty()) return {};
  const Result<std::string> read = readWholeFile(pathOf(key));
  if (!read || read->compare(0, kMagic.size(), kMagic) != 0) return {};
  const std::size_t head = kMagic.size() + 17;  // and the check
  if (read->size() < head) return {};
  std::string binary = read->substr(head);
  if (read->compare(kMagic.size(), 17, checkOf(key, binary)) != 0) return {};
  return binary;
}

bool KernelCache::has(const std::string& key) const {
  std::error_code none;
  return !folder_.empty() && std::filesystem::exists(pathOf(key), none);
}

bool KernelCache::canKeep() const {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  return !folder_.empty() && !failed && access(folder_.c_str(), W_OK) == 0;
}

bool KernelCache::keep(const std::string& key, const std::string& binary) const {
  if (folder_.empty()) return true;
  return canKeep() && replaceFile(pathOf(key), {kMagic, checkOf(key, binary), binary}).ok();
}

std::string defaultKernelFolder() {
  if (const char* folder = std::getenv("REPOSE_CACHE")) return folder;
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches && *caches)
    return std::string(caches) + "/repose/kernels";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/repose/kernels";
  return {};
}

}  // namespace repose
