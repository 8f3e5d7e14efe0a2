// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a person or a farm sees of a run while it goes on; always on standard output, at column 0, flushed.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "run/run.h"

namespace repose {

// auto, bar, alf, tractor, openjd, deadline, plain, json and none.
const std::vector<std::string>& progressStyleNames();

class Progress {
 public:
  virtual ~Progress() = default;
  virtual void frame(const FrameReport& report) = 0;
  virtual void end() {}  // the run is over, well or not
};

// auto: openjd inside an Open Job Description session, tractor under Tractor, a bar on a terminal, else alf.
std::unique_ptr<Progress> makeProgress(const std::string& style);

// One object a frame, as in --log-json; `docs/cli.md` lists the fields.
std::string frameAsJson(const FrameReport& report);

// "1 h 02 min", "3 min 20 s" or "4.2 s".
std::string durationText(double seconds);

}  // namespace repose
