// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Runs kernels on another backend and counts them, on request with their time: what a solver did, without a
// word in the solver.
#pragma once
#include <array>
#include <string_view>

#include "backend/any_kernel.h"
#include "bench/report.h"

namespace repose {

#define RE_TEXT(name) #name,
inline constexpr std::string_view kKernelNames[] = {RE_KERNELS(RE_TEXT)};
#undef RE_TEXT

class CountingBackend final : public Backend {
 public:
  CountingBackend(std::unique_ptr<Backend> runs_on, bool timed) : on_(std::move(runs_on)), timed_(timed) {}
  int lanes() const override { return on_->lanes(); }
  int threads() const override { return on_->threads(); }
  std::string describe() const override { return on_->describe(); }

  struct Count {
    std::int64_t launches = 0, items = 0;
    double milliseconds = 0;
  };
  std::array<Count, static_cast<std::size_t>(Kernel::count)> counts{};

  // Launches of a kernel by its name; -1 when there is none.
  std::int64_t launches(std::string_view name) const {
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (kKernelNames[k] == name) return counts[k].launches;
    return -1;
  }

 private:
  void run(Kernel kernel, int items, const void* args) override {
    const Clock::time_point begin = timed_ ? Clock::now() : Clock::time_point{};
    launchAny(*on_, kernel, items, args);
    Count& count = counts[static_cast<std::size_t>(kernel)];
    ++count.launches;
    count.items += items;
    if (timed_) count.milliseconds += milliseconds(begin);
  }

  std::unique_ptr<Backend> on_;
  bool timed_;
};

}  // namespace repose
