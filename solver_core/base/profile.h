// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Seconds by stage of the step. The stages have the names of solve/step.cpp and docs/architecture.md.
#pragma once
#include <array>
#include <chrono>
#include <cstddef>

namespace repose {

enum class Stage { collide, predict, iterate, integrate, measure };
inline constexpr std::array<const char*, 5> kStageNames = {"collide", "predict", "iterate", "integrate",
                                                           "measure"};
using StageSeconds = std::array<double, kStageNames.size()>;

// Adds the time of its own life to a stage.
class StageTimer {
 public:
  StageTimer(StageSeconds& seconds, Stage stage)
      : sum_(seconds[static_cast<std::size_t>(stage)]), start_(Clock::now()) {}
  ~StageTimer() { sum_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& sum_;
  Clock::time_point start_;
};

}  // namespace repose
