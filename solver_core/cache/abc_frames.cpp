// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_frames.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <new>

namespace repose {

FramePipeline::FramePipeline(std::vector<Stage> stages)
    : stages_(std::move(stages)), end_(std::numeric_limits<std::size_t>::max()), done_(stages_.size(), 0) {
  for (std::size_t k = 0; k < stages_.size(); ++k) threads_.emplace_back([this, k] { run(k); });
}

FramePipeline::~FramePipeline() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

Status FramePipeline::status() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return status_;
}

Status FramePipeline::handOver() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return handed_over_ - finished() < kFrames - 1 || !status_.ok(); });
  if (!status_.ok()) return status_;
  ++handed_over_;
  changed_.notify_all();
  return {};
}

Status FramePipeline::flush() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return finished() == std::min(handed_over_, end_); });
  return status_;
}

void FramePipeline::run(std::size_t stage) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    const auto ready = [&] {
      const std::size_t before = stage == 0 ? handed_over_ : done_[stage - 1];
      return done_[stage] < std::min(before, end_);
    };
    changed_.wait(lock, [&] { return ready() || stop_; });
    if (stop_) return;
    Frame& frame = frames_[done_[stage] % kFrames];
    lock.unlock();
    Status status;
    try {
      status = stages_[stage](frame);
    } catch (const std::bad_alloc&) {
      status = Status(Code::memory, "There is not enough memory to write a frame of the cache.");
    } catch (const std::exception& error) {
      status = Status(Code::unexpected,
                      std::string("A frame of the cache cannot be written: ") + error.what() + ".");
    }
    lock.lock();
    if (status.ok()) {
      ++done_[stage];
    } else if (done_[stage] < end_) {
      end_ = done_[stage];
      status_ = status;
    }
    changed_.notify_all();
  }
}

}  // namespace repose
