// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Wedges: the runs that come from one scene by giving parameters several values.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"

namespace repose {

struct WedgeList {
  std::string scene;                           // its path
  std::string frames;                          // of all runs; empty: those of the scene
  std::vector<std::vector<std::string>> runs;  // NAME=VALUE of each
};

// `axes` are "NAME=VALUES": a list "0.2,0.4,0.8", or "0.2:0.8:0.2" from, to and step, or both. All
// combinations, the last axis fastest; with `zip` the first values together, the second ones, and so on.
Result<std::vector<std::vector<std::string>>> expandAxes(const std::vector<std::string>& axes, bool zip);

// wedges.json: {"scene": ..., "frames": ..., "runs": [["friction=0.2"], ...]}.
Result<WedgeList> readWedges(const std::string& path);
std::string wedgesAsJson(const WedgeList& wedges);

// Stands for the number of a run in file names.
constexpr const char* kWedgeToken = "{wedge}";
std::string expandWedge(std::string text, int index);  // with three digits or more

}  // namespace repose
