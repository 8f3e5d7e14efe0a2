// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "frames.h"
#include "params/text.h"
#include "wedge_list.h"

namespace repose {
namespace {

// --frames into the options of the run.
Status applyFrames(const std::string& text, RunOptions& run) {
  const Result<std::vector<int>> frames = parseFrameList(text);
  if (!frames) return frames.status();
  run.frame_step = frameStep(*frames);
  if (run.frame_step == 0)
    return badInput(fmt::format(
        "--frames {} has gaps of different lengths; a cache holds every frame or every n-th, so write {}-{}",
        text, frames->front(), frames->back()));
  run.first_frame = frames->front();
  run.last_frame = frames->back();
  return {};
}

// The cache: --out, else the first of the scene, else the scene's name in the current folder. With --out the
// other outputs of the scene go into its folder.
Status applyOut(const SimOptions& options, RunOptions& run) {
  if (!options.out.empty()) {
    run.out = options.out;
    const std::filesystem::path folder = std::filesystem::path(options.out).parent_path();
    for (Output& output : run.more)
      output.path = (folder / std::filesystem::path(output.path).filename()).string();
  }
  if (run.out.empty()) run.out = std::filesystem::path(options.scene).stem().string() + ".abc";
  if (!hasExtension(run.out, ".abc"))
    return badInput(
        fmt::format("the output \"{}\" must be an Alembic cache, with a name that ends in .abc", run.out));
  return {};
}

int taskIndex() {
  const char* text = std::getenv("SLURM_ARRAY_TASK_ID");
  return text ? parseNumber<int>(text).value_or(-1) : -1;
}

void addCheckpointOptions(CLI::App& command, SimOptions& options) {
  command
      .add_option("--checkpoint", options.checkpoints.folder,
                  "Keep checkpoints in this folder, and go on from the newest that is there")
      ->type_name("DIR");
  command
      .add_option("--checkpoint-every", options.checkpoints.every,
                  "Frames from one to the next; else as often as costs a twentieth of the time")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
  command.add_option("--checkpoint-keep", options.checkpoints.keep, "How many are kept; else 2")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
}

}  // namespace

void addRunOptions(CLI::App& command, SimOptions& options) {
  command.add_option("SCENE", options.scene, "Scene file (.json)")->required()->type_name("");
  command
      .add_option("--frames", options.frames,
                  "Frames to write, e.g. 1001-1048 or 1001-1048x2; else those of the scene")
      ->type_name("RANGE");
  command.add_option("--out", options.out, "Cache to write (.abc); else the scene's, else SCENE's name here")
      ->type_name("FILE.abc");
  command
      .add_option("--set", options.sets, "Change a parameter: NAME=VALUE or BODY.NAME=VALUE; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--threads", options.threads, "Threads; else the farm's share, else all cores")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  command
      .add_option("--max-mem", options.max_memory,
                  "Most memory, e.g. 500M or 8G; a run that needs more ends with exit code 5")
      ->type_name("SIZE");
  command
      .add_option("--root", options.roots, "Folder that all files of the scene must be in; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
  addCheckpointOptions(command, options);
}

Status applyWedge(SimOptions& options) {
  if (options.wedge_file.empty()) return {};
  const Result<WedgeList> wedges = readWedges(options.wedge_file);
  if (!wedges) return wedges.status();
  const int index = options.wedge_index >= 0 ? options.wedge_index : taskIndex();
  const int count = static_cast<int>(wedges->runs.size());
  if (index < 0)
    return badInput(
        "--wedge-file needs --wedge-index, since there is no SLURM_ARRAY_TASK_ID to take it from");
  if (index >= count)
    return badInput(fmt::format("--wedge-index {} is not in \"{}\", which has 0 to {}", index,
                                options.wedge_file, count - 1));
  if (options.out.find(kWedgeToken) == std::string::npos)
    return badInput(fmt::format("--out \"{}\" would be written by every wedge; put {} into it", options.out,
                                kWedgeToken));
  std::vector<std::string> sets = wedges->runs[static_cast<std::size_t>(index)];
  sets.insert(sets.end(), options.sets.begin(), options.sets.end());
  options.sets = std::move(sets);
  for (std::string* path : {&options.out, &options.log, &options.checkpoints.folder}) {
    if (!path->empty() && path->find(kWedgeToken) == std::string::npos)
      return badInput(
          fmt::format("\"{}\" would be written by every wedge; put {} into it", *path, kWedgeToken));
    *path = expandWedge(*path, index);
  }
  // the task of a farm finds an empty folder
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::path(options.out).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, none);
  return {};
}

Result<RunOptions> runOptionsOf(const Scene& scene, const SimOptions& options) {
  RunOptions run = runOptions(scene);
  run.threads = options.threads;
  run.opencl = options.backend == "opencl";
  run.device = options.device;
  run.compiler = programPath();
  if (!run.opencl && !run.device.empty())
    return badInput("--device names an OpenCL device and needs --backend opencl");
  run.checkpoints = options.checkpoints;
  run.checkpoints.fresh = run.checkpoints.fresh || options.resume == 0;
  if (run.checkpoints.folder.empty() && run.checkpoints.from)
    return badInput("--resume-from needs --checkpoint, the folder to look in");
  if (!options.max_memory.empty()) {
    const Result<std::size_t> bytes = parseBytes(options.max_memory);
    if (!bytes) return bytes.status();
    run.max_memory = *bytes;
  }
  if (!options.frames.empty())
    if (Status frames = applyFrames(options.frames, run); !frames) return frames;
  if (Status out = applyOut(options, run); !out) return out;
  return run;
}

Result<std::size_t> parseBytes(const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  std::string number = text;
  double unit = 1;
  if (!number.empty() && (number.back() == 'B' || number.back() == 'b')) number.pop_back();
  if (!number.empty())
    if (const std::size_t power = kUnits.find(static_cast<char>(std::toupper(number.back())));
        power != std::string_view::npos) {
      for (std::size_t k = 0; k <= power; ++k) unit *= 1024;
      number.pop_back();
    }
  const std::optional<double> value = parseNumber<double>(number);
  if (!value || *value <= 0 || *value * unit > 1e18)
    return badInput(fmt::format("the size \"{}\" is not understood; write it as 500M or 8G", text));
  return static_cast<std::size_t>(*value * unit);
}

std::string bytesText(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit < 4; ++unit) bytes /= 1000;
  return fmt::format(unit == 0 || bytes >= 100 ? "{:.0f} {}" : "{:.1f} {}", bytes, units[unit]);
}

}  // namespace repose
