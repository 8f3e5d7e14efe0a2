// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One HTML page that compares runs: pictures and curves, all inside the page, so that it opens anywhere
// without a network.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"

namespace repose {

// A frame of the log of a run (docs/cli.md).
struct LoggedFrame {
  double energy = 0, penetration = 0, residual = 0, seconds = 0;
};

struct ComparedRun {
  std::string title;    // "friction=0.2  seed=3"
  std::string outcome;  // "done", "unstable", ... or "not run"
  std::string message;  // of a run that is not done
  std::string cache;    // its path; empty: none
  std::string picture;  // the bytes of a PNG; empty: none
  std::vector<int> numbers;
  std::vector<LoggedFrame> frames;  // by number
};

// What a run's --log-json tells; of frames that were done twice the later line.
Status readLog(const std::string& path, ComparedRun& run);

std::string comparePage(const std::string& title, const std::vector<ComparedRun>& runs);

}  // namespace repose
