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
#include <numeric>

#include "backend/backend_opencl.h"
#include "base/bytes.h"
#include "params/text.h"
#include "run/memory.h"
#include "run/outputs.h"
#include "run/threads.h"
#include "scene/output_fields.h"

namespace repose {
namespace {

using Clock = std::chrono::steady_clock;

// Adds what happened in `part` to the report of the same frame; the measures are those of the later state.
void addStep(StepReport& frame, const StepReport& part) {
  StepReport sum = part;
  sum.iterations += frame.iterations;
  sum.converged = sum.converged && frame.converged;
  sum.lost += frame.lost;
  sum.strain_error = std::max(sum.strain_error, frame.strain_error);
  for (std::size_t k = 0; k < sum.seconds.size(); ++k) sum.seconds[k] += frame.seconds[k];
  frame = sum;
}

// Reports of frames that were handed to the outputs and wait until all of them are on the disk.
class PendingReports {
 public:
  explicit PendingReports(RunObserver& observer) : observer_(observer) {}

  void expectOutputs(std::size_t count, Checkpoints* checkpoints) {
    committed_.assign(count, 0);
    checkpoints_ = checkpoints;
  }
  void push(const FrameReport& report) {
    const std::lock_guard lock(mutex_);
    reports_.push_back(report);
  }
  // An output has committed its next frame.
  void committed(std::size_t output, int frame, const std::string& state) {
    if (checkpoints_) checkpoints_->committed(output, frame, state);
    const std::lock_guard lock(mutex_);
    ++committed_[output];
    for (; reported_ < *std::min_element(committed_.begin(), committed_.end()); ++reported_) {
      observer_.frameCommitted(reports_.front());
      reports_.pop_front();
    }
  }

 private:
  RunObserver& observer_;
  Checkpoints* checkpoints_ = nullptr;
  std::mutex mutex_;
  std::deque<FrameReport> reports_;
  std::vector<int> committed_;  // frames of each output
  int reported_ = 0;
};

class Run {
 public:
  Run(const Scene& scene, const RunOptions& options, RunObserver& observer)
      : scene_(scene), options_(options), observer_(observer), pending_(observer) {}

  Status run() {
    if (Status good = checkOptions(); !good) return good;
    if (Status prepared = prepare(); !prepared) return prepared;
    if (done_before_) return {};
    Status outcome = simulate();
    for (Target& target : targets_)
      if (Status closed = target.output->close(); !closed && (outcome || outcome.code() == Code::stopped))
        outcome = closed;
    if (outcome && end_) checkpoints_->take(end_->frame, std::move(end_->sections), std::move(end_->outputs));
    if (checkpoints_)
      if (Status kept = checkpoints_->finish(); !kept && (outcome || outcome.code() == Code::stopped))
        outcome = kept;
    if (checkpoints_) checkpoints_->release();
    return outcome;
  }

 private:
  struct Target {
    std::unique_ptr<RunOutput> output;
    int samples;  // a frame
  };
  struct Moment {
    int frame;
    std::vector<CheckpointSection> sections;
    std::vector<std::string> outputs;  // the state of each
  };

  Status checkOptions();
  Status prepare();
  Result<std::unique_ptr<Backend>> makeBackend();
  Status openOutputs();
  Status goOn();
  template <class Bytes>
  void pass(Bytes& bytes);
  std::vector<CheckpointSection> ownSections();
  Result<Moment> momentOf(int frame);
  Status keepCheckpoint(int frame);
  Status simulate();
  Status leaveFrame(int frame);
  Status simulateFrame(int frame);
  Status advance();
  void keepHits();
  Status writePart(int part);
  FrameReport reportOf(int frame);
  // At this frame or before it.
  int lastWritten(int frame) const { return frame - (frame - options_.first_frame) % options_.frame_step; }

