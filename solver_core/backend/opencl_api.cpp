// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/opencl_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

namespace repose {

Result<OpenClApi> loadOpenCl() {
  // PoCL would compile each kernel once more at its first launch, for the shape of that launch: twice the
  // time to start, and no faster
  setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", 0);
  // stays loaded: drivers have threads of their own that would lose their code
  void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return badInput("there is no OpenCL loader (libOpenCL.so.1); Debian has it as ocl-icd-libopencl1");
  OpenClApi api;
#define RE_LOAD(name)                                                     \
  api.name = reinterpret_cast<decltype(api.name)>(dlsym(library, #name)); \
  if (!api.name) return badInput("the OpenCL loader is older than OpenCL 2.0: no " #name);
  RE_OPENCL_FUNCTIONS(RE_LOAD)
#undef RE_LOAD
  return api;
}

std::string openClError(cl_int code) {
#define RE_CASE(name) \
  case name:          \
    return fmt::format(#name " ({})", code);
  switch (code) {
    RE_CASE(CL_DEVICE_NOT_FOUND)
    RE_CASE(CL_DEVICE_NOT_AVAILABLE)
    RE_CASE(CL_OUT_OF_RESOURCES)
    RE_CASE(CL_OUT_OF_HOST_MEMORY)
    RE_CASE(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    RE_CASE(CL_BUILD_PROGRAM_FAILURE)
    RE_CASE(CL_INVALID_BINARY)
    RE_CASE(CL_INVALID_COMMAND_QUEUE)
    RE_CASE(CL_INVALID_KERNEL_ARGS)
    RE_CASE(CL_INVALID_OPERATION)
    default:
      return fmt::format("OpenCL error {}", code);
  }
#undef RE_CASE
}

}  // namespace repose
