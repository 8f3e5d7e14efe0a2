// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Error against iterations and against time for all solvers, on the hanging sheet of reference.md (b) with
// stretch and shear rows: mean stretch of a row over 120 frames, milliseconds of a frame, and the time that 1
// % mean stretch costs, between the measured counts by a power law.
//   bench_convergence [--threads T] [--csv FILE] [N...]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/sheet.h"

namespace repose {

using M = SolverMethod;

struct Contender {
  const char* name;
  M method;
  float omega;
};

constexpr Contender kContenders[] = {
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

struct Sample {
  int iterations;
  double stretch;       // mean over rows and frames, as a share of the length
  double milliseconds;  // median of a frame
};

Sample measure(const Contender& who, int n, int iterations, int threads) {
  constexpr int kFrames = 120;
  Sheet::Shape shape;
  shape.n = n;
  shape.shear = true;
  Sheet sheet(shape, who.method, iterations, who.omega, threads);
  double sum = 0, rest = 0;
  for (const float r : sheet.model.distance.rest) rest += r;
  std::vector<double> times;
  for (int f = 0; f < kFrames; ++f) {
    const auto begin = std::chrono::steady_clock::now();
    sheet.advance();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    times.push_back(elapsed.count());
    sum += sheet.stretchSum() / rest;
  }
  std::nth_element(times.begin(), times.begin() + kFrames / 2, times.end());
  return {iterations, sum / kFrames, times[kFrames / 2]};
}

// Time at which the stretch falls to `goal`; below 0 when no measured count gets there.
double timeFor(double goal, const std::vector<Sample>& samples) {
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const Sample &a = samples[k - 1], &b = samples[k];
    if (!(a.stretch > goal && b.stretch <= goal)) continue;
    const double share = std::log(a.stretch / goal) / std::log(a.stretch / b.stretch);
    return a.milliseconds * std::pow(b.milliseconds / a.milliseconds, share);
  }
  return samples.front().stretch <= goal ? samples.front().milliseconds : -1;
}

void benchSheet(int n, int threads, std::FILE* csv) {
  constexpr int kCounts[] = {5, 10, 20, 40, 80};
  fmt::print("\nsheet {0}x{0} with shear, {1} thread{2}: mean stretch [%] at ms a frame\n{3:34}", n, threads,
             threads == 1 ? "" : "s", "iterations");
  for (const int count : kCounts) fmt::print("{:>17}", count);
  fmt::print("{:>14}\n", "ms for 1 %");
  for (const Contender& who : kContenders) {
    std::vector<Sample> samples;
    fmt::print("{:34}", who.name);
    for (const int count : kCounts) {
      const Sample s = measure(who, n, count, threads);
      samples.push_back(s);
      fmt::print("{:8.3f} at {:5.2f}", s.stretch * 100, s.milliseconds);
      if (csv)
        fmt::print(csv, "{},{},\"{}\",{},{:.6g},{:.4g}\n", n, threads, who.name, count, s.stretch,
                   s.milliseconds);
      std::fflush(stdout);
    }
    const double ms = timeFor(0.01, samples);
    fmt::print("{:>14}\n", ms < 0 ? "-" : fmt::format("{:.2f}", ms));
  }
}

}  // namespace repose

int main(int argc, char** argv) {
  int threads = 1;
  std::string csv_path = "convergence.csv";
  std::vector<int> sizes;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--threads" && k + 1 < argc)
      threads = std::max(1, std::atoi(argv[++k]));
    else if (word == "--csv" && k + 1 < argc)
      csv_path = argv[++k];
    else if (std::atoi(word.c_str()) >= 4)
      sizes.push_back(std::atoi(word.c_str()));
    else
      return fmt::print(stderr, "bench_convergence: '{}' is neither an option nor a size of at least 4\n",
                        word),
             2;
  }
  if (sizes.empty()) sizes = {50, 100};
  std::FILE* csv = std::fopen(csv_path.c_str(), "w");
  if (!csv) return fmt::print(stderr, "bench_convergence: cannot write '{}'\n", csv_path), 4;
  fmt::print(csv, "points_across,threads,solver,iterations,mean_stretch,ms_per_frame\n");
  for (const int n : sizes) repose::benchSheet(n, threads, csv);
  std::fclose(csv);
  fmt::print("\nwritten to {}\n", csv_path);
}
