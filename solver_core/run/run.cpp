// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>

#include "cache/abc_writer.h"
#include "params/text.h"
#include "run/threads.h"

namespace repose {
namespace {

using Clock = std::chrono::steady_clock;

// Adds what happened in `part` to the report of the same frame; the measures are those of the later state.
void addStep(StepReport& frame, const StepReport& part) {
  StepReport sum = part;
  sum.iterations += frame.iterations;
  sum.converged = sum.converged && frame.converged;
  for (std::size_t k = 0; k < sum.seconds.size(); ++k) sum.seconds[k] += frame.seconds[k];
  frame = sum;
}

// Reports of frames that were handed to the cache and wait for their commit.
class PendingReports {
 public:
  void push(const FrameReport& report) {
    const std::lock_guard lock(mutex_);
    reports_.push_back(report);
  }
  FrameReport pop() {
    const std::lock_guard lock(mutex_);
    const FrameReport report = reports_.front();
    reports_.pop_front();
    return report;
  }

 private:
  std::mutex mutex_;
  std::deque<FrameReport> reports_;
};

struct CachedBody {
  int mesh = 0;                              // number in the cache, as are the next three
  int speed = -1, strain = -1, stress = -1;  // -1: not asked for
  BodyView view;
  std::vector<float> values;  // of the attribute being written
};

class Run {
 public:
  Run(const Scene& scene, const RunOptions& options, RunObserver& observer)
      : scene_(scene), options_(options), observer_(observer) {}

  Status run() {
    if (Status good = checkOptions(); !good) return good;
    if (Status prepared = prepare(); !prepared) return prepared;
    const Status simulated = simulate();
    const Status closed = cache_->close();
    return simulated ? closed : simulated;
  }

 private:
  Status checkOptions() const;
  Status prepare();
  void addBody(int index);
  Status simulate();
  Status simulateFrame(int frame);
  Status advance();
  Status writeSample(int sample);
  Status writeAttributes(int index, int sample);
  FrameReport reportOf(int frame);
  bool stopRequested() const { return options_.stop && options_.stop->load(); }

  const Scene& scene_;
  const RunOptions& options_;
  RunObserver& observer_;
  std::unique_ptr<Simulation> simulation_;
  PendingReports pending_;  // outlives the cache, whose thread reads it
  std::unique_ptr<AbcWriter> cache_;
  std::vector<CachedBody> bodies_;
  StepReport step_{};  // since the last frame
  Clock::time_point frame_start_ = Clock::now();
};

Status Run::checkOptions() const {
  if (options_.first_frame < scene_.first_frame)
    return badInput(fmt::format("frame {} cannot be written: the scene \"{}\" starts at frame {}",
                                options_.first_frame, scene_.path, scene_.first_frame));
  if (options_.last_frame < options_.first_frame)
    return badInput(
        fmt::format("the frames {} to {} run backwards", options_.first_frame, options_.last_frame));
  const int substeps = scene_.world.base.substeps;
  if (options_.samples < 1 || substeps % options_.samples != 0)
    return badInput(fmt::format("{} samples a frame do not divide the {} substeps of the scene \"{}\"",
                                options_.samples, substeps, scene_.path));
  static const std::vector<std::string> known = {"speed", "strain", "stress"};
  for (const std::string& name : options_.attributes)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return badInput(fmt::format("there is no output attribute \"{}\"{}; there are {}", name,
                                  didYouMean(name, known), joinText(known)));
  return {};
}

// The simulation first: a scene that cannot run must not touch the disk.
Status Run::prepare() {
  Result<std::unique_ptr<Simulation>> simulation =
      Simulation::create(scene_, chooseThreads(options_.threads));
  if (!simulation) return simulation.status();
  simulation_ = std::move(*simulation);
  if (Status measured = simulation_->measure(step_); !measured) return measured;
  for (const std::string& note : simulation_->notes()) observer_.noted(note);

  AbcOptions abc;
  abc.fps = scene_.world.base.fps;
  abc.first_frame = options_.first_frame;
  abc.samples = options_.samples;
  abc.expected_frames = options_.last_frame - options_.first_frame + 1;
  abc.description = scene_.path;
  Result<std::unique_ptr<AbcWriter>> cache = AbcWriter::create(options_.out, abc);
  if (!cache) return cache.status();
  cache_ = std::move(*cache);
  cache_->onCommit([this](int) { observer_.frameCommitted(pending_.pop()); });
  bodies_.resize(static_cast<std::size_t>(simulation_->bodyCount()));
  for (int k = 0; k < simulation_->bodyCount(); ++k) addBody(k);
  return {};
}

void Run::addBody(int index) {
  CachedBody& body = bodies_[static_cast<std::size_t>(index)];
  simulation_->readBody(index, body.view);
  body.mesh = cache_->addMesh(body.view.name, *body.view.geometry);
  const auto wants = [this](const char* name) {
    return std::count(options_.attributes.begin(), options_.attributes.end(), name) > 0;
  };
  if (wants("speed")) body.speed = cache_->addAttribute(body.mesh, "speed", AttributeType::f32);
  if (wants("strain")) body.strain = cache_->addAttribute(body.mesh, "strain", AttributeType::f32);
  if (wants("stress")) body.stress = cache_->addAttribute(body.mesh, "stress", AttributeType::f32);
}

Status Run::simulate() {
  for (int frame = scene_.first_frame;; ++frame) {
    if (Status done = simulateFrame(frame); !done) return done;
    if (frame == options_.last_frame) return {};
    if (stopRequested())
      return {Code::stopped, fmt::format("stopped on request; the cache \"{}\" is good up to frame {}",
                                         options_.out, frame)};
    if (Status advanced = advance(); !advanced) return advanced;
  }
}

// Writes the samples of a frame; leaves the simulation at the last of them, one advance() before the next
// frame.
Status Run::simulateFrame(int frame) {
  const bool written = frame >= options_.first_frame;
  const FrameReport report = reportOf(frame);
  for (int sample = 0; sample < options_.samples; ++sample) {
    if (sample > 0)
      if (Status advanced = advance(); !advanced) return advanced;
    if (written)
      if (Status wrote = writeSample(sample); !wrote) return wrote;
  }
  if (!written) return {};
  pending_.push(report);
  return cache_->endFrame(frame);
}

Status Run::advance() {
  StepReport part{};
  Status advanced = simulation_->advance(options_.samples, part);
  addStep(step_, part);
  return advanced;
}

Status Run::writeSample(int sample) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const int index = static_cast<int>(k);
    BodyView& view = bodies_[k].view;
    simulation_->readBody(index, view);
    if (Status set = cache_->setMesh(bodies_[k].mesh, sample, view.positions, view.velocities); !set)
      return set;
    if (Status set = writeAttributes(index, sample); !set) return set;
  }
  return {};
}

