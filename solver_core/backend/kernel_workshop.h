// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Kernels are compiled by other processes into the folder of those that are kept, several side by side:
// drivers compile one at a time within a process.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace repose {

class KernelWorkshop {
 public:
  // command: a program with the words before the name of a kernel; stop: once true nobody waits; may be null.
  KernelWorkshop(std::vector<std::string> command, int side_by_side, const std::atomic<bool>* stop)
      : command_(std::move(command)), side_by_side_(side_by_side), stop_(stop) {}
  KernelWorkshop(const KernelWorkshop&) = delete;
  // Waits for those at work, so that even short runs get on; where it is to stop it ends them, which leaves
  // no half of a kernel behind.
  ~KernelWorkshop();

  // key: of all kernels that come with this one; false when they have been asked for before.
  bool ask(const std::string& key, const std::string& name);
  // Whether any is still missing. Starts what can be started.
  bool busy();

 private:
  void start(const std::string& name);
  void forgetEnded();

  std::vector<std::string> command_;
  std::size_t side_by_side_;
  const std::atomic<bool>* stop_;
  std::set<std::string> asked_;
  std::deque<std::string> waiting_;
  std::vector<pid_t> at_work_;
};

}  // namespace repose
