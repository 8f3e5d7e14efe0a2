// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/text_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace repose {

Result<std::string> readTextFile(const std::string& path) {
  const auto failed = [&](const char* why) { return badInput("cannot read " + path + ": " + why); };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return failed("it is a folder");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return failed(std::strerror(errno));
  std::string text;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof(block), file.get())) text.append(block, count);
  if (std::ferror(file.get())) return failed(std::strerror(errno));
  return text;
}

}  // namespace repose
