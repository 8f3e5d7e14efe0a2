// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>

#include "backend/backend.h"
#include "backend/host_kernels.h"
#include "backend/team.h"

namespace repose {

namespace {

// Entries of one piece at least: as many as take as long as handing it over.
constexpr int kGrain = 64;
// Pieces of a launch for each thread: two, so that a thread that is late leaves one to the others.
constexpr int kPieces = 2;

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

// A launch, for the pieces of a team.
struct Launch {
  HostKernel function;
  const void* args;
  std::int64_t items, pieces;
};

void runPiece(int piece, const void* context) {
  const Launch& l = *static_cast<const Launch*>(context);
  l.function(static_cast<int>(l.items * piece / l.pieces), static_cast<int>(l.items * (piece + 1) / l.pieces),
             l.args);
}

// Chunks of the host.
struct HostCall {
  Team::Piece work;
  const void* context;
};

void runChunk(int chunk, const void* context) {
  const HostCall& call = *static_cast<const HostCall*>(context);
  call.work(chunk, call.context);
}

// A launch behind one piece of host work.
struct LaunchBeside {
  Launch launch;
  HostCall host;
};

void runPieceBeside(int piece, const void* context) {
  const LaunchBeside& both = *static_cast<const LaunchBeside*>(context);
  piece == 0 ? runChunk(0, &both.host) : runPiece(piece - 1, &both.launch);
}

class TbbBackend final : public Backend {
 public:
  TbbBackend(int threads, Isa isa)
      : threads_(threads > 0 ? threads : std::max(1, tbb::info::default_concurrency())),
        isa_(isa),
        table_(table(isa)),
        limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads_)),
        arena_(threads_),
        team_(std::make_shared<Team>(threads_)) {}
  ~TbbBackend() override { team_->dismiss(); }

  int lanes() const override { return table_.lanes; }
  int threads() const override { return threads_; }
  std::string describe() const override {
    return fmt::format("TBB, {} thread{}, {}", threads_, threads_ == 1 ? "" : "s", isaName(isa_));
  }

 private:
  void run(Kernel kernel, int items, const void* args) override {
    const HostKernel function = table_.kernels[static_cast<int>(kernel)];
    const int pieces = piecesOf(kernel, items);
    if (threads_ == 1 || pieces < 2) return function(0, items, args);
    const Launch launch = {function, args, items, pieces};
    team_->run(arena_, pieces, runPiece, launch);
  }

  void runBeside(Kernel kernel, int items, const void* args, HostWork work, const void* context) override {
    const int pieces = std::max(piecesOf(kernel, items), 1);
    const LaunchBeside both = {{table_.kernels[static_cast<int>(kernel)], args, items, pieces},
                               {work, context}};
    if (threads_ > 1) return team_->run(arena_, 1 + pieces, runPieceBeside, both);
    for (int piece = 0; piece <= pieces; ++piece) runPieceBeside(piece, &both);
  }

  int piecesOf(Kernel kernel, int items) const {
    return hasChunks(kernel) ? items : std::min(items * table_.lanes / kGrain, kPieces * threads_);
  }

  void runHost(int chunks, HostWork work, const void* context) override {
    if (threads_ > 1 && chunks > 1) return team_->run(arena_, chunks, runChunk, HostCall{work, context});
    for (int chunk = 0; chunk < chunks; ++chunk) work(chunk, context);
  }

  int threads_;
  Isa isa_;
  const HostKernelTable& table_;
  tbb::global_control limit_;
  tbb::task_arena arena_;
  std::shared_ptr<Team> team_;
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
