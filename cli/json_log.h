// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// --log-json: one object a committed frame and a last one with the outcome, each on a line of its own and
// flushed.
#pragma once
#include <cstdio>
#include <memory>
#include <string>

#include "run/run.h"

namespace repose {

// {"outcome": "done", "code": 0, "message": ""}
std::string outcomeAsJson(const Status& outcome, int frames = -1);
// Of a run that has none yet; what is killed leaves it behind.
std::string runningAsJson();

class JsonLog {
 public:
  JsonLog() = default;                                        // without open() nothing is written
  Status open(const std::string& path, bool append = false);  // append: behind what an earlier run wrote
  void frame(const FrameReport& report);
  // The last object. Fails when any line was lost, by a full disk for instance.
  Status end(const Status& outcome);

 private:
  void writeLine(const std::string& line);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::string path_;
  int frames_ = 0;
  bool lost_ = false;
};

}  // namespace repose
