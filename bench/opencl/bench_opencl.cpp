// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// OpenCL against TBB, turn by turn on the same state: 316x316 cloth (S1 of peers.md) and 100,000 grains in a
// box (S2).
#include <CLI/CLI.hpp>

#include "bench/grains/grain_scenes.h"
#include "bench/opencl/opencl_backend.h"
#include "bench/report.h"
#include "bench/sheet.h"

namespace repose {

namespace {

struct OpenClBench {
  int rounds = 5, across = 316, grains = 100000, settle = 60, threads = 2;
  std::string out;
};

using Maker = std::unique_ptr<Backend> (*)(int threads);

std::unique_ptr<Backend> makeOpenCl(int threads) {
  std::unique_ptr<Backend> made = openClBackend(threads);
  if (!made) std::exit(2);
  return made;
}

struct Contender {
  const char* name;
  Maker make;
  Times wall, cpu;
};

std::vector<Contender> contenders() {
  return {{"tbb", [](int threads) { return makeTbbBackend(threads); }, {}, {}},
          {"opencl", makeOpenCl, {}, {}}};
}

// Each in turn for some frames; a backend lives only for its turn, as it limits the threads of all others.
template <class World, class Advance>
std::vector<Contender> race(World& world, const OpenClBench& bench, int frames, const Advance& advance) {
  std::vector<Contender> all = contenders();
  for (int round = 0; round < bench.rounds; ++round)
    for (Contender& one : all) {
      world.backend.reset();
      world.backend = one.make(bench.threads);
      advance();  // compiles, wakes the threads, and the caches from what ran before
      std::vector<double> wall, cpu;
      for (int f = 0; f < frames; ++f) {
        const double cpu_begin = cpuMilliseconds();
        const Clock::time_point begin = Clock::now();
        advance();
        wall.push_back(milliseconds(begin)), cpu.push_back(cpuMilliseconds() - cpu_begin);
      }
      one.wall.addBurst(wall), one.cpu.addBurst(cpu);
    }
  world.backend.reset();
  return all;
}

void tell(const std::string& scene, const std::vector<Contender>& all, Table& table, Report& report) {
  const auto shown = [](const Times& t) { return fmt::format("{:.1f} ({:.1f})", t.middle(), t.least()); };
  const auto ratio = [&](Times Contender::*clock) {
    return (all[1].*clock).least() / (all[0].*clock).least();
  };
  const double wall = ratio(&Contender::wall), cpu = ratio(&Contender::cpu);
  table.add({scene, shown(all[0].wall), shown(all[1].wall), fmt::format("{:.2f}", wall), shown(all[0].cpu),
             shown(all[1].cpu), fmt::format("{:.2f}", cpu)});
  nlohmann::json& out = report.figures["scenes"].emplace_back();
  out = {{"scene", scene}, {"wall_ratio", wall}, {"cpu_ratio", cpu}};
  for (const Contender& one : all)
    out[one.name] = {{"wall_ms", one.wall.least()}, {"cpu_ms", one.cpu.least()}};
}

void benchOpenCl(const OpenClBench& bench) {
  Report report("opencl");
  Table table({"scene", "TBB, ms", "OpenCL, ms", "ratio", "TBB, ms of processors", "OpenCL", "ratio"});
  const std::pair<const char*, SolverMethod> methods[] = {
      {"accelerated_jacobi", SolverMethod::accelerated_jacobi},
      {"gauss_seidel_coloured", SolverMethod::gauss_seidel_coloured}};
  for (const auto& [name, method] : methods) {
    sayProgress(fmt::format("cloth, {}", name));
    Sheet sheet(Sheet::Shape::s1(bench.across), method, 15, 0.0f);
    const auto all = race(sheet, bench, 12, [&] { sheet.advance(); });
    tell(fmt::format("{0}x{0} cloth, {1}", bench.across, name), all, table, report);
  }
  sayProgress("grains");
  const auto world = makeGrainScene(GrainScene::lattice, bench.grains);
  world->backend.reset();
  world->backend = makeTbbBackend(bench.threads);
  for (int f = 0; f < bench.settle; ++f) world->step();
  const auto all = race(*world, bench, 6, [&] { world->step(); });
  tell(fmt::format("{} grains", bench.grains), all, table, report);
  report.say(
      fmt::format("Median (least) milliseconds a frame on {} threads, both turn by turn on the same state; "
                  "ratios are those of the least times. Times of processors are those of all threads.\n",
                  bench.threads));
  report.say(table.markdown());
  report.write(bench.out);
}

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  CLI::App app("OpenCL against TBB");
  repose::OpenClBench bench;
  app.add_option("--rounds", bench.rounds, "Turns of each");
  app.add_option("--across", bench.across, "Points across the cloth");
  app.add_option("--grains", bench.grains, "Grains");
  app.add_option("--settle", bench.settle, "Steps before grains are timed");
  app.add_option("--threads", bench.threads, "Threads");
  app.add_option("--out", bench.out, "Folder for the results");
  CLI11_PARSE(app, argc, argv);
  repose::benchOpenCl(bench);
}
