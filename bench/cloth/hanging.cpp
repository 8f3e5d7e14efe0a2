// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The hanging sheet of cloth_study.md: what a frame of cloth that keeps its length costs.
#include <algorithm>

#include "bench/cloth/parts.h"
#include "bench/counting_backend.h"
#include "bench/hanging_sheet.h"

namespace repose {

namespace {

constexpr int kTurn = 5;  // frames

// A cap only: solves end by themselves.
int cyclesFor(const ClothBench& bench) { return bench.cycles > 0 ? bench.cycles : SolverParams().cycles; }

struct Measured {
  Drop drop;                        // times of it: the least of each frame on one thread
  double milliseconds[2] = {0, 0};  // a frame on one thread and on two
  double newtons = -1;              // a substep
};

// One and two threads share a run in turns of a few frames, and change places in the next: they give the same
// bits.
Measured measure(const HangingSheet::Settings& settings, int repeats) {
  Measured measured;
  std::vector<double> least[2];
  for (std::vector<double>& v : least) v.assign(kDropFrames, 1e30);
  for (int run = 0; run < 2 * repeats; ++run) {
    HangingSheet sheet(settings);
    Drop drop;
    std::int64_t newtons = 0;
    while (drop.frames.size() < kDropFrames) {
      const std::size_t turn = drop.frames.size() / kTurn;
      const int two = static_cast<int>((turn + static_cast<std::size_t>(run)) % 2);
      CountingBackend backend(makeTbbBackend(1 + two), false);
      for (int k = 0; k < kTurn; ++k) {
        double& best = least[two][drop.frames.size()];
        drop.frames.push_back(sheet.advance(backend));
        best = std::min(best, drop.frames.back().milliseconds);
      }
      newtons += backend.launches("ml_assemble");
    }
    measured.drop = std::move(drop);
    if (newtons > 0) measured.newtons = static_cast<double>(newtons) / (kDropFrames * settings.substeps);
  }
  for (int two = 0; two < 2; ++two)
    for (const double ms : least[two]) measured.milliseconds[two] += ms / kDropFrames;
  return measured;
}

std::string percent(double share) { return fmt::format("{:.3f} %", share * 100); }

HangingSheet::Settings multilevel(const ClothBench& bench, int n, float stiffness) {
  HangingSheet::Settings settings;
  settings.n = n;
  settings.stiffness = stiffness;
  settings.solver.method = SolverMethod::multilevel;
  settings.solver.cycles = cyclesFor(bench);
  return settings;
}

}  // namespace

void benchHanging(const ClothBench& bench, Report& report) {
  Table table({"sheet", "K [N/m]", "cycles at most", "ms, 1 thread", "2 threads", "speed-up",
               "largest stretch", "mean stretch", "path error [cm]", "Newtons a step", "cycles a frame",
               "us a vertex", "ns a vertex and cycle", "bytes a vertex"});
  const std::vector<int> sizes = bench.sizes.empty() ? std::vector<int>{50, 100, 200, 400} : bench.sizes;
  const auto add = [&](int n, float stiffness, const std::string& shown_stiffness) {
    sayProgress(fmt::format("hanging sheet {0}x{0}, multilevel, K {1}", n, shown_stiffness));
    const HangingSheet::Settings settings = multilevel(bench, n, stiffness);
    const Measured m = measure(settings, bench.thorough ? 3 : n <= 100 ? 2 : 1);
    const double vertices = double{1} * n * n, ns = m.milliseconds[0] * 1e6 / vertices;
    const double bytes = static_cast<double>(HangingSheet(settings).bytes()) / vertices;
    table.add({fmt::format("{0}x{0}", n), shown_stiffness, fmt::format("{}", settings.solver.cycles),
               fmt::format("{:.1f}", m.milliseconds[0]), fmt::format("{:.1f}", m.milliseconds[1]),
               fmt::format("{:.2f}", m.milliseconds[0] / m.milliseconds[1]), percent(m.drop.largest()),
               percent(m.drop.mean()), fmt::format("{:.1f}", m.drop.pathError() * 100),
               m.newtons > 0 ? fmt::format("{:.2f}", m.newtons) : "-",
               fmt::format("{:.1f}", m.drop.iterations()), fmt::format("{:.2f}", ns / 1000),
               fmt::format("{:.1f}", ns / m.drop.iterations()), fmt::format("{:.0f}", bytes)});
    nlohmann::json out = {{"points_across", n},
                          {"stiffness", stiffness},
                          {"cycles", settings.solver.cycles},
                          {"ms_1", m.milliseconds[0]},
                          {"ms_2", m.milliseconds[1]},
                          {"largest_stretch", m.drop.largest()},
                          {"mean_stretch", m.drop.mean()},
                          {"path_error", m.drop.pathError()},
                          {"newtons_a_step", m.newtons},
                          {"cycles_a_frame", m.drop.iterations()},
                          {"ns_a_vertex_and_cycle", ns / m.drop.iterations()},
                          {"bytes_a_vertex", bytes},
                          {"meets_goal", m.drop.meets({})}};
    for (const HangingSheet::Frame& frame : m.drop.frames) out["heights"].push_back(frame.height);
    report.figures["hanging"].push_back(out);
    return std::pair(ns, ns / m.drop.iterations());
  };
  std::pair<double, double> first, last;  // ns a vertex, and a cycle
  for (const int n : sizes) {
    const float stiffness = HangingSheet::stiffnessByRule(n);
    last = add(n, stiffness, fmt::format("{:.0e}", stiffness));
    if (first.first == 0) first = last;
    if (n == 100) add(n, 1e10f, "default");
  }
  report.say(
      fmt::format("Hanging sheet of `cloth_study.md`, `method = multilevel`, 2 substeps of 1/120 s, {} "
                  "frames. Milliseconds "
                  "are the mean of the frames, each the least of its repetitions.\n",
                  kDropFrames));
  report.say(table.markdown());
  if (sizes.size() > 1)
    report.say(fmt::format(
        "From {} to {} across the time a vertex grows {:.2f} times, that of a cycle {:.2f} times.\n",
        sizes.front(), sizes.back(), last.first / first.first, last.second / first.second));
}

void benchMemory(const ClothBench& bench, Report& report) {
  struct Row {
    const char* name;
    SolverMethod method;
    int goal;
  };
  constexpr Row kRows[] = {{"accelerated_jacobi", SolverMethod::accelerated_jacobi, 600},
                           {"gauss_seidel_coloured", SolverMethod::gauss_seidel_coloured, 600},
                           {"conjugate_residuals", SolverMethod::conjugate_residuals, 600},
                           {"multilevel", SolverMethod::multilevel, 1024}};
  const int n = bench.sizes.empty() ? 100 : bench.sizes.front();
  Table table({"method", "solver, bytes a vertex", "goal", "with model and state"});
  for (const Row& row : kRows) {
    HangingSheet::Settings settings;
    settings.n = n;
    settings.solver.method = row.method;
    const HangingSheet sheet(settings);
    const double vertices = double{1} * n * n;
    const double solver = static_cast<double>(sheet.solverBytes()) / vertices;
    const double all = static_cast<double>(sheet.bytes()) / vertices;
    table.add(
        {row.name, fmt::format("{:.0f}", solver), fmt::format("{}", row.goal), fmt::format("{:.0f}", all)});
    report.figures["memory"].push_back({{"method", row.name},
                                        {"points_across", n},
                                        {"solver_bytes_a_vertex", solver},
                                        {"bytes_a_vertex", all}});
  }
  report.say(fmt::format("Memory on the hanging sheet {0}x{0} with shear and bending.\n", n));
  report.say(table.markdown());
}

void benchKernels(const ClothBench& bench, Report& report) {
  for (const int n : bench.sizes.empty() ? std::vector<int>{100} : bench.sizes)
    for (const auto& [name, method] : {std::pair("accelerated_jacobi", SolverMethod::accelerated_jacobi),
                                       std::pair("multilevel", SolverMethod::multilevel)}) {
      HangingSheet::Settings settings = multilevel(bench, n, HangingSheet::stiffnessByRule(n));
      settings.solver.method = method;
      sayProgress(fmt::format("kernels of {0}x{0}, {1}", n, name));
      HangingSheet sheet(settings);
      CountingBackend backend(makeTbbBackend(1), true);
      double all = 0, inside = 0;
      for (int f = 0; f < kDropFrames; ++f) all += sheet.advance(backend).milliseconds;
      std::vector<std::size_t> order;
      for (std::size_t k = 0; k < backend.counts.size(); ++k)
        if (backend.counts[k].launches > 0) order.push_back(k), inside += backend.counts[k].milliseconds;
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return backend.counts[a].milliseconds > backend.counts[b].milliseconds;
      });
      Table table({"kernel", "ms a frame", "share", "launches a frame", "ns an entry"});
      const auto share = [&](double ms) { return fmt::format("{:.1f} %", 100 * ms / all); };
      for (const std::size_t k : order) {
        const CountingBackend::Count& c = backend.counts[k];
        table.add(
            {std::string(kKernelNames[k]), fmt::format("{:.3f}", c.milliseconds / kDropFrames),
             share(c.milliseconds), fmt::format("{:.1f}", static_cast<double>(c.launches) / kDropFrames),
             fmt::format("{:.2f}", c.milliseconds * 1e6 / static_cast<double>(c.items * backend.lanes()))});
      }
      table.add({"outside kernels", fmt::format("{:.3f}", (all - inside) / kDropFrames), share(all - inside),
                 "", ""});
      report.say(fmt::format("Kernels of the hanging sheet {0}x{0}, `{1}`, one thread, {2:.2f} ms a frame.\n",
                             n, name, all / kDropFrames));
      report.say(table.markdown());
    }
}

}  // namespace repose
