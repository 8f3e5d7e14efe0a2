// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Every family from small to large: time of a frame by stage, time of a row and pass, bytes that a pass has
// to move against a = b + s c on as many bytes, one thread against more, TBB against OpenCL. All take turns
// on the same state. write_page.py draws what it writes.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace repose {

struct SizesBench {
  std::vector<std::string> families;  // empty: all
  std::vector<int> sizes;             // empty: those of the family
  bool all = false;                   // of these; else the middle one
  std::vector<int> threads;           // empty: one, and as many as the process may use
  int rounds = 4, settle = -1;        // settle: frames, -1 as the scene says
  bool opencl = true;
  std::string out;  // folder; empty: nothing is written
};

void addSizesOptions(CLI::App& app, SizesBench& bench);
void benchSizes(SizesBench bench);

}  // namespace repose
