// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Kernels on an OpenCL device: the same formulas, the same bits as on TBB, which does what no kernel does
// (docs/opencl.md).
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/kernel_cache.h"
#include "backend/opencl_devices.h"

namespace repose {

struct OpenClOptions {
  std::string device;  // number or part of its name; "": the first that is usable
  int threads = 0;     // 0: as many as the process may use
  std::string kernel_folder = defaultKernelFolder();  // of compiled kernels; "": none are kept
  // The program `repose`, whose processes compile what is not kept while the run goes on with TBB; "": a
  // kernel is compiled when it is first launched, and waited for.
  std::string compiler;
  const std::atomic<bool>* stop = nullptr;  // once true those processes are not waited for
  // Hears what a user should know: a kernel that does not compile, a device that fails.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

// Thrown by a launch that was lost half done, and with it the state that it worked on. A launch that could
// not begin is done by TBB instead.
struct DeviceLost : std::exception {
  explicit DeviceLost(std::string text) : message(std::move(text)) {}
  const char* what() const noexcept override { return message.c_str(); }
  std::string message;
};

// Fails with one sentence when there is no device that can be used.
Result<std::unique_ptr<Backend>> makeOpenClBackend(const OpenClOptions& options);
Result<std::unique_ptr<Backend>> makeOpenClBackend(const OpenClApi& api, const OpenClOptions& options);

// Compiles kernels, all when none is named, into the folder of those that are kept.
Status compileKernels(const OpenClOptions& options, const std::vector<std::string>& names);

}  // namespace repose
