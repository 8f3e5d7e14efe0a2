// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend_opencl.h"
#include "bench/report.h"

namespace repose {

// The first device that is usable, and what it says on stderr; null where there is none.
inline std::unique_ptr<Backend> openClBackend(int threads) {
  OpenClOptions options;
  options.threads = threads;
  options.say = sayProgress;
  Result<std::unique_ptr<Backend>> made = makeOpenClBackend(options);
  if (made) return std::move(*made);
  sayProgress(made.status().message());
  return nullptr;
}

}  // namespace repose
