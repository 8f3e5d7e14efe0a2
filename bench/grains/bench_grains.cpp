// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Speed, memory and penetration of grains; docs/performance_grains.md shows what it prints. Times are those
// of a shared machine: every figure is taken in turns with what it is compared to.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "bench/grains/grain_scenes.h"
#include "bench/report.h"

namespace repose {

namespace {

struct GrainBench {
  std::vector<int> sizes = {3000, 30000, 100000, 300000, 1000000};
  std::vector<std::string> scenes = {"lattice", "packing"};
  std::string reference;  // program with the kernel of peers.md; empty: none
  int rounds = 3;
  int substeps = 0;  // contact substeps, 0: the default
};

// The most memory that this program held since forgetPeak [MiB].
void forgetPeak() { std::ofstream("/proc/self/clear_refs") << 5; }
double peakMemory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (double kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024;
  return 0;
}

// Of whole steps and their parts, in bursts: clock of the wall and of the processor.
struct StepTimes {
  Times wall, cpu, find, solve, store;
};

void burst(GrainWorld& world, int threads, int frames, StepTimes& times) {
  world.backend.reset();  // as long as a backend lives it limits the threads of all others
  world.backend = makeTbbBackend(threads);
  world.step();  // wakes the threads, and the caches from what ran before
  std::vector<double> wall, cpu, find, solve, store;
  for (int f = 0; f < frames; ++f) {
    const double cpu_begin = cpuMilliseconds();
    const Clock::time_point begin = Clock::now();
    // the clock of the processor adds up threads, so two of them are timed by that of the wall
    const auto lap = [&] { return threads == 1 ? cpuMilliseconds() - cpu_begin : milliseconds(begin); };
    world.find();
    find.push_back(lap());
    world.solve();
    solve.push_back(lap() - find.back());
    world.store();
    store.push_back(lap() - find.back() - solve.back());
    wall.push_back(milliseconds(begin)), cpu.push_back(cpuMilliseconds() - cpu_begin);
  }
  times.wall.addBurst(wall), times.cpu.addBurst(cpu);
  times.find.addBurst(find), times.solve.addBurst(solve), times.store.addBurst(store);
}

struct Reference {
  Times wall, cpu;
  double mean = 0, p99 = 0, max = 0;
  bool ran() const { return !cpu.medians.empty(); }
};

// The program says "... wall med 1.2 min 1.1 | cpu med 1.2 min 1.1 ms ... pen max 1% p99 1% mean 1% ...".
void runReference(const GrainBench& bench, int n, int threads, Reference& reference) {
  if (bench.reference.empty()) return;
  const std::string command =
      fmt::format("OMP_WAIT_POLICY=passive '{}' {} {} 15 {} {}", bench.reference, n, threads,
                  settlingFrames(GrainScene::lattice, n), n > 200000 ? 6 : 20);
  std::FILE* pipe = popen(command.c_str(), "r");
  char text[1024] = "";
  if (pipe && !std::fgets(text, sizeof(text), pipe)) text[0] = 0;
  const char* times = std::strstr(text, "wall med ");
  const char* overlap = std::strstr(text, "pen max ");
  double wall[2], cpu[2];
  const bool read = times && overlap &&
                    std::sscanf(times, "wall med %lf min %lf | cpu med %lf min %lf", &wall[0], &wall[1],
                                &cpu[0], &cpu[1]) == 4 &&
                    std::sscanf(overlap, "pen max %lf%% p99 %lf%% mean %lf%%", &reference.max, &reference.p99,
                                &reference.mean) == 3;
  if (!pipe || pclose(pipe) != 0 || !read) {
    fmt::print(stderr, "no times from: {}\n", command);
    std::exit(4);
  }
  reference.wall.medians.push_back(wall[0]), reference.wall.leasts.push_back(wall[1]);
  reference.cpu.medians.push_back(cpu[0]), reference.cpu.leasts.push_back(cpu[1]);
}

struct Run {
  GrainScene scene = GrainScene::lattice;
  int n = 0;
  StepTimes one, two;
  Reference reference_one, reference_two;
  Penetration overlap;
  double rows_a_grain = 0, bytes_a_grain = 0, peak = 0, speed = 0;
  int colours = 0;

