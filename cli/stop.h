// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Requests to stop, from a person (Ctrl-C) or a farm.
#pragma once
#include <atomic>

namespace repose {

// From now on SIGINT, SIGTERM, SIGUSR1 and SIGXCPU set the flag; a second one leaves the program at once with
// exit code 75, which loses nothing but the frame in work. SIGPIPE is ignored: a closed pipe must not end a
// run.
const std::atomic<bool>& catchStopSignals();

}  // namespace repose
