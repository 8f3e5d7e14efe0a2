// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What farms cost: a checkpoint against a plain write and sync of its bytes, how long a run takes to go on,
// and the fence and the progress lines of a frame.
//   bench_farm [--grains 1000000] [--folder bench_farm.tmp] [--out FOLDER]
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "bench/report.h"
#include "cache/checkpoint.h"
#include "json_log.h"
#include "progress.h"
#include "run/fence.h"
#include "run/threads.h"
#include "scene/scene.h"
#include "solve/simulation.h"

using namespace repose;

namespace {

constexpr int kRepeats = 7;

[[noreturn]] void stop(const Status& status) {
  std::fprintf(stderr, "bench_farm: %s\n", status.message().c_str());
  std::exit(static_cast<int>(status.code()));
}

std::string writeScene(const std::string& folder, int grains) {
  const double radius = 0.005, side = 2 * radius * std::cbrt(0.72 * grains);  // as dense as fills are
  std::string path = folder + "/sand.json";
  std::ofstream(path) << fmt::format(
      R"({{"frames": [1, 3], "substeps": 1, "colliders": [{{"name": "ground", "shape": "plane"}}],
 "bodies": [{{"name": "sand", "kind": "grain", "radius": {0},
             "source": {{"fill": {{"shape": "box", "size": [{1}, {1}, {1}]}}}},
             "transform": {{"translate": [0, {2}, 0]}}}}]}})",
      radius, side, 0.51 * side);
  return path;
}

// Milliseconds of one write() and fsync() of the bytes to a new file.
double plainWrite(const std::string& path, const std::vector<std::string>& pieces) {
  unlink(path.c_str());
  const Clock::time_point begun = Clock::now();
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  for (const std::string& piece : pieces)
    for (std::size_t done = 0; done < piece.size();) {
      const ssize_t wrote = write(fd, piece.data() + done, piece.size() - done);
      if (wrote <= 0) stop(ioError("cannot write " + path));
      done += static_cast<std::size_t>(wrote);
    }
  fsync(fd);
  close(fd);
  return milliseconds(begun);
}

// Microseconds of one call.
template <class Work>
double microseconds(int calls, const Work& work) {
  const Clock::time_point begun = Clock::now();
  for (int k = 0; k < calls; ++k) work();
  return 1000 * milliseconds(begun) / calls;
}

// Milliseconds of what is done to a checkpoint, again and again.
struct CheckpointTimes {
  std::vector<double> copies, writes, plains, reads, loads, ratios;
  std::size_t bytes = 0;
};

CheckpointTimes timeCheckpoints(Simulation& simulation, const std::string& folder) {
  CheckpointTimes times;
  const std::string path = checkpointPath(folder, 1);
  for (int k = 0; k < kRepeats; ++k) {
    sayProgress(fmt::format("checkpoint {} of {}", k + 1, kRepeats));
    Checkpoint checkpoint{1, {{"simulation", ""}}};
    Clock::time_point begun = Clock::now();
    checkpoint.sections[0].bytes.reserve(times.bytes + times.bytes / 8);  // as a run does
    ByteWriter writer(checkpoint.sections[0].bytes);
    simulation.save(writer);
    times.copies.push_back(milliseconds(begun));
    times.bytes = checkpoint.sections[0].bytes.size();
    times.plains.push_back(plainWrite(folder + "/plain", {checkpoint.sections[0].bytes}));
    unlink(path.c_str());  // freeing what is replaced is no part of it
    begun = Clock::now();
    if (Status written = writeCheckpoint(path, checkpoint); !written) stop(written);
    times.writes.push_back(milliseconds(begun));
    times.ratios.push_back(times.writes.back() / times.plains.back());
    begun = Clock::now();
    const Result<Checkpoint> read = readCheckpoint(path);
    if (!read) stop(read.status());
    times.reads.push_back(milliseconds(begun));
    begun = Clock::now();
    ByteReader reader(read->sections[0].bytes);
    simulation.load(reader);
    times.loads.push_back(milliseconds(begun));
    if (!reader.done()) stop(badInput("the checkpoint does not fit"));
  }
  return times;
}

double timeFence(const std::string& folder) {
  Fence fence;
  if (Status taken = fence.take(folder); !taken) stop(taken);
  return microseconds(2000, [&] { (void)fence.check(); });
}

double timeLine(const std::string& folder, const FrameReport& frame) {
  JsonLog log;
  if (Status opened = log.open(folder + "/log"); !opened) stop(opened);
  return microseconds(2000, [&] { log.frame(frame); });
}

}  // namespace

int main(int argc, char** argv) {
  int grains = 1'000'000;
  std::string folder = "bench_farm.tmp", out;
  CLI::App app("What farms cost.");
  app.add_option("--grains", grains);
  app.add_option("--folder", folder, "On the disk to measure");
  app.add_option("--out", out);
  CLI11_PARSE(app, argc, argv);
  std::filesystem::create_directories(folder);
  Report report("farm");

  sayProgress("building");
  Clock::time_point begun = Clock::now();
  const SceneLoad load = loadScene(writeScene(folder, grains), {});
  if (!load.ok()) stop(badInput(load.errors[0]));
  auto simulation = Simulation::create(load.scene, chooseThreads(0));
  if (!simulation) stop(simulation.status());
  const double build = milliseconds(begun);
  sayProgress("one frame");
  begun = Clock::now();
  FrameReport frame;
  if (Status advanced = (*simulation)->advance(1, frame.step); !advanced) stop(advanced);
  const double step = milliseconds(begun);

  const CheckpointTimes times = timeCheckpoints(**simulation, folder);
  const double check = timeFence(folder), line = timeLine(folder, frame);
  std::filesystem::remove_all(folder);

  const double resume = build + median(times.reads) + median(times.loads);
  Table table({"what", "figure", "wanted"});
  table.add({"grains", fmt::format("{}", frame.step.grains), ""});
  table.add({"bytes of the state", fmt::format("{:.1f} MB", 1e-6 * static_cast<double>(times.bytes)), ""});
  table.add({"copy, for which the solver waits", fmt::format("{:.0f} ms", median(times.copies)), ""});
  table.add({"checkpoint: sums, write, sync, rename", fmt::format("{:.0f} ms", median(times.writes)), ""});
  table.add({"plain write and sync of the same bytes", fmt::format("{:.0f} ms", median(times.plains)), ""});
  table.add({"checkpoint over plain write", fmt::format("{:.2f}", median(times.ratios)), "< 1.5"});
  table.add({"going on: scene and model", fmt::format("{:.0f} ms", build), ""});
  table.add({"going on: reading and loading",
             fmt::format("{:.0f} ms", median(times.reads) + median(times.loads)), ""});
  table.add({"going on, all", fmt::format("{:.2f} s", 1e-3 * resume), "< 2 s"});
  table.add({"a frame", fmt::format("{:.0f} ms", step), ""});
  table.add({"fence", fmt::format("{:.1f} us a commit", check), ""});
  table.add({"line of the log", fmt::format("{:.1f} us", line), ""});
  table.add({"fence and line, of a frame of 20 ms", fmt::format("{:.3f} %", 100 * (check + line) / 20e3),
             "< 0.5 %"});
  report.say(table.markdown());
  report.figures = {{"grains", frame.step.grains},
                    {"bytes", times.bytes},
                    {"copy_ms", median(times.copies)},
                    {"checkpoint_ms", median(times.writes)},
                    {"plain_ms", median(times.plains)},
                    {"ratio", median(times.ratios)},
                    {"resume_ms", resume},
                    {"fence_us", check},
                    {"line_us", line}};
  report.write(out);
  return 0;
}
