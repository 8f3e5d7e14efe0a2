// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The OpenCL device that tests run on, watched, and on request as if it were a card with a memory of its own:
// it says so, and pointers are counted to memory that it did not hand out itself. One at a time.
#pragma once
#include <map>

#include "opencl_here.h"

namespace repose {

namespace watched {

struct Counts {
  int launches = 0, copies = 0, strangers = 0;  // strangers: pointers to the memory of the host
};
inline Counts counts;
inline OpenClApi real;
inline std::map<const char*, std::size_t> rooms;  // of the card

inline OpenClApi device() {
  real = *loadOpenCl();
  counts = {}, rooms.clear();
  OpenClApi api = real;
  api.clEnqueueNDRangeKernel = [](cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const std::size_t* first, const std::size_t* items,
                                  const std::size_t* group, cl_uint count, const cl_event* after,
                                  cl_event* done) {
    ++counts.launches;
    return real.clEnqueueNDRangeKernel(queue, kernel, dimensions, first, items, group, count, after, done);
  };
  return api;
}

inline OpenClApi card() {
  OpenClApi api = device();
  api.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, std::size_t bytes, void* value,
                           std::size_t* filled) {
    const cl_int error = real.clGetDeviceInfo(id, what, bytes, value, filled);
    if (what == CL_DEVICE_TYPE && value) *static_cast<cl_device_type*>(value) = CL_DEVICE_TYPE_GPU;
    if (what == CL_DEVICE_SVM_CAPABILITIES && value)
      *static_cast<cl_device_svm_capabilities*>(value) = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    return error;
  };
  api.clSVMAlloc = [](cl_context context, cl_svm_mem_flags flags, std::size_t bytes, cl_uint alignment) {
    void* room = real.clSVMAlloc(context, flags, bytes, alignment);
    if (room) rooms[static_cast<char*>(room)] = bytes;
    return room;
  };
  api.clSVMFree = [](cl_context context, void* room) {
    rooms.erase(static_cast<char*>(room));
    real.clSVMFree(context, room);
  };
  api.clEnqueueSVMMemcpy = [](cl_command_queue queue, cl_bool wait, void* to, const void* from,
                              std::size_t bytes, cl_uint count, const cl_event* after, cl_event* done) {
    ++counts.copies;
    return real.clEnqueueSVMMemcpy(queue, wait, to, from, bytes, count, after, done);
  };
  api.clSetKernelArgSVMPointer = [](cl_kernel kernel, cl_uint place, const void* array) {
    auto room = rooms.upper_bound(static_cast<const char*>(array));
    const bool known =
        room != rooms.begin() && static_cast<const char*>(array) <= (--room)->first + room->second;
    counts.strangers += array && !known;
    return real.clSetKernelArgSVMPointer(kernel, place, array);
  };
  return api;
}

}  // namespace watched

}  // namespace repose
