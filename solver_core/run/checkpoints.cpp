// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/bytes.h"
#include "params/text.h"

namespace repose {
namespace {

constexpr int kPatience = 20;  // times what the last one took, until the next

std::string textOf(const Fingerprint& scene) {
  std::string text;
  ByteWriter bytes(text);
  for (const auto& [name, value] : scene) bytes(name)(value);
  return text;
}

Fingerprint fingerprintIn(const std::string& text) {
  Fingerprint scene;
  ByteReader bytes(text);
  while (bytes.good() && !bytes.done()) {
    scene.emplace_back();
    bytes(scene.back().first)(scene.back().second);
  }
  return scene;
}

}  // namespace

Checkpoints::Checkpoints(const CheckpointOptions& options, Fingerprint scene, std::size_t outputs)
    : options_(options),
      scene_(std::move(scene)),
      newest_(outputs, std::numeric_limits<int>::min()),
      thread_([this] { run(); }) {}

Checkpoints::~Checkpoints() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Status Checkpoints::begin() {
  if (Status taken = fence_.take(options_.folder); !taken) return taken;
  removeUnfinished(options_.folder);
  if (options_.from) removeCheckpointsBehind(options_.folder, *options_.from);
  return {};
}

Result<std::optional<Checkpoint>> Checkpoints::newest(std::vector<std::string>& notes) const {
  if (options_.fresh) return std::optional<Checkpoint>();
  for (const std::int64_t frame : checkpointsIn(options_.folder)) {
    if (options_.from && frame > *options_.from) continue;
    Result<Checkpoint> read = readCheckpoint(checkpointPath(options_.folder, frame));
    if (!read) {
      notes.push_back(read.status().message() + "; an older one is tried");
      continue;
    }
    const std::string* scene = read->find("scene");
    const std::vector<std::string> changed = differences(fingerprintIn(scene ? *scene : ""), scene_);
    if (!changed.empty() && !options_.drift)
      return badInput(
          fmt::format("the checkpoints in \"{}\" are of another scene: {}; begin anew with "
                      "--fresh, or go on all the same with --allow-drift",
                      options_.folder, joinText(changed, "; ")));
    if (!changed.empty())
      notes.push_back(fmt::format("goes on although the scene has changed: {}", joinText(changed, "; ")));
    return std::optional<Checkpoint>(std::move(*read));
  }
  if (options_.from)
    return badInput(fmt::format("there is no checkpoint of frame {} or before it in \"{}\"", *options_.from,
                                options_.folder));
  return std::optional<Checkpoint>();
}

bool Checkpoints::due(int frame) {
  const std::lock_guard lock(mutex_);
  if (taken_) return false;
  return options_.every > 0 ? frame % options_.every == 0 : Clock::now() - done_ >= kPatience * cost_;
}

void Checkpoints::take(int frame, std::vector<CheckpointSection> sections) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !taken_ || !status_.ok(); });
  taken_ = Checkpoint{frame, std::move(sections)};
  states_.assign(newest_.size(), "");
  changed_.notify_all();
}

void Checkpoints::take(int frame, std::vector<CheckpointSection> sections, std::vector<std::string> outputs) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !taken_ || !status_.ok(); });
  taken_ = Checkpoint{frame, std::move(sections)};
  states_ = std::move(outputs);
  newest_.assign(newest_.size(), frame);
  changed_.notify_all();
}

void Checkpoints::committed(std::size_t output, int frame, const std::string& state) {
  const std::lock_guard lock(mutex_);
  newest_[output] = frame;
  if (taken_ && taken_->frame == frame) states_[output] = state;
  changed_.notify_all();
}

bool Checkpoints::ready() const {
  return taken_ && *std::min_element(newest_.begin(), newest_.end()) >= taken_->frame;
}

Status Checkpoints::status() {
  const std::lock_guard lock(mutex_);
  return status_;
}

Status Checkpoints::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !writing_ && (!ready() || !status_.ok()); });
  return status_;
}

double Checkpoints::seconds() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(cost_).count();
}

Status Checkpoints::write(Checkpoint& checkpoint, std::vector<std::string>& outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k)
    checkpoint.sections.push_back({outputSection(k), std::move(outputs[k])});
  checkpoint.sections.push_back({"scene", textOf(scene_)});
  if (Status may = mayCommit(); !may) return may;
  if (Status written = writeCheckpoint(checkpointPath(options_.folder, checkpoint.frame), checkpoint);
      !written) {
    // what another run clears away is no fault of the disk
    const Status may = mayCommit();
    return may.code() == Code::superseded ? may : written;
  }
  removeOldCheckpoints(options_.folder, options_.keep);
  return {};
}

void Checkpoints::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || (ready() && status_.ok()); });
    if (!ready() || !status_.ok()) return;
    writing_ = true;
    std::vector<std::string> outputs = std::move(states_);
    const Clock::time_point begun = Clock::now();
    lock.unlock();
    Status written;
    try {
      written = write(*taken_, outputs);
    } catch (const std::bad_alloc&) {
      written = Status(Code::memory, "there is not enough memory to write a checkpoint");
    }
    lock.lock();
    done_ = Clock::now();
    cost_ = done_ - begun;
    if (!written) status_ = written;
    taken_.reset();
    writing_ = false;
    changed_.notify_all();
  }
}

}  // namespace repose
