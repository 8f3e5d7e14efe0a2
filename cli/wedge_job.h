// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Wedges as a job for a farm. Nothing is submitted: a file is written that the farm's own tools take.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"

namespace repose {

struct WedgeJob {
  std::string program;        // repose itself
  std::string scene, folder;  // both absolute
  std::string name;           // of the caches, without .abc
  std::string frames;         // of all runs; never empty
  bool frames_given = false;  // else they are the scene's, and not repeated in commands
  int runs = 0, threads = 1;  // of each run
  int grace = 25;             // [s]
  std::string max_memory;     // of each run; empty: any
};

// The command of one run, word by word; `index` may be a word of the farm's language.
std::vector<std::string> wedgeCommand(const WedgeJob& job, const std::string& index);

// Refuses names that a job cannot carry: line breaks, and "{{" in an OpenJD template.
Status checkNames(const WedgeJob& job);

std::string asShell(const WedgeJob& job);
std::string asSlurm(const WedgeJob& job);
std::string asOpenJd(const WedgeJob& job);

// One word for a POSIX shell, whatever is in it.
std::string shellWord(const std::string& text);

}  // namespace repose
