// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a cook of the solver SOP costs over the bare step of the core, in time and memory, on the stand-in.
// The step is that of the same simulation, so that both do the same work. Memory is what is allocated, not
// what the allocator keeps: the node's own, and apart from it what the geometry of a frame takes, which a
// host holds anyway and the stand-in in doubles, and the state in it.
#include <CLI/CLI.hpp>

#include <malloc.h>

#include <fstream>

#include "bench/report.h"
#include "solve/simulation.h"
#include "tests/houdini/session.h"

namespace repose::houdini {

namespace {

// Resident memory of the process [MB], without what is free.
double usedMegabytes() {
  malloc_trim(0);
  std::ifstream status("/proc/self/statm");
  double pages = 0, resident = 0;
  status >> pages >> resident;
  return resident * 4096 / 1e6;
}

// What a cook keeps beside the bare simulation [MB].
struct Memory {
  double bare = 0, node = 0, geometry = 0, state = 0;
};

nodes::NodeGeometry sand(int points) {
  int side = 1;
  while (side * side * side < points) ++side;
  nodes::NodeGeometry grains = nodes::dots(side, 0.01f, {0, 0.01f, 0});
  grains.points.resize(static_cast<std::size_t>(points));
  grains.write(nodes::Owner::point, "pscale", 1, std::vector<float>(grains.points.size(), 0.01f));
  return grains;
}

nodes::NodeGeometry clothOf(int points) {
  int side = 1;
  while ((side + 1) * (side + 1) < points) ++side;
  return nodes::sheet(side - 1, {0, 1, 0});
}

// Frames of the core alone, from the job that the nodes write.
void bareFrames(const std::string& job, int frames, Times& times, Memory& memory) {
  const SceneLoad load = loadScene(job, {});
  if (!load.ok()) throw std::runtime_error(nodes::lines(load.errors));
  const double before = usedMegabytes();
  Result<std::unique_ptr<Simulation>> simulation = Simulation::create(load.scene, 0);
  if (!simulation) throw std::runtime_error(simulation.status().message());
  std::vector<double> burst;
  for (int f = 0; f < frames; ++f) {
    StepReport report;
    const Clock::time_point from = Clock::now();
    if (const Status moved = (*simulation)->advance(1, report); !moved)
      throw std::runtime_error(moved.message());
    burst.push_back(milliseconds(from));
  }
  memory.bare = usedMegabytes() - before;
  times.addBurst(burst);
}

void cookedFrames(Session& session, const GU_Detail& start, int frames, Times& times, Memory& memory) {
  const double before = usedMegabytes();
  SOP_Node& node = session.make("repose::solver", {{"useground", "1"}});
  GU_Detail now = session.cook(node, {&start, nullptr, nullptr, nullptr}, 1);
  std::vector<double> burst;
  for (int f = 2; f <= frames + 1; ++f) {
    const Clock::time_point from = Clock::now();
    GU_Detail next = session.cook(node, {&now, nullptr, nullptr, nullptr}, f);
    burst.push_back(milliseconds(from));
    now = std::move(next);
  }
  const UT_Int32Array& state = now.findAttribute(GA_ATTRIB_DETAIL, nodes::kState)->arrayValues();
  memory.state = static_cast<double>(state.size()) * 4 / 1e6;
  const double all = usedMegabytes();
  node.output.allocateAndSet(nullptr);
  const double without_output = usedMegabytes();
  now = GU_Detail();
  memory.geometry = without_output - usedMegabytes() - memory.state;
  memory.node = all - before - 2 * (without_output - usedMegabytes());
  times.addBurst(burst);
}

}  // namespace

}  // namespace repose::houdini

int main(int argc, char** argv) {
  using namespace repose;
  using namespace repose::houdini;
  CLI::App app("A cook of the solver SOP against the bare step");
  std::string out;
  int points = 100000, frames = 6, bursts = 3;
  app.add_option("--out", out, "folder of the results");
  app.add_option("--points", points, "points of a body");
  app.add_option("--frames", frames, "frames of a burst");
  app.add_option("--bursts", bursts, "bursts, in turn");
  CLI11_PARSE(app, argc, argv);
  // as the allocator of Houdini does, keep the pages of what is freed
  mallopt(M_MMAP_THRESHOLD, 1 << 30), mallopt(M_TRIM_THRESHOLD, 1 << 30);
  Report report("houdini");
  Table table({"body", "points", "bare step [ms]", "SOP cook [ms]", "over it", "memory of the step [MB]",
               "of the node [MB]", "over it", "state of a frame [MB]", "geometry of a frame [MB]"});
  for (const char* kind : {"grain", "cloth"}) {
    Session session;
    const GU_Detail start =
        session.configured(kind, std::string(kind) == "grain" ? sand(points) : clothOf(points));
    const std::string job = (out.empty() ? std::string("/tmp") : out) + "/bench_houdini.json";
    session.cook(session.make("repose::export_job", {{"file", job}, {"write", "1"}, {"useground", "1"}}),
                 {&start, nullptr, nullptr, nullptr});
    Times bare, cooked;
    Memory memory;
    for (int b = 0; b < bursts; ++b) {
      bareFrames(job, frames, bare, memory);
      cookedFrames(session, start, frames, cooked, memory);
      sayProgress(fmt::format("{}: burst {} of {}", kind, b + 1, bursts));
    }
    table.add({kind, std::to_string(start.getNumPoints()), fmt::format("{:.0f}", bare.least()),
               fmt::format("{:.0f}", cooked.least()),
               fmt::format("{:+.1f} %", 100 * (cooked.least() / bare.least() - 1)),
               fmt::format("{:.0f}", memory.bare), fmt::format("{:.0f}", memory.node),
               fmt::format("{:+.1f} %", 100 * (memory.node / memory.bare - 1)),
               fmt::format("{:.0f}", memory.state), fmt::format("{:.0f}", memory.geometry)});
    report.figures[kind] = {{"bare_ms", bare.least()},  {"cook_ms", cooked.least()},
                            {"bare_mb", memory.bare},   {"node_mb", memory.node},
                            {"state_mb", memory.state}, {"geometry_mb", memory.geometry}};
  }
  report.say(table.markdown());
  report.write(out);
  return 0;
}
