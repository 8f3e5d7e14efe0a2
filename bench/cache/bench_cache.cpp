// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Speed of the Alembic writer against plain write() of the same bytes with the same syncs:
//   bench_cache [--points 300000] [--frames 60] [--repeats 7] [--file bench_cache.abc] [--no-sync]
// Both files grow in turns of a few frames within one run, so that the state of disk and page cache is the
// same for both. The target is a ratio of at least 0.9 (median of the repeats).
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cache/abc_writer.h"

using namespace repose;

namespace {

struct Settings {
  std::size_t points = 300000;
  int frames = 60;
  int repeats = 7;
  std::string file = "bench_cache.abc";
  bool durable = true;
};

constexpr int kTurn = 10;  // frames

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

class AlembicFile {
 public:
  AlembicFile(const Settings& settings, const Motion& motion, const Geometry& geometry) : motion_(motion) {
    AbcOptions options;
    options.expected_frames = settings.frames + 1;
    options.durable = settings.durable;
    auto writer = AbcWriter::create(settings.file, options);
    if (!writer.ok()) stop(writer.status().message());
    writer_ = std::move(*writer);
    mesh_ = writer_->addMesh("cloth", geometry);
    write(1, 1);  // carries the topology: outside the measurement
    before_ = writer_->fileBytes();
    seconds = in_caller = 0;
  }
  void write(int first, int last) {
    const Clock::time_point start = Clock::now();
    for (int number = first; number <= last; ++number) {
      require(writer_->setMesh(mesh_, 0, motion_.positions[number % 2], motion_.velocities[number % 2]));
      require(writer_->endFrame(number));
    }
    in_caller += since(start);
    require(writer_->flush());
    seconds += since(start);
  }
  std::uint64_t bytes() const { return writer_->fileBytes() - before_; }

  double seconds = 0;    // until the frames are committed
  double in_caller = 0;  // of that, time the caller spent in the writer

 private:
  const Motion& motion_;
  std::unique_ptr<AbcWriter> writer_;
  int mesh_ = 0;
  std::uint64_t before_ = 0;
};

class PlainFile {
 public:
  PlainFile(const Settings& settings, const Motion& motion)
      : motion_(motion), durable_(settings.durable), name_(settings.file + ".plain") {
    fd_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd_ < 0) stop("cannot write '" + name_ + "'");
    write(1, 1);
    seconds = 0;
    bytes = 0;
  }
  ~PlainFile() {
    close(fd_);
    unlink(name_.c_str());
  }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  void write(int first, int last) {
    const Clock::time_point start = Clock::now();
    for (int number = first; number <= last; ++number) {
      for (const auto* vectors : {&motion_.positions[number % 2], &motion_.velocities[number % 2]})
        append(vectors->data(), vectors->size() * sizeof(Vec3f));
      if (durable_ && fdatasync(fd_) != 0) stop("fdatasync failed");
    }
    seconds += since(start);
  }

  double seconds = 0;
  std::uint64_t bytes = 0;

 private:
  void append(const void* data, std::size_t count) {
    const char* next = static_cast<const char*>(data);
    bytes += count;
    while (count > 0) {
      const ssize_t written = ::write(fd_, next, count);
      if (written <= 0) stop(std::string("plain write failed: ") + std::strerror(errno));
      next += written;
      count -= static_cast<std::size_t>(written);
    }
  }

  const Motion& motion_;
  bool durable_;
  std::string name_;
  int fd_ = -1;
};

// One run of both in turns; the ratio of their speeds.
double measure(const Settings& settings, const Motion& motion, const Geometry& geometry) {
  PlainFile plain(settings, motion);
  AlembicFile alembic(settings, motion, geometry);
  for (int first = 2; first <= settings.frames + 1; first += kTurn) {
    const int last = std::min(first + kTurn - 1, settings.frames + 1);
    plain.write(first, last);
    alembic.write(first, last);
  }
  unlink(settings.file.c_str());
  const double plain_speed = static_cast<double>(plain.bytes) / plain.seconds / 1e6;
  const double alembic_speed = static_cast<double>(alembic.bytes()) / alembic.seconds / 1e6;
  const std::uint64_t extra = (alembic.bytes() - plain.bytes) / static_cast<std::uint64_t>(settings.frames);
  std::printf(
      "plain %7.0f MB/s   alembic %7.0f MB/s (%llu bytes a frame more)   ratio %.3f   caller %.2f s of %.2f "
      "s\n",
      plain_speed, alembic_speed, static_cast<unsigned long long>(extra), alembic_speed / plain_speed,
      alembic.in_caller, alembic.seconds);
  return alembic_speed / plain_speed;
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
  ratios.reserve(settings.repeats);
  for (int k = 0; k < settings.repeats; ++k) ratios.push_back(measure(settings, motion, geometry));
  std::sort(ratios.begin(), ratios.end());
  std::printf("cache_write_ratio %.3f (median of %d, target 0.9)\n", ratios[ratios.size() / 2],
              settings.repeats);
  return 0;
}
