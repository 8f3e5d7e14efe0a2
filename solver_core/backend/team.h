// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Threads of TBB that share one launch after another. A solver launches hundreds of short kernels a frame,
// and handing each to a scheduler takes as long as the kernel: here helpers stay a moment after a launch and
// look for the next one. None is ever waited for: what no helper has begun, the caller does.
#pragma once
#include <tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <type_traits>
#include <vector>

namespace repose {

class Team : public std::enable_shared_from_this<Team> {
 public:
  // context: a copy of what run() was given
  using Piece = void (*)(int piece, const void* context);

  explicit Team(int threads) : members_(static_cast<std::size_t>(threads)) {}

  // Runs work(piece, context) for each of [0, pieces), and waits. Neighbouring pieces go to one thread, the
  // same in each launch, so that its caches know them; who is done early takes from the others. Within a
  // piece it runs all of them where it is called.
  template <class Context>
  void run(tbb::task_arena& arena, int pieces, Piece work, const Context& context) {
    static_assert(std::is_trivially_copyable_v<Context> && sizeof(Context) <= kContextBytes);
    if (busy_.exchange(true, std::memory_order_acquire)) {
      for (int piece = 0; piece < pieces; ++piece) work(piece, &context);
      return;
    }
    std::memcpy(launch_.context, &context, sizeof context);
    launch_.work = work;
    runLaunch(arena, pieces);
  }
  // No launch follows: lets helpers go, and waits for them a while. In a forked process none ever comes.
  void dismiss();

 private:
  static constexpr std::size_t kContextBytes = 48;

  // All that a helper has to read before it begins, in one line of the cache: between cores that share none,
  // a line is a quarter of a microsecond on its way. The rest is written only while no piece is left or
  // running.
  struct alignas(64) Launch {
    std::atomic<std::uint64_t> call{0};  // its number, then how many pieces
    Piece work = nullptr;
    alignas(8) char context[kContextBytes] = {};
  };
  static_assert(sizeof(Launch) == 64);

  // The line of a thread, which others look at when they have nothing left.
  struct alignas(64) Member {
    std::atomic<std::uint64_t> taken{
        0};  // number of a launch, then how many of this thread's pieces are begun
    std::atomic<std::uint64_t> done{0};  // pieces of all launches that this thread has ended
  };

  void runLaunch(tbb::task_arena& arena, int pieces);
  void askForHelpers(tbb::task_arena& arena, int wanted);
  void help();
  bool takePieces(std::size_t own, std::uint64_t call);
  int takeOf(std::size_t member, std::uint64_t call);
  void runPiece(int piece);
  std::uint64_t done() const;

  Launch launch_;
  std::vector<Member> members_;
  // of the thread that launches
  alignas(64) std::atomic<bool> busy_{false};
  std::uint64_t asked_ = 0;  // pieces of all launches
  std::exception_ptr thrown_;
  std::atomic<bool> threw_{false};
  alignas(64) std::atomic<int> helpers_{0};  // that help, or were asked to
  std::atomic<bool> dismissed_{false};
};

}  // namespace repose
