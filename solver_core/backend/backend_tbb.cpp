// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "backend/backend.h"
#include "backend/host_kernels.h"

namespace repose {

namespace {

// Lane items of one task: large enough to hide the cost of a task, small enough to share a small cloth.
constexpr int kGrain = 64;

const HostKernelTable& table(Isa isa) {
  switch (isa) {
#ifdef REPOSE_avx512
    case Isa::avx512:
      return kHostKernels_avx512;
#endif
#ifdef REPOSE_avx2
    case Isa::avx2:
      return kHostKernels_avx2;
#endif
    default:
      return kHostKernels_sse2;
  }
}

// Debian's TBB is not built for the thread sanitizer, so the hand-over to and from the tasks is told by hand;
// two tasks of one launch stay unordered, which is what the sanitizer is to check.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
char tasks_given, tasks_done;
void giveTasks() { __tsan_release(&tasks_given); }
void beginTask() { __tsan_acquire(&tasks_given); }
void endTask() { __tsan_release(&tasks_done); }
void takeTasks() { __tsan_acquire(&tasks_done); }
#else
void giveTasks() {}
void beginTask() {}
void endTask() {}
void takeTasks() {}
#endif

class TbbBackend final : public Backend {
 public:
  TbbBackend(int threads, Isa isa)
      : threads_(threads > 0 ? threads : std::max(1, tbb::info::default_concurrency())),
        isa_(isa),
        table_(table(isa)),
        limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads_)),
        arena_(threads_) {}

  int lanes() const override { return table_.lanes; }
  int threads() const override { return threads_; }
  std::string describe() const override {
    return fmt::format("TBB, {} thread{}, {}", threads_, threads_ == 1 ? "" : "s", isaName(isa_));
  }

 private:
  void run(Kernel kernel, int items, const void* args) override {
    const HostKernel function = table_.kernels[static_cast<int>(kernel)];
    if (threads_ == 1 || items <= kGrain) return function(0, items, args);
    // a static division keeps each range on the core whose cache holds it from the last iteration
    giveTasks();
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<int>(0, items, kGrain),
          [&](const tbb::blocked_range<int>& range) {
            beginTask();
            function(range.begin(), range.end(), args);
            endTask();
          },
          tbb::static_partitioner{});
    });
    takeTasks();
  }

  void runHost(int chunks, HostWork work, const void* context) override {
    if (threads_ == 1 || chunks == 1) {
      for (int chunk = 0; chunk < chunks; ++chunk) work(chunk, context);
      return;
    }
    giveTasks();
    arena_.execute([&] {
      tbb::parallel_for(0, chunks, [&](int chunk) {
        beginTask();
        work(chunk, context);
        endTask();
      });
    });
    takeTasks();
  }

  int threads_;
  Isa isa_;
  const HostKernelTable& table_;
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

}  // namespace

std::vector<Isa> supportedIsas() {
  std::vector<Isa> isas = {Isa::sse2};
#ifdef REPOSE_avx2
  if (__builtin_cpu_supports("avx2")) isas.push_back(Isa::avx2);
#endif
#ifdef REPOSE_avx512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    isas.push_back(Isa::avx512);
#endif
  return isas;
}

const char* isaName(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return "AVX-512";
    case Isa::avx2:
      return "AVX2";
    case Isa::sse2:
      break;
  }
  return "SSE2";
}

std::unique_ptr<Backend> makeTbbBackend(int threads, Isa isa) {
  return std::make_unique<TbbBackend>(threads, isa);
}

std::unique_ptr<Backend> makeTbbBackend(int threads) {
  return makeTbbBackend(threads, supportedIsas().back());
}

}  // namespace repose
