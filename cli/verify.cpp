// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "cache/abc_verify.h"
#include "cache/checkpoint.h"
#include "commands.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose verify flag.abc\n"
    "  repose verify flag.abc && publish flag.abc\n"
    "  repose verify shot.ck\n"
    "\nReads every sample of a cache and checks its key, or every section of the checkpoints in a folder.\n"
    "Exit code 0 when all is complete, 1 when it is not.\n";

// Checkpoints one by one; wrong when none of them is good.
int verifyFolder(const std::string& folder) {
  const std::vector<std::int64_t> frames = checkpointsIn(folder);
  bool all_good = !frames.empty();
  if (frames.empty()) return fail({Code::unexpected, fmt::format("\"{}\" has no checkpoints", folder)});
  for (const std::int64_t frame : frames) {
    const std::string path = checkpointPath(folder, frame);
    const Result<Checkpoint> read = readCheckpoint(path);
    if (!read) {
      all_good = false;
      fail(read.status());
      continue;
    }
    std::size_t bytes = 0;
    for (const CheckpointSection& section : read->sections) bytes += section.bytes.size();
    fmt::print("{}: complete, frame {}, {} bytes\n", path, frame, bytes);
  }
  return all_good ? 0 : 1;
}

int runVerify(const std::string& path) {
  if (std::error_code none; std::filesystem::is_directory(path, none)) return verifyFolder(path);
  const AbcReport report = verifyAlembic(path);
  if (!report.ok) return fail({Code::unexpected, report.problem});
  fmt::print("{}: complete, {} objects, {} frames, {} bytes of which {} are dead\n", path, report.objects,
             report.frames, report.bytes, report.dead_bytes);
  return 0;
}

}  // namespace

void addVerify(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("verify", "Say whether a cache or checkpoints are complete, short or corrupt");
  command->footer(kFooter);
  auto path = std::make_shared<std::string>();
  command->add_option("PATH", *path, "Cache (.abc) or folder of checkpoints")->required()->type_name("");
  command->callback([path, &exit_code] { exit_code = runVerify(*path); });
}

}  // namespace repose
