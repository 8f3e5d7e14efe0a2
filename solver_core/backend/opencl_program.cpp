// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/opencl_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace repose {

OpenClProgram::OpenClProgram(const OpenClApi& api, const OpenClDevice& device, cl_context context, int lanes,
                             KernelCache cache)
    : api_(api), device_(device), context_(context), lanes_(lanes), cache_(std::move(cache)) {}

// Nothing here lets a compiler round differently: no fast math, no fused operations (shim_opencl.h).
std::string OpenClProgram::optionsOf(const char* name) const {
  return fmt::format(
      "-w -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info -DRE_LANES={} "
      "-DRE_KERNEL={}",
      lanes_, name);
}

// All that the binary depends on.
std::string OpenClProgram::keyOf(const char* name) const {
  Hasher hasher;
  const auto add = [&](const std::string& text) { hasher.add(text.data(), text.size()); };
  hasher.add(kOpenClText, std::strlen(kOpenClText));
  add(optionsOf(name)), add(device_.platform), add(device_.name), add(device_.driver);
  return fmt::format("{}-{}", name, hexHash(hasher.value()));
}

Result<OpenClKernel> OpenClProgram::build(const char* name) {
  const std::string key = keyOf(name);
  if (const std::optional<std::string> kept = cache_.find(key)) {
    const std::size_t bytes = kept->size();
    const auto* data = reinterpret_cast<const unsigned char*>(kept->data());
    cl_int error = CL_SUCCESS, taken = CL_SUCCESS;
    cl_program program =
        api_.clCreateProgramWithBinary(context_, 1, &device_.id, &bytes, &data, &taken, &error);
    if (error == CL_SUCCESS && taken == CL_SUCCESS)
      if (Result<OpenClKernel> made = finish(program, name); made) return made;
  }
  Result<OpenClKernel> made = compile(name);
  if (made) keep(key, made->program);
  return made;
}

Result<OpenClKernel> OpenClProgram::compile(const char* name) const {
  cl_int error = CL_SUCCESS;
  const char* text = kOpenClText;
  cl_program program = api_.clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
  if (error != CL_SUCCESS)
    return Status(Code::unexpected, fmt::format("the kernel {} was refused: {}", name, openClError(error)));
  return finish(program, name);
}

Result<OpenClKernel> OpenClProgram::finish(cl_program program, const char* name) const {
  OpenClKernel made;
  made.program = program;
  cl_int error = api_.clBuildProgram(program, 1, &device_.id, optionsOf(name).c_str(), nullptr, nullptr);
  if (error == CL_SUCCESS)
    made.kernel = api_.clCreateKernel(program, (std::string("run_") + name).c_str(), &error);
  if (error == CL_SUCCESS) return made;
  std::size_t bytes = 0;
  api_.clGetProgramBuildInfo(program, device_.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string said(bytes, '\0');
  api_.clGetProgramBuildInfo(program, device_.id, CL_PROGRAM_BUILD_LOG, bytes, said.data(), nullptr);
  said.resize(std::min(said.find_first_of(std::string_view("\n\0", 2)), said.size()));
  api_.clReleaseProgram(program);
  return Status(Code::unexpected, fmt::format("the kernel {} does not compile: {}{}{}", name,
                                              openClError(error), said.empty() ? "" : ", ", said));
}

void OpenClProgram::keep(const std::string& key, cl_program program) {
  if (!writable_) return;
  std::size_t bytes = 0;
  if (api_.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS)
    return;
  std::string binary(bytes, '\0');
  auto* data = reinterpret_cast<unsigned char*>(binary.data());
  if (bytes == 0 ||
      api_.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr) != CL_SUCCESS)
    return;
  writable_ = cache_.keep(key, binary);
  if (!writable_)
    note_ = fmt::format("compiled kernels cannot be kept in \"{}\", so the next run compiles them again",
                        cache_.folder());
}

}  // namespace repose