  double nanoseconds() const { return one.cpu.least() * 1e6 / n; }
  double speedUp() const { return one.wall.least() / two.wall.least(); }
};

std::size_t stateBytes(const State& state) {
  const GrainState& g = state.grains;
  const ContactMemory& m = state.contacts;
  return (g.x.capacity() + g.v.capacity() + g.spin.capacity() + m.impulse.capacity() + m.roll.capacity() +
          m.surface_impulse.capacity() + m.surface_roll.capacity()) *
             sizeof(Vec4f) +
         (g.id.capacity() + g.born.capacity() + g.calm.capacity() + g.last.capacity() + m.first.capacity() +
          m.partner.capacity()) *
             4 +
         g.body.capacity() * 2 + (m.mover.capacity() + m.surface.capacity()) * 8;
}

Run runScene(const GrainBench& bench, GrainScene scene, int n) {
  Run run;
  run.scene = scene, run.n = n;
  forgetPeak();
  const auto world = makeGrainScene(scene, n);
  if (bench.substeps > 0) world->params.solver.contactsubsteps = bench.substeps;
  sayProgress(fmt::format("{}, {} grains: settling", grainSceneName(scene), n));
  world->backend.reset();
  world->backend = makeTbbBackend(2);
  for (int f = settlingFrames(scene, n); f > 0; --f) world->step();
  const bool large = n > 200000;
  for (int round = 0; round < bench.rounds; ++round) {
    sayProgress(fmt::format("{}, {} grains: round {}", grainSceneName(scene), n, round + 1));
    const int frames = large ? 4 : 10;
    const bool once = large && round > 0;  // the reference has to settle every time
    if (!once) runReference(bench, n, 1, run.reference_one);
    burst(*world, 1, frames, run.one);
    if (!once) runReference(bench, n, 2, run.reference_two);
    burst(*world, 2, frames, run.two);
  }
  run.peak = peakMemory();
  const Contacts& contacts = *world->contacts;
  run.bytes_a_grain = static_cast<double>(contacts.bytes() + stateBytes(world->state)) / n;
  run.rows_a_grain = static_cast<double>(contacts.pairs.count() + contacts.solos.count()) / n;
  run.colours = contacts.pairs.tiles() ? contacts.pairs.tile_first[1] : 0;
  run.speed = world->rmsSpeed();
  run.overlap = measurePenetration(world->state.grains.x);
  return run;
}

std::string both(const Times& times) { return fmt::format("{:.1f} ({:.1f})", times.middle(), times.least()); }

nlohmann::json figuresOf(const Run& run) {
  const auto times = [](const Times& t) {
    return nlohmann::json{{"median_ms", t.middle()}, {"least_ms", t.least()}};
  };
  nlohmann::json figures = {{"scene", grainSceneName(run.scene)},
                            {"grains", run.n},
                            {"ns_a_grain", run.nanoseconds()},
                            {"speed_up", run.speedUp()},
                            {"mean_penetration", run.overlap.mean},
                            {"p99_penetration", run.overlap.p99},
                            {"max_penetration", run.overlap.max},
                            {"pairs_a_grain", run.overlap.pairs_a_grain},
                            {"rows_a_grain", run.rows_a_grain},
                            {"colours", run.colours},
                            {"rms_speed", run.speed},
                            {"bytes_a_grain", run.bytes_a_grain},
                            {"peak_mib", run.peak}};
  for (const auto& [name, step] : {std::pair{"one", &run.one}, {"two", &run.two}})
    figures[name] = {{"wall", times(step->wall)},
                     {"cpu", times(step->cpu)},
                     {"find", times(step->find)},
                     {"solve", times(step->solve)},
                     {"store", times(step->store)}};
  for (const auto& [name, reference] :
       {std::pair{"reference_one", &run.reference_one}, {"reference_two", &run.reference_two}})
    if (reference->ran())
      figures[name] = {{"wall", times(reference->wall)},
                       {"cpu", times(reference->cpu)},
                       {"mean_penetration", reference->mean / 100},
                       {"p99_penetration", reference->p99 / 100},
                       {"max_penetration", reference->max / 100}};
  return figures;
}

void sayTimes(const std::vector<Run>& runs, Report& report) {
  Table table({"scene, grains", "ms, 1 thread", "2 threads", "speed-up", "ns a grain", "find", "solve",
               "store", "reference, 1 thread", "2 threads", "ratio, 1 thread", "2 threads"});
  for (const Run& run : runs) {
    std::vector<std::string> row = {fmt::format("{}, {}", grainSceneName(run.scene), run.n),
                                    both(run.one.cpu),
                                    both(run.two.wall),
                                    fmt::format("{:.2f}", run.speedUp()),
                                    fmt::format("{:.0f}", run.nanoseconds()),
                                    fmt::format("{:.1f}", run.one.find.least()),
                                    fmt::format("{:.1f}", run.one.solve.least()),
                                    fmt::format("{:.1f}", run.one.store.least())};
    if (run.reference_one.ran()) {
      row.push_back(both(run.reference_one.cpu));
      row.push_back(both(run.reference_two.wall));
      row.push_back(fmt::format("{:.2f}", run.one.cpu.least() / run.reference_one.cpu.least()));
      row.push_back(fmt::format("{:.2f}", run.two.wall.least() / run.reference_two.wall.least()));
    }
    table.add(row);
  }
  report.say(
      "Whole steps of 16 ms: search, contacts, solve. Median (least) milliseconds, of one thread those of "
      "the "
      "processor, of two those of the wall. Parts of a step: one thread, least. Ratio: ours over the "
      "reference, least; below 1 is faster.\n");
  report.say(table.markdown());
}

void sayPenetration(const std::vector<Run>& runs, Report& report) {
  Table table({"scene, grains", "mean penetration", "99 of 100", "largest", "overlapping pairs a grain",
               "rows a grain", "colours", "rms speed [m/s]", "bytes a grain", "peak memory [MiB]",
               "reference: mean", "99 of 100"});
  const auto percent = [](double share) { return fmt::format("{:.2f} %", 100 * share); };
  for (const Run& run : runs) {
    std::vector<std::string> row = {fmt::format("{}, {}", grainSceneName(run.scene), run.n),
                                    percent(run.overlap.mean),
                                    percent(run.overlap.p99),
                                    percent(run.overlap.max),
                                    fmt::format("{:.2f}", run.overlap.pairs_a_grain),
                                    fmt::format("{:.2f}", run.rows_a_grain),
                                    fmt::format("{}", run.colours),
                                    fmt::format("{:.1e}", run.speed),
                                    fmt::format("{:.0f}", run.bytes_a_grain),
                                    fmt::format("{:.0f}", run.peak)};
    if (run.reference_one.ran())
      row.insert(row.end(), {percent(run.reference_one.mean / 100), percent(run.reference_one.p99 / 100)});
    table.add(row);
  }
  report.say("Penetration as a share of the diameter, over all pairs that overlap.\n");
  report.say(table.markdown());
}

// The goals, where the sizes they speak of have run.
void sayGoals(const std::vector<Run>& runs, Report& report) {
  bool any = false;
  Table table({"goal", "scene", "limit", "measured", "met"});
  const auto find = [&](GrainScene scene, int n) {
    for (const Run& run : runs)
      if (run.scene == scene && run.n == n) return &run;
    return static_cast<const Run*>(nullptr);
  };
  const auto add = [&](const char* goal, GrainScene scene, double limit, double value, bool least) {
    any = true;
    table.add({goal, grainSceneName(scene), fmt::format("{}{:g}", least ? "at least " : "", limit),
               fmt::format("{:.3g}", value), (least ? value >= limit : value <= limit) ? "yes" : "no"});
  };
  for (const GrainScene scene : {GrainScene::lattice, GrainScene::packing}) {
    const Run *small = find(scene, 30000), *large = find(scene, 1000000);
    if (small && small->reference_one.ran())
      add("30,000: time over the reference's", scene, 1,
          small->one.cpu.least() / small->reference_one.cpu.least(), false);
    if (small) add("30,000: mean penetration [%]", scene, 2, 100 * small->overlap.mean, false);
    if (const Run* middle = find(scene, 100000))
      add("100,000: mean penetration [%]", scene, 2, 100 * middle->overlap.mean, false);
    if (!large) continue;
    add("1,000,000: milliseconds, one thread", scene, 464, large->one.cpu.least(), false);
    add("1,000,000: memory [GiB]", scene, 1.5, large->peak / 1024, false);
    if (small)
      add("time a grain, 1,000,000 over 30,000", scene, 1.5, large->nanoseconds() / small->nanoseconds(),
          false);
    add("1,000,000: two threads over one", scene, 1.7, large->speedUp(), true);
  }
  if (any) report.say(table.markdown());
}

// Where the grains of S2 stand at first, and half the width of the box: what the peers begin with.
void writeStart(const std::string& path, int n) {
  float half = 0;
  const auto world = makeGrainScene(GrainScene::lattice, n, &half);
  std::ofstream file(path, std::ios::binary);
  for (const Vec4f p : world->state.grains.x)
    file.write(reinterpret_cast<const char*>(&p), 3 * sizeof(float));
  file.write(reinterpret_cast<const char*>(&half), sizeof(half));
}

// The same run as that of the peers' programs (bullet_grains.cpp): start and end file, frames to settle and
// to measure.
void runAlone(const std::vector<std::string>& words) {
  const int n = static_cast<int>(std::filesystem::file_size(words[0]) / (3 * sizeof(float)));
  const auto world = makeGrainScene(GrainScene::lattice, n);
  for (int f = std::stoi(words[2]); f > 0; --f) world->step();
  std::vector<double> wall, cpu;
  for (int f = std::stoi(words[3]); f > 0; --f) {
    const double cpu_begin = cpuMilliseconds();
    const Clock::time_point begin = Clock::now();
    world->step();
    wall.push_back(milliseconds(begin)), cpu.push_back(cpuMilliseconds() - cpu_begin);
  }
  std::ofstream end(words[1], std::ios::binary);
  for (const Vec4f p : world->state.grains.x) end.write(reinterpret_cast<const char*>(&p), 3 * sizeof(float));
  fmt::print("{}\n", nlohmann::json{{"version", ""}, {"wall_ms", wall}, {"cpu_ms", cpu}}.dump());
}

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  using namespace repose;
  GrainBench bench;
  std::string folder, start;
  std::vector<std::string> alone;
  CLI::App app("Speed, memory and penetration of grains.");
  app.add_option("N", bench.sizes, "numbers of grains")->check(CLI::Range(1, 20000000));
  app.add_option("--scene", bench.scenes, "only these: lattice, packing")
      ->check(CLI::IsMember({"lattice", "packing"}))
      ->allow_extra_args(false);
  app.add_option("--reference", bench.reference, "program with the reference kernel");
  app.add_option("--rounds", bench.rounds, "bursts of each, in turns")->check(CLI::Range(1, 100));
  app.add_option("--substeps", bench.substeps, "contact substeps instead of the default");
  app.add_option("--out", folder, "folder for grains.md and grains.json");
  app.add_option("--start", start, "only writes this file: the grains that peers begin with");
  app.add_option("--alone", alone, "only runs as a peer does: START END SETTLE FRAMES")->expected(4);
  CLI11_PARSE(app, argc, argv);
  if (!start.empty()) return writeStart(start, bench.sizes[0]), 0;
  if (!alone.empty()) return runAlone(alone), 0;

  Report report("grains");
  if (bench.substeps > 0)
    report.say(fmt::format("{} contact substeps instead of the default.\n", bench.substeps));
  std::vector<Run> runs;
  for (const int n : bench.sizes)
    for (const GrainScene scene : {GrainScene::lattice, GrainScene::packing})
      if (std::find(bench.scenes.begin(), bench.scenes.end(), grainSceneName(scene)) != bench.scenes.end()) {
        runs.push_back(runScene(bench, scene, n));
        report.figures["runs"].push_back(figuresOf(runs.back()));
      }
  sayTimes(runs, report);
  sayPenetration(runs, report);
  sayGoals(runs, report);
  report.write(folder);
}
