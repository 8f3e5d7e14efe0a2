// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "stop.h"

#include <signal.h>
#include <unistd.h>

namespace repose {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not lock");

volatile sig_atomic_t grace_seconds = 0, code_of_stop = 0;

void leave(int) { _exit(code_of_stop); }

void requestStop(int number) {
  if (stop_requested.exchange(true)) leave(number);
  if (grace_seconds > 0) alarm(static_cast<unsigned>(grace_seconds));
}

}  // namespace

const std::atomic<bool>& catchStopSignals(int grace, int exit_code) {
  grace_seconds = grace;
  code_of_stop = exit_code;
  signal(SIGALRM, leave);
  struct sigaction action {};
  action.sa_handler = requestStop;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGXCPU}) sigaction(number, &action, nullptr);
  for (const int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_IGN);
  return stop_requested;
}

}  // namespace repose
