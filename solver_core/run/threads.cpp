// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/threads.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "run/control_group.h"

namespace repose {
namespace {

int fromEnvironment() {
  for (const char* name : {"SLURM_CPUS_PER_TASK", "NSLOTS", "OMP_NUM_THREADS"})
    if (const char* text = std::getenv(name))
      if (const int threads = std::atoi(text); threads > 0) return threads;
  return 0;
}

int coresOfAffinityMask() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// Whole cores that a quota of microseconds a period allows, at least one; 0 for no quota.
int coresOfQuota(double quota, double period) {
  return quota > 0 && period > 0 ? std::max(1, static_cast<int>(std::floor(quota / period))) : 0;
}

// The least of the groups this process is in; 0 for no quota.
int coresOfControlGroup() {
  int cores = 0;
  eachControlGroup("cpu", [&cores](const std::string& folder) {
    double quota = 0, period = 0;
    // version 2 writes "max 100000" without a quota, which leaves quota at 0
    if (!(std::ifstream(folder + "/cpu.max") >> quota >> period)) {
      std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
      std::ifstream(folder + "/cpu.cfs_period_us") >> period;
    }
    const int here = coresOfQuota(quota, period);
    if (here > 0) cores = cores > 0 ? std::min(cores, here) : here;
  });
  return cores;
}

}  // namespace

int chooseThreads(int requested) {
  if (requested > 0) return requested;
  if (const int threads = fromEnvironment()) return threads;
  const int cores = coresOfAffinityMask(), quota = coresOfControlGroup();
  return quota > 0 ? std::min(cores, quota) : cores;
}

}  // namespace repose
