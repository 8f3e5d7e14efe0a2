// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace repose {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // Linux writes at most 2 GiB

Status failure(const std::string& path, const char* action) {
  return ioError(fmt::format("the file \"{}\" cannot be {}: {}", path, action, std::strerror(errno)));
}

bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void syncFolderOf(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int fd = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

Status replaceFile(const std::string& path, const std::vector<std::string_view>& pieces) {
  const std::string aside = fmt::format("{}.tmp.{}", path, getpid());
  const int fd = open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return failure(path, "written");
  bool good = std::all_of(pieces.begin(), pieces.end(), [fd](std::string_view p) { return writeAll(fd, p); });
  good = good && fsync(fd) == 0;
  Status status = good ? Status() : failure(path, "written");
  if (close(fd) != 0 && status) status = failure(path, "written");
  if (status && rename(aside.c_str(), path.c_str()) != 0) status = failure(path, "renamed into place");
  if (!status) unlink(aside.c_str());
  if (status) syncFolderOf(path);
  return status;
}

Result<std::string> readWholeFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(path, "read");
  struct stat about;
  std::string bytes(fstat(fd, &about) == 0 ? static_cast<std::size_t>(about.st_size) : 0, '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = read(fd, bytes.data() + have, std::min(bytes.size() - have, kMostAtOnce));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  const Status status = have == bytes.size() ? Status() : failure(path, "read");
  close(fd);
  if (!status) return status;
  return bytes;
}

}  // namespace repose
