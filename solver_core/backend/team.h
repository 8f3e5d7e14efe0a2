// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Threads of TBB that share one launch after another. A solver launches hundreds of short kernels a frame,
// and handing each to a scheduler takes as long as the kernel: here helpers stay a moment after a launch and
// look for the next one. None is ever waited for: what no helper has begun, the caller does.
#pragma once
#include <tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace repose {

class Team : public std::enable_shared_from_this<Team> {
 public:
  using Piece = void (*)(int piece, const void* context);

  explicit Team(int threads) : shares_(static_cast<std::size_t>(threads)) {}

  // Runs work(piece, context) for each of [0, pieces), and waits. Neighbouring pieces go to one thread, the
  // same in each launch, so that its caches know them; who is done early takes from the others. Within a
  // piece it runs all of them where it is called.
  void run(tbb::task_arena& arena, int pieces, Piece work, const void* context);
  // No launch follows: lets helpers go, and waits for them a while. In a forked process none ever comes.
  void dismiss();

 private:
  // What of a thread's pieces nobody has begun: the first and the end, in one word.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> left{0};
  };

  void askForHelpers(tbb::task_arena& arena, int wanted);
  void help();
  bool takePieces(std::size_t own);
  bool takeOne(Share& share);
  void runPiece(int piece);

  // of the launch; written only while no piece is left or running
  Piece work_ = nullptr;
  const void* context_ = nullptr;
  std::exception_ptr thrown_;

  std::vector<Share> shares_;
  alignas(64) std::atomic<std::uint32_t> launches_{0};
  alignas(64) std::atomic<int> done_{0};
  alignas(64) std::atomic<int> helpers_{0};  // that help, or were asked to
  std::atomic<bool> busy_{false}, dismissed_{false};
  std::atomic<bool> threw_{false};
};

}  // namespace repose
