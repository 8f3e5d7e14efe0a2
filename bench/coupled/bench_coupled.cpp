// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// S5 of peers.md: a thousand grains dropped onto a cloth that hangs by its four corners; time, stretch and
// grains lost by substeps.
#include <CLI/CLI.hpp>
#include <fstream>

#include "bench/report.h"
#include "scene/shapes.h"
#include "solve/simulation.h"
#include "tests/solve/grain_world.h"

namespace repose {

namespace {

constexpr int kGrains = 1000, kAcross = 10;  // a layer is kAcross x kAcross
constexpr float kRadius = 0.04f, kGrainMass = 0.002f, kSize = 2, kClothMass = 1, kFriction = 0.4f;
constexpr float kBelow = 0.1f;  // [m] under the lowest point of the cloth: lost
constexpr int kSettle = 120, kFrames = 30;

std::vector<Vec3f> grainsAtStart() {
  std::vector<Vec3f> places;
  Lcg random(1);
  for (int g = 0; g < kGrains; ++g) {
    const int place = g % (kAcross * kAcross), layer = g / (kAcross * kAcross);
    const auto along = [](int i) { return (static_cast<float>(i) - 0.5f * (kAcross - 1)) * 0.1f; };
    places.push_back({along(place % kAcross) + random.around(0.005f), 0.2f + 0.1f * static_cast<float>(layer),
                      along(place / kAcross) + random.around(0.005f)});
  }
  return places;
}

// Frames of 16 ms in a vacuum; nothing sleeps.
Scene makeScene(int n, int substeps) {
  Scene scene;
  scene.last_frame = 100000;
  scene.world.base.fps = 62.5f;
  scene.world.base.substeps = substeps;
  scene.world.base.airdensity = 0;
  scene.solver.base.sleep = false;
  Body cloth;
  cloth.name = "cloth";
  Shape shape;
  shape.size = {kSize, kSize, 1};
  shape.divisions = {n - 1, n - 1, 1};
  cloth.geometry = makeGrid(shape);
  cloth.cloth.base.density = kClothMass / (kSize * kSize);
  cloth.cloth.base.friction = kFriction;
  cloth.pins.push_back({"corners", {0, n - 1, n * (n - 1), n * n - 1}, {}, false});
  scene.bodies.push_back(std::move(cloth));
  Body sand;
  sand.name = "sand", sand.kind = BodyKind::grain;
  sand.geometry.points = grainsAtStart();
  sand.radii.assign(kGrains, kRadius);
  sand.grain.base.radius = kRadius;
  sand.grain.base.density = kGrainMass / (4.18879f * kRadius * kRadius * kRadius);
  sand.grain.base.friction = kFriction;
  scene.bodies.push_back(std::move(sand));
  return scene;
}

struct Run {
  std::vector<double> cpu;  // [ms] of each frame
  std::vector<Vec3f> cloth, grains;
};

void check(const Status& status) {
  if (status.ok()) return;
  fmt::print(stderr, "{}\n", status.message());
  std::exit(4);
}

Run simulate(int n, int substeps, int settle, int frames) {
  Result<std::unique_ptr<Simulation>> made = Simulation::create(makeScene(n, substeps), 1);
  if (!made) check(made.status());
  Run run;
  for (int f = 0; f < settle + frames; ++f) {
    StepReport report;
    const double begin = cpuMilliseconds();
    check((*made)->advance(1, report));
    if (f >= settle) run.cpu.push_back(cpuMilliseconds() - begin);
  }
  BodyView view;
  (*made)->readBody(0, view);
  run.cloth = view.positions;
  (*made)->readBody(1, view);
  run.grains = view.positions;
  return run;
}

void runTable(const std::vector<int>& sizes, const std::vector<int>& substeps, const std::string& folder) {
  Report report("coupled");
  Table table({"cloth", "substeps", "ms a frame, median (least)", "grains lost", "largest stretch", "mean"});
  for (const int n : sizes)
    for (const int s : substeps) {
      sayProgress(fmt::format("{0}x{0}, {1} substeps", n, s));
      const Run run = simulate(n, s, kSettle, kFrames);
      Times times;
      times.addBurst(run.cpu);
      const float spacing = kSize / static_cast<float>(n - 1);
      double largest = 0, mean = 0;
      float lowest = 0;
      for (int p = 0; p < n * n; ++p) {
        lowest = std::min(lowest, run.cloth[p].y);
        for (const int way : {1, n}) {
          if (way == 1 ? p % n == n - 1 : p >= n * (n - 1)) continue;
          const double stretch = std::abs(length(run.cloth[p + way] - run.cloth[p]) / spacing - 1);
          largest = std::max(largest, stretch), mean += stretch / (2.0 * n * (n - 1));
        }
      }
      const auto held = std::count_if(run.grains.begin(), run.grains.end(),
                                      [&](const Vec3f& g) { return g.y > lowest - kBelow; });
      table.add({fmt::format("{0}x{0}", n), std::to_string(s),
                 fmt::format("{:.2f} ({:.2f})", times.middle(), times.least()),
                 std::to_string(kGrains - held), fmt::format("{:.3f} %", 100 * largest),
                 fmt::format("{:.4f} %", 100 * mean)});
      report.figures["runs"].push_back({{"points_across", n},
                                        {"substeps", s},
                                        {"ms", times.middle()},
                                        {"least_ms", times.least()},
                                        {"lost", kGrains - held},
                                        {"largest_stretch", largest},
                                        {"mean_stretch", mean}});
    }
  report.say(
      fmt::format("{} grains on a cloth of {} kg, frames of 16 ms on one thread, the {} after {}; "
                  "milliseconds of the processor.\n",
                  kGrains, kClothMass, kFrames, kSettle));
  report.say(table.markdown());
  report.write(folder);
}

void writePlaces(std::ofstream& file, const std::vector<Vec3f>& places) {
  for (const Vec3f& p : places) file.write(reinterpret_cast<const char*>(&p), sizeof(p));
}

// As the programs of the peers do: points across, start and end file, frames to settle and to measure.
void runAlone(const std::vector<std::string>& words, int substeps) {
  const Run run = simulate(std::stoi(words[0]), substeps, std::stoi(words[3]), std::stoi(words[4]));
  std::ofstream end(words[2], std::ios::binary);
  writePlaces(end, run.cloth);
  writePlaces(end, run.grains);
  fmt::print("{}\n", nlohmann::json{{"version", ""}, {"cpu_ms", run.cpu}}.dump());
}

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  using namespace repose;
  static_assert(sizeof(Vec3f) == 3 * sizeof(float));
  std::vector<int> sizes = {20, 50}, substeps = {1, 2, 4};
  std::string folder, start;
  std::vector<std::string> alone;
  CLI::App app("A thousand grains on a cloth.");
  app.add_option("N", sizes, "points across the cloth")->check(CLI::Range(4, 1000));
  app.add_option("--substeps", substeps, "of a frame")->check(CLI::Range(1, 1000))->allow_extra_args(false);
  app.add_option("--out", folder, "folder for coupled.md and coupled.json");
  app.add_option("--start", start, "only writes this file: the grains that peers begin with");
  app.add_option("--alone", alone, "only runs as a peer does: N START END SETTLE FRAMES")->expected(5);
  CLI11_PARSE(app, argc, argv);
  if (!start.empty()) {
    std::ofstream file(start, std::ios::binary);
    return writePlaces(file, grainsAtStart()), 0;
  }
  if (!alone.empty()) return runAlone(alone, substeps.front()), 0;
  runTable(sizes, substeps, folder);
}
