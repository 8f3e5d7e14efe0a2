// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth S1 of peers.md: N x N points, stretch, shear and second-neighbour rows, 15 iterations, on one thread
// and on two. Prints time, time a row and iteration, bytes a vertex, and the ratio of two threads to one.
//   bench_cloth [N...]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "bench/sheet.h"

namespace repose {

double medianMilliseconds(Sheet& sheet, int warm_up, int frames) {
  std::vector<double> times;
  for (int f = 0; f < warm_up + frames; ++f) {
    const auto begin = std::chrono::steady_clock::now();
    sheet.advance();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    if (f >= warm_up) times.push_back(elapsed.count());
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

void benchCloth(int n) {
  constexpr int kIterations = 15;
  Sheet::Shape shape;
  shape.n = n;
  shape.spacing = 2.0f / static_cast<float>(n - 1);
  shape.shear = shape.across = true;
  shape.mass = 1.0f / static_cast<float>(n * n);
  double ms[2];
  for (const int threads : {1, 2}) {
    Sheet sheet(shape, SolverMethod::accelerated_jacobi, kIterations, 0, threads);
    ms[threads - 1] = medianMilliseconds(sheet, 30, n > 200 ? 30 : 100);
    if (threads == 1) {
      const double rows = 6.0 * n * n;
      fmt::print(
          "cloth {0}x{0}: {1:6.2f} ms a frame, {2:.2f} ns a row and iteration, {3:.0f} bytes a vertex at "
          "{4:.2f} rows each",
          n, ms[0], ms[0] * 1e6 / (rows * kIterations), static_cast<double>(sheet.bytes()) / (n * n),
          static_cast<double>(sheet.model.distance.size()) / (n * n));
    }
  }
  fmt::print("; two threads {:.2f} ms, {:.2f} times as fast\n", ms[1], ms[0] / ms[1]);
}

}  // namespace repose

int main(int argc, char** argv) {
  if (argc == 1)
    for (const int n : {50, 100, 316}) repose::benchCloth(n);
  for (int k = 1; k < argc; ++k) repose::benchCloth(std::max(4, std::atoi(argv[k])));
}
