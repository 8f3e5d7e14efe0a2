// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Speed, memory and accuracy of cloth; docs/performance_cloth.md shows what it prints. Times are those of a
// shared machine: every figure is taken in turns with what it is compared to.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "bench/cloth/parts.h"

int main(int argc, char** argv) {
  using namespace repose;
  ClothBench bench;
  std::vector<std::string> parts = {"iterations", "memory", "hanging"};
  std::string folder;
  std::vector<std::string> alone;
  CLI::App app("Speed, memory and accuracy of cloth.");
  app.add_option("N", bench.sizes, "points across instead of those of each part")->check(CLI::Range(4, 4000));
  app.add_option("--part", parts, "only these: iterations, memory, hanging, kernels")
      ->check(CLI::IsMember({"iterations", "memory", "hanging", "kernels"}))
      ->allow_extra_args(false);
  app.add_option("--cycles", bench.cycles, "most cycles of the multilevel solver");
  app.add_option("--reference", bench.reference, "program with the reference kernels for AVX-512");
  app.add_option("--out", folder, "folder for cloth.md and cloth.json");
  app.add_flag("--long", bench.thorough, "more repetitions");
  app.add_option("--alone", alone,
                 "only runs S1 as a peer does: END SETTLE FRAMES METHOD ITERATIONS SUBSTEPS, after N")
      ->expected(6);
  CLI11_PARSE(app, argc, argv);
  if (!alone.empty()) return runSheetAlone(alone, bench.sizes.empty() ? 100 : bench.sizes.front()), 0;

  Report report("cloth");
  const auto wanted = [&](const char* name) {
    return std::find(parts.begin(), parts.end(), name) != parts.end();
  };
  if (wanted("iterations")) benchIterations(bench, report);
  if (wanted("memory")) benchMemory(bench, report);
  if (wanted("hanging")) benchHanging(bench, report);
  if (wanted("kernels")) benchKernels(bench, report);
  report.write(folder);
}
