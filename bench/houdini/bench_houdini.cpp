// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a cook of the solver SOP costs over the bare step of the core, in time and memory, on the stand-in.
// The step is that of the same simulation, so that both do the same work; times are medians. Memory is what
// is allocated, not what the allocator keeps: the node's own, and apart from it what the geometry of a frame
// takes, which a host holds anyway and the stand-in in doubles, and the state in it.
#include <CLI/CLI.hpp>

#include <malloc.h>

#include <fstream>
#include <functional>

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

// The core alone, with the job that the nodes write.
class BareRun {
 public:
  explicit BareRun(const std::string& job) {
    const SceneLoad load = loadScene(job, {});
    if (!load.ok()) throw std::runtime_error(nodes::lines(load.errors));
    before_ = usedMegabytes();
    Result<std::unique_ptr<Simulation>> made = Simulation::create(load.scene, 0);
    if (!made) throw std::runtime_error(made.status().message());
    simulation_ = std::move(*made);
  }
  void frame() {
    StepReport report;
    if (const Status moved = simulation_->advance(1, report); !moved)
      throw std::runtime_error(moved.message());
  }
  void weigh(Memory& memory) const { memory.bare = usedMegabytes() - before_; }

 private:
  double before_ = 0;
  std::unique_ptr<Simulation> simulation_;
};

// The solver node, fed with what it has made.
class CookedRun {
 public:
  CookedRun(Session& session, const GU_Detail& start)
      : session_(session),
        before_(usedMegabytes()),
        node_(session.make("repose::solver", {{"useground", "1"}})),
        now_(session.cook(node_, {&start, nullptr, nullptr, nullptr}, 1)) {}
  void frame() { now_ = session_.cook(node_, {&now_, nullptr, nullptr, nullptr}, ++at_); }
  // Drops the geometry, to see what it takes.
  void weigh(Memory& memory) {
    const GU_Detail& shown = now_;
    memory.state =
        static_cast<double>(shown.findAttribute(GA_ATTRIB_DETAIL, nodes::kState)->arrayValues().size()) * 4 /
        1e6;
    const double all = usedMegabytes();
    node_.output.allocateAndSet(nullptr), now_ = GU_Detail();
    const double held = all - usedMegabytes();
    memory.geometry = held - memory.state, memory.node = all - before_ - held;
  }

 private:
  Session& session_;
  double before_;
  SOP_Node& node_;
  GU_Detail now_;
  int at_ = 1;
};

double timed(const std::function<void()>& work) {
  const Clock::time_point from = Clock::now();
  work();
  return milliseconds(from);
}

// Both take turns frame by frame, so that what else the machine does slows both.
void runTurns(Session& session, const GU_Detail& start, const std::string& job, int frames, Times& bare,
              Times& cooked, Times& ratios) {
  BareRun alone(job);
  CookedRun node(session, start);
  std::vector<double> plain, cook, ratio;
  for (int f = 0; f < frames; ++f) {
    plain.push_back(timed([&] { alone.frame(); }));
    cook.push_back(timed([&] { node.frame(); }));
    ratio.push_back(cook.back() / plain.back());
  }
  bare.addBurst(plain), cooked.addBurst(cook), ratios.addBurst(ratio);
}

// One after the other, so that neither is counted to the other.
Memory weigh(Session& session, const GU_Detail& start, const std::string& job, int frames) {
  Memory memory;
  {
    BareRun alone(job);
    for (int f = 0; f < frames; ++f) alone.frame();
    alone.weigh(memory);
  }
  CookedRun node(session, start);
  for (int f = 0; f < frames; ++f) node.frame();
  node.weigh(memory);
  return memory;
}

}  // namespace

}  // namespace repose::houdini

int main(int argc, char** argv) {
  using namespace repose;
  using namespace repose::houdini;
  CLI::App app("A cook of the solver SOP against the bare step");
  std::string out, only;
  int points = 100000, frames = 6, bursts = 3;
  app.add_option("--out", out, "folder of the results");
  app.add_option("--body", only, "grain or cloth; else both");
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
    if (!only.empty() && only != kind) continue;
    Session session;
    const GU_Detail start =
        session.configured(kind, std::string(kind) == "grain" ? sand(points) : clothOf(points));
    const std::string job = (out.empty() ? std::string("/tmp") : out) + "/bench_houdini.json";
    session.cook(session.make("repose::export_job", {{"file", job}, {"write", "1"}, {"useground", "1"}}),
                 {&start, nullptr, nullptr, nullptr});
    const Memory memory = weigh(session, start, job, frames);
    Times bare, cooked, ratios;
    for (int b = 0; b < bursts; ++b) {
      runTurns(session, start, job, frames, bare, cooked, ratios);
      sayProgress(fmt::format("{}: burst {} of {}", kind, b + 1, bursts));
    }
    table.add({kind, std::to_string(start.getNumPoints()), fmt::format("{:.0f}", bare.middle()),
               fmt::format("{:.0f}", cooked.middle()), fmt::format("{:+.1f} %", 100 * (ratios.middle() - 1)),
               fmt::format("{:.0f}", memory.bare), fmt::format("{:.0f}", memory.node),
               fmt::format("{:+.1f} %", 100 * (memory.node / memory.bare - 1)),
               fmt::format("{:.0f}", memory.state), fmt::format("{:.0f}", memory.geometry)});
    report.figures[kind] = {
        {"bare_ms", bare.middle()},      {"cook_ms", cooked.middle()}, {"cook_over_bare", ratios.middle()},
        {"bare_mb", memory.bare},        {"node_mb", memory.node},     {"state_mb", memory.state},
        {"geometry_mb", memory.geometry}};
  }
  report.say(table.markdown());
  report.write(out);
  return 0;
}
