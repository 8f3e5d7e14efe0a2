// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Whether a device gives the bits of the host, kernel by kernel on random input: what tests ask of the
// devices at hand, and users of theirs.
#pragma once
#include <string>

#include "backend/backend.h"

namespace repose {

struct KernelCheck {
  std::string difference;  // the first number in which the two differ; "": in none
  bool does_something = false;
};

// On a host with as many lanes as the device, one thread each: rows of random input share points.
KernelCheck checkKernel(Kernel kernel, unsigned seed, Backend& host, Backend& device);

// A host with so many lanes, on one thread.
std::unique_ptr<Backend> hostWithLanes(int lanes);

}  // namespace repose
