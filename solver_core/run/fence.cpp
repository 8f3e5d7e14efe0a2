// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/fence.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <random>

#include "base/file.h"
#include "params/text.h"

namespace repose {

namespace {

constexpr const char* kReleased = "released\n";

std::string hostName() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return host;
}

// Of what an owner file says.
bool mayBeAlive(const std::string& owner) {
  if (owner == kReleased) return false;
  const std::vector<std::string> words = splitText(owner.substr(0, owner.find('\n')), ' ');
  const std::optional<int> process = words.size() == 3 ? parseNumber<int>(words[2]) : std::nullopt;
  if (!process || words[1] != hostName()) return true;
  return kill(*process, 0) == 0 || errno != ESRCH;
}

}  // namespace

Status Fence::take(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return ioError(fmt::format("the folder \"{}\" cannot be made: {}", folder, error.message()));
  std::random_device random;
  own_ = fmt::format("{:08x}{:08x}{:08x}{:08x} {} {}\n", random(), random(), random(), random(), hostName(),
                     getpid());
  path_ = (std::filesystem::path(folder) / "owner").string();
  const Result<std::string> before = readWholeFile(path_);
  contested_ = before && mayBeAlive(*before);
  return replaceFile(path_, {own_});
}

void Fence::release() const {
  if (check()) (void)replaceFile(path_, {kReleased});
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
