// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/hash.h"

namespace repose {
namespace {

using Clock = std::chrono::steady_clock;

void writeOut(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

int percent(const FrameReport& report) { return 100 * report.done / std::max(1, report.count); }

// The time left, from the mean of the frames so far; the first frame is the initial state and costs nothing.
class TimeLeft {
 public:
  double seconds(const FrameReport& report) const {
    const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
    return spent / std::max(1, report.done - 1) * (report.count - report.done);
  }

 private:
  Clock::time_point start_ = Clock::now();
};

// "  8123 grains, 7000 asleep  24019 contacts": what of it there is.
std::string grainFacts(const StepReport& step) {
  std::string facts;
  if (step.grains > 0) facts += fmt::format("  {} grains", step.grains);
  if (step.asleep > 0) facts += fmt::format(", {} asleep", step.asleep);
  if (step.contacts > 0) facts += fmt::format("  {} contacts", step.contacts);
  return facts;
}

// The line for people: "frame 1024  0.031 s  residual 0.0042  max speed 3.1 m/s  12 MB  left 4.2 s".
std::string plainLine(const FrameReport& report, double seconds_left) {
  return fmt::format("frame {}  {:.3f} s  residual {:.2g}  max speed {:.3g} m/s{}  {:.0f} MB  left {}{}",
                     report.frame, report.seconds, report.step.residual, report.step.max_speed,
                     grainFacts(report.step), static_cast<double>(report.memory) / 1e6,
                     durationText(seconds_left), report.step.converged ? "" : "  NOT CONVERGED");
}

// A line a frame, after a farm's own line where the farm has one.
class LineProgress : public Progress {
 public:
  explicit LineProgress(std::string style) : style_(std::move(style)) {}

  void frame(const FrameReport& report) override {
    std::string lines;
    if (style_ == "alf") lines = fmt::format("ALF_PROGRESS {}%\n", percent(report));
    if (style_ == "tractor") lines = fmt::format("TR_PROGRESS {}%\n", percent(report));
    if (style_ == "deadline") lines = fmt::format("Progress: {}%\n", percent(report));
    if (style_ == "openjd")
      lines = fmt::format("openjd_progress: {}\nopenjd_status: frame {}\n", percent(report), report.frame);
    lines += style_ == "json" ? frameAsJson(report) : plainLine(report, left_.seconds(report));
    writeOut(lines + "\n");
  }

 private:
  std::string style_;
  TimeLeft left_;
};

// One line that is drawn again in place; a frame that did not converge keeps a line of its own.
class BarProgress : public Progress {
 public:
  void frame(const FrameReport& report) override {
    if (!report.step.converged) {
      ++not_converged_;
      writeOut(kEraseLine +
               paint("33", fmt::format("frame {} did not converge: residual {:.2g} after {} iterations",
                                       report.frame, report.step.residual, report.step.iterations)) +
               "\n");
    }
    const std::string facts = fmt::format(" {:3}%  frame {}  {:.3f} s/frame  residual {:.2g}{}  left {}",
                                          percent(report), report.frame, report.seconds, report.step.residual,
                                          grainFacts(report.step), durationText(left_.seconds(report)));
    const int width = std::clamp(terminalWidth() - static_cast<int>(facts.size()) - 1, 0, 40);
    const int filled = width * report.done / std::max(1, report.count);
    writeOut(kEraseLine + paint("36", repeat("█", filled)) + paint("2", repeat("░", width - filled)) + facts);
    last_ = report;
  }

  void end() override {
    if (last_.done == 0) return;
    writeOut(not_converged_ == 0 ? "\n" : fmt::format("\n{} frames did not converge\n", not_converged_));
  }

 private:
  static constexpr const char* kEraseLine = "\r\x1b[2K";

  static std::string repeat(const char* text, int times) {
    std::string all;
    for (int k = 0; k < times; ++k) all += text;
    return all;
  }

  std::string paint(const char* colour, const std::string& text) const {
    return coloured_ ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : text;
  }

  static int terminalWidth() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  }

  bool coloured_ = isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  int not_converged_ = 0;
  FrameReport last_;
  TimeLeft left_;
};

class NoProgress : public Progress {
 public:
  void frame(const FrameReport&) override {}
};

bool anyVariable(const char* prefix) {
  for (char** variable = environ; *variable; ++variable)
    if (std::strncmp(*variable, prefix, std::strlen(prefix)) == 0) return true;
  return false;
}

std::string styleOfSurroundings() {
  if (std::getenv("OPENJD_SESSION_WORKING_DIR")) return "openjd";
  if (anyVariable("TR_ENV_")) return "tractor";
  return isatty(STDOUT_FILENO) ? "bar" : "alf";
}

}  // namespace

const std::vector<std::string>& progressStyleNames() {
  static const std::vector<std::string> names = {"auto",     "bar",   "alf",  "tractor", "openjd",
                                                 "deadline", "plain", "json", "none"};
  return names;
}

std::unique_ptr<Progress> makeProgress(const std::string& style) {
  if (style == "auto") return makeProgress(styleOfSurroundings());
  if (style == "bar") return std::make_unique<BarProgress>();
  if (style == "none") return std::make_unique<NoProgress>();
  return std::make_unique<LineProgress>(style);
}

std::string frameAsJson(const FrameReport& report) {
  nlohmann::ordered_json seconds;
  for (std::size_t k = 0; k < kStageNames.size(); ++k) seconds[kStageNames[k]] = report.step.seconds[k];
  seconds["total"] = report.seconds;
  const nlohmann::ordered_json object = {
      {"frame", report.frame},
      {"seconds", seconds},
      {"iterations", report.step.iterations},
      {"residual", report.step.residual},
      {"converged", report.step.converged},
      {"strain_error", report.step.strain_error},
      {"least_volume", report.step.least_volume},
      {"inverted", report.step.inverted},
      {"grains", report.step.grains},
      {"asleep", report.step.asleep},
      {"lost", report.step.lost},
      {"contacts", report.step.contacts},
      {"max_penetration", report.step.max_penetration},
      {"mean_penetration", report.step.mean_penetration},
      {"max_speed", report.step.max_speed},
      {"kinetic_energy", report.step.kinetic_energy},
      {"energy", report.step.energy},
      {"memory", report.memory},
      {"hash", hexHash(report.step.hash)},
  };
  return object.dump();
}

std::string durationText(double seconds) {
  const long long whole = std::llround(seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace repose
