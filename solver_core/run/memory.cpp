// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/memory.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#include "run/control_group.h"

namespace repose {
namespace {

std::size_t pageBytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

// Keeps the lesser of two limits, where 0 is none.
void limitTo(double bytes, double& limit) {
  if (bytes > 0 && (limit == 0 || bytes < limit)) limit = bytes;
}

}  // namespace

std::size_t residentBytes() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * pageBytes();
}

std::size_t peakResidentBytes() {
  // not getrusage(): its peak is also that of the process which has started this one
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name; status.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
    if (std::size_t kilobytes = 0; name == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  return residentBytes();
}

std::size_t memoryAllowed() {
  double limit = 0;
  if (const long pages = sysconf(_SC_PHYS_PAGES); pages > 0)
    limitTo(static_cast<double>(pages) * static_cast<double>(pageBytes()), limit);
  eachControlGroup("memory", [&limit](const std::string& folder) {
    for (const char* name : {"/memory.max", "/memory.limit_in_bytes"}) {
      double bytes = 0;  // "max" is no number and leaves it at 0
      std::ifstream(folder + name) >> bytes;
      limitTo(bytes, limit);
    }
  });
  if (const char* megabytes = std::getenv("SLURM_MEM_PER_NODE"))
    limitTo(std::atof(megabytes) * 1024 * 1024, limit);
  return static_cast<std::size_t>(limit);
}

}  // namespace repose
