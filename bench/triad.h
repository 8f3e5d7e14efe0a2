// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// a = b + s c, the limit of whatever moves bytes.
#pragma once
#include <atomic>
#include <thread>
#include <vector>

#include "bench/report.h"

namespace repose {

// Three arrays that together have so many bytes.
class Triad {
 public:
  explicit Triad(double bytes)
      : size_(static_cast<std::size_t>(bytes / 12)), a_(size_), b_(size_, 1), c_(size_, 2) {}
  double bytes() const { return 12.0 * static_cast<double>(size_); }

  // Milliseconds of each of so many runs. Threads of its own, which wait for each other in loops: those of a
  // scheduler may be kept elsewhere.
  std::vector<double> run(int threads, int times) {
    std::atomic<int> begun{0}, done{0};
    const auto spin = [](const std::atomic<int>& counter, int until) {
      while (counter.load(std::memory_order_acquire) < until) {}
    };
    std::vector<std::thread> others;
    for (int part = 1; part < threads; ++part)
      others.emplace_back([&, part] {
        for (int k = 1; k <= times; ++k) {
          spin(begun, k);
          runPart(part, threads);
          done.fetch_add(1, std::memory_order_release);
        }
      });
    std::vector<double> took;
    for (int k = 1; k <= times; ++k) {
      const Clock::time_point begin = Clock::now();
      begun.store(k, std::memory_order_release);
      runPart(0, threads);
      spin(done, k * (threads - 1));
      took.push_back(milliseconds(begin));
    }
    for (std::thread& other : others) other.join();
    return took;
  }

 private:
  void runPart(int part, int parts) {
    const std::size_t end = size_ * static_cast<std::size_t>(part + 1) / static_cast<std::size_t>(parts);
    for (std::size_t i = size_ * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts); i < end;
         ++i)
      a_[i] = b_[i] + 3 * c_[i];
  }

  std::size_t size_;
  std::vector<float> a_, b_, c_;
};

}  // namespace repose
