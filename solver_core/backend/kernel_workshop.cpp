// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/kernel_workshop.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace repose {

KernelWorkshop::~KernelWorkshop() {
  for (bool ended = false; !at_work_.empty();) {
    forgetEnded();
    if (stop_ && *stop_ && !std::exchange(ended, true))
      for (const pid_t process : at_work_) kill(process, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

bool KernelWorkshop::ask(const std::string& key, const std::string& name) {
  if (!asked_.insert(key).second) return false;
  waiting_.push_back(name);
  return true;
}

// One that cannot be started, or fails, leaves its kernel to whoever needs it, who is told why.
void KernelWorkshop::start(const std::string& name) {
  std::vector<std::string> words = command_;
  words.push_back(name);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
  pid_t process = -1;
  if (posix_spawnp(&process, arguments[0], &files, nullptr, arguments.data(), environ) == 0)
    at_work_.push_back(process);
  posix_spawn_file_actions_destroy(&files);
}

void KernelWorkshop::forgetEnded() {
  const auto ended = [](pid_t process) { return waitpid(process, nullptr, WNOHANG) != 0; };
  at_work_.erase(std::remove_if(at_work_.begin(), at_work_.end(), ended), at_work_.end());
}

bool KernelWorkshop::busy() {
  forgetEnded();
  for (; !waiting_.empty() && at_work_.size() < side_by_side_; waiting_.pop_front()) start(waiting_.front());
  return !at_work_.empty();
}

}  // namespace repose
