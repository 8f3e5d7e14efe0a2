// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/methods/bounds.h"

#include <algorithm>
#include <functional>

#include "bench/falling_sheet.h"

namespace repose {

namespace {

using G = GlobalStep;

// What an iteration has to read and write: bytes of each point, and of each end of a spring. Neighbours are
// gathered from what is counted with the points.
struct Traffic {
  double of_point, of_end;
};

constexpr double kVector = sizeof(Vec4f), kNumber = sizeof(float);
// x, aim and mass in, the gradient out; of a spring its other end, rest length and weight
constexpr Traffic kGradient{3 * kVector + kNumber, 3 * kNumber};
constexpr Traffic kMove{5 * kVector, 0};                             // x and x_last in and out, the step in
constexpr Traffic kScale{2 * kVector + kNumber, 0};                  // the gradient by the diagonal
constexpr Traffic kSum{3 * kVector, 0};                              // of two vectors
constexpr Traffic kDot{2 * kVector + kNumber, 0};                    // with what is live
constexpr Traffic kSweep{4 * kVector + 2 * kNumber, 2 * kNumber};    // over the matrix, from no step
constexpr Traffic kProduct{2 * kVector + 2 * kNumber, 2 * kNumber};  // with the matrix
constexpr Traffic kPull{3 * kVector + kNumber, 4 * kNumber};         // of springs at places moved a little
constexpr Traffic kDifference{4 * kVector + kNumber, 0};

struct Timed {
  const char* name;
  SolverParams solver;
  std::vector<Traffic> parts;
  double springs;  // passes over the springs that take roots
};

std::vector<Timed> timedWays() {
  const auto way = [](G step, float omega, bool chebyshev) {
    return projectiveParams(step, 1000, omega, chebyshev, 0, 1);
  };
  SolverParams interleaved = Sheet::solverParams(SolverMethod::interleaved, 1000, 0);
  return {{"jacobi", way(G::jacobi, 1, false), {kGradient, kScale, kMove}, 1},
          {"jacobi, chebyshev", way(G::jacobi, 0, true), {kGradient, kSum, kDot, kScale, kMove}, 1},
          {"red_black", way(G::red_black, 1.5f, false), {kGradient, kSweep, kMove}, 1},
          {"conjugate_gradients",
           way(G::conjugate_gradients, 0, false),
           {kGradient, kScale, kDot, kSum, kProduct, kDot, kDot, kMove},
           1},
          {"direct", way(G::direct, 0, false), {kGradient, kMove}, 1},
          {"interleaved", interleaved, {kDot, kSum, kPull, kDifference, kDot, kSum, kSum, kDot, kSum}, 2}};
}

// Evaluations of springs from the nearest memory, eight at once where the processor can: neither gathers
// nor streams, so that nothing but the arithmetic counts.
#if defined(__x86_64__)
__attribute__((target_clones("avx2", "default")))
#endif
float
evaluateSprings(int rounds) {
  constexpr int kLanes = 256;
  alignas(64) static float x[kLanes], y[kLanes], z[kLanes], rest[kLanes], weight[kLanes], sum[3][kLanes];
  for (int i = 0; i < kLanes; ++i) {
    x[i] = 0.1f + 1e-4f * static_cast<float>(i), y[i] = 0.2f, z[i] = 0.3f, rest[i] = 0.3f, weight[i] = 0.5f;
    sum[0][i] = sum[1][i] = sum[2][i] = 0;
  }
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < kLanes; ++i) {
      const float dx = x[i] - sum[0][i], dy = y[i] - sum[1][i], dz = z[i] - sum[2][i];
      const float pull = (1 - rest[i] / __builtin_sqrtf(dx * dx + dy * dy + dz * dz)) * weight[i];
      sum[0][i] += dx * pull, sum[1][i] += dy * pull, sum[2][i] += dz * pull;
    }
  return sum[0][0] + static_cast<float>(kLanes);
}

// Seconds of one evaluation of a spring.
double springSeconds() {
  constexpr int kRounds = 2000;
  const auto begin = Clock::now();
  volatile const float kept = evaluateSprings(kRounds);
  (void)kept;
  return 1e-3 * milliseconds(begin) / (kRounds * 256.0);
}

// Sums of vectors in memory of a given size: bytes in a second, read and written.
class Stream {
 public:
  Stream(double bytes, int threads)
      : backend_(makeTbbBackend(threads)),
        vectors_(3, std::vector<Vec4f>(static_cast<std::size_t>(bytes / (3 * kVector)) / 16 * 16 + 16)) {}
  double bytesPerSecond() {
    ml_axpy_args a;
    a.a = vectors_[0].data(), a.b = vectors_[1].data(), a.y = vectors_[2].data(), a.s = 0.5f;
    const auto size = static_cast<int>(vectors_[0].size());
    const int rounds = std::max(1, 2000000 / size);
    const auto begin = Clock::now();
    for (int r = 0; r < rounds; ++r) backend_->launchLanes(size, a);
    return rounds * 3 * kVector * size / (1e-3 * milliseconds(begin));
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::vector<std::vector<Vec4f>> vectors_;
};

// Runs iterations of one stepper on a sheet that has been let go.
class Runner {
 public:
  Runner(const Timed& way, int n, int threads)
      : sheet_(shape(n), way.solver, makeTbbBackend(threads)), cg_(sheet_.work->interleaved.get()) {
    sheet_.params.h = 1.0f / 60;
    predict(sheet_.model, sheet_.state, sheet_.params, *sheet_.work, *sheet_.backend);
    sheet_.work->prepare(sheet_.model, sheet_.state, sheet_.params);
    predicted_ = sheet_.state;
    restart();
  }

