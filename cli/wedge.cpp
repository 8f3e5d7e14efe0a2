// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "compare.h"
#include "run/memory.h"
#include "run/threads.h"
#include "sim_options.h"
#include "stop.h"
#include "wedge_list.h"
#include "wedge_runs.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose wedge sand.json --vary sand.friction=0.2,0.4,0.8 --vary substeps=4:12:4\n"
    "  repose wedge flag.json --vary flag.density=0.1,0.3 --vary wind=4,8 --zip --out flag_wedges\n"
    "  repose wedge sand.json --vary sand.friction=0.1:0.8:0.1 --to slurm --out /farm/sand\n"
    "\nRuns go side by side as cores and memory allow, each in DIR/wedge_000, wedge_001, ... The same "
    "command "
    "given\nagain goes on where it was. At the end there are DIR/sheet.png and DIR/index.html.\n";

struct WedgeOptions {
  std::string scene, folder, frames, to, max_memory;
  std::vector<std::string> axes, sets;
  bool zip = false;
  int jobs = 0, threads = 0, grace = 25;
};

// Each value on its own: a wrong name is found before anything is written or run.
Result<Scene> checkScene(const WedgeOptions& options, const std::vector<std::vector<std::string>>& runs) {
  std::vector<std::string> tried;
  for (const std::vector<std::string>& run : runs)
    for (const std::string& set : run) {
      if (std::find(tried.begin(), tried.end(), set) != tried.end()) continue;
      tried.push_back(set);
      const Result<Scene> scene = readScene(options.scene, {set});
      if (!scene) return scene.status();
    }
  return readScene(options.scene, runs[0]);
}

Result<WedgeJob> describeJob(const WedgeOptions& options, const Scene& scene, int runs) {
  WedgeJob job;
  job.program = programPath();
  job.scene = fs::absolute(options.scene).lexically_normal().string();
  job.name = fs::path(options.scene).stem().string();
  job.folder = fs::absolute(options.folder.empty() ? job.name + "_wedges" : options.folder)
                   .lexically_normal()
                   .string();
  if (job.folder.size() > 1 && job.folder.back() == '/') job.folder.pop_back();
  job.frames_given = !options.frames.empty();
  job.frames = job.frames_given ? options.frames : fmt::format("{}-{}", scene.first_frame, scene.last_frame);
  job.runs = runs;
  job.grace = options.grace;
  job.max_memory = options.max_memory;
  const int cores = chooseThreads(0);
  job.threads = options.threads > 0 ? options.threads : std::max(1, cores / std::min(runs, cores));
  if (Status good = checkNames(job); !good) return good;
  return job;
}

// Side by side as cores and memory allow, by the plan of the first run.
Result<int> fitting(const WedgeOptions& options, const WedgeJob& job, const Scene& scene) {
  SimOptions sim;
  sim.scene = options.scene;
  sim.frames = options.frames;
  sim.out = job.name + ".abc";
  sim.threads = job.threads;
  sim.max_memory = options.max_memory;
  sim.checkpoints.folder = job.folder;
  const Result<RunOptions> run = runOptionsOf(scene, sim);
  if (!run) return run.status();
  const Result<RunPlan> plan = planRun(scene, *run);
  if (!plan) return plan.status();
  if (run->max_memory > 0 && plan->memory_bytes > run->max_memory) return tooMuchMemory(*plan, *run);
  const int by_cores = std::max(1, chooseThreads(0) / job.threads);
  const auto by_memory = static_cast<int>(
      std::min<std::uint64_t>(100000, plan->memory_allowed / std::max<std::uint64_t>(1, plan->memory_bytes)));
  if (plan->memory_allowed > 0 && by_memory == 0)
    return Status(Code::memory, fmt::format("one run would need about {} of memory, and {} are there",
                                            bytesText(static_cast<double>(plan->memory_bytes)),
                                            bytesText(static_cast<double>(plan->memory_allowed))));
  return options.jobs > 0 ? options.jobs : std::max(1, std::min(by_cores, by_memory));
}

