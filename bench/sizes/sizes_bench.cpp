// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/sizes/sizes_bench.h"

#include <algorithm>

#include "bench/opencl/opencl_backend.h"
#include "bench/report.h"
#include "bench/sizes/sized_scenes.h"
#include "bench/triad.h"

namespace repose {

namespace {

// A backend with so many threads, and what it took.
struct Contender {
  bool opencl;
  int threads;
  Times wall = {}, cpu = {}, triad = {};
  std::array<Times, kStageNames.size()> stages = {};

  std::unique_ptr<Backend> make() const { return opencl ? openClBackend(threads) : makeTbbBackend(threads); }
  const char* name() const { return opencl ? "OpenCL" : "TBB"; }
  double iterate() const { return stages[static_cast<std::size_t>(Stage::iterate)].least(); }
};

// Few frames of large scenes, so that all take their turns within a minute.
int framesFor(double frame_ms) { return std::clamp(static_cast<int>(400 / frame_ms), 3, 60); }

void takeTurn(SizedScene& scene, Triad& triad, Contender& one) {
  scene.backend = one.make();
  StageSeconds seconds{};
  const Clock::time_point first = Clock::now();
  scene.frame(seconds);  // compiles, wakes the threads, and the caches from what ran before
  const int frames = framesFor(milliseconds(first));
  std::vector<double> wall, cpu;
  std::array<std::vector<double>, kStageNames.size()> stages;
  for (int f = 0; f < frames; ++f) {
    seconds = {};
    const double cpu_begin = cpuMilliseconds();
    const Clock::time_point begin = Clock::now();
    scene.frame(seconds);
    wall.push_back(milliseconds(begin)), cpu.push_back(cpuMilliseconds() - cpu_begin);
    for (std::size_t s = 0; s < stages.size(); ++s) stages[s].push_back(1e3 * seconds[s]);
  }
  one.wall.addBurst(wall), one.cpu.addBurst(cpu);
  for (std::size_t s = 0; s < stages.size(); ++s) one.stages[s].addBurst(stages[s]);
  scene.backend.reset();  // as long as it lives it limits the threads of all others
  if (!one.opencl) one.triad.addBurst(triad.run(one.threads, 20));
}

nlohmann::json figuresOf(const Contender& one, const Work& work, double triad_bytes) {
  nlohmann::json stages;
  for (std::size_t s = 0; s < one.stages.size(); ++s) stages[kStageNames[s]] = one.stages[s].least();
  nlohmann::json figures = {{"backend", one.name()},
                            {"threads", one.threads},
                            {"ms", one.wall.least()},
                            {"median_ms", one.wall.middle()},
                            {"cpu_ms", one.cpu.least()},
                            {"stages_ms", stages},
                            {"ns_a_row_and_pass", 1e6 * one.iterate() / (work.rows * work.passes)},
                            {"gb_s", 1e-6 * work.bytes_a_pass * work.passes / one.iterate()}};
  if (!one.opencl) figures["triad_gb_s"] = 1e-6 * triad_bytes / one.triad.least();
  return figures;
}

nlohmann::json runSize(const Family& family, int size, const SizesBench& bench) {
  sayProgress(fmt::format("{}, {} {}", family.name, size, family.size_of));
  const std::unique_ptr<SizedScene> scene = family.make(size);
  const int most = *std::max_element(bench.threads.begin(), bench.threads.end());
  scene->backend = makeTbbBackend(most);
  StageSeconds seconds{};
  for (int f = bench.settle < 0 ? scene->settlingFrames() : bench.settle; f >= 0; --f) scene->frame(seconds);
  scene->backend.reset();
  std::vector<Contender> all;
  for (const int threads : bench.threads) all.push_back({false, threads});
  if (bench.opencl) all.push_back({true, most});
  Triad triad(scene->work().bytes_a_pass);
  for (int round = 0; round < bench.rounds; ++round)
    for (Contender& one : all) takeTurn(*scene, triad, one);
  const Work work = scene->work();
  nlohmann::json run = {{"asked", size},
                        {"size", work.size},
                        {"rows", work.rows},
                        {"passes", work.passes},
                        {"bytes_a_pass", work.bytes_a_pass}};
  for (const Contender& one : all) run["contenders"].push_back(figuresOf(one, work, triad.bytes()));
  return run;
}

// What keeps a row from being faster: the memory, at the rate of the triad, or the processor, at the rate of
// the size whose rows take least, which are in the caches. The later of the two over the time that it takes.
void addLimits(nlohmann::json& runs) {
  double core_ns = 1e30;
  for (const nlohmann::json& run : runs)
    core_ns = std::min(core_ns, run["contenders"][0]["ns_a_row_and_pass"].get<double>() *
                                    run["contenders"][0]["threads"].get<double>());
  for (nlohmann::json& run : runs)
    for (nlohmann::json& one : run["contenders"]) {
      if (!one.contains("triad_gb_s")) continue;
      const double ns = one["ns_a_row_and_pass"];
      const double of_memory = one["gb_s"].get<double>() / one["triad_gb_s"].get<double>();
      const double of_core = core_ns / one["threads"].get<double>() / ns;
      one["limit"] = of_memory > of_core ? "memory" : "arithmetic";
      one["share_of_limit"] = std::max(of_memory, of_core);
    }
}

void addRows(const nlohmann::json& run, Table& table) {
  for (const nlohmann::json& one : run["contenders"]) {
    const double triad = one.value("triad_gb_s", 0.0);
    const auto stage = [&](const char* name) {
      return fmt::format("{:.2f}", one["stages_ms"][name].get<double>());
    };
    table.add(
        {fmt::format("{}, {} x {}", run["asked"].get<int>(), one["backend"].get<std::string>(),
                     one["threads"].get<int>()),
         fmt::format("{:.2f} ({:.2f})", one["median_ms"].get<double>(), one["ms"].get<double>()),
         stage("collide"), stage("predict"), stage("iterate"), stage("integrate"),
         fmt::format("{:.2f}", one["ns_a_row_and_pass"].get<double>()),
         fmt::format("{:.1f}", 1e-6 * run["bytes_a_pass"].get<double>()),
         fmt::format("{:.1f}", one["gb_s"].get<double>()), triad > 0 ? fmt::format("{:.1f}", triad) : "",
         one.contains("limit") ? fmt::format("{:.0f} % of {}", 100 * one["share_of_limit"].get<double>(),
                                             one["limit"].get<std::string>())
                               : ""});
  }
}

// Time of a row and pass at the largest size over that at the smallest, one thread.
double growth(const nlohmann::json& runs) {
  const auto time = [](const nlohmann::json& run) {
    return run["contenders"][0]["ns_a_row_and_pass"].get<double>();
  };
  return time(runs.back()) / time(runs.front());
}

std::vector<int> sizesOf(const Family& family, const SizesBench& bench) {
  if (!bench.sizes.empty()) return bench.sizes;
  if (bench.all) return family.sizes;
  return {family.sizes[family.sizes.size() / 2]};
}

void runFamily(const Family& family, const SizesBench& bench, Report& report) {
  nlohmann::json figures = {
      {"name", family.name}, {"size_of", family.size_of}, {"rows", family.rows}, {"scene", family.scene}};
  Table table({std::string(family.name) + ", backend x threads", "ms a frame", "collide", "predict",
               "iterate", "integrate", "ns a row and pass", "MB a pass", "GB/s", "triad of that size",
               "of the limit"});
  for (const int size : sizesOf(family, bench)) figures["runs"].push_back(runSize(family, size, bench));
  if (figures["runs"].size() > 1) addLimits(figures["runs"]);
  for (const nlohmann::json& run : figures["runs"]) addRows(run, table);
  report.say(fmt::format("\n{} ({}): rows are {}.\n", family.name, family.scene, family.rows));
  report.say(table.markdown());
  if (figures["runs"].size() > 1) {
    figures["growth"] = growth(figures["runs"]);
    report.say(
        fmt::format("\nFrom the smallest to the largest the time of a row and pass grows {:.2f} times.\n",
                    figures["growth"].get<double>()));
  }
  report.figures["families"].push_back(figures);
}

}  // namespace

void addSizesOptions(CLI::App& app, SizesBench& bench) {
  std::vector<std::string> names;
  for (const Family& family : families()) names.emplace_back(family.name);
  app.add_option("SIZES", bench.sizes, "instead of those of each family")->check(CLI::Range(2, 20000000));
  app.add_option("--family", bench.families, "only these: cloth, grains, boxes, tets")
      ->check(CLI::IsMember(names))
      ->allow_extra_args(false);
  app.add_option("--threads", bench.threads,
                 "threads of TBB, the first of which the others are compared to (default: 1 and all)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--rounds", bench.rounds, "turns of each")->check(CLI::Range(1, 100));
  app.add_option("--settle", bench.settle, "frames before times are taken");
  app.add_flag("!--no-opencl", bench.opencl, "only TBB");
  app.add_option("--out", bench.out, "folder for sizes.md and sizes.json");
}

void benchSizes(SizesBench bench) {
  Report report("sizes");
  if (bench.threads.empty()) {
    bench.threads = {1};
    if (const int all = makeTbbBackend(0)->threads(); all > 1) bench.threads.push_back(all);
  }
  bench.opencl = bench.opencl && openClBackend(1) != nullptr;
  report.say(
      "Median (least) milliseconds a frame; stages, and what follows from them, are the least. GB/s: bytes "
      "that "
      "the passes of a frame have to move over the time of the iterate stage, against a = b + s c on arrays "
      "of "
      "as many bytes as a pass moves; both are read from the caches where they fit. Of the limit: the time "
      "that the triad would take for the bytes, or the processor for as many rows of the size whose rows "
      "take "
      "least, whichever is longer, over the time of the iterate stage.\n");
  for (const Family& family : families())
    if (bench.families.empty() ||
        std::find(bench.families.begin(), bench.families.end(), family.name) != bench.families.end())
      runFamily(family, bench, report);
  report.write(bench.out);
}

}  // namespace repose
