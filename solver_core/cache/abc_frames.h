// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The frames on their way to the disk: one is being filled by the caller while the two before it pass through
// the stages (hash, write, commit), each stage on a thread of its own. Frames are used again, so that nothing
// is allocated once their buffers are big enough.
#pragma once
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "base/types.h"
#include "cache/abc_hash.h"

namespace repose {

struct SampleBuffer {
  bool set = false;
  std::size_t used = 0;  // bytes
  std::vector<std::byte> bytes;
  Digest key;
  Bounds bounds;  // of positions

  void* resize(std::size_t count) {
    if (bytes.size() < count) bytes.resize(count);
    used = count;
    set = true;
    return bytes.data();
  }
};

struct Frame {
  int number = 0;
  std::vector<SampleBuffer> buffers;  // by channel, then sample
  std::uint64_t root = 0;             // of the index that ends with this frame
  std::uint64_t file_bytes = 0;
  bool resumable = false;  // `resume` is wanted
  std::string resume;      // all that a writer needs to go on behind this frame
};

class FramePipeline {
 public:
  using Stage = std::function<Status(Frame&)>;
  explicit FramePipeline(std::vector<Stage> stages);
  ~FramePipeline();  // finishes the work in hand and drops the rest

  Frame& current() { return frames_[handed_over_ % kFrames]; }  // the caller's own
  Status status();
  Status handOver();  // the current frame; waits while two are pending
  Status flush();     // waits until all frames are through, or all before one that failed

 private:
  static constexpr std::size_t kFrames = 3;
  void run(std::size_t stage);
  std::size_t finished() const { return done_.back(); }

  std::vector<Stage> stages_;
  std::array<Frame, kFrames> frames_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t handed_over_ = 0;
  std::size_t end_;                // the first frame that failed; none from there on goes further
  std::vector<std::size_t> done_;  // frames by stage
  bool stop_ = false;
  Status status_;
  std::vector<std::thread> threads_;
};

}  // namespace repose
