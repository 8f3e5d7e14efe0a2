// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "commands.h"
#include "frames.h"
#include "json_log.h"
#include "progress.h"
#include "run/run.h"
#include "stop.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose sim flag.json\n"
    "  repose sim flag.json --frames 1001-1048 --out flag.abc\n"
    "  repose sim flag.json --set iterations=40 --set flag.density=0.3 --log-json flag.log\n"
    "  repose sim shot.json --out shot.abc --checkpoint shot.ck     (again after a kill: goes on)\n"
    "\nCtrl-C ends the run after the current frame; the cache holds all frames so far. A second one leaves "
    "at once.\n"
    "Exit codes: 0 done, 2 wrong use or wrong scene (nothing written), 3 unstable (last good frame kept), 4 "
    "disk,\n"
    "5 memory, 75 stopped early (what is written is good), 76 another run took over the checkpoints\n";

struct SimOptions {
  std::string scene, frames, out, log, backend = "tbb", progress = "auto";
  std::vector<std::string> sets;
  int threads = 0;
  CheckpointOptions checkpoints;
  int resume = 1;
};

// First and last frame of --frames into the options of the run.
Status applyFrames(const std::string& text, RunOptions& run) {
  const Result<std::vector<int>> frames = parseFrameList(text);
  if (!frames) return frames.status();
  if (frameStep(*frames) != 1)
    return badInput(fmt::format(
        "--frames {} leaves frames out; a cache holds every frame from the first to the last, so write {}-{}",
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

class SimObserver : public RunObserver {
 public:
  SimObserver(JsonLog& log, Progress& progress) : log_(log), progress_(progress) {}
  void noted(const std::string& note) override { notes_.push_back(note); }
  void frameCommitted(const FrameReport& report) override {
    log_.frame(report);
    progress_.frame(report);
  }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<std::string> notes_;
  JsonLog& log_;
  Progress& progress_;
};

// outcome.json beside the checkpoints, for programs that watch the folder; a run that was refused makes none.
void keepOutcome(const RunOptions& run, const Status& outcome) {
  const std::filesystem::path folder = run.checkpoints.folder;
  if (std::error_code none; !std::filesystem::is_directory(folder, none)) return;
  if (Status kept = replaceFile((folder / "outcome.json").string(), {outcomeAsJson(outcome) + "\n"}); !kept)
    fmt::print(stderr, "repose: {}\n", kept.message());
}

int runSim(const SimOptions& options) {
  const Result<Scene> scene = readScene(options.scene, options.sets);
  if (!scene) return fail(scene.status());
  RunOptions run = runOptions(*scene);
  run.threads = options.threads;
  run.checkpoints = options.checkpoints;
  run.checkpoints.fresh = run.checkpoints.fresh || options.resume == 0;
  if (!options.frames.empty())
    if (Status frames = applyFrames(options.frames, run); !frames) return fail(frames);
  if (Status out = applyOut(options, run); !out) return fail(out);
  JsonLog log;
  if (!options.log.empty())
    if (Status opened = log.open(options.log, !run.checkpoints.folder.empty() && !run.checkpoints.fresh);
        !opened)
      return fail(opened);

  run.stop = &catchStopSignals();
  const std::unique_ptr<Progress> progress = makeProgress(options.progress);
  SimObserver observer(log, *progress);
  const Status outcome = runScene(*scene, run, observer);
  progress->end();
  const Status logged = log.end(outcome);
  if (!run.checkpoints.folder.empty() && outcome.code() != Code::superseded) keepOutcome(run, outcome);
  if (!outcome || !logged) return fail(outcome ? logged : outcome);
  if (options.progress != "none" && options.progress != "json") {
    for (const std::string& note : observer.notes()) fmt::print("{}\n", note);
    fmt::print("wrote {}, frames {}-{}\n", run.out, run.first_frame, run.last_frame);
    for (const Output& output : run.more) fmt::print("wrote {}\n", output.path);
  }
  return 0;
}

}  // namespace

void addSim(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("sim", "Simulate a scene into an Alembic cache");
  command->footer(kFooter);
  auto options = std::make_shared<SimOptions>();
  command->add_option("SCENE", options->scene, "Scene file (.json)")->required()->type_name("");
  command->add_option("--frames", options->frames, "Frames to write, e.g. 1001-1048; else those of the scene")
      ->type_name("RANGE");
  command
      ->add_option("--out", options->out, "Cache to write (.abc); else the scene's, else SCENE's name here")
      ->type_name("FILE.abc");
  command
      ->add_option("--set", options->sets,
                   "Change a parameter: NAME=VALUE or BODY.NAME=VALUE; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--backend", options->backend, "Where the kernels run: tbb")
      ->type_name("NAME")
      ->check(CLI::IsMember({"tbb"}));
  command->add_option("--threads", options->threads, "Threads; else the farm's share, else all cores")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  command->add_option("--progress", options->progress, "auto, bar, alf, openjd, plain, json or none")
      ->type_name("STYLE")
      ->check(CLI::IsMember(progressStyleNames()).description(""));
  command
      ->add_option("--log-json", options->log,
                   "Write one JSON object a frame and a last one with the outcome")
      ->type_name("FILE");
  command
      ->add_option("--checkpoint", options->checkpoints.folder,
                   "Keep checkpoints in this folder, and go on from the newest that is there")
      ->type_name("DIR");
  command
      ->add_option("--checkpoint-every", options->checkpoints.every,
                   "Frames from one to the next; else as often as costs a twentieth of the time")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
  command->add_flag("--fresh", options->checkpoints.fresh, "Begin anew whatever checkpoints there are");
  command->add_option("--resume", options->resume, "1 goes on where there are checkpoints, 0 is --fresh")
      ->type_name("0|1")
      ->check(CLI::Range(0, 1).description(""));
  command->add_flag("--allow-drift", options->checkpoints.drift,
                    "Go on although the scene is not that of the checkpoint");
  command->callback([options, &exit_code] { exit_code = runSim(*options); });
}

}  // namespace repose
