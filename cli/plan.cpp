// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/plan.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "progress.h"
#include "sim_options.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose plan shot.json\n"
    "  repose plan shot.json --checkpoint shot.ck --trial 3 --json\n"
    "  repose plan shot.json --max-mem 8G && repose sim shot.json --max-mem 8G\n"
    "\nBuilds the scene, writes nothing. Exit code 5 when it needs more than --max-mem.\n";

struct PlanOptions {
  SimOptions sim;
  int trial = 0;
  bool json = false;
};

nlohmann::ordered_json asJson(const RunPlan& plan) {
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (const OutputPlan& output : plan.outputs)
    outputs.push_back({{"path", output.path},
                       {"frame_bytes", output.known ? nlohmann::ordered_json(output.frame_bytes) : nullptr},
                       {"bytes", output.known ? nlohmann::ordered_json(output.bytes) : nullptr}});
  return {{"first_frame", plan.first_frame},
          {"last_frame", plan.last_frame},
          {"simulated_frames", plan.simulated},
          {"threads", plan.threads},
          {"points", plan.points},
          {"grains", plan.grains},
          {"most_grains", plan.most_grains},
          {"rigid_pieces", plan.pieces},
          {"outputs", outputs},
          {"checkpoint_bytes", plan.checkpoint_bytes},
          {"disk_bytes", plan.disk_bytes},
          {"memory_bytes", plan.memory_bytes},
          {"memory_allowed", plan.memory_allowed},
          {"seconds", plan.seconds > 0 ? nlohmann::ordered_json(plan.seconds) : nullptr}};
}

std::string size(std::uint64_t bytes) { return bytesText(static_cast<double>(bytes)); }

std::string asText(const RunPlan& plan, const std::string& scene) {
  std::string text = fmt::format("{}: frames {}-{}, {} to simulate, {} threads\n", scene, plan.first_frame,
                                 plan.last_frame, plan.simulated, plan.threads);
  text += fmt::format("  {} points, {} grains{}, {} rigid pieces\n", plan.points, plan.grains,
                      plan.most_grains > plan.grains ? fmt::format(" (at most {})", plan.most_grains) : "",
                      plan.pieces);
  for (const OutputPlan& output : plan.outputs)
    text += output.known ? fmt::format("  output {}: {} a frame, {} in all\n", output.path,
                                       size(output.frame_bytes), size(output.bytes))
                         : fmt::format("  output {}: as large as the motion makes it\n", output.path);
  text += fmt::format("  checkpoint: {}\n  disk: {}\n  memory: {} of the {} allowed here\n",
                      size(plan.checkpoint_bytes), size(plan.disk_bytes), size(plan.memory_bytes),
                      size(plan.memory_allowed));
  if (plan.seconds > 0) text += fmt::format("  time: {}, as the trial went\n", durationText(plan.seconds));
  return text;
}

int runPlan(const PlanOptions& options) {
  const Result<Scene> scene = readScene(options.sim.scene, options.sim.sets, options.sim.roots);
  if (!scene) return fail(scene.status());
  const Result<RunOptions> run = runOptionsOf(*scene, options.sim);
  if (!run) return fail(run.status());
  const Result<RunPlan> plan = planRun(*scene, *run, options.trial);
  if (!plan) return fail(plan.status());
  fmt::print("{}", options.json ? asJson(*plan).dump(2) + "\n" : asText(*plan, options.sim.scene));
  return run->max_memory > 0 && plan->memory_bytes > run->max_memory ? fail(tooMuchMemory(*plan, *run)) : 0;
}

}  // namespace

Status tooMuchMemory(const RunPlan& plan, const RunOptions& run) {
  return {Code::memory, fmt::format("the run would need about {} of memory, above the {} of --max-mem",
                                    size(plan.memory_bytes), size(run.max_memory))};
}

void addPlan(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("plan", "Say what a run will need: disk, memory, time");
  command->footer(kFooter);
  auto options = std::make_shared<PlanOptions>();
  addRunOptions(*command, options->sim);
  command->add_option("--trial", options->trial, "Simulate so many frames, for the time and memory they take")
      ->type_name("N")
      ->check(CLI::Range(1, 10000).description(""));
  command->add_flag("--json", options->json, "For programs");
  command->callback([options, &exit_code] { exit_code = runPlan(*options); });
}

}  // namespace repose
