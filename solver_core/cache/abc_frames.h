// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The frames on their way to the disk: one is being filled by the caller while the two before it are hashed
// and written, each step on a thread of its own. Frames are used again, so that nothing is allocated once
// their buffers are big enough.
#pragma once
#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
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
};

class FramePipeline {
 public:
  FramePipeline(std::function<void(Frame&)> hash, std::function<Status(Frame&)> commit);
  ~FramePipeline();  // finishes the frame being committed and drops those behind it

  Frame& current() { return frames_[handed_over_ % kFrames]; }  // the caller's own
  Status status();
  Status handOver();  // the current frame; waits while two are pending
  Status flush();

 private:
  static constexpr std::size_t kFrames = 3;
  void hashLoop();
  void commitLoop();

  std::function<void(Frame&)> hash_;
  std::function<Status(Frame&)> commit_;
  std::array<Frame, kFrames> frames_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t handed_over_ = 0, hashed_ = 0, committed_ = 0;
  bool stop_ = false;
  Status status_;
  std::thread hasher_, committer_;
};

}  // namespace repose