  const Scene& scene_;
  const RunOptions& options_;
  RunObserver& observer_;
  std::unique_ptr<Simulation> simulation_;
  PendingReports pending_;                    // outlives the outputs, whose threads read it
  std::unique_ptr<Checkpoints> checkpoints_;  // so does this; null: none are kept
  std::optional<Checkpoint> from_;            // where the run goes on
  bool done_before_ = false;
  std::vector<Output> outputs_;  // the cache last: what may fail at once goes first
  std::vector<Target> targets_;
  std::optional<Moment> end_;    // kept when the outputs are closed: its checkpoint says that all is done
  std::size_t state_bytes_ = 0;  // of the last checkpoint
  bool lost_ = false;            // grains have left the world, and it was said
  int parts_ = 1;                // of a frame, so that all samples are at the ends of parts
  RunView view_;
  std::vector<Hit> new_hits_;
  bool wants_hits_ = false;  // some output
  StepReport step_{};        // since the last frame
  Clock::time_point frame_start_ = Clock::now();
};

Status Run::checkOptions() {
  if (options_.first_frame < scene_.first_frame)
    return badInput(fmt::format("frame {} cannot be written: the scene \"{}\" starts at frame {}",
                                options_.first_frame, scene_.path, scene_.first_frame));
  if (options_.last_frame < options_.first_frame)
    return badInput(
        fmt::format("the frames {} to {} run backwards", options_.first_frame, options_.last_frame));
  outputs_ = options_.more;
  outputs_.push_back({options_.out, options_.samples, options_.attributes, {}, {}, options_.rigid});
  const int substeps = scene_.world.base.substeps;
  for (const Output& output : outputs_) {
    if (output.samples > 1 && options_.frame_step > 1)
      return badInput(fmt::format("\"{}\" has {} samples a frame and so needs every frame, not every {}th",
                                  output.path, output.samples, options_.frame_step));
    if (output.samples < 1 || substeps % output.samples != 0)
      return badInput(fmt::format("{} samples a frame do not divide the {} substeps of the scene \"{}\"",
                                  output.samples, substeps, scene_.path));
    if (Status good = checkOutputFields(scene_, output.attributes); !good) return good;
    wants_hits_ |= wantsHits(output);
    const auto same = [&](const Output& other) { return other.path == output.path; };
    if (std::count_if(outputs_.begin(), outputs_.end(), same) > 1)
      return badInput(fmt::format("two outputs would be written to \"{}\"", output.path));
    parts_ = std::lcm(parts_, output.samples);
  }
  return {};
}

// A device that was named must be there; any other is only a matter of speed.
Result<std::unique_ptr<Backend>> Run::makeBackend() {
  const int threads = chooseThreads(options_.threads);
  if (options_.opencl) {
    OpenClOptions opencl;
    opencl.device = options_.device;
    opencl.threads = threads;
    opencl.compiler = options_.compiler;
    opencl.stop = options_.stop;
    opencl.say = [this](const std::string& said) { observer_.warned(said); };
    Result<std::unique_ptr<Backend>> made = makeOpenClBackend(opencl);
    if (made) observer_.noted("kernels ran on " + (*made)->describe());
    if (made || !options_.device.empty()) return made;
    observer_.warned(made.status().message() + "; kernels run on TBB instead, with the same result");
  }
  return makeTbbBackend(threads);
}

// The simulation first: a scene that cannot run must not touch the disk.
Status Run::prepare() {
  Result<std::unique_ptr<Backend>> backend = makeBackend();
  if (!backend) return backend.status();
  Result<std::unique_ptr<Simulation>> simulation = Simulation::create(scene_, std::move(*backend));
  if (!simulation) return simulation.status();
  simulation_ = std::move(*simulation);
  if (Status measured = simulation_->measure(step_); !measured) return measured;
  for (const std::string& note : simulation_->notes()) observer_.noted(note);
  view_.bodies.resize(static_cast<std::size_t>(simulation_->bodyCount()));
  view_.rigid.resize(view_.bodies.size());
  if (!options_.checkpoints.folder.empty())
    if (Status found = goOn(); !found || done_before_) return found;
  return openOutputs();
}

// What a run itself keeps from frame to frame.
template <class Bytes>
void Run::pass(Bytes& bytes) {
  bytes(lost_)(view_.hits)(step_);
}

// Looks for a checkpoint and, if there is one, brings the simulation to where it was taken.
Status Run::goOn() {
  Fingerprint made_of = fingerprint(scene_);
  made_of.emplace_back("frames: first written", std::to_string(options_.first_frame));
  if (options_.frame_step > 1) made_of.emplace_back("frames: step", std::to_string(options_.frame_step));
  for (const Output& output : outputs_)
    made_of.emplace_back("output " + output.path,
                         fmt::format("{} samples, {}", output.samples, joinText(output.attributes)));
  checkpoints_ = std::make_unique<Checkpoints>(options_.checkpoints, std::move(made_of), outputs_.size());
  std::vector<std::string> notes;
  Result<std::optional<Checkpoint>> newest = checkpoints_->newest(notes);
  if (!newest) return newest.status();
  from_ = std::move(*newest);
  for (const std::string& note : notes) observer_.noted(note);
  if (from_ && from_->frame >= options_.last_frame) {
    done_before_ = true;
    observer_.noted(fmt::format("all frames up to {} are done already", options_.last_frame));
    return {};
  }
  if (Status taken = checkpoints_->begin(); !taken) return taken;
  // the fence is ours: nobody else is to finish them
  for (const Output& output : outputs_) removeUnfinishedOutput(output.path);
  observer_.begun();
  if (!from_) return {};
  const std::string *simulation = from_->find("simulation"), *run = from_->find("run");
  ByteReader state(simulation ? std::string_view(*simulation) : ""), own(run ? std::string_view(*run) : "");
  simulation_->load(state);
  pass(own);
  if (!state.done() || !own.done())
    return badInput(
        fmt::format("the checkpoint of frame {} in \"{}\" does not fit the scene; begin anew with "
                    "--fresh",
                    from_->frame, options_.checkpoints.folder));
  observer_.noted(fmt::format("goes on behind frame {}", from_->frame));
  return {};
}

std::vector<CheckpointSection> Run::ownSections() {
  std::vector<CheckpointSection> sections = {{"simulation", ""}, {"run", ""}};
  sections[0].bytes.reserve(state_bytes_ + state_bytes_ / 8);  // growing would copy it again and again
  ByteWriter state(sections[0].bytes), own(sections[1].bytes);
  simulation_->save(state);
  pass(own);
  state_bytes_ = sections[0].bytes.size();
  return sections;
}

// The state as it is, somewhere behind a frame; waits for the outputs, which have nothing before their first
// frame.
Result<Run::Moment> Run::momentOf(int frame) {
  std::vector<std::string> states(targets_.size());
  if (frame >= options_.first_frame)
    for (std::size_t k = 0; k < states.size(); ++k) {
      Result<std::string> state = targets_[k].output->state();
      if (!state) return state.status();
      states[k] = std::move(*state);
    }
  return Moment{frame, ownSections(), std::move(states)};
}

Status Run::keepCheckpoint(int frame) {
  Result<Moment> now = momentOf(frame);
  if (!now) return now.status();
  checkpoints_->take(frame, std::move(now->sections), std::move(now->outputs));
  return {};
}

Status Run::openOutputs() {
  OutputFrames frames;
  frames.fps = scene_.world.base.fps;
  frames.first = options_.first_frame;
  frames.step = options_.frame_step;
  frames.count = options_.writtenFrames();
  frames.scene = scene_.path;
  frames.threads = chooseThreads(options_.threads);
  if (checkpoints_) {
    frames.may_commit = [this] { return checkpoints_->mayCommit(); };
    frames.contested = checkpoints_->contested();
  }
  pending_.expectOutputs(outputs_.size(), checkpoints_.get());
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    auto made = makeOutput(scene_, outputs_[k], frames, [this, k](int frame, const std::string& state) {
      pending_.committed(k, frame, state);
    });
    if (!made) return made.status();
    targets_.push_back({std::move(*made), outputs_[k].samples});
    if (!from_ || from_->frame < options_.first_frame) continue;
    const std::string* state = from_->find(Checkpoints::outputSection(k));
    if (Status resumed = targets_[k].output->resume(state ? *state : ""); !resumed) return resumed;
  }
  return {};
}

Status Run::simulate() {
  int frame = scene_.first_frame;
  if (from_) {
    frame = static_cast<int>(from_->frame) + 1;
    from_.reset();
    if (Status left = leaveFrame(frame - 1); !left) return left;
  }
  for (;; ++frame) {
    if (Status done = simulateFrame(frame); !done) return done;
    if (frame == options_.last_frame) return {};
    if (checkpoints_)
      if (Status kept = checkpoints_->status(); !kept) return kept;
    if (Status left = leaveFrame(frame); !left) return left;
  }
}

// Goes to the next frame, unless the run has to end between the two.
Status Run::leaveFrame(int frame) {
  const std::size_t memory = options_.max_memory > 0 ? residentBytes() : 0;
  const bool too_much = memory > options_.max_memory;
  simulation_->stopOn(options_.stop);
  Status advanced = too_much ? Status() : advance();
  simulation_->stopOn(nullptr);
  if (!too_much && advanced.code() != Code::stopped) return advanced;
  std::string how = frame < options_.first_frame ? "no frame is written yet"
                                                 : fmt::format("the cache \"{}\" is good up to frame {}",
                                                               options_.out, lastWritten(frame));
  if (checkpoints_) {
    if (Status kept = keepCheckpoint(frame); !kept) return kept;
    if (Status kept = checkpoints_->finish(); !kept) return kept;
    how += fmt::format(", and a checkpoint was written in {:.2f} s", checkpoints_->seconds());
  }
  if (!too_much) return {Code::stopped, "stopped on request; " + how};
  return {Code::memory, fmt::format("frame {} needs {:.0f} MB of memory, above the {:.0f} MB allowed; {}",
                                    frame, 1e-6 * static_cast<double>(memory),
                                    1e-6 * static_cast<double>(options_.max_memory), how)};
}

// Writes the samples of a frame; leaves the simulation at the last part, one advance() before the next frame.
Status Run::simulateFrame(int frame) {
  const bool between = frame > options_.first_frame && lastWritten(frame) != frame;
  const bool written = frame >= options_.first_frame && !between;
  const FrameReport report = between ? FrameReport() : reportOf(frame);
  for (int part = 0; part < parts_; ++part) {
    if (part > 0)
      if (Status advanced = advance(); !advanced) return advanced;
    if (written)
      if (Status wrote = writePart(part); !wrote) return wrote;
  }
  const bool last = frame == options_.last_frame;
  const bool checkpoint = checkpoints_ && !last && frame > scene_.first_frame && checkpoints_->due(frame);
  if (!written) return checkpoint ? keepCheckpoint(frame) : Status();
  if (checkpoint) checkpoints_->take(frame, ownSections());
  pending_.push(report);
  for (Target& target : targets_)
    if (Status ended = target.output->endFrame(frame, checkpoint); !ended) return ended;
  if (!last || !checkpoints_) return {};
  // behind the outputs: one that has failed would let the checkpoint before wait for ever
  Result<Moment> now = momentOf(frame);
  if (!now) return now.status();
  end_ = std::move(*now);
  return {};
}

Status Run::advance() {
  StepReport part{};
  Status advanced = simulation_->advance(parts_, part);
  addStep(step_, part);
  if (wants_hits_) keepHits();
  if (part.lost > 0 && !lost_) {
    lost_ = true;
    observer_.noted(fmt::format(
        "frame {:.8g}: grains leave the world, which ends a million radii from the origin, and are "
        "taken out; \"lost\" in the log counts them",
        simulation_->frame()));
  }
  return advanced;
}

// Those since the last frame that was written: an output with fewer samples than there are parts takes those
// of several parts.
void Run::keepHits() {
  simulation_->readHits(new_hits_);
  std::vector<Hit>& kept = view_.hits;
  const double begin = simulation_->frame() - options_.frame_step;
  const auto old = [begin](const Hit& hit) { return hit.frame <= begin; };
  kept.erase(std::remove_if(kept.begin(), kept.end(), old), kept.end());
  kept.insert(kept.end(), new_hits_.begin(), new_hits_.end());
}

Status Run::writePart(int part) {
  view_.frame = simulation_->frame();
  for (int k = 0; k < simulation_->bodyCount(); ++k) {
    simulation_->readRigid(k, view_.rigid[k]);
    if (!view_.rigid[k].body) simulation_->readBody(k, view_.bodies[k]);
  }
  for (Target& target : targets_) {
    const int step = parts_ / target.samples;
    if (part % step != 0) continue;
    if (Status wrote = target.output->write(*simulation_, view_, part / step); !wrote) return wrote;
  }
  return {};
}

// Takes the report of the state that has just been reached, and begins the next one.
FrameReport Run::reportOf(int frame) {
  const Clock::time_point now = Clock::now();
  FrameReport report;
  report.frame = frame;
  report.done = (frame - options_.first_frame) / options_.frame_step + 1;
  report.count = options_.writtenFrames();
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
  bool has_cache = false;
  for (const Output& output : scene.outputs) {
    if (has_cache || output.skin) {
      options.more.push_back(output);
      continue;
    }
    has_cache = true;
    options.out = output.path;
    options.samples = output.samples;
    options.attributes = output.attributes;
    options.rigid = output.rigid;
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
