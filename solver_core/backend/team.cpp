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

// Two numbers in one word, which change together.
std::uint64_t word(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }
std::uint32_t highOf(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
std::uint32_t lowOf(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

}  // namespace

void Team::runLaunch(tbb::task_arena& arena, int pieces) {
  asked_ += static_cast<std::uint64_t>(pieces);
  const std::uint32_t number = highOf(launch_.call.load(std::memory_order_relaxed)) + 1;
  const std::uint64_t call = word(number, static_cast<std::uint32_t>(pieces));
  launch_.call.store(call, std::memory_order_release);
  askForHelpers(arena, std::min(pieces, static_cast<int>(members_.size())) - 1);
  takePieces(0, call);
  for (int looks = 0; done() != asked_; ++looks) looks < kLooks ? rest() : std::this_thread::yield();
  const std::exception_ptr thrown = threw_ ? std::exchange(thrown_, nullptr) : nullptr;
  if (thrown) threw_ = false;
  busy_.store(false, std::memory_order_release);
  if (thrown) std::rethrow_exception(thrown);
}

std::uint64_t Team::done() const {
  std::uint64_t sum = 0;
  for (const Member& member : members_) sum += member.done.load(std::memory_order_acquire);
  return sum;
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
  const auto own = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()) % members_.size();
  auto leave = std::chrono::steady_clock::now() + kPatience;
  std::uint64_t seen = 0;
  for (int looks = 1;; ++looks) {
    const std::uint64_t call = launch_.call.load(std::memory_order_acquire);
    if (call != seen) {
      seen = call;
      if (takePieces(own, call)) leave = std::chrono::steady_clock::now() + kPatience;
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
bool Team::takePieces(std::size_t own, std::uint64_t call) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < members_.size(); ++i)
    for (int piece; (piece = takeOf((own + i) % members_.size(), call)) >= 0; ++count) runPiece(piece);
  if (count > 0) members_[own].done.fetch_add(count, std::memory_order_release);
  return count > 0;
}

// A piece that nobody has begun, or -1. One that could be taken belongs to the launch of this moment, which
// waits for it; of a launch that is over none is left, however late a helper comes.
int Team::takeOf(std::size_t member, std::uint64_t call) {
  const std::uint64_t pieces = lowOf(call), count = members_.size();
  const auto first = static_cast<std::uint32_t>(pieces * member / count);
  const auto share = static_cast<std::uint32_t>(pieces * (member + 1) / count) - first;
  if (share == 0) return -1;
  std::atomic<std::uint64_t>& taken = members_[member].taken;
  std::uint64_t now = taken.load(std::memory_order_acquire);
  for (;;) {
    const bool known = highOf(now) == highOf(call);
    const bool later = !known && static_cast<std::int32_t>(highOf(now) - highOf(call)) > 0;
    const std::uint32_t begun = known ? lowOf(now) : 0;
    if (later || begun >= share) return -1;
    if (taken.compare_exchange_weak(now, word(highOf(call), begun + 1), std::memory_order_acq_rel,
                                    std::memory_order_acquire))
      return static_cast<int>(first + begun);
  }
}

void Team::runPiece(int piece) {
  try {
    launch_.work(piece, launch_.context);
  } catch (...) {
    if (!threw_.exchange(true)) thrown_ = std::current_exception();
  }
}

}  // namespace repose
