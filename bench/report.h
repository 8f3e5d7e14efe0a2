// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What benchmarks share: times of frames, tables in Markdown (for the terminal and for the docs), result
// files and progress lines.
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace repose {

using Clock = std::chrono::steady_clock;
inline double milliseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

double cpuMilliseconds();  // of all threads of this program

double median(std::vector<double> values);

// Frame times gathered in bursts: other work on the machine only ever adds, so the least is what the code
// costs and the median what a user sees.
struct Times {
  std::vector<double> medians, leasts;  // of each burst [ms]
  void addBurst(const std::vector<double>& frames);
  double middle() const { return median(medians); }
  double least() const;
};

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string markdown() const;  // aligned, so that it also reads well on a terminal

 private:
  std::vector<std::vector<std::string>> rows_;
};

// Prints to stdout, and keeps the same text as <folder>/<name>.md beside the figures as <name>.json.
class Report {
 public:
  explicit Report(std::string name);  // begins with the machine
  void say(const std::string& markdown);
  nlohmann::json figures;
  // Ends with what else ran; writes no files without a folder.
  void write(const std::string& folder);

 private:
  std::string name_, text_;
};

std::string describeMachine();  // "AMD EPYC, 2 cores, AVX2"

// How much of the machine other programs took since the first report began, as a share of all cores. Figures
// for two threads need a machine that is left alone.
double foreignShare();

// One line on stderr, with the seconds since the start of the program.
void sayProgress(const std::string& what);

}  // namespace repose
