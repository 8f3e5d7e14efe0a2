// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The checkpoints of a run. One is taken between two frames, or where a run was stopped between two substeps,
// as a copy of all that varies; it is written by a thread of its own once every output has that frame on the
// disk, so that it never names a frame that is not there.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cache/checkpoint.h"
#include "run/fence.h"
#include "scene/fingerprint.h"

namespace repose {

struct CheckpointOptions {
  std::string folder;            // empty: no checkpoints
  int every = 0;                 // frames; 0: as often as costs a twentieth of the time
  bool fresh = false;            // begin anew whatever is there
  bool drift = false;            // go on although the scene has changed
  std::optional<int> from = {};  // go on behind this frame or the newest before it; later ones are dropped
  std::size_t keep = 2;
};

class Checkpoints {
 public:
  Checkpoints(const CheckpointOptions& options, Fingerprint scene, std::size_t outputs);
  ~Checkpoints();  // finishes the one in hand

  // Takes the folder from any other run, and drops what is not to be gone on from.
  Status begin();
  // The newest good one, if any. A damaged one is passed over and said. Fails with bad_input when it is not
  // of this scene, and names what changed; with `drift` that is only said.
  Result<std::optional<Checkpoint>> newest(std::vector<std::string>& notes) const;
  bool contested() const { return fence_.contested(); }
  void release() const { fence_.release(); }
  Status mayCommit() const { return fence_.check(); }  // on any thread

  bool due(int frame);
  // Sections of the simulation and of the run behind a frame, before the outputs get it.
  void take(int frame, std::vector<CheckpointSection> sections);
  // The same behind a frame that all outputs have on the disk, with their states.
  void take(int frame, std::vector<CheckpointSection> sections, std::vector<std::string> outputs);
  // An output has a frame on the disk; on any thread. The state counts if one of that frame was taken.
  void committed(std::size_t output, int frame, const std::string& state);
  Status status();         // of those written so far
  Status finish();         // waits for the last one
  double seconds() const;  // that it took

  static std::string outputSection(std::size_t output) { return "output " + std::to_string(output); }

 private:
  using Clock = std::chrono::steady_clock;
  bool ready() const;
  void run();
  Status write(Checkpoint& checkpoint, std::vector<std::string>& outputs);

  const CheckpointOptions options_;
  const Fingerprint scene_;
  Fence fence_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Checkpoint> taken_;  // waits for the outputs, or is being written
  std::vector<std::string> states_;  // of the outputs at the frame of taken_
  std::vector<int> newest_;          // frame that each output has on the disk
  bool writing_ = false, ending_ = false;
  Clock::duration cost_{};  // of the last one
  Clock::time_point done_ = Clock::now();
  Status status_;
  std::thread thread_;
};

}  // namespace repose
