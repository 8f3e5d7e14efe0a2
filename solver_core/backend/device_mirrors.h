// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Arrays of the host in a device that has a memory of its own. From one wait of the host to the next an array
// is there when a kernel first asks for it, stays, and comes back if a kernel has written to it. In between
// the host may do with it what it likes: only an array that it has changed goes there again.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "backend/backend.h"
#include "backend/opencl_api.h"
#include "base/vectors.h"

namespace repose {

class DeviceMirrors {
 public:
  DeviceMirrors(const OpenClApi& api, cl_context context, cl_command_queue queue)
      : api_(api), context_(context), queue_(queue) {}
  DeviceMirrors(const DeviceMirrors&) = delete;
  ~DeviceMirrors();

  // How to find the arrays from now on. Gives back the room of those that nobody asked for since the last
  // call.
  void expect(const Backend::CountArrays& count);
  struct Place {
    char* device = nullptr;  // null: nobody counts an array there, or there was an error
    cl_int error = CL_SUCCESS;
  };
  // Of what lies at `host`; a launch may follow that reads it, or writes to it.
  Place placeOf(const void* host, bool writes);
  // What kernels have written, behind the launches so far in the queue; of an array alone, or all.
  cl_int bringBack(const void* array = nullptr);
  // The host has changed an array that is there.
  cl_int sendAgain(const void* array);
  // The queue is empty, and the host does what it likes.
  void forget();

 private:
  struct Mirror {
    char* device = nullptr;
    std::size_t room = 0;
    ArrayPlace of{};
    std::uint64_t digest = 0;  // of its bytes, when host and device last had the same
    bool there = false, written = false, asked = false;
  };
  const ArrayPlace* arrayAt(const char* host);
  cl_int send(const Mirror& mirror);

  const OpenClApi& api_;
  cl_context context_;
  cl_command_queue queue_;
  Backend::CountArrays count_;
  std::vector<ArrayPlace> arrays_;  // ascending; empty: not counted since the last wait
  std::map<const char*, Mirror> mirrors_;
  std::vector<Mirror*> there_;
};

}  // namespace repose