Status Run::writeAttributes(int index, int sample) {
  CachedBody& body = bodies_[static_cast<std::size_t>(index)];
  std::vector<float>& values = body.values;
  if (body.speed >= 0) {
    values.resize(body.view.velocities.size());
    std::transform(body.view.velocities.begin(), body.view.velocities.end(), values.begin(), length);
    if (Status set = cache_->setAttribute(body.speed, sample, values.data(), values.size()); !set) return set;
  }
  if (body.strain >= 0) {
    simulation_->readStrain(index, values);
    if (Status set = cache_->setAttribute(body.strain, sample, values.data(), values.size()); !set)
      return set;
  }
  if (body.stress >= 0) {
    simulation_->readStress(index, values);
    if (Status set = cache_->setAttribute(body.stress, sample, values.data(), values.size()); !set)
      return set;
  }
  return {};
}

// Takes the report of the state that has just been reached, and begins the next one.
FrameReport Run::reportOf(int frame) {
  const Clock::time_point now = Clock::now();
  FrameReport report;
  report.frame = frame;
  report.done = frame - options_.first_frame + 1;
  report.count = options_.last_frame - options_.first_frame + 1;
  report.step = step_;
  report.seconds = std::chrono::duration<double>(now - frame_start_).count();
  report.memory = simulation_->memoryBytes();
  step_ = {};
  frame_start_ = now;
  return report;
}

}  // namespace

RunOptions runOptions(const Scene& scene) {
  RunOptions options;
  options.first_frame = scene.first_frame;
  options.last_frame = scene.last_frame;
  if (!scene.outputs.empty()) {
    options.out = scene.outputs.front().path;
    options.samples = scene.outputs.front().samples;
    options.attributes = scene.outputs.front().attributes;
  }
  return options;
}

Status runScene(const Scene& scene, const RunOptions& options, RunObserver& observer) {
  try {
    return Run(scene, options, observer).run();
  } catch (const std::bad_alloc&) {
    return {Code::memory, fmt::format("not enough memory to simulate the scene \"{}\"", scene.path)};
  } catch (const std::exception& defect) {
    return {Code::unexpected,
            fmt::format("unexpected failure in the scene \"{}\": {}", scene.path, defect.what())};
  }
}

}  // namespace repose
