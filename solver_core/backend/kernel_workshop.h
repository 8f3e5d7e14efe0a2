// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Kernels are compiled by other processes into the folder of those that are kept, several side by side:
// drivers compile one at a time within a process.
#pragma once
#include <sys/types.h>

#include <deque>
#include <set>
#include <string>
#include <vector>

namespace repose {

class KernelWorkshop {
 public:
  // command: a program with the words before the name of a kernel.
  KernelWorkshop(std::vector<std::string> command, int side_by_side)
      : command_(std::move(command)), side_by_side_(side_by_side) {}
  KernelWorkshop(const KernelWorkshop&) = delete;
  ~KernelWorkshop();  // waits for those at work, so that even short runs get on

  // key: of all kernels that come with this one; false when they have been asked for before.
  bool ask(const std::string& key, const std::string& name);
  // Whether any is still missing. Starts what can be started.
  bool busy();

 private:
  void start(const std::string& name);

  std::vector<std::string> command_;
  std::size_t side_by_side_;
  std::set<std::string> asked_;
  std::deque<std::string> waiting_;
  std::vector<pid_t> at_work_;
};

}  // namespace repose
