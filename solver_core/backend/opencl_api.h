// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The OpenCL functions we call, from the loader of the machine when it has one: programs start without it.
#pragma once
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <string>

#include "base/status.h"

namespace repose {

// clang-format off
#define RE_OPENCL_FUNCTIONS(F)                                                                           \
  F(clGetPlatformIDs) F(clGetPlatformInfo) F(clGetDeviceIDs) F(clGetDeviceInfo) F(clCreateSubDevices)    \
  F(clCreateContext) F(clReleaseContext) F(clCreateCommandQueueWithProperties)                           \
  F(clReleaseCommandQueue) F(clCreateProgramWithSource) F(clCreateProgramWithBinary) F(clBuildProgram)   \
  F(clGetProgramInfo) F(clGetProgramBuildInfo) F(clReleaseProgram) F(clCreateKernel) F(clReleaseKernel)  \
  F(clGetKernelInfo) F(clGetKernelArgInfo) F(clSetKernelArg) F(clSetKernelArgSVMPointer)                 \
  F(clEnqueueNDRangeKernel) F(clFlush) F(clFinish) F(clRetainProgram) F(clSVMAlloc) F(clSVMFree)         \
  F(clEnqueueSVMMemcpy)
// clang-format on

struct OpenClApi {
#define RE_MEMBER(name) decltype(&::name) name = nullptr;
  RE_OPENCL_FUNCTIONS(RE_MEMBER)
#undef RE_MEMBER
};

// Fails with a sentence when there is no loader, or one that lacks a function.
Result<OpenClApi> loadOpenCl();

std::string openClError(cl_int code);  // "CL_OUT_OF_RESOURCES (-5)"

}  // namespace repose