  // Seconds an iteration, over some of them.
  double seconds(int count) {
    const auto begin = Clock::now();
    for (int k = 0; k < count; ++k)
      if (cg_)
        cg_->iterate(sheet_.model, *sheet_.backend);
      else
        loop_->iterate(k_++);
    const double each = 1e-3 * milliseconds(begin) / count;
    restart();
    return each;
  }
  std::size_t factorBytes() const { return cg_ ? 0 : sheet_.work->projective->factorBytes(); }

  static Sheet::Shape shape(int n) {
    Sheet::Shape s;
    s.n = n, s.mass = 0.01f, s.stiffness = 1000;
    return s;
  }

 private:
  void restart() {
    sheet_.state = predicted_;
    k_ = 0;
    if (cg_) {
      cg_->begin(sheet_.model, sheet_.state, sheet_.work->x_start, false, *sheet_.backend);
      return;
    }
    Projective& pd = *sheet_.work->projective;
    pd.begin(sheet_.state, sheet_.work->x_start);
    loop_ = std::make_unique<ProjectiveLoop>(sheet_.model, sheet_.state, sheet_.params.solver, pd,
                                             *sheet_.backend);
    loop_->beginCycle(0, sheet_.params.solver.iterations);
  }

  Sheet sheet_;
  State predicted_;
  Interleaved* cg_;
  std::unique_ptr<ProjectiveLoop> loop_;
  int k_ = 0;
};

struct Figures {
  double seconds = 1e30, spring = 1e30, rate = 0;
};

Figures measure(const Timed& way, int n, int threads, double bytes) {
  constexpr int kBursts = 15;
  Runner runner(way, n, threads);
  Stream stream(bytes, threads);
  const int count = std::max(3, static_cast<int>(5e-3 / runner.seconds(3)));
  Figures best;
  for (int burst = 0; burst < kBursts; ++burst) {
    best.seconds = std::min(best.seconds, runner.seconds(std::min(count, 500)));
    best.rate = std::max(best.rate, stream.bytesPerSecond());
    best.spring = std::min(best.spring, springSeconds());
  }
  return best;
}

void benchSize(int n, Table& table, Report& report) {
  const double points = double{1} * n * n, ends = 4.0 * n * (n - 1);
  for (const Timed& way : timedWays()) {
    sayProgress(fmt::format("bounds of {}, {}x{}", way.name, n, n));
    double bytes = static_cast<double>(Runner(way, n, 1).factorBytes()) * 2;  // forwards and backwards
    for (const Traffic& part : way.parts) bytes += part.of_point * points + part.of_end * ends;
    std::vector<std::string> row = {fmt::format("{}x{}", n, n), way.name,
                                    fmt::format("{:.2f}", 1e-6 * bytes)};
    double seconds[2];
    for (const int threads : {1, 2}) {
      const Figures f = measure(way, n, threads, bytes);
      const double moving = bytes / f.rate, springs = way.springs * ends * f.spring / threads;
      const double bound = std::max(moving, springs);
      seconds[threads - 1] = f.seconds;
      for (const double s : {f.seconds, moving, springs}) row.push_back(fmt::format("{:.0f}", 1e6 * s));
      row.push_back(fmt::format("{:.2f}", f.seconds / bound));
      report.figures["bounds"].push_back({{"points_across", n},
                                          {"method", way.name},
                                          {"threads", threads},
                                          {"seconds", f.seconds},
                                          {"moving", moving},
                                          {"springs", springs}});
    }
    row.push_back(fmt::format("{:.2f}", seconds[0] / seconds[1]));
    table.add(row);
  }
}

}  // namespace

void benchBounds(const std::vector<int>& sizes, Report& report) {
  Table table({"sheet", "method", "MB an iteration", "us, 1 thread", "to move them", "springs alone",
               "times the longer", "us, 2 threads", "to move them", "springs alone", "times the longer",
               "1 over 2 threads"});
  for (const int n : sizes) benchSize(n, table, report);
  report.say(
      "An iteration on a sheet with springs along its grid, beside what the machine needs at least: to "
      "stream its "
      "bytes by sums of vectors in memory of the same size, and to evaluate its springs with nothing to "
      "fetch; the least of 15 turns each.\n");
  report.say(table.markdown());
}

}  // namespace repose
