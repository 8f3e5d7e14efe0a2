// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Angles of poured piles against friction, passes, steps and size; docs/piles.md shows what it prints. The
// pour is that of reference.md (c3): four grains of 10 cm in every fourth frame of 1/60 s, then 3 s of rest.
#include <CLI/CLI.hpp>

#include "bench/report.h"
#include "tests/solve/grain_world.h"

namespace repose {

namespace {

constexpr float kRadius = 0.1f;
constexpr int kFramesASecond = 60;

struct PilesBench {
  int seeds = 2;
  int threads = 1;
  bool thorough = false;
};

struct Heap {
  float friction = 0.4f;
  int grains = 1000;
  int steps = 1;  // a frame
  bool rotation = false;
  float rolling = 0;
  SolverParams solver;
};

struct Pile {
  double moment = 0, surface = 0;  // mean over the seeds [degrees]
  double spread = 0;               // of the moment angle: greatest less least
  double overlap = 0;              // mean, as a share of the radius
};

Pile pour(const Heap& heap, int seeds, int threads) {
  Pile pile;
  double least = 90, greatest = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    GrainWorld world(kRadius, threads);
    world.addPlane({0, 0, 0}, {0, 1, 0});
    world.setFriction(heap.friction);
    world.params.solver = heap.solver;
    world.params.solver.sleep = false;
    world.params.grain[0].rotation = heap.rotation;
    world.params.grain[0].rollingfriction = heap.rolling;
    world.params.h = 1.0f / static_cast<float>(kFramesASecond * heap.steps);
    Pourer pourer(world, heap.grains, kRadius, static_cast<std::uint64_t>(seed));
    while (!pourer.done()) pourer.frame(heap.steps);
    for (int f = 0; f < 3 * kFramesASecond; ++f) pourer.frame(heap.steps);
    const double moment = world.momentAngle();
    pile.moment += moment / seeds, pile.surface += world.surfaceAngle() / seeds;
    least = std::min(least, moment), greatest = std::max(greatest, moment);
    const ContactSummary summary = world.contacts->summary(world.state);
    pile.overlap += summary.mean_penetration / static_cast<double>(kRadius) / seeds;
  }
  pile.spread = greatest - least;
  return pile;
}

// One row of a table and of the figures.
void measure(const PilesBench& bench, Report& report, Table& table, const char* part, const std::string& what,
             const Heap& heap, int seeds) {
  sayProgress(fmt::format("{}: {}", part, what));
  const Pile pile = pour(heap, seeds, bench.threads);
  table.add({what, fmt::format("{:.1f}", pile.moment), fmt::format("{:.1f}", pile.surface),
             seeds > 1 ? fmt::format("{:.1f}", pile.spread) : "-",
             fmt::format("{:.2f} %", 100 * pile.overlap)});
  report.figures[part].push_back({{"what", what},
                                  {"friction", heap.friction},
                                  {"rolling", heap.rolling},
                                  {"grains", heap.grains},
                                  {"steps", heap.steps * kFramesASecond},
                                  {"moment", pile.moment},
                                  {"surface", pile.surface},
                                  {"spread", pile.spread}});
}

Table pileTable(const char* first) {
  return Table({first, "moment angle", "surface", "spread", "mean overlap / r"});
}

void benchFriction(const PilesBench& bench, Report& report) {
  Table table = pileTable("friction");
  Heap heap;
  for (const float mu : {0.1f, 0.2f, 0.3f, 0.4f, 0.6f}) {
    heap.friction = mu;
    measure(bench, report, table, "friction", fmt::format("{:.1f}", mu), heap, bench.seeds);
  }
  report.say(fmt::format("Default settings, 1,000 grains, {} seeds: angles in degrees.\n", bench.seeds));
  report.say(table.markdown());
}

void benchSettings(const PilesBench& bench, Report& report) {
  constexpr int kPasses[][3] = {{3, 2, 1}, {5, 2, 2}, {5, 4, 4}, {5, 8, 8}};
  Table table = pileTable("friction 0.4");
  for (const auto& [substeps, iterations, relax] : kPasses) {
    Heap heap;
    heap.solver.contactsubsteps = substeps;
    heap.solver.contactiterations = iterations, heap.solver.contactrelax = relax;
    measure(bench, report, table, "passes",
            fmt::format("{} passes: {} x ({} + {})", substeps * (iterations + relax), substeps, iterations,
                        relax),
            heap, 2 * bench.seeds);
  }
  for (const int steps : {1, 2, 4}) {
    Heap heap;
    heap.steps = steps;
    measure(bench, report, table, "steps", fmt::format("{} steps a second", steps * kFramesASecond), heap,
            2 * bench.seeds);
  }
  for (const int grains : {1000, 3000, 30000}) {
    if (grains > 3000 && !bench.thorough) continue;
    Heap heap;
    heap.grains = grains;
    measure(bench, report, table, "size", fmt::format("{} grains", grains), heap,
            grains > 3000 ? 1 : bench.seeds);
  }
  report.say("\nThe same pile with other settings.\n");
  report.say(table.markdown());
}

void benchPublished(const PilesBench& bench, Report& report) {
  Table table = pileTable("friction");
  Heap heap;
  heap.grains = bench.thorough ? 3000 : 1000;
  heap.solver.contactscheme = ContactScheme::vts;
  heap.solver.contactmethod = ContactMethod::gauss_seidel;
  heap.solver.contactiterations = 15;
  for (const float mu : {0.1f, 0.2f, 0.3f, 0.4f}) {
    heap.friction = mu;
    measure(bench, report, table, "published", fmt::format("{:.1f}", mu), heap, 1);
  }
  report.say(fmt::format(
      "\n`contactscheme = vts`, `contactmethod = gauss_seidel`, 15 iterations, {} grains.\n", heap.grains));
  report.say(table.markdown());
}

void benchRolling(const PilesBench& bench, Report& report) {
  constexpr float kRolling[] = {0.02f, 0.05f, 0.1f, 0.2f, 0.4f, 0.8f};
  std::vector<std::string> header = {"friction"};
  for (const float rolling : kRolling) header.push_back(fmt::format("rolling {:.2f}", rolling));
  Table table(header);
  for (const float mu : {0.3f, 0.5f, 0.8f}) {
    std::vector<std::string> row = {fmt::format("{:.1f}", mu)};
    for (const float rolling : kRolling) {
      sayProgress(fmt::format("rotation: friction {:.1f}, rolling friction {:.2f}", mu, rolling));
      Heap heap;
      heap.friction = mu, heap.rotation = true, heap.rolling = rolling;
      const Pile pile = pour(heap, bench.seeds, bench.threads);
      row.push_back(fmt::format("{:.1f}", pile.moment));
      report.figures["rotation"].push_back(
          {{"friction", mu}, {"rolling", rolling}, {"moment", pile.moment}, {"surface", pile.surface}});
    }
    table.add(row);
  }
  report.say("\nGrains that rotate, by friction and rolling friction: moment angle of 1,000 grains.\n");
  report.say(table.markdown());
}

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  using namespace repose;
  PilesBench bench;
  std::string folder;
  CLI::App app("Angles of poured piles.");
  app.add_option("--seeds", bench.seeds, "piles to take the mean of")->check(CLI::Range(1, 100));
  app.add_option("--threads", bench.threads, "threads")->check(CLI::Range(1, 1024));
  app.add_option("--out", folder, "folder for piles.md and .json");
  app.add_flag("--long", bench.thorough, "30,000 grains too, and the published scheme with 3,000");
  CLI11_PARSE(app, argc, argv);

  Report report("piles");
  benchFriction(bench, report);
  benchSettings(bench, report);
  benchPublished(bench, report);
  benchRolling(bench, report);
  report.write(folder);
}
