// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Projective dynamics within one step: what is left of the gradient against iterations and against time, for
// every way to solve its matrix; docs/projective.md shows what it prints.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "bench/falling_sheet.h"
#include "bench/report.h"

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

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  using namespace repose;
  std::vector<float> stiffness = {100, 1000, 10000};
  int most = 4000;
  std::string folder;
  CLI::App app("Convergence of projective dynamics within a step.");
  app.add_option("STIFFNESS", stiffness, "of the springs [N/m]")->check(CLI::PositiveNumber);
  app.add_option("--iterations", most, "at most")->check(CLI::Range(1, 100000));
  app.add_option("--out", folder, "folder for methods.md and .json");
  CLI11_PARSE(app, argc, argv);
  Report report("methods");
  for (const float k : stiffness) benchSheet(k, most, report);
  report.write(folder);
}
