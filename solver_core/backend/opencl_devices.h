// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The OpenCL devices of a machine, and which of them can give the bits of the host.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "backend/opencl_api.h"

namespace repose {

struct OpenClDevice {
  cl_device_id id = nullptr;
  std::string name, platform, driver;  // driver: versions of device, driver and platform
  std::string kind;                    // CPU, GPU, accelerator, other
  std::uint64_t memory_bytes = 0;
  int units = 0;        // compute units
  int lanes = 0;        // floats side by side in its registers
  bool apart = false;   // it has a memory of its own, which arrays have to be copied to
  bool exact = false;   // divides and takes roots as IEEE 754 says, by its word or by trial
  std::string refused;  // why it cannot be used; empty: it can
  bool usable() const { return refused.empty(); }
  bool isCard() const { return kind != "CPU"; }  // many small cores
};

// In the order of the loader. Fails when there is no platform, or a driver does not answer.
Result<std::vector<OpenClDevice>> listOpenClDevices(const OpenClApi& api);

// By number, or by a part of the name in any case; "": the first that is usable. Refuses one that is not.
Result<OpenClDevice> chooseOpenClDevice(const std::vector<OpenClDevice>& devices, const std::string& wanted);

}  // namespace repose
