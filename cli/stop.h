// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Requests to stop, from a person (Ctrl-C) or a farm.
#pragma once
#include <atomic>

#include "base/status.h"

namespace repose {

// From now on SIGINT, SIGTERM, SIGUSR1 and SIGXCPU set the flag; a second one leaves the program at once with
// the exit code, as does the end of the grace [s] after the first; 0: it has none. That loses nothing but
// what is not in a checkpoint. SIGPIPE is ignored: a closed pipe must not end a run.
const std::atomic<bool>& catchStopSignals(int grace = 0, int exit_code = static_cast<int>(Code::stopped));

}  // namespace repose
