// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/opencl_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "backend/opencl_probe.h"

namespace repose {

namespace {

template <class T>
T ask(const OpenClApi& api, cl_device_id id, cl_device_info what) {
  T value{};
  api.clGetDeviceInfo(id, what, sizeof value, &value, nullptr);
  return value;
}

// Of clGetDeviceInfo and its kin: the size first, then the text.
template <class Call, class Id>
std::string askText(Call call, Id id, unsigned what) {
  std::size_t bytes = 0;
  if (call(id, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
  std::string text(bytes, '\0');
  call(id, what, bytes, text.data(), nullptr);
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::string kindName(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_CPU) return "CPU";
  if (type & CL_DEVICE_TYPE_GPU) return "GPU";
  return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other";
}

// Whether kernels can read and write the arrays of the host where they are, so that the device has to see the
// whole memory of the process: a CPU does, and what says that it shares every pointer.
bool seesHostMemory(const OpenClApi& api, cl_device_id id, cl_device_type type) {
  const auto shared = ask<cl_device_svm_capabilities>(api, id, CL_DEVICE_SVM_CAPABILITIES);
  if (shared & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) return true;
  return (type & CL_DEVICE_TYPE_CPU) && (shared & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) &&
         ask<cl_bool>(api, id, CL_DEVICE_HOST_UNIFIED_MEMORY);
}

// Why a device cannot be used, whatever it computes.
std::string refusal(const OpenClApi& api, cl_device_id id, cl_device_type type) {
  if (!ask<cl_bool>(api, id, CL_DEVICE_AVAILABLE)) return "it is not available";
  if (!ask<cl_bool>(api, id, CL_DEVICE_COMPILER_AVAILABLE)) return "it has no compiler";
  // arrays are copied whole, and pointers into them handed to kernels
  if (!seesHostMemory(api, id, type) &&
      !(ask<cl_device_svm_capabilities>(api, id, CL_DEVICE_SVM_CAPABILITIES) &
        CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    return "it has no shared virtual memory";
  if (!(ask<cl_device_fp_config>(api, id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_DENORM))
    return "it loses the smallest numbers, results would differ";
  return {};
}

OpenClDevice describe(const OpenClApi& api, cl_platform_id platform, cl_device_id id) {
  OpenClDevice device;
  const auto type = ask<cl_device_type>(api, id, CL_DEVICE_TYPE);
  device.id = id;
  device.name = askText(api.clGetDeviceInfo, id, CL_DEVICE_NAME);
  device.platform = askText(api.clGetPlatformInfo, platform, CL_PLATFORM_NAME);
  device.driver = fmt::format("{}; {}; {}", askText(api.clGetDeviceInfo, id, CL_DEVICE_VERSION),
                              askText(api.clGetDeviceInfo, id, CL_DRIVER_VERSION),
                              askText(api.clGetPlatformInfo, platform, CL_PLATFORM_VERSION));
  device.kind = kindName(type);
  device.memory_bytes = ask<cl_ulong>(api, id, CL_DEVICE_GLOBAL_MEM_SIZE);
  device.units = static_cast<int>(ask<cl_uint>(api, id, CL_DEVICE_MAX_COMPUTE_UNITS));
  device.lanes = static_cast<int>(ask<cl_uint>(api, id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
  device.refused = refusal(api, id, type);
  device.apart = !seesHostMemory(api, id, type);
  device.exact =
      (ask<cl_device_fp_config>(api, id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) ||
      (device.refused.empty() && roundsExactly(api, id, device.apart));
  if (device.refused.empty() && !device.exact)
    device.refused = "its divide and square root are not exact, results would differ";
  return device;
}

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string namesOf(const std::vector<OpenClDevice>& devices) {
  std::string names;
  for (std::size_t k = 0; k < devices.size(); ++k)
    names += fmt::format("{}{} \"{}\"", k == 0 ? "" : ", ", k, devices[k].name);
  return names;
}

}  // namespace

Result<std::vector<OpenClDevice>> listOpenClDevices(const OpenClApi& api) {
  cl_uint count = 0;
  const cl_int found = api.clGetPlatformIDs(0, nullptr, &count);
  if (found != CL_SUCCESS || count == 0)
    return badInput("no OpenCL driver is installed; on a CPU Debian's pocl-opencl-icd is one");
  std::vector<cl_platform_id> platforms(count);
  api.clGetPlatformIDs(count, platforms.data(), nullptr);
  std::vector<OpenClDevice> devices;
  for (const cl_platform_id platform : platforms) {
    cl_uint of_platform = 0;
    if (api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &of_platform) != CL_SUCCESS) continue;
    std::vector<cl_device_id> ids(of_platform);
    api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, of_platform, ids.data(), nullptr);
    for (const cl_device_id id : ids) devices.push_back(describe(api, platform, id));
  }
  if (devices.empty()) return badInput("the OpenCL drivers of this machine have no device");
  return devices;
}

Result<OpenClDevice> chooseOpenClDevice(const std::vector<OpenClDevice>& devices, const std::string& wanted) {
  const bool is_number =
      !wanted.empty() && wanted.size() < 7 &&
      std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c); });
  for (std::size_t k = 0; k < devices.size(); ++k) {
    const OpenClDevice& device = devices[k];
    const bool meant = is_number ? std::stoul(wanted) == k
                                 : lowerCase(device.name).find(lowerCase(wanted)) != std::string::npos;
    if (!meant || (wanted.empty() && !device.usable())) continue;
    if (device.usable()) return device;
    return badInput(fmt::format("the OpenCL device \"{}\" cannot be used: {}", device.name, device.refused));
  }
  if (!wanted.empty())
    return badInput(fmt::format("there is no OpenCL device \"{}\"; there is {}", wanted, namesOf(devices)));
  return badInput(
      fmt::format("no OpenCL device can be used: of \"{}\", {}", devices[0].name, devices[0].refused));
}

}  // namespace repose
