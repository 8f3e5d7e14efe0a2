// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of one device. Each is a program of its own, compiled when it is first launched: a scene needs a
// few of the many, and waits for these alone. Short ones that come together are one program: a driver takes
// most of its time to begin.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "backend/kernel_cache.h"
#include "backend/opencl_devices.h"

namespace repose {

// opencl_kernels/kernels.cl with all that it includes, put together when Repose is built.
extern const char* const kOpenClText;

struct OpenClKernel {
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
};

class OpenClProgram {
 public:
  OpenClProgram(const OpenClApi& api, const OpenClDevice& device, cl_context context, int lanes,
                KernelCache cache);
  OpenClProgram(const OpenClProgram&) = delete;
  ~OpenClProgram();
  // From the cache, else compiled; fails with what the compiler said.
  Result<OpenClKernel> build(const char* name);
  // Whether it need not be compiled, as far as is known without reading it.
  bool isKept(const char* name) const;
  // All that the binary depends on.
  std::string keyOf(const char* name) const;
  // Once: what a user should know of the cache; "" when there is nothing.
  std::string takeNote() { return std::exchange(note_, {}); }

 private:
  std::string optionsOf(const char* name) const;
  Result<OpenClKernel> finish(cl_program program, const char* name);
  Result<OpenClKernel> compile(const char* name);
  void keep(const std::string& key, cl_program program);

  const OpenClApi& api_;
  OpenClDevice device_;
  cl_context context_;
  int lanes_;
  KernelCache cache_;
  std::map<std::string, cl_program> sets_;  // that are built
  std::string note_;
  bool writable_ = true;
};

}  // namespace repose
