// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/opencl_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backend/kernel_args.h"
#include "base/hash.h"

namespace repose {

namespace {

// The list of kernels.def that is compiled as one program with this kernel; "" for those on their own.
std::string setOf(std::string_view name) {
#define RE_NAME(kernel) \
  if (name == #kernel) return set;
#define RE_SET_NAMED(list)   \
  {                          \
    const char* set = #list; \
    list(RE_NAME)            \
  }
  RE_SET_NAMED(RE_GRID_KERNELS)
  RE_SET_NAMED(RE_NEAR_KERNELS)
  RE_SET_NAMED(RE_CLOTH_KERNELS)
  RE_SET_NAMED(RE_GRAIN_KERNELS)
  RE_SET_NAMED(RE_PATCH_KERNELS)
  RE_SET_NAMED(RE_TILE_KERNELS)
  RE_SET_NAMED(RE_ML_CYCLE_KERNELS)
  RE_SET_NAMED(RE_ML_TOUCH_KERNELS)
#undef RE_SET_NAMED
#undef RE_NAME
  return "";
}

}  // namespace

OpenClProgram::OpenClProgram(const OpenClApi& api, const OpenClDevice& device, cl_context context, int lanes,
                             KernelCache cache)
    : api_(api), device_(device), context_(context), lanes_(lanes), cache_(std::move(cache)) {}

OpenClProgram::~OpenClProgram() {
  for (const auto& [set, program] : sets_) api_.clReleaseProgram(program);
}

// Nothing here lets a compiler round differently: no fast math, no fused operations (shim_opencl.h).
std::string OpenClProgram::optionsOf(const char* name) const {
  const std::string set = setOf(name);
  return fmt::format(
      "-w -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info -DRE_LANES={} -D{}={}",
      lanes_, set.empty() ? "RE_KERNEL" : "RE_SET", set.empty() ? name : set);
}

std::string OpenClProgram::keyOf(const char* name) const {
  Hasher hasher;
  const auto add = [&](const std::string& text) { hasher.add(text.data(), text.size()); };
  hasher.add(kOpenClText, std::strlen(kOpenClText));
  add(optionsOf(name)), add(device_.platform), add(device_.name), add(device_.driver);
  const std::string set = setOf(name);
  return fmt::format("{}-{}", set.empty() ? name : set, hexHash(hasher.value()));
}

bool OpenClProgram::isKept(const char* name) const {
  return sets_.count(setOf(name)) > 0 || cache_.has(keyOf(name));
}

Result<OpenClKernel> OpenClProgram::build(const char* name) {
  if (const auto built = sets_.find(setOf(name)); built != sets_.end()) {
    api_.clRetainProgram(built->second);
    return finish(built->second, name);
  }
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

Result<OpenClKernel> OpenClProgram::compile(const char* name) {
  cl_int error = CL_SUCCESS;
  const char* text = kOpenClText;
  cl_program program = api_.clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
  if (error != CL_SUCCESS)
    return Status(Code::unexpected, fmt::format("the kernel {} was refused: {}", name, openClError(error)));
  return finish(program, name);
}

Result<OpenClKernel> OpenClProgram::finish(cl_program program, const char* name) {
  OpenClKernel made;
  made.program = program;
  const std::string set = setOf(name);
  cl_int error = CL_SUCCESS;
  if (!sets_.count(set))
    error = api_.clBuildProgram(program, 1, &device_.id, optionsOf(name).c_str(), nullptr, nullptr);
  if (error == CL_SUCCESS)
    made.kernel = api_.clCreateKernel(program, (std::string("run_") + name).c_str(), &error);
  if (error == CL_SUCCESS) {
    if (!set.empty() && sets_.try_emplace(set, program).second) api_.clRetainProgram(program);
    return made;
  }
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
