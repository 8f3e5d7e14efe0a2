// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How near the iterations of cloth come to the memory bus: bytes that an accelerated Jacobi iteration has to
// move, over the bandwidth of a = b + s c on arrays of the same size, both measured in turns.
#include <tbb/parallel_for.h>

#include <CLI/CLI.hpp>

#include "bench/report.h"
#include "bench/sheet.h"

namespace repose {

namespace {

constexpr int kIterations = 15;

// Three arrays that together have so many bytes.
class Triad {
 public:
  explicit Triad(double bytes)
      : size_(static_cast<std::size_t>(bytes / 12)), a_(size_), b_(size_, 1), c_(size_, 2) {}
  double bytes() const { return 12.0 * static_cast<double>(size_); }
  void run() {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, size_, 4096),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) a_[i] = b_[i] + 3 * c_[i];
        },
        tbb::static_partitioner{});
  }

 private:
  std::size_t size_;
  std::vector<float> a_, b_, c_;
};

Sheet makeSheet(int n) {
  Sheet::Shape shape;
  shape.n = n;
  shape.spacing = 2.0f / static_cast<float>(n - 1);
  shape.mass = 1.0f / static_cast<float>(n * n);
  shape.shear = shape.across = true;
  return {shape, SolverMethod::accelerated_jacobi, kIterations, 0.0f, 1};
}

// Of an iteration: each row is in the lists of both ends with point, rest length and diagonal; a point is
// read and written once, its momentum read and written. Neighbours are in the caches.
double bytesAnIteration(const Sheet& sheet) {
  return 2.0 * 12 * sheet.model.distance.size() + 64.0 * sheet.model.numPoints();
}

template <class Work>
void burst(int times, Times& to, const Work& work) {
  work();
  std::vector<double> ms;
  for (int k = 0; k < times; ++k) {
    const Clock::time_point begin = Clock::now();
    work();
    ms.push_back(milliseconds(begin));
  }
  to.addBurst(ms);
}

void benchRoofline(const std::vector<int>& sizes, int rounds, const std::string& out) {
  Report report("roofline");
  Table table(
      {"cloth", "threads", "MB an iteration", "ms a frame", "GB/s", "triad of that size, GB/s", "share"});
  for (const int n : sizes)
    for (const int threads : {1, 2}) {
      sayProgress(fmt::format("{0}x{0}, {1} threads", n, threads));
      Sheet sheet = makeSheet(n);
      const double bytes = bytesAnIteration(sheet);
      Triad triad(bytes);
      sheet.backend.reset();
      sheet.backend = makeTbbBackend(threads);  // limits the threads of the triad too
      Times cloth, plain;
      for (int round = 0; round < rounds; ++round) {
        burst(10, cloth, [&] { sheet.advance(); });
        burst(50, plain, [&] { triad.run(); });
      }
      const double reached = bytes * kIterations / cloth.least() * 1e-6,
                   limit = triad.bytes() / plain.least() * 1e-6;
      table.add({fmt::format("{0}x{0}", n), std::to_string(threads), fmt::format("{:.1f}", bytes * 1e-6),
                 fmt::format("{:.2f} ({:.2f})", cloth.middle(), cloth.least()),
                 fmt::format("{:.1f}", reached), fmt::format("{:.1f}", limit),
                 fmt::format("{:.0f} %", 100 * reached / limit)});
      report.figures["cloth"].push_back(
          {{"across", n}, {"threads", threads}, {"gb_s", reached}, {"triad_gb_s", limit}});
    }
  report.say(fmt::format(
      "Accelerated Jacobi, {} iterations a frame: bytes that have to move over the least time of whole "
      "frames, "
      "against a = b + s c on arrays of the same size. Both are read from the caches where they fit.\n",
      kIterations));
  report.say(table.markdown());
  report.write(out);
}

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  CLI::App app("Cloth against the memory bus");
  std::vector<int> sizes = {50, 100, 316, 1000};
  int rounds = 6;
  std::string out;
  app.add_option("SIZES", sizes, "Points across");
  app.add_option("--rounds", rounds, "Turns of each");
  app.add_option("--out", out, "Folder for the results");
  CLI11_PARSE(app, argc, argv);
  repose::benchRoofline(sizes, rounds, out);
}
