// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A whole run into caches on a thread of its own, as the command line does it. The calling thread hears of
// frames, listens to Ctrl-C and asks whether to stop.
#include "run/run.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "errors.h"
#include "mesh.h"
#include "parts.h"

namespace repose_python {

namespace {

constexpr std::chrono::milliseconds kPatience{50};  // between two looks at signals

// What the threads of a run have to tell; waits for whoever listens.
class Listener : public repose::RunObserver {
 public:
  void frameCommitted(const repose::FrameReport& report) override {
    const std::lock_guard lock(mutex_);
    frames_.push_back(report);
    news_.notify_one();
  }
  void noted(const std::string& note) override {
    const std::lock_guard lock(mutex_);
    notes_.push_back(note);
  }
  void ended() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    news_.notify_one();
  }
  // Frames since the last call; false once the run has ended and nothing is left.
  bool wait(std::deque<repose::FrameReport>& frames) {
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, kPatience, [&] { return ended_ || !frames_.empty(); });
    frames.swap(frames_);
    return !ended_ || !frames.empty();
  }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<repose::FrameReport> frames_;
  std::vector<std::string> notes_;
  bool ended_ = false;
};

std::vector<std::string> run(const LoadedScene& scene, const std::string& out, int first, int last,
                             int samples, const std::vector<std::string>& attributes, int threads,
                             const std::string& checkpoints, nb::object progress, nb::object should_stop) {
  repose::RunOptions options = repose::runOptions(*scene.scene);
  if (!out.empty()) options.out = out;
  if (options.out.empty()) raiseBadInput("the scene has no output; name a file with out=");
  if (first <= last) options.first_frame = first, options.last_frame = last;
  if (samples > 0) options.samples = samples;
  if (!attributes.empty()) options.attributes = attributes;
  options.threads = threads;
  options.checkpoints.folder = checkpoints;
  std::atomic<bool> stop{false};
  options.stop = &stop;

  Listener listener;
  repose::Status outcome;
  std::thread worker([&] {
    outcome = repose::runScene(*scene.scene, options, listener);
    listener.ended();
  });
  std::optional<nb::python_error> raised;
  const auto listen = [&](const auto& work) {
    try {
      if (!raised) work();
    } catch (nb::python_error& error) {
      raised.emplace(error);
      stop = true;
    }
  };
  for (bool more = true; more;) {
    std::deque<repose::FrameReport> frames;
    {
      const nb::gil_scoped_release others_may_run;
      more = listener.wait(frames);
    }
    for (const repose::FrameReport& frame : frames)
      if (!progress.is_none()) listen([&] { progress(frame.frame, frame.done, frame.count, frame.step); });
    listen([&] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!should_stop.is_none() && nb::cast<bool>(should_stop())) stop = true;
    });
  }
  worker.join();
  if (raised) throw *raised;
  if (outcome.code() != repose::Code::stopped) check(outcome);
  return listener.notes();
}

}  // namespace

void bindRun(nb::module_& module) {
  module.def(
      "run", run, nb::arg("scene"), nb::arg("out"), nb::arg("first"), nb::arg("last"), nb::arg("samples"),
      nb::arg("attributes"), nb::arg("threads"), nb::arg("checkpoints"), nb::arg("progress").none(),
      nb::arg("should_stop").none(),
      nb::sig(
          "def run(scene: LoadedScene, out: str, first: int, last: int, samples: int, attributes: list[str], "
          "threads: int, checkpoints: str, progress: object, should_stop: object) -> list[str]"),
      "Simulates into caches; gives what a user should know of the run.");
}

}  // namespace repose_python
