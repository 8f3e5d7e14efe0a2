// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Speed of the Alembic writer against plain write() of the same bytes with the same syncs, alternating in one
// run:
//   bench_cache [--points 300000] [--frames 60] [--repeats 3] [--file bench_cache.abc] [--no-sync]
// The target is a ratio of at least 0.9 (median of the repeats).
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cache/abc_writer.h"

using namespace repose;

namespace {

struct Settings {
  std::size_t points = 300000;
  int frames = 60;
  int repeats = 3;
  std::string file = "bench_cache.abc";
  bool durable = true;
};

struct Run {
  double seconds = 0;    // until everything is on the way to the disk
  double in_caller = 0;  // of that, time the caller spent in the writer
  std::uint64_t bytes = 0;
};

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

[[noreturn]] void stop(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(4);
}

void require(const Status& status) {
  if (!status.ok()) stop(status.message());
}

// Two frames of positions and velocities, so that successive frames differ.
struct Motion {
  std::vector<Vec3f> positions[2], velocities[2];
  explicit Motion(std::size_t points) {
    for (int k = 0; k < 2; ++k) {
      positions[k].resize(points);
      velocities[k].resize(points);
      for (std::size_t i = 0; i < points; ++i) {
        const float x = static_cast<float>(i) * 1e-3f + static_cast<float>(k);
        positions[k][i] = {x, x + 1, x * 2};
        velocities[k][i] = {-x, x * 3, 1};
      }
    }
  }
};

Geometry strip(const Motion& motion) {
  Geometry g;
  g.points = motion.positions[0];
  for (std::int32_t i = 0; i + 2 < static_cast<std::int32_t>(g.points.size()); ++i) {
    g.face_counts.push_back(3);
    g.face_indices.insert(g.face_indices.end(), {i, i + 1, i + 2});
  }
  return g;
}

Run writeAlembic(const Settings& settings, const Motion& motion, const Geometry& geometry) {
  AbcOptions options;
  options.expected_frames = settings.frames;
  options.durable = settings.durable;
  auto writer = AbcWriter::create(settings.file, options);
  if (!writer.ok()) stop(writer.status().message());
  const int mesh = (*writer)->addMesh("cloth", geometry);
  // The first frame carries the topology and makes the buffers: outside the measurement on both sides.
  const auto frame = [&](int number) {
    require((*writer)->setMesh(mesh, 0, motion.positions[number % 2], motion.velocities[number % 2]));
    require((*writer)->endFrame(number));
  };
  frame(1);
  require((*writer)->flush());
  const std::uint64_t before = (*writer)->fileBytes();
  Run run;
  const Clock::time_point start = Clock::now();
  for (int number = 2; number <= settings.frames + 1; ++number) frame(number);
  run.in_caller = since(start);
  require((*writer)->close());
  run.seconds = since(start);
  run.bytes = (*writer)->fileBytes() - before;
  return run;
}

void writePlainly(int fd, const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = write(fd, next, count);
    if (written <= 0) stop(std::string("plain write failed: ") + std::strerror(errno));
    next += written;
    count -= static_cast<std::size_t>(written);
  }
}

Run writePlain(const Settings& settings, const Motion& motion) {
  const std::string file = settings.file + ".plain";
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0) stop("cannot write '" + file + "'");
  const auto frame = [&](int number) {
    for (const auto* vectors : {&motion.positions[number % 2], &motion.velocities[number % 2]})
      writePlainly(fd, vectors->data(), vectors->size() * sizeof(Vec3f));
    if (settings.durable) fdatasync(fd);
  };
  frame(1);
  Run run;
  const Clock::time_point start = Clock::now();
  for (int number = 2; number <= settings.frames + 1; ++number) frame(number);
  run.seconds = since(start);
  run.bytes = static_cast<std::uint64_t>(settings.frames) * 2 * settings.points * sizeof(Vec3f);
  close(fd);
  unlink(file.c_str());
  return run;
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int k = 1; k < argc; ++k) {
    const std::string name = argv[k];
    const char* value = k + 1 < argc ? argv[k + 1] : "";
    if (name == "--no-sync") {
      settings.durable = false;
      continue;
    }
    ++k;
    if (name == "--points")
      settings.points = std::strtoull(value, nullptr, 10);
    else if (name == "--frames")
      settings.frames = std::atoi(value);
    else if (name == "--repeats")
      settings.repeats = std::atoi(value);
    else if (name == "--file")
      settings.file = value;
    else
      stop("unknown option '" + name + "'");
  }
  if (settings.points < 3 || settings.frames < 1 || settings.repeats < 1) stop("a number is too small");
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = parse(argc, argv);
  const Motion motion(settings.points);
  const Geometry geometry = strip(motion);
  std::vector<double> ratios;
  for (int k = 0; k < settings.repeats; ++k) {
    const Run plain = writePlain(settings, motion);
    const Run alembic = writeAlembic(settings, motion, geometry);
    unlink(settings.file.c_str());
    const auto speed = [](const Run& run) { return static_cast<double>(run.bytes) / run.seconds / 1e6; };
    ratios.push_back(speed(alembic) / speed(plain));
    std::printf(
        "plain %7.0f MB/s   alembic %7.0f MB/s (%zu bytes more)   ratio %.3f   caller waited %.2f s of %.2f "
        "s\n",
        speed(plain), speed(alembic), static_cast<std::size_t>(alembic.bytes - plain.bytes), ratios.back(),
        alembic.in_caller, alembic.seconds);
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("cache_write_ratio %.3f (median of %d, target 0.9)\n", ratios[ratios.size() / 2],
              settings.repeats);
  return 0;
}