Status writeJob(const WedgeOptions& options, const WedgeJob& job) {
  const bool openjd = options.to == "openjd", slurm = options.to == "slurm";
  const std::string text = openjd ? asOpenJd(job) : slurm ? asSlurm(job) : asShell(job);
  const fs::path path = fs::path(job.folder) / (openjd ? "job.json" : slurm ? "job.sbatch" : "job.sh");
  if (Status written = replaceFile(path.string(), {text}); !written) return written;
  std::error_code none;
  if (!openjd) fs::permissions(path, fs::perms(0755), none);
  fmt::print("wrote {}\n", path.string());
  return {};
}

int runHere(const WedgeJob& job, int side_by_side) {
  const std::atomic<bool>& stop = catchStopSignals();
  int done = 0;
  fmt::print("{} runs, {} side by side with {} threads each\n", job.runs, side_by_side, job.threads);
  const std::vector<int> codes = runWedges(job, side_by_side, stop, [&](int run, int code) {
    fmt::print("ALF_PROGRESS {}%\nwedge {:03} ended with exit code {}\n", 100 * ++done / job.runs, run, code);
    std::fflush(stdout);
  });
  if (stop) return fail({Code::stopped, "stopped on request; the same command goes on with the wedges"});
  if (Status compared = compareWedges(job.folder); !compared) return fail(compared);
  const auto failed = std::find_if(codes.begin(), codes.end(), [](int code) { return code != 0; });
  if (failed == codes.end()) return 0;
  fmt::print(stderr,
             "repose: {} of {} wedges did not end well, the first of them wedge {:03} with exit code {}\n",
             std::count_if(codes.begin(), codes.end(), [](int code) { return code != 0; }), codes.size(),
             failed - codes.begin(), *failed);
  return *failed;
}

int runWedge(const WedgeOptions& options) {
  auto runs = expandAxes(options.axes, options.zip);
  if (!runs) return fail(runs.status());
  for (std::vector<std::string>& run : *runs)
    run.insert(run.begin(), options.sets.begin(), options.sets.end());
  const Result<Scene> scene = checkScene(options, *runs);
  if (!scene) return fail(scene.status());
  const Result<WedgeJob> job = describeJob(options, *scene, static_cast<int>(runs->size()));
  if (!job) return fail(job.status());
  const Result<int> side_by_side = fitting(options, *job, *scene);
  if (!side_by_side) return fail(side_by_side.status());

  std::error_code error;
  fs::create_directories(job->folder, error);
  if (error)
    return fail(ioError(fmt::format("the folder \"{}\" cannot be made: {}", job->folder, error.message())));
  const WedgeList wedges{job->scene, options.frames, std::move(*runs)};
  if (Status kept = replaceFile(job->folder + "/wedges.json", {wedgesAsJson(wedges)}); !kept)
    return fail(kept);
  if (options.to.empty()) return runHere(*job, *side_by_side);
  const Status written = writeJob(options, *job);
  return written ? 0 : fail(written);
}

}  // namespace

void addWedge(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("wedge", "Many runs from one scene, here or as a job for a farm");
  command->footer(kFooter);
  auto options = std::make_shared<WedgeOptions>();
  command->add_option("SCENE", options->scene, "Scene file (.json)")->required()->type_name("");
  command
      ->add_option("--vary", options->axes,
                   "Values of a parameter: NAME=0.2,0.4 or NAME=FROM:TO:STEP; several make all combinations")
      ->required()
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  command->add_flag("--zip", options->zip, "Instead the first values together, the second ones, and so on");
  command->add_option("--set", options->sets, "A parameter of all runs; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--frames", options->frames, "Frames to write; else those of the scene")
      ->type_name("RANGE");
  command->add_option("--out", options->folder, "Folder for all; else SCENE's name with _wedges, here")
      ->type_name("DIR");
  command->add_option("--to", options->to, "Write a job instead of running: openjd, slurm or shell")
      ->type_name("FARM")
      ->check(CLI::IsMember({"openjd", "slurm", "shell"}).description(""));
  command->add_option("--jobs", options->jobs, "Runs side by side; else as cores and memory allow")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  command->add_option("--threads", options->threads, "Threads of each run")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  command->add_option("--max-mem", options->max_memory, "Most memory of each run, e.g. 8G")
      ->type_name("SIZE");
  command->add_option("--grace", options->grace, "Seconds a run has from a signal to its end; else 25")
      ->type_name("S")
      ->check(CLI::Range(1, 86400).description(""));
  command->callback([options, &exit_code] { exit_code = runWedge(*options); });
}

}  // namespace repose
