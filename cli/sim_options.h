// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What `repose sim` and `repose plan` are told about a run, and the run that it means.
#pragma once
#include <string>
#include <vector>

#include "commands.h"
#include "run/plan.h"

namespace repose {

struct SimOptions {
  std::string scene, frames, out, log, backend = "tbb", device, progress = "auto", max_memory;
  std::vector<std::string> sets, roots;
  std::string wedge_file;
  int wedge_index = -1;
  int threads = 0;
  CheckpointOptions checkpoints;
  int resume = 1;
  int grace = 0;  // [s] from a signal to the end; 0: as long as it takes
  int stop_code = static_cast<int>(Code::stopped);
};

// Scene, frames, output, parameters, threads, checkpoints and memory.
void addRunOptions(CLI::App& command, SimOptions& options);

// With --wedge-file the parameters of one run of it come first, and {wedge} in file names is its number.
Status applyWedge(SimOptions& options);

Result<RunOptions> runOptionsOf(const Scene& scene, const SimOptions& options);

// --max-mem is too little for what is planned.
Status tooMuchMemory(const RunPlan& plan, const RunOptions& run);

// "500M", "8G" or a number of bytes.
Result<std::size_t> parseBytes(const std::string& text);
std::string bytesText(double bytes);  // "1.2 GB"

}  // namespace repose
