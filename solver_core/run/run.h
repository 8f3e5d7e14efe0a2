// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A whole run: scene -> simulation -> cache, frame after frame. Every host (command line, Python, farm) calls
// this.
//
// The first sample of the scene's first frame is the initial state. A frame is reported only once the cache
// has committed it, so whatever a host has heard of survives the death of the process.
#pragma once
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "run/checkpoints.h"
#include "scene/scene.h"
#include "solve/simulation.h"

namespace repose {

struct RunOptions {
  std::string out;  // the .abc to write; replaced if it exists
  int first_frame = 0,
      last_frame = 0;  // to write; frames of the scene before them are simulated all the same
  int frame_step = 1;  // every so many frames are written, all are simulated; the last one is one of them
  int writtenFrames() const { return (last_frame - first_frame) / frame_step + 1; }
  int samples = 1;                         // samples a frame, evenly spaced, for motion blur
  std::vector<std::string> attributes;     // on request (scene/output_fields.h)
  RigidOutput rigid = RigidOutput::xform;  // how rigid pieces are in the cache
  std::vector<Output> more;                // outputs beside the cache
  int threads = 0;                         // 0: what chooseThreads() says
  bool opencl = false;                     // kernels on OpenCL where a device can be used, else on TBB
  std::string device;                      // its number or a part of its name; "": the first usable one
  std::string compiler;           // the program `repose`, to compile kernels beside the run; "": in it
  CheckpointOptions checkpoints;  // a run that finds one goes on behind it
  std::size_t max_memory = 0;     // [bytes] resident; above it the run ends with Code::memory; 0: any
  // Once true the run ends with Code::stopped: between two substeps, or behind the current frame if that has
  // several samples.
  const std::atomic<bool>* stop = nullptr;
};

// Options as the scene asks for them: its frames, its first cache of all bodies as `out` when it has one, and
// the rest of its outputs.
RunOptions runOptions(const Scene& scene);

// One committed frame; `step` covers everything since the written frame before.
struct FrameReport {
  int frame = 0;
  int done = 0, count = 0;  // committed frames with this one, and how many there will be
  StepReport step{};
  double seconds = 0;      // wall time from the frame before to this one
  std::size_t memory = 0;  // model, state and workspace [bytes]
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // Of a run with checkpoints: from now on their folder is its own.
  virtual void begun() {}
  // What a user should know: of how the scene is solved, of where a run goes on.
  virtual void noted(const std::string&) {}
  // What a user should know at once: a device that is missing or fails.
  virtual void warned(const std::string& warning) { noted(warning); }
  // In frame order, on a thread of an output, as soon as the frame is on the disk in all of them; never after
  // runScene returns.
  virtual void frameCommitted(const FrameReport& report) = 0;
};

// Ok when all frames are committed, now or by an earlier run with the same checkpoints. Otherwise the frames
// reported so far are in the cache: stopped on request, unstable (frame, body and point named), io, memory;
// bad_input leaves no file.
Status runScene(const Scene& scene, const RunOptions& options, RunObserver& observer);

}  // namespace repose
