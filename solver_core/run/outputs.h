// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The files of a run. Each output gets the bodies at its own samples of a frame, and says when a frame is on
// the disk.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "base/status.h"
#include "scene/scene.h"
#include "solve/simulation.h"

namespace repose {

struct OutputFrames {
  double fps = 24;
  int first = 1, step = 1, count = 1;
  std::string scene;                        // its path, as a description
  int threads = 0;                          // 0: all
  std::function<Status()> may_commit = {};  // asked before each commit, on any thread; empty: yes
  bool contested = false;                   // another process may still have the files open
};

// All that the simulation shows at one time.
struct RunView {
  double frame = 0;
  std::vector<BodyView> bodies;  // those of rigid bodies are empty
  std::vector<RigidView> rigid;  // by body; those of others are empty
  std::vector<Hit> hits;         // of the frame that ends now, by time; only if an output wants them
};

bool wantsHits(const Output& output);

class RunOutput {
 public:
  virtual ~RunOutput() = default;
  // Goes on behind the frame at whose commit `state` was handed out.
  virtual Status resume(const std::string& state) = 0;
  // One sample of the current frame.
  virtual Status write(const Simulation& simulation, const RunView& view, int sample) = 0;
  virtual Status endFrame(int frame, bool resumable) = 0;  // resumable: with the state at its commit
  // Waits until all frames are on the disk; what resume() needs to go on behind the last.
  virtual Result<std::string> state() = 0;
  virtual Status close() = 0;  // waits until all frames are on the disk
};

// Called once a frame, in order, from any thread, as soon as the frame is on the disk; with the state for
// resume() if that is asked for.
using FrameCommitted = std::function<void(int frame, const std::string& state)>;
Result<std::unique_ptr<RunOutput>> makeOutput(const Scene& scene, const Output& output,
                                              const OutputFrames& frames, FrameCommitted committed);

}  // namespace repose
