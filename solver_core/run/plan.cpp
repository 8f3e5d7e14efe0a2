// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cache/abc_writer.h"
#include "run/memory.h"
#include "run/threads.h"

namespace repose {
namespace {

constexpr std::uint64_t kVector = 12, kFloat = 4, kId = 8, kMatrix = 128;   // [bytes]
constexpr std::uint64_t kOrientedPoint = 2 * kVector + kId + 16 + kVector;  // with orient and w
constexpr std::uint64_t kGrainContacts = 4500;  // [bytes] a grain in a dense pile, measured (docs/farm.md)
constexpr std::uint64_t kFramesInWork = 4;      // of each output: one being filled, three on their way
constexpr std::uint64_t kStateCopies = 3;       // while a checkpoint is taken its bytes grow by doubling

// Grains that emitters add up to a frame.
std::int64_t emittedGrains(const Scene& scene, const Body& body, int last_frame) {
  double count = 0;
  for (const Emitter& emitter : body.emitters) {
    const double first = std::max<double>(scene.first_frame, emitter.first_frame);
    const double last = std::min<double>(last_frame, emitter.last_frame);
    count += std::max(0.0, last - first) / scene.world.base.fps * emitter.rate;
  }
  return std::llround(count);
}

// One sample of a body in an archive.
std::uint64_t sampleBytes(const Body& body, const Output& output, std::int64_t grains) {
  const std::uint64_t fields = kFloat * output.attributes.size();
  if (body.kind == BodyKind::rigid)
    return body.pieces.size() * (output.rigid == RigidOutput::points ? kOrientedPoint : kMatrix);
  if (body.kind == BodyKind::grain)
    return static_cast<std::uint64_t>(grains) * (2 * kVector + kId + kFloat + fields);
  return body.geometry.points.size() * (2 * kVector + fields);
}

// Bytes of index a frame (cache/abc_writer.h).
std::uint64_t indexBytes(const Scene& scene) {
  std::uint64_t bytes = AbcWriter::kCommitBytes;
  for (const Body& body : scene.bodies)
    bytes += std::max<std::size_t>(1, body.pieces.size()) *
             (AbcWriter::kObjectBytes + 3 * body.name.size() + 3 * AbcWriter::kPropertyBytes);
  return bytes;
}

class Planner {
 public:
  Planner(const Scene& scene, const RunOptions& options) : scene_(scene), options_(options) {}

  Result<RunPlan> plan(int trial) {
    plan_.first_frame = options_.first_frame;
    plan_.last_frame = options_.last_frame;
    plan_.simulated = options_.last_frame - scene_.first_frame + 1;
    plan_.threads = chooseThreads(options_.threads);
    plan_.memory_allowed = memoryAllowed();
    countBodies();
    planOutputs();
    auto simulation = Simulation::create(scene_, plan_.threads);
    if (!simulation) return simulation.status();
    if (Status tried = tryFrames(**simulation, trial); !tried) return tried;
    planCheckpoint(**simulation);
    planMemory(**simulation);
    return std::move(plan_);
  }

 private:
  void countBodies() {
    for (const Body& body : scene_.bodies) {
      const auto points = static_cast<std::int64_t>(body.simulated().points.size());
      most_.push_back(body.kind == BodyKind::grain ? points + emittedGrains(scene_, body, options_.last_frame)
                                                   : 0);
      plan_.most_grains += most_.back();
      plan_.pieces += static_cast<std::int64_t>(body.pieces.size());
      (body.kind == BodyKind::grain ? plan_.grains : plan_.points) += points;
    }
  }

  void planOutputs() {
    std::vector<Output> outputs = options_.more;
    outputs.insert(outputs.begin(),
                   {options_.out, options_.samples, options_.attributes, {}, {}, options_.rigid});
    const auto frames = static_cast<std::uint64_t>(options_.writtenFrames());
    for (const Output& output : outputs) {
      OutputPlan planned{output.path, 0, 0, !output.skin};
      if (!output.skin) {
        planned.frame_bytes = indexBytes(scene_);
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
          planned.frame_bytes +=
              static_cast<std::uint64_t>(output.samples) * sampleBytes(scene_.bodies[b], output, most_[b]);
        planned.bytes = frames * planned.frame_bytes;
      }
      plan_.disk_bytes += planned.bytes;
      in_work_ += kFramesInWork * planned.frame_bytes;
      plan_.outputs.push_back(std::move(planned));
    }
  }

  Status tryFrames(Simulation& simulation, int trial) {
    using Clock = std::chrono::steady_clock;
    if (trial <= 0) return {};
    const Clock::time_point begun = Clock::now();
    StepReport report;
    for (int k = 0; k < trial; ++k)
      if (Status advanced = simulation.advance(1, report); !advanced) return advanced;
    plan_.seconds = std::chrono::duration<double>(Clock::now() - begun).count() / trial * plan_.simulated;
    return {};
  }

  // As many times the first state as there will be grains.
  double growth() const {
    return plan_.grains > 0 ? static_cast<double>(plan_.most_grains) / static_cast<double>(plan_.grains) : 1;
  }

  void planCheckpoint(const Simulation& simulation) {
    std::string state;
    ByteWriter bytes(state);
    simulation.save(bytes);
    const auto frames = static_cast<std::uint64_t>(options_.writtenFrames());
    plan_.checkpoint_bytes = static_cast<std::uint64_t>(static_cast<double>(state.size()) * growth()) +
                             frames * 16 * (8 + indexBytes(scene_) / 100);
    if (plan_.grains == 0) plan_.checkpoint_bytes += static_cast<std::uint64_t>(plan_.most_grains) * 96;
    if (!options_.checkpoints.folder.empty())
      plan_.disk_bytes += (options_.checkpoints.keep + 1) * plan_.checkpoint_bytes;
  }

  void planMemory(const Simulation& simulation) {
    plan_.memory_bytes = peakResidentBytes() + in_work_;
    if (!options_.checkpoints.folder.empty()) plan_.memory_bytes += kStateCopies * plan_.checkpoint_bytes;
    // contacts come with time, the workspace of those that are there is counted
    const auto full = static_cast<std::uint64_t>(plan_.most_grains) * kGrainContacts;
    const std::uint64_t now = plan_.grains > 0 ? simulation.memoryBytes() : 0;
    plan_.memory_bytes += full > now ? full - now : 0;
  }

  const Scene& scene_;
  const RunOptions& options_;
  RunPlan plan_;
  std::vector<std::int64_t> most_;  // grains of each body
  std::uint64_t in_work_ = 0;       // bytes of outputs on their way
};

}  // namespace

Result<RunPlan> planRun(const Scene& scene, const RunOptions& options, int trial) {
  return Planner(scene, options).plan(trial);
}

}  // namespace repose
