// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_frames.h"

#include <exception>

namespace repose {

FramePipeline::FramePipeline(std::function<void(Frame&)> hash, std::function<Status(Frame&)> commit)
    : hash_(std::move(hash)), commit_(std::move(commit)) {
  hasher_ = std::thread([this] { hashLoop(); });
  committer_ = std::thread([this] { commitLoop(); });
}

FramePipeline::~FramePipeline() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  hasher_.join();
  committer_.join();
}

Status FramePipeline::status() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return status_;
}

Status FramePipeline::handOver() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return handed_over_ - committed_ < kFrames - 1 || !status_.ok(); });
  if (!status_.ok()) return status_;
  ++handed_over_;
  changed_.notify_all();
  return {};
}

Status FramePipeline::flush() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return committed_ == handed_over_ || !status_.ok(); });
  return status_;
}

void FramePipeline::hashLoop() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return hashed_ < handed_over_ || stop_ || !status_.ok(); });
    if (stop_ || !status_.ok()) return;
    Frame& frame = frames_[hashed_ % kFrames];
    lock.unlock();
    hash_(frame);
    lock.lock();
    ++hashed_;
    changed_.notify_all();
  }
}

void FramePipeline::commitLoop() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return committed_ < hashed_ || stop_ || !status_.ok(); });
    if (stop_ || !status_.ok()) return;
    Frame& frame = frames_[committed_ % kFrames];
    lock.unlock();
    Status status;
    try {
      status = commit_(frame);
    } catch (const std::exception& error) {
      status = Status(Code::memory, std::string("A cache frame could not be written: ") + error.what() + ".");
    }
    lock.lock();
    status_ = status;
    if (status.ok()) ++committed_;
    changed_.notify_all();
  }
}

}  // namespace repose
