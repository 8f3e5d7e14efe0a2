// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "wedge_runs.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <thread>

#include "base/status.h"
#include "wedge_list.h"

namespace repose {
namespace {

// The process of a run, or -1.
pid_t start(const WedgeJob& job, int index) {
  std::vector<std::string> words = wedgeCommand(job, std::to_string(index));
  words.insert(words.end(), {"--threads", std::to_string(job.threads), "--progress", "plain"});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  const std::filesystem::path folder = expandWedge(job.folder + "/wedge_" + kWedgeToken, index);
  std::error_code none;
  std::filesystem::create_directories(folder, none);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, (folder / "output.txt").c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0666);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = -1;
  if (posix_spawn(&process, job.program.c_str(), &files, nullptr, arguments.data(), environ) != 0)
    process = -1;
  posix_spawn_file_actions_destroy(&files);
  return process;
}

// A process that was killed gets the code that a shell would give it.
int exitCode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

std::vector<int> runWedges(const WedgeJob& job, int side_by_side, const std::atomic<bool>& stop,
                           const std::function<void(int run, int code)>& ended) {
  std::vector<int> codes(static_cast<std::size_t>(job.runs), static_cast<int>(Code::stopped));
  std::map<pid_t, int> running;
  bool told = false;  // the runs know of the stop
  for (int next = 0; next < job.runs || !running.empty();) {
    if (stop && !told) {
      for (const auto& [process, run] : running) kill(process, SIGTERM);
      told = true;
      next = job.runs;
    }
    while (next < job.runs && static_cast<int>(running.size()) < side_by_side) {
      const pid_t process = start(job, next);
      if (process > 0)
        running.emplace(process, next);
      else
        ended(next, codes[static_cast<std::size_t>(next)] = static_cast<int>(Code::unexpected));
      ++next;
    }
    int status = 0;
    const pid_t process = waitpid(-1, &status, WNOHANG);
    if (const auto found = running.find(process); process > 0 && found != running.end()) {
      ended(found->second, codes[static_cast<std::size_t>(found->second)] = exitCode(status));
      running.erase(found);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  return codes;
}

}  // namespace repose
