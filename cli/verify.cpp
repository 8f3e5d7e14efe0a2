// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/frame_name.h"
#include "cache/abc_verify.h"
#include "cache/checkpoint.h"
#include "commands.h"
#include "frames.h"
#include "vdb/level_set.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose verify flag.abc\n"
    "  repose verify flag.abc && publish flag.abc\n"
    "  repose verify 'sand.%04d.vdb' --frames 1001-1240\n"
    "  repose verify shot.ck\n"
    "\nReads every sample of a cache and checks its key, every file of a VDB sequence, or every section of "
    "checkpoints;\n"
    "of a folder all that is in it. Exit code 0 when all is complete, 1 when it is not.\n";

constexpr double kFrameTolerance = 1e-3;  // frames; times in files are rounded

using Frames = std::vector<int>;

// Says what is wrong; false, so that a caller can return it.
bool notWhole(const std::string& sentence) { return fail({Code::unexpected, sentence}), false; }

// Adds ", 1003-1007x2", as `--frames` takes it.
void addRange(std::string& text, int first, int last, int step) {
  text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
  if (last > first) text += fmt::format("-{}", last);
  if (last > first && step > 1) text += fmt::format("x{}", step);
}

// What is not there of those that must be.
std::string missingOf(const Frames& wanted, const Frames& there) {
  Frames missing;
  std::set_difference(wanted.begin(), wanted.end(), there.begin(), there.end(), std::back_inserter(missing));
  std::string text;
  for (std::size_t k = 0, end = 0; k < missing.size(); k = end) {
    for (end = k + 1; end < missing.size() && missing[end] == missing[end - 1] + 1;) ++end;
    addRange(text, missing[k], missing[end - 1], 1);
  }
  return text;
}

// What is not there where two frames are further apart than others.
std::string gapsOf(const Frames& there) {
  int step = 0;  // the least distance of two
  for (std::size_t k = 1; k < there.size(); ++k) {
    const int apart = there[k] - there[k - 1];
    step = step == 0 ? apart : std::min(step, apart);
  }
  std::string text;
  for (std::size_t k = 1; k < there.size(); ++k)
    if (there[k] - there[k - 1] > step) addRange(text, there[k - 1] + step, there[k] - step, step);
  return text;
}

bool verifyVdb(const std::string& path, std::uint64_t& bytes) {
  const Result<VdbSummary> summary = summarizeVdb(path);
  if (!summary) return notWhole(summary.status().message());
  bytes += summary->bytes;
  return true;
}

bool verifySequence(const std::string& pattern, const Frames& wanted) {
  const Frames there = framesOnDisk(pattern);
  if (there.empty()) return notWhole(fmt::format("there is no file \"{}\" of any frame", pattern));
  const std::string missing = wanted.empty() ? gapsOf(there) : missingOf(wanted, there);
  bool whole = missing.empty() || notWhole(fmt::format("\"{}\" lacks the frames {}", pattern, missing));
  std::uint64_t bytes = 0;
  for (const int frame : there) whole &= verifyVdb(expandFrameToken(pattern, frame), bytes);
  if (whole)
    fmt::print("{}: complete, {} frames {}-{}, {} bytes\n", pattern, there.size(), there.front(),
               there.back(), bytes);
  return whole;
}

bool verifyVdbs(const std::string& path, const Frames& wanted) {
  if (hasFrameToken(std::filesystem::path(path).filename().string())) return verifySequence(path, wanted);
  std::uint64_t bytes = 0;
  if (!verifyVdb(path, bytes)) return false;
  fmt::print("{}: complete, {} bytes\n", path, bytes);
  return true;
}

bool verifyCache(const std::string& path, const Frames& wanted) {
  const AbcReport report = verifyAlembic(path);
  if (!report.ok) return notWhole(report.problem);
  if (!wanted.empty() && (wanted.front() < report.first_frame - kFrameTolerance ||
                          wanted.back() > report.last_frame + kFrameTolerance))
    return notWhole(fmt::format("\"{}\" has the frames {:g}-{:g}, not all of {}-{}", path, report.first_frame,
                                report.last_frame, wanted.front(), wanted.back()));
  fmt::print("{}: complete, {} objects, {} frames, {} bytes of which {} are dead\n", path, report.objects,
             report.frames, report.bytes, report.dead_bytes);
  return true;
}

bool verifyCheckpoint(const std::string& folder, std::int64_t frame) {
  const std::string path = checkpointPath(folder, frame);
  const Result<Checkpoint> read = readCheckpoint(path);
  if (!read) return notWhole(read.status().message());
  std::size_t bytes = 0;
  for (const CheckpointSection& section : read->sections) bytes += section.bytes.size();
  fmt::print("{}: complete, frame {}, {} bytes\n", path, frame, bytes);
  return true;
}

// Every cache, sequence and checkpoint, one by one.
bool verifyFolder(const std::string& folder, const Frames& wanted) {
  const std::vector<std::int64_t> checkpoints = checkpointsIn(folder);
  const std::vector<std::string> vdbs = patternsIn(folder, ".vdb");
  std::vector<std::string> caches;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".abc") caches.push_back(entry.path().string());
  std::sort(caches.begin(), caches.end());
  if (checkpoints.empty() && vdbs.empty() && caches.empty())
    return notWhole(fmt::format("\"{}\" has no caches, VDB files or checkpoints", folder));
  bool whole = true;
  for (const std::string& cache : caches) whole &= verifyCache(cache, wanted);
  for (const std::string& vdb : vdbs) whole &= verifyVdbs(vdb, wanted);
  for (const std::int64_t frame : checkpoints) whole &= verifyCheckpoint(folder, frame);
  return whole;
}

int runVerify(const std::string& path, const std::string& range) {
  Frames wanted;
  if (!range.empty()) {
    Result<Frames> frames = parseFrameList(range);
    if (!frames) return fail(frames.status());
    wanted = std::move(*frames);
  }
  std::error_code none;
  const bool whole = std::filesystem::is_directory(path, none) ? verifyFolder(path, wanted)
                     : hasExtension(path, ".vdb")              ? verifyVdbs(path, wanted)
                                                               : verifyCache(path, wanted);
  return whole ? 0 : 1;
}

}  // namespace

void addVerify(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("verify", "Say whether caches and checkpoints are complete, short or corrupt");
  command->footer(kFooter);
  auto path = std::make_shared<std::string>();
  auto frames = std::make_shared<std::string>();
  command->add_option("PATH", *path, "Cache (.abc), VDB file or sequence (.vdb), or a folder of them")
      ->required()
      ->type_name("");
  command->add_option("--frames", *frames, "Frames that must be there; else those between first and last")
      ->type_name("RANGE");
  command->callback([path, frames, &exit_code] { exit_code = runVerify(*path, *frames); });
}

}  // namespace repose
