// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Error against iterations and against time; docs/performance_cloth.md shows what it prints. Two sheets:
// that of reference.md (b) with stretch and shear rows, for all solvers on multipliers; and the hanging sheet
// of cloth_study.md, for what largest stretch costs by iterations, by small steps and by the multilevel
// solver.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "bench/hanging_sheet.h"
#include "bench/report.h"
#include "bench/sheet.h"

namespace repose {

namespace {

using M = SolverMethod;

struct ConvergenceBench {
  std::vector<int> sizes = {50, 100};
  int threads = 1;
  double family_seconds = 4, drop_seconds = 12;  // a run that would take longer ends its ladder
  std::ofstream csv;
};

struct Sample {
  int count;            // iterations or substeps
  double error;         // a share of the length: mean or largest stretch
  double milliseconds;  // a frame
};

// Time at which the error falls to `goal`, between the measured counts by a power law; below 0 when no count
// gets there.
double timeFor(double goal, const std::vector<Sample>& samples) {
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const Sample &a = samples[k - 1], &b = samples[k];
    if (!(a.error > goal && b.error <= goal)) continue;
    const double share = std::log(a.error / goal) / std::log(a.error / b.error);
    return a.milliseconds * std::pow(b.milliseconds / a.milliseconds, share);
  }
  return !samples.empty() && samples.front().error <= goal ? samples.front().milliseconds : -1;
}

std::string shown(double ms) { return ms < 0 ? "-" : fmt::format("{:.{}f}", ms, ms < 100 ? 2 : 0); }
std::string percent(double share) {
  const double p = share * 100;
  return fmt::format("{:.{}f} %", p, p < 0.1 ? 4 : p < 10 ? 2 : 0);
}

// ---- the sheet of reference.md (b) ----

struct Contender {
  const char* name;
  M method;
  float omega;
};

constexpr Contender kFamily[] = {
    {"gauss_seidel", M::gauss_seidel, 1},
    {"gauss_seidel, omega 1.5", M::gauss_seidel, 1.5f},
    {"gauss_seidel_coloured", M::gauss_seidel_coloured, 1},
    {"gauss_seidel_coloured, omega 1.5", M::gauss_seidel_coloured, 1.5f},
    {"jacobi", M::jacobi, 0},
    {"improved_jacobi", M::improved_jacobi, 0},
    {"accelerated_jacobi", M::accelerated_jacobi, 0},
    {"nesterov", M::nesterov, 0},
    {"chebyshev", M::chebyshev, 0},
    {"minimum_residual", M::minimum_residual, 0},
    {"conjugate_residuals", M::conjugate_residuals, 0},
};

constexpr int kFamilyFrames = 120;

Sample measureFamily(const Contender& who, int n, int iterations, int threads) {
  Sheet::Shape shape;
  shape.n = n;
  shape.shear = true;
  Sheet sheet(shape, who.method, iterations, who.omega, threads);
  double sum = 0, rest = 0;
  for (const float r : sheet.model.distance.rest) rest += r;
  std::vector<double> times;
  for (int f = 0; f < kFamilyFrames; ++f) {
    const Clock::time_point begin = Clock::now();
    sheet.advance();
    times.push_back(milliseconds(begin));
    sum += sheet.stretchSum() / rest;
  }
  return {iterations, sum / kFamilyFrames, median(times)};
}

void benchFamily(ConvergenceBench& bench, Report& report) {
  constexpr int kCounts[] = {5, 10, 20, 40, 80};
  for (const int n : bench.sizes) {
    std::vector<std::string> header = {"solver"};
    for (const int count : kCounts) header.push_back(fmt::format("{} it.", count));
    header.push_back("ms for 1 %");
    Table table(header);
    for (const Contender& who : kFamily) {
      sayProgress(fmt::format("sheet (b) {0}x{0}, {1}", n, who.name));
      std::vector<Sample> samples;
      std::vector<std::string> row = {who.name};
      for (const int count : kCounts) {
        const double expected =
            samples.empty() ? 0 : samples.back().milliseconds * count / samples.back().count;
        if (expected * kFamilyFrames > bench.family_seconds * 1000) {
          row.emplace_back("-");
          continue;
        }
        samples.push_back(measureFamily(who, n, count, bench.threads));
        const Sample& s = samples.back();
        row.push_back(fmt::format("{:.2f} % at {:.1f}", s.error * 100, s.milliseconds));
        report.figures["family"].push_back({{"points_across", n},
                                            {"solver", who.name},
                                            {"iterations", count},
                                            {"mean_stretch", s.error},
                                            {"ms", s.milliseconds}});
        if (bench.csv)
          bench.csv << fmt::format("family,{},{},\"{}\",{},1,{:.6g},,,{:.4g}\n", n, bench.threads, who.name,
                                   count, s.error, s.milliseconds);
      }
      row.push_back(shown(timeFor(0.01, samples)));
      table.add(row);
    }
    report.say(fmt::format(
        "Sheet of `reference.md` (b), {0}x{0} with shear, {1} thread{2}, mean of {3} frames: mean "
        "stretch at milliseconds a frame.\n",
        n, bench.threads, bench.threads == 1 ? "" : "s", kFamilyFrames));
    report.say(table.markdown());
  }
}

// ---- the hanging sheet, at equal accuracy ----

// A way to spend more time: the counts go up fourfold, as iterations of one step or as steps of one
// iteration.
struct Ladder {
  const char* name;
  M method;
  float omega;
  int first;
  bool substeps;
  int factor;
};

constexpr Ladder kLadders[] = {
    {"gauss_seidel_coloured", M::gauss_seidel_coloured, 0, 16, false, 4},
    {"accelerated_jacobi", M::accelerated_jacobi, 0, 16, false, 4},
    {"conjugate_residuals", M::conjugate_residuals, 0, 16, false, 4},
    {"small steps, gauss_seidel_coloured", M::gauss_seidel_coloured, 0, 8, true, 4},
    {"small steps, gauss_seidel", M::gauss_seidel, 0, 8, true, 4},
    {"multilevel, 1 to 8 substeps", M::multilevel, 0, 1, true, 2},
};
constexpr int kMostLevelSteps = 8;
constexpr double kGoals[] = {0.1, 0.01, 0.001};

Drop measureDrop(const Ladder& ladder, int n, int count, int threads) {
  HangingSheet::Settings settings;
  settings.n = n;
  settings.substeps = ladder.substeps ? count : 1;
  settings.solver.method = ladder.method;
  settings.solver.omega = ladder.omega;
  settings.solver.iterations = ladder.substeps ? 1 : count;
  settings.solver.cycles = 20;
  HangingSheet sheet(settings);
  const std::unique_ptr<Backend> backend = makeTbbBackend(threads);
  Drop drop;
  while (drop.frames.size() < kDropFrames) drop.frames.push_back(sheet.advance(*backend));
  return drop;
}

double medianTime(const Drop& drop) {
  std::vector<double> times;
  for (const HangingSheet::Frame& frame : drop.frames) times.push_back(frame.milliseconds);
  return median(times);
}

void benchEqualAccuracy(ConvergenceBench& bench, Report& report) {
  for (const int n : bench.sizes) {
    Table table({"method", "ms for 10 %", "ms for 1 %", "ms for 0.1 %", "best measured: largest", "mean",
                 "path error [cm]", "ms"});
    for (const Ladder& ladder : kLadders) {
      sayProgress(fmt::format("hanging sheet {0}x{0}, {1}", n, ladder.name));
      std::vector<Sample> samples;
      Drop best;
      for (int count = ladder.first;; count *= ladder.factor) {
        if (ladder.method == M::multilevel && count > kMostLevelSteps) break;
        if (!samples.empty()) {
          const double expected = samples.back().milliseconds * ladder.factor * kDropFrames;
          if (expected > bench.drop_seconds * 1000 || samples.back().error <= kGoals[2]) break;
        }
        const Drop drop = measureDrop(ladder, n, count, bench.threads);
        samples.push_back({count, drop.largest(), medianTime(drop)});
        if (best.frames.empty() || drop.largest() < best.largest()) best = drop;
        report.figures["equal_accuracy"].push_back({{"points_across", n},
                                                    {"method", ladder.name},
                                                    {"count", count},
                                                    {"largest_stretch", drop.largest()},
                                                    {"mean_stretch", drop.mean()},
                                                    {"path_error", drop.pathError()},
                                                    {"ms", samples.back().milliseconds}});
        if (bench.csv)
          bench.csv << fmt::format("equal_accuracy,{},{},\"{}\",{},{},{:.6g},{:.6g},{:.4g},{:.4g}\n", n,
                                   bench.threads, ladder.name, ladder.substeps ? 1 : count,
                                   ladder.substeps ? count : 1, drop.mean(), drop.largest(), drop.pathError(),
                                   samples.back().milliseconds);
      }
      std::vector<std::string> row = {ladder.name};
      for (const double goal : kGoals) row.push_back(shown(timeFor(goal, samples)));
      row.insert(row.end(), {percent(best.largest()), percent(best.mean()),
                             fmt::format("{:.1f}", best.pathError() * 100), shown(medianTime(best))});
      table.add(row);
    }
    report.say(
        fmt::format("Hanging sheet of `cloth_study.md`, {0}x{0}, default stiffness, {1} thread{2}, {3} "
                    "frames: milliseconds a "
                    "frame until the largest stretch of any frame is below 10 %, 1 %, 0.1 %; counts that "
                    "would take longer than "
                    "{4:.0f} s were left out.\n",
                    n, bench.threads, bench.threads == 1 ? "" : "s", kDropFrames, bench.drop_seconds));
    report.say(table.markdown());
  }
}

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  using namespace repose;
  ConvergenceBench bench;
  std::string folder;
  bool thorough = false;
  CLI::App app("Error of cloth solvers against iterations and time.");
  app.add_option("N", bench.sizes, "points across")->check(CLI::Range(4, 4000));
  app.add_option("--threads", bench.threads, "threads")->check(CLI::Range(1, 1024));
  app.add_option("--out", folder, "folder for convergence.md, .json and .csv");
  app.add_flag("--long", thorough, "ladders go on until a run takes two minutes");
  CLI11_PARSE(app, argc, argv);
  if (thorough) bench.family_seconds = 20, bench.drop_seconds = 120;

  Report report("convergence");
  if (!folder.empty()) {
    std::filesystem::create_directories(folder);
    bench.csv.open(folder + "/convergence.csv");
    bench.csv << "part,points_across,threads,solver,iterations,substeps,mean_stretch,largest_stretch,path_"
                 "error,ms\n";
  } else {
    bench.csv.setstate(std::ios::badbit);
  }
  benchFamily(bench, report);
  benchEqualAccuracy(bench, report);
  report.write(folder);
}
