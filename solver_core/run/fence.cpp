// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/fence.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "base/file.h"

namespace repose {

Status Fence::take(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return ioError(fmt::format("the folder \"{}\" cannot be made: {}", folder, error.message()));
  std::random_device random;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  own_ =
      fmt::format("{:08x}{:08x}{:08x}{:08x} {} {}\n", random(), random(), random(), random(), host, getpid());
  path_ = (std::filesystem::path(folder) / "owner").string();
  return replaceFile(path_, {own_});
}

Status Fence::check() const {
  Result<std::string> owner = readWholeFile(path_);
  if (!owner) return owner.status();
  if (*owner == own_) return {};
  return {Code::superseded, fmt::format("another run has taken over \"{}\": {}",
                                        std::filesystem::path(path_).parent_path().string(),
                                        owner->substr(0, owner->find('\n')))};
}

}  // namespace repose
