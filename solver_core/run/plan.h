// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a run will need, before it is run: the model is built, nothing is written. Sizes are upper estimates
// for what moves all the time; skins around grains depend on the motion and are left out.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "run/run.h"

namespace repose {

struct OutputPlan {
  std::string path;
  std::uint64_t frame_bytes = 0;  // one frame of it
  std::uint64_t bytes = 0;        // all frames
  bool known = true;              // false: a skin
};

struct RunPlan {
  int first_frame = 0, last_frame = 0;  // written
  int simulated = 0;                    // frames from the scene's first on
  std::int64_t points = 0, grains = 0, pieces = 0;
  std::int64_t most_grains = 0;  // with those that emitters add, none of which goes
  std::vector<OutputPlan> outputs;
  std::uint64_t checkpoint_bytes = 0;  // one of them
  std::uint64_t disk_bytes = 0;        // outputs, and the checkpoints that are kept and one in the making
  std::uint64_t memory_bytes = 0;      // most that the process will have
  std::uint64_t memory_allowed = 0;    // by the machine and the farm; 0: unknown
  int threads = 0;
  double seconds = 0;  // of all frames, from a trial; 0: none was made
};

// `trial` frames are simulated for the time and for the memory of contacts.
Result<RunPlan> planRun(const Scene& scene, const RunOptions& options, int trial = 0);

}  // namespace repose
