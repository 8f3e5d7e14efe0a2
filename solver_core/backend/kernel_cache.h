// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on the disk. A file is there whole or not at all, whoever writes it at the same time, and
// one that was damaged is not believed: it is only ever a loss of time.
#pragma once
#include <optional>
#include <string>

namespace repose {

class KernelCache {
 public:
  // The folder is made when the first kernel is kept; "": nothing is kept.
  explicit KernelCache(std::string folder) : folder_(std::move(folder)) {}
  std::optional<std::string> find(const std::string& key) const;
  bool has(const std::string& key) const;  // whole or damaged
  // False when it could not be written.
  bool keep(const std::string& key, const std::string& binary) const;
  // Whether there is a folder, or one can be made.
  bool canKeep() const;
  const std::string& folder() const { return folder_; }

 private:
  std::string pathOf(const std::string& key) const;
  std::string folder_;
};

// REPOSE_CACHE, else repose/kernels in the user's folder for caches; "" when there is none.
std::string defaultKernelFolder();

}  // namespace repose
