// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/team.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace repose {

namespace {

// How long a helper looks for the next launch: longer than the host's work between most launches, too short
// to be missed by other programs.
constexpr std::chrono::microseconds kPatience(30);
constexpr int kLooks = 64;  // between two looks at the clock, or before the processor is given away

void rest() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

std::uint64_t sharePieces(int first, int end) {
  return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint32_t>(end);
}

}  // namespace

void Team::run(tbb::task_arena& arena, int pieces, Piece work, const void* context) {
  if (busy_.exchange(true, std::memory_order_acquire)) {
    for (int piece = 0; piece < pieces; ++piece) work(piece, context);
    return;
  }
  work_ = work, context_ = context;
  done_.store(0, std::memory_order_relaxed);
  const auto count = static_cast<std::int64_t>(shares_.size());
  for (std::int64_t i = count - 1; i >= 0; --i) {
    const auto first = static_cast<int>(pieces * i / count), end = static_cast<int>(pieces * (i + 1) / count);
    shares_[static_cast<std::size_t>(i)].left.store(sharePieces(first, end), std::memory_order_release);
  }
  launches_.fetch_add(1, std::memory_order_release);
  askForHelpers(arena, std::min(pieces, static_cast<int>(count)) - 1);
  takePieces(0);
  for (int looks = 0; done_.load(std::memory_order_acquire) < pieces; ++looks)
    looks < kLooks ? rest() : std::this_thread::yield();
  const std::exception_ptr thrown = threw_.exchange(false) ? std::exchange(thrown_, nullptr) : nullptr;
  busy_.store(false, std::memory_order_release);
  if (thrown) std::rethrow_exception(thrown);
}

void Team::askForHelpers(tbb::task_arena& arena, int wanted) {
  for (int there = helpers_.load(std::memory_order_relaxed); there < wanted; ++there) {
    helpers_.fetch_add(1, std::memory_order_release);
    // a helper may begin late, when the team's owner is gone
    arena.enqueue([self = shared_from_this()] { self->help(); });
  }
}

void Team::dismiss() {
  dismissed_.store(true, std::memory_order_release);
  const auto leave = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (helpers_.load(std::memory_order_acquire) > 0 && std::chrono::steady_clock::now() < leave)
    std::this_thread::yield();
}

void Team::help() {
  helpers_.load(std::memory_order_acquire);  // all that was written before it was asked
  const auto own = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()) % shares_.size();
  auto leave = std::chrono::steady_clock::now() + kPatience;
  std::uint32_t seen = launches_.load(std::memory_order_acquire) - 1;
  for (int looks = 1;; ++looks) {
    const std::uint32_t launch = launches_.load(std::memory_order_acquire);
    if (launch != seen) {
      seen = launch;
      if (takePieces(own)) leave = std::chrono::steady_clock::now() + kPatience;
    } else if (looks % kLooks == 0 &&
               (dismissed_.load(std::memory_order_acquire) || std::chrono::steady_clock::now() > leave)) {
      break;
    } else {
      rest();
    }
  }
  helpers_.fetch_sub(1, std::memory_order_release);
}

// Whether there was one.
bool Team::takePieces(std::size_t own) {
  bool any = false;
  for (std::size_t i = 0; i < shares_.size(); ++i)
    while (takeOne(shares_[(own + i) % shares_.size()])) any = true;
  return any;
}

// A piece that could be taken belongs to the launch of this moment, which waits for it.
bool Team::takeOne(Share& share) {
  std::uint64_t left = share.left.load(std::memory_order_acquire);
  do {
    if (left >> 32 >= (left & 0xffffffffu)) return false;
  } while (!share.left.compare_exchange_weak(left, left + (std::uint64_t{1} << 32), std::memory_order_acq_rel,
                                             std::memory_order_acquire));
  runPiece(static_cast<int>(left >> 32));
  return true;
}

void Team::runPiece(int piece) {
  try {
    work_(piece, context_);
  } catch (...) {
    if (!threw_.exchange(true)) thrown_ = std::current_exception();
  }
  done_.fetch_add(1, std::memory_order_acq_rel);
}

}  // namespace repose
