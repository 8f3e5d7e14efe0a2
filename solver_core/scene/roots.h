// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The folders that a scene may name files in, for farms that run scenes of strangers.
#pragma once
#include <string>
#include <vector>

namespace repose {

class Roots {
 public:
  // Without folders every file is allowed.
  explicit Roots(const std::vector<std::string>& folders);

  // Links are followed; remembers what it refuses.
  bool allow(const std::string& path);
  // A sentence for each file that was refused.
  std::vector<std::string> refusals(const std::string& scene) const;

 private:
  std::vector<std::string> roots_, refused_;
};

}  // namespace repose
