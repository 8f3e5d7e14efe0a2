// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "json_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "progress.h"

namespace repose {
namespace {

const char* outcomeName(Code code) {
  switch (code) {
    case Code::ok:
      return "done";
    case Code::unexpected:
      return "unexpected";
    case Code::bad_input:
      return "bad_input";
    case Code::unstable:
      return "unstable";
    case Code::io:
      return "io";
    case Code::memory:
      return "memory";
    case Code::stopped:
      return "stopped";
    case Code::superseded:
      return "superseded";
  }
  return "unexpected";
}

}  // namespace

std::string outcomeAsJson(const Status& outcome, int frames) {
  nlohmann::ordered_json all = {{"outcome", outcomeName(outcome.code())},
                                {"code", static_cast<int>(outcome.code())}};
  if (frames >= 0) all["frames"] = frames;
  all["message"] = outcome.message();
  // A path inside a message may be no UTF-8; the log stays valid JSON all the same.
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string runningAsJson() {
  return nlohmann::ordered_json{
      {"outcome", "running"}, {"code", nullptr}, {"message", "in work, or killed from outside"}}
      .dump();
}

Status JsonLog::open(const std::string& path, bool append) {
  path_ = path;
  file_.reset(std::fopen(path.c_str(), append ? "ae" : "we"));
  if (!file_) return ioError(fmt::format("cannot write the log \"{}\": {}", path, std::strerror(errno)));
  return {};
}

void JsonLog::frame(const FrameReport& report) {
  ++frames_;
  writeLine(frameAsJson(report));
}

Status JsonLog::end(const Status& outcome) {
  writeLine(outcomeAsJson(outcome, frames_));
  if (lost_) return ioError(fmt::format("the log \"{}\" could not be written completely", path_));
  return {};
}

void JsonLog::writeLine(const std::string& line) {
  if (!file_) return;
  const bool whole = std::fputs((line + "\n").c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0;
  lost_ = lost_ || !whole;
}

}  // namespace repose
