// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The OpenCL device that tests run on: the first that can be used, or the one that REPOSE_TEST_DEVICE names.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>

#include "backend/backend_opencl.h"

namespace repose {

inline std::string testedDevice() {
  const char* named = std::getenv("REPOSE_TEST_DEVICE");
  return named ? named : "";
}

// Says what it has to say as a failure: a kernel that does not compile would run on the host instead.
inline std::unique_ptr<Backend> openClHere(int threads = 1, std::string kernel_folder = defaultKernelFolder(),
                                           const OpenClApi* api = nullptr) {
  OpenClOptions options;
  options.device = testedDevice();
  options.threads = threads;
  options.kernel_folder = std::move(kernel_folder);
  options.say = [](const std::string& note) { ADD_FAILURE() << note; };
  Result<std::unique_ptr<Backend>> backend =
      api ? makeOpenClBackend(*api, options) : makeOpenClBackend(options);
  EXPECT_TRUE(backend.ok()) << backend.status().message();
  return backend ? std::move(*backend) : makeTbbBackend(threads);
}
inline std::unique_ptr<Backend> openClHere(const OpenClApi& api, int threads = 1) {
  return openClHere(threads, defaultKernelFolder(), &api);
}

}  // namespace repose
