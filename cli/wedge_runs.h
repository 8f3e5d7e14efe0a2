// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Runs of a wedge on this machine, each a process of its own, as many side by side as fit.
#pragma once
#include <atomic>
#include <functional>
#include <vector>

#include "wedge_job.h"

namespace repose {

// Exit codes of all runs, 75 for those that a stop kept from starting. `ended` is told of each as it ends.
// No shell is involved. What a run prints goes to output.txt in its folder.
std::vector<int> runWedges(const WedgeJob& job, int side_by_side, const std::atomic<bool>& stop,
                           const std::function<void(int run, int code)>& ended);

}  // namespace repose
