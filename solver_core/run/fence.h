// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Who writes in a folder: a farm that has lost sight of a machine may start the same run a second time. The
// newest run writes its number into FOLDER/owner, and the older one sees it before its next commit.
#pragma once
#include <string>

#include "base/status.h"

namespace repose {

class Fence {
 public:
  // Makes the folder if need be.
  Status take(const std::string& folder);
  // The run before may still be there: it did not end by itself, and is not known to be dead.
  bool contested() const { return contested_; }
  // This run is at its end, and writes no more.
  void release() const;
  // Fails with Code::superseded when another run has taken the folder since.
  Status check() const;

 private:
  std::string path_, own_;
  bool contested_ = false;
};

}  // namespace repose
