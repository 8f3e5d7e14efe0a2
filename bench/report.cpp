// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/report.h"

#include <sys/times.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "backend/backend.h"

namespace repose {

namespace {

const Clock::time_point kProgramStart = Clock::now();

// Of all cores since the machine started, and of this program with the programs it ran.
struct CpuSeconds {
  double busy = 0, all = 0, own = 0;
};

CpuSeconds cpuSeconds() {
  CpuSeconds seconds;
  const auto tick = 1 / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::ifstream stat("/proc/stat");
  std::string word;
  stat >> word;  // user nice system idle iowait irq softirq steal
  double value = 0;
  for (int k = 0; k < 8 && stat >> value; ++k) {
    seconds.all += value * tick;
    if (k != 3 && k != 4) seconds.busy += value * tick;
  }
  tms used{};
  times(&used);
  seconds.own =
      static_cast<double>(used.tms_utime + used.tms_stime + used.tms_cutime + used.tms_cstime) * tick;
  return seconds;
}

// As the first report began.
const CpuSeconds& cpuStart() {
  static const CpuSeconds start = cpuSeconds();
  return start;
}

// Characters of UTF-8 text as a terminal shows them.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void writeFile(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file) {
    fmt::print(stderr, "cannot write '{}'\n", path.string());
    std::exit(4);
  }
}

}  // namespace

double cpuMilliseconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

void Times::addBurst(const std::vector<double>& frames) {
  medians.push_back(median(frames));
  leasts.push_back(*std::min_element(frames.begin(), frames.end()));
}

double Times::least() const { return *std::min_element(leasts.begin(), leasts.end()); }

std::string Table::markdown() const {
  std::vector<std::size_t> widths(rows_[0].size(), 3);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string cell = c < rows_[r].size() ? rows_[r][c] : "";
      const std::string room(widths[c] - width(cell), ' ');
      if (c == 0)
        text.append("| ").append(cell).append(room);
      else
        text.append(" | ").append(room).append(cell);
    }
    text += " |\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < widths.size(); ++c)
      text += "|" + std::string(widths[c] + 1, '-') + (c == 0 ? "-" : ":");
    text += "|\n";
  }
  return text;
}

void Report::say(const std::string& markdown) {
  fmt::print("{}\n", markdown);
  std::fflush(stdout);
  text_ += markdown + "\n";
}

Report::Report(std::string name) : name_(std::move(name)) {
  cpuStart();
  figures["machine"] = describeMachine();
  say(describeMachine() + ".\n");
}

void Report::write(const std::string& folder) {
  figures["foreign_share"] = foreignShare();
  say(fmt::format("Other programs took {:.0f} % of the machine meanwhile.\n", 100 * foreignShare()));
  if (folder.empty()) return;
  std::filesystem::create_directories(folder);
  writeFile(std::filesystem::path(folder) / (name_ + ".md"), text_);
  writeFile(std::filesystem::path(folder) / (name_ + ".json"), figures.dump(1) + "\n");
}

std::string describeMachine() {
  std::string processor = "unknown processor", line;
  std::ifstream cpuinfo("/proc/cpuinfo");
  while (std::getline(cpuinfo, line))
    if (line.rfind("model name", 0) == 0) {
      processor = line.substr(line.find(':') + 2);
      break;
    }
  return fmt::format("{}, {} cores, {}", processor, std::thread::hardware_concurrency(),
                     isaName(supportedIsas().back()));
}

double foreignShare() {
  const CpuSeconds now = cpuSeconds();
  const CpuSeconds& start = cpuStart();
  const double all = now.all - start.all;
  return all > 0 ? std::max(0.0, (now.busy - start.busy - (now.own - start.own)) / all) : 0;
}

void sayProgress(const std::string& what) {
  fmt::print(stderr, "[{:4.0f} s] {}\n", milliseconds(kProgramStart) / 1000, what);
}

}  // namespace repose
