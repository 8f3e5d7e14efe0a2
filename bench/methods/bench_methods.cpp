// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Projective dynamics: what is left of the gradient of one step, and of the stretch of a sheet that relaxes,
// against iterations and against time, for every way to solve its matrix; docs/projective.md shows it.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "bench/methods/bounds.h"
#include "bench/report.h"
#include "bench/stretched_sheet.h"

namespace repose {

namespace {

using G = GlobalStep;

struct Way {
  const char* name;
  SolverParams solver;
};

std::vector<Way> ways(int most) {
  return {
      {"jacobi", projectiveParams(G::jacobi, most, 1, false)},
      {"jacobi, chebyshev", projectiveParams(G::jacobi, most, 0, true, 0, 1)},
      {"gauss_seidel", projectiveParams(G::gauss_seidel, most, 0, false)},
      {"gauss_seidel_coloured", projectiveParams(G::gauss_seidel_coloured, most, 0, false)},
      {"gauss_seidel_coloured, omega 1.5", projectiveParams(G::gauss_seidel_coloured, most, 1.5f, false)},
      {"gauss_seidel_coloured, chebyshev", projectiveParams(G::gauss_seidel_coloured, most, 0, true, 0, 1)},
      {"conjugate_gradients", projectiveParams(G::conjugate_gradients, most, 0, false)},
      {"direct", projectiveParams(G::direct, most, 0, false)},
      {"direct, chebyshev", projectiveParams(G::direct, most, 0, true)}};
}

std::string count(int iterations) { return iterations < 0 ? "-" : std::to_string(iterations); }

void benchSheet(float stiffness, int most, Report& report) {
  sayProgress(fmt::format("sheet of {:g} N/m", stiffness));
  const FallingSheet falling(stiffness);
  Table table({"globalstep", "to 1e-1", "to 1e-2", "to 1e-3", "us an iteration, 1 thread", "2 threads",
               "ms to 1e-2, 1 thread"});
  for (const Way& way : ways(most)) {
    std::vector<std::string> row = {way.name};
    Descent alone;
    double each[2];
    for (const int threads : {1, 2}) {
      const std::unique_ptr<Backend> backend = makeTbbBackend(threads);
      const Descent descent = falling.descend(way.solver, *backend);
      each[threads - 1] = 1e6 * descent.seconds.back() / static_cast<double>(descent.seconds.size());
      if (threads == 1) alone = descent;
    }
    for (const double share : {1e-1, 1e-2, 1e-3}) row.push_back(count(alone.to(share)));
    for (const double us : each) row.push_back(fmt::format("{:.0f}", us));
    const int enough = alone.to(1e-2);
    row.push_back(enough < 0 ? "-" : fmt::format("{:.1f}", 1e3 * alone.seconds[enough - 1]));
    table.add(row);
    report.figures["sheet"].push_back({{"stiffness", stiffness},
                                       {"globalstep", way.name},
                                       {"left", alone.left},
                                       {"seconds", alone.seconds},
                                       {"us_two_threads", each[1]}});
  }
  report.say(
      fmt::format("Sheet of 100x100 points with 39,402 springs of {:g} N/m (k h^2/m = {:.0f}), one step: "
                  "iterations until so much is left of the gradient.\n",
                  stiffness, stiffness / 900 / 0.01));
  report.say(table.markdown());
}

// Stretch that is left, frame after frame, and the time it took.
struct Relaxation {
  std::vector<double> left, seconds;
  double perIteration() const {
    return seconds.back() / static_cast<double>(seconds.size() * StretchedSheet::kIterations);
  }
};

Relaxation relax(const SolverParams& solver, int threads, int frames) {
  StretchedSheet stretched(solver, threads);
  const double start = stretched.sheet.squaredStretch();
  Relaxation r;
  double spent = 0;
  for (int frame = 0; frame < frames; ++frame) {
    const auto begin = std::chrono::steady_clock::now();
    stretched.relax();
    spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    r.left.push_back(stretched.sheet.squaredStretch() / start);
    r.seconds.push_back(spent);
  }
  return r;
}

void benchRedBlack(Report& report) {
  constexpr int kTimes = StretchedSheet::kIterations, kFrames = 200;
  sayProgress("red and black");
  const std::vector<Way> ways = {
      {"jacobi", projectiveParams(G::jacobi, kTimes, 1, false)},
      {"jacobi, chebyshev 0.99", projectiveParams(G::jacobi, kTimes, 1, true, 0.99f, 2)},
      {"gauss_seidel", projectiveParams(G::gauss_seidel, kTimes, 0, false)},
      {"red_black", projectiveParams(G::red_black, kTimes, 0, false)},
      {"red_black, omega 1.5", projectiveParams(G::red_black, kTimes, 1.5f, false)}};
  Table table({"globalstep", "left after 1 frame", "5", "20", "50", "us an iteration, 1 thread", "2 threads",
               "times"});
  for (const Way& way : ways) {
    std::vector<std::string> row = {way.name};
    const Relaxation runs[] = {relax(way.solver, 1, kFrames), relax(way.solver, 2, kFrames)};
    for (const int frame : {1, 5, 20, 50}) row.push_back(fmt::format("{:.4f}", runs[0].left[frame - 1]));
    const double one = runs[0].perIteration(), two = runs[1].perIteration();
    for (const double each : {one, two}) row.push_back(fmt::format("{:.0f}", 1e6 * each));
    row.push_back(fmt::format("{:.2f}", one / two));
    table.add(row);
    for (const int threads : {1, 2})
      report.figures["red_black"].push_back({{"globalstep", way.name},
                                             {"threads", threads},
                                             {"iterations", kTimes},
                                             {"left", runs[threads - 1].left},
                                             {"seconds", runs[threads - 1].seconds}});
  }
  report.say(
      "Sheet of 100x100 points with 19,800 springs, a fifth too long, relaxing in frames of 11 iterations: "
      "share of the "
      "squared stretch that is left.\n");
  report.say(table.markdown());
}

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  using namespace repose;
  std::vector<float> stiffness = {100, 1000, 10000};
  std::vector<int> sizes = {100, 400};
  std::vector<std::string> parts = {"red_black", "sheet", "bounds"};
  int most = 4000;
  std::string folder;
  CLI::App app("Convergence of projective dynamics within a step.");
  app.add_option("STIFFNESS", stiffness, "of the springs [N/m]")->check(CLI::PositiveNumber);
  app.add_option("--iterations", most, "at most")->check(CLI::Range(1, 100000));
  app.add_option("--sizes", sizes, "points across of the sheets for bounds")->check(CLI::Range(16, 2000));
  app.add_option("--part", parts, "only these: red_black, sheet, bounds")
      ->check(CLI::IsMember({"red_black", "sheet", "bounds"}))
      ->allow_extra_args(false);
  app.add_option("--out", folder, "folder for methods.md and .json");
  CLI11_PARSE(app, argc, argv);
  Report report("methods");
  const auto wanted = [&](const char* name) {
    return std::find(parts.begin(), parts.end(), name) != parts.end();
  };
  if (wanted("red_black")) benchRedBlack(report);
  for (const float k : stiffness)
    if (wanted("sheet")) benchSheet(k, most, report);
  if (wanted("bounds")) benchBounds(sizes, report);
  report.write(folder);
}
