// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "json_log.h"
#include "params/text.h"
#include "progress.h"
#include "run/plan.h"
#include "sim_options.h"
#include "stop.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose sim flag.json\n"
    "  repose sim flag.json --frames 1001-1048 --out flag.abc\n"
    "  repose sim flag.json --set iterations=40 --set flag.density=0.3 --log-json flag.log\n"
    "  repose sim shot.json --out shot.abc --checkpoint shot.ck     (again after a kill: goes on)\n"
    "\nCtrl-C ends the run between two substeps; the cache holds all frames so far. A second one leaves "
    "at once.\n"
    "Exit codes: 0 done, 2 wrong use or wrong scene (nothing written), 3 unstable (last good frame kept), 4 "
    "disk,\n"
    "5 memory, 75 stopped early (what is written is good), 76 another run took over the checkpoints\n";

// outcome.json beside the checkpoints, for programs that watch the folder; a run that was refused makes none.
void keepOutcome(const RunOptions& run, const std::string& outcome) {
  const std::filesystem::path folder = run.checkpoints.folder;
  if (std::error_code none; !std::filesystem::is_directory(folder, none)) return;
  if (Status kept = replaceFile((folder / "outcome.json").string(), {outcome + "\n"}); !kept)
    fmt::print(stderr, "repose: {}\n", kept.message());
}

class SimObserver : public RunObserver {
 public:
  SimObserver(const RunOptions& run, JsonLog& log, Progress& progress)
      : run_(run), log_(log), progress_(progress) {}
  void begun() override { keepOutcome(run_, runningAsJson()); }
  void noted(const std::string& note) override { notes_.push_back(note); }
  void warned(const std::string& warning) override { fmt::print(stderr, "repose: {}\n", warning); }
  void frameCommitted(const FrameReport& report) override {
    log_.frame(report);
    progress_.frame(report);
  }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<std::string> notes_;
  const RunOptions& run_;
  JsonLog& log_;
  Progress& progress_;
};

// --max-mem, before anything is written.
Status checkMemory(const Scene& scene, const RunOptions& run) {
  if (run.max_memory == 0) return {};
  const Result<RunPlan> plan = planRun(scene, run);
  if (!plan) return plan.status();
  return plan->memory_bytes > run.max_memory ? tooMuchMemory(*plan, run) : Status();
}

int runSim(SimOptions options) {
  // first of all: a stop while the scene is read is one too
  const std::atomic<bool>& stop = catchStopSignals(options.grace, options.stop_code);
  if (Status applied = applyWedge(options); !applied) return fail(applied);
  const Result<Scene> scene = readScene(options.scene, options.sets, options.roots);
  if (!scene) return fail(scene.status());
  Result<RunOptions> run = runOptionsOf(*scene, options);
  if (!run) return fail(run.status());
  if (Status fits = checkMemory(*scene, *run); !fits) return fail(fits);
  const bool keeps = !run->checkpoints.folder.empty();
  JsonLog log;
  if (!options.log.empty())
    if (Status opened = log.open(options.log, keeps && !run->checkpoints.fresh); !opened) return fail(opened);

  run->stop = &stop;
  const std::unique_ptr<Progress> progress = makeProgress(options.progress);
  SimObserver observer(*run, log, *progress);
  const Status outcome = runScene(*scene, *run, observer);
  progress->end();
  // what another run has taken over, log and all, is that one's to tell of
  const bool own = outcome.code() != Code::superseded;
  const Status logged = own ? log.end(outcome) : Status();
  if (keeps && own) keepOutcome(*run, outcomeAsJson(outcome));
  if (outcome.code() == Code::stopped) return fail(outcome), options.stop_code;
  if (!outcome || !logged) return fail(outcome ? logged : outcome);
  if (options.progress != "none" && options.progress != "json") {
    for (const std::string& note : observer.notes()) fmt::print("{}\n", note);
    fmt::print("wrote {}, frames {}-{}\n", run->out, run->first_frame, run->last_frame);
    for (const Output& output : run->more) fmt::print("wrote {}\n", output.path);
  }
  return 0;
}

void addFarmOptions(CLI::App& command, SimOptions& options) {
  command.add_option("--wedge-file", options.wedge_file, "Wedges (.json), one of which is this run")
      ->type_name("FILE");
  command
      .add_option("--wedge-index", options.wedge_index,
                  "Which of them, from 0; else SLURM_ARRAY_TASK_ID. {wedge} in file names is its number")
      ->type_name("N")
      ->check(CLI::Range(0, 1000000).description(""));
  command
      .add_option("--grace", options.grace,
                  "Seconds from a signal to the end, whatever is in work; else as long as it takes")
      ->type_name("S")
      ->check(CLI::Range(1, 86400).description(""));
  command
      .add_option("--stop-code", options.stop_code, "Exit code of a stopped run; else 75 (Grid Engine: 99)")
      ->type_name("N")
      ->check(CLI::Range(1, 125).description(""));
}

}  // namespace

void addSim(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("sim", "Simulate a scene into an Alembic cache");
  command->footer(kFooter);
  auto options = std::make_shared<SimOptions>();
  addRunOptions(*command, *options);
  command->add_option("--backend", options->backend, "Where the kernels run: tbb, opencl; the same result")
      ->type_name("NAME")
      ->check(CLI::IsMember({"tbb", "opencl"}).description(""));
  command
      ->add_option(
          "--device", options->device,
          "OpenCL device, by number or a part of its name (see repose devices); else the first usable")
      ->type_name("NAME|N");
  command->add_option("--progress", options->progress, joinText(progressStyleNames()))
      ->type_name("STYLE")
      ->check(CLI::IsMember(progressStyleNames()).description(""));
  command
      ->add_option("--log-json", options->log,
                   "Write one JSON object a frame and a last one with the outcome")
      ->type_name("FILE");
  command->add_flag("--fresh", options->checkpoints.fresh, "Begin anew whatever checkpoints there are");
  command->add_option("--resume", options->resume, "1 goes on where there are checkpoints, 0 is --fresh")
      ->type_name("0|1")
      ->check(CLI::Range(0, 1).description(""));
  command
      ->add_option("--resume-from", options->checkpoints.from,
                   "Go on behind this frame, or the newest checkpoint before it, and drop what came later")
      ->type_name("FRAME");
  command->add_flag("--allow-drift", options->checkpoints.drift,
                    "Go on although the scene is not that of the checkpoint");
  addFarmOptions(*command, *options);
  command->callback([options, &exit_code] { exit_code = runSim(*options); });
}

}  // namespace repose
