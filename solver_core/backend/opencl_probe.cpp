// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/opencl_probe.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "backend/device_mirrors.h"

namespace repose {

namespace {

constexpr int kCount = 8192;  // a multiple of 16
// as lanes and one by one, which compilers turn into different instructions
constexpr const char* kText =
    "__kernel void lanes(__global const float* a, __global const float* b, __global float* ratio, __global "
    "float* root) {"
    "  const int i = get_global_id(0);"
    "  vstore16(vload16(i, a) / vload16(i, b), i, ratio);"
    "  vstore16(sqrt(vload16(i, a)), i, root);"
    "}"
    "__kernel void single(__global const float* a, __global const float* b, __global float* ratio, __global "
    "float* root) {"
    "  const int i = get_global_id(0);"
    "  ratio[i] = a[i] / b[i], root[i] = sqrt(a[i]);"
    "}";

// All of it is released, whatever was made.
struct Probe {
  const OpenClApi& api;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  ~Probe() {
    if (program) api.clReleaseProgram(program);
    if (queue) api.clReleaseCommandQueue(queue);
    if (context) api.clReleaseContext(context);
  }
};

// apart: the device has a memory of its own.
bool runKernel(const Probe& probe, bool apart, const char* name, std::size_t items,
               std::vector<float>* const (&arrays)[4]) {
  DeviceMirrors mirrors(probe.api, probe.context, probe.queue);
  mirrors.expect([&] { return bytesOf(*arrays[0], *arrays[1], *arrays[2], *arrays[3]); });
  cl_int error = CL_SUCCESS;
  cl_kernel kernel = probe.api.clCreateKernel(probe.program, name, &error);
  if (error != CL_SUCCESS) return false;
  for (cl_uint k = 0; k < 4; ++k) {
    const void* host = arrays[k]->data();
    const DeviceMirrors::Place there = apart ? mirrors.placeOf(host, k >= 2) : DeviceMirrors::Place{};
    error |= there.error | probe.api.clSetKernelArgSVMPointer(kernel, k, apart ? there.device : host);
  }
  if (error == CL_SUCCESS)
    error = probe.api.clEnqueueNDRangeKernel(probe.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                             nullptr);
  if (error == CL_SUCCESS) error = mirrors.bringBack() | probe.api.clFinish(probe.queue);
  probe.api.clReleaseKernel(kernel);
  return error == CL_SUCCESS;
}

// Mantissas of all kinds, exponents from -30 to 30.
std::vector<float> someNumbers(std::uint32_t seed) {
  std::vector<float> numbers(kCount);
  for (float& number : numbers) {
    seed = seed * 1664525u + 1013904223u;
    number = std::ldexp(1 + static_cast<float>(seed >> 9) * 0x1p-23f, static_cast<int>(seed % 61u) - 30);
  }
  return numbers;
}

}  // namespace

bool roundsExactly(const OpenClApi& api, cl_device_id device, bool apart) {
  Probe probe{api};
  cl_int error = CL_SUCCESS;
  probe.context = api.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  if (error != CL_SUCCESS) return false;
  probe.queue = api.clCreateCommandQueueWithProperties(probe.context, device, nullptr, &error);
  if (error != CL_SUCCESS) return false;
  const char* text = kText;
  probe.program = api.clCreateProgramWithSource(probe.context, 1, &text, nullptr, &error);
  if (error != CL_SUCCESS ||
      api.clBuildProgram(probe.program, 1, &device, "-w -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt",
                         nullptr, nullptr) != CL_SUCCESS)
    return false;
  std::vector<float> a = someNumbers(1), b = someNumbers(2);
  for (const bool lanes : {true, false}) {
    std::vector<float> ratio(kCount), root(kCount);
    if (!runKernel(probe, apart, lanes ? "lanes" : "single", lanes ? kCount / 16 : kCount,
                   {&a, &b, &ratio, &root}))
      return false;
    for (int i = 0; i < kCount; ++i)
      if (ratio[i] != a[i] / b[i] || root[i] != std::sqrt(a[i])) return false;
  }
  return true;
}

}  // namespace repose
