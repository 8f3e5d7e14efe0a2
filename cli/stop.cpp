// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "stop.h"

#include <signal.h>
#include <unistd.h>

#include "base/status.h"

namespace repose {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not lock");

void requestStop(int) {
  if (stop_requested.exchange(true)) _exit(static_cast<int>(Code::stopped));
}

}  // namespace

const std::atomic<bool>& catchStopSignals() {
  struct sigaction action {};
  action.sa_handler = requestStop;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGXCPU}) sigaction(number, &action, nullptr);
  for (const int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_IGN);
  return stop_requested;
}

}  // namespace repose
