// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backend/backend_opencl.h"
#include "backend/kernel_check.h"
#include "backend/kernel_signatures.h"
#include "run/threads.h"
#include "sim_options.h"

namespace repose {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose devices\n"
    "  repose sim flag.json --backend opencl --device 0\n"
    "  repose devices --compile                compiles all kernels, as for the image of a farm machine\n"
    "  repose devices --check --device 1       whether a device that you have gives the bits of the host\n"
    "\nA scene gives the same bits on every device that can be used.\n";

Json asJson(const OpenClDevice& device) {
  Json json = {{"name", device.name},    {"platform", device.platform}, {"kind", device.kind},
               {"units", device.units},  {"lanes", device.lanes},       {"memory", device.memory_bytes},
               {"exact", device.exact},  {"own_memory", device.apart},  {"usable", device.usable()},
               {"driver", device.driver}};
  if (!device.usable()) json["refused"] = device.refused;
  return json;
}

void print(std::size_t number, const OpenClDevice& device) {
  fmt::print("OpenCL device {}: {}\n", number, device.name);
  fmt::print("  {}, {} compute units, {} lanes, {}; {}\n", device.kind, device.units, device.lanes,
             bytesText(static_cast<double>(device.memory_bytes)), device.platform);
  fmt::print("  divide and square root: {}\n", device.exact ? "exact" : "not exact");
  if (device.usable())
    fmt::print("  can be used{}\n", device.apart ? "; arrays are copied to its memory and back" : "");
  else
    fmt::print("  cannot be used: {}\n", device.refused);
}

// Every kernel on the device and on the host.
int check(const std::string& wanted) {
  OpenClOptions options;
  options.device = wanted;
  options.threads = 1;
  options.say = [](const std::string& said) { fmt::print(stderr, "{}\n", said); };
  const Result<std::unique_ptr<Backend>> device = makeOpenClBackend(options);
  if (!device) return fail(device.status());
  const std::unique_ptr<Backend> host = hostWithLanes((*device)->lanes());
  constexpr int kKernels = static_cast<int>(Kernel::count);
  int different = 0;
  for (int k = 0; k < kKernels; ++k) {
    const auto kernel = static_cast<Kernel>(k);
    for (const unsigned seed : {1u, 2u, 3u, 4u}) {
      const std::string where = checkKernel(kernel, seed, *host, **device).difference;
      if (where.empty()) continue;
      fmt::print("{} differs from the host in {}\n", signatureOf(kernel).name, where);
      ++different;
      break;
    }
  }
  fmt::print("{}: {} of {} kernels have the bits of the host\n", (*device)->describe(), kKernels - different,
             kKernels);
  return different ? 1 : 0;
}

int runDevices(bool as_json) {
  const Result<OpenClApi> api = loadOpenCl();
  const Result<std::vector<OpenClDevice>> devices = api ? listOpenClDevices(*api) : api.status();
  std::vector<std::string> sets;
  for (const Isa isa : supportedIsas()) sets.push_back(isaName(isa));
  const int threads = chooseThreads(0);
  if (as_json) {
    Json opencl = Json::array();
    for (std::size_t k = 0; devices && k < devices->size(); ++k) opencl.push_back(asJson((*devices)[k]));
    Json json = {{"threads", threads}, {"instructions", sets}, {"opencl", opencl}};
    if (!devices) json["no_opencl"] = devices.status().message();
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("TBB: {} thread{}, {}\n", threads, threads == 1 ? "" : "s", sets.back());
  if (!devices) fmt::print("OpenCL: {}\n", devices.status().message());
  for (std::size_t k = 0; devices && k < devices->size(); ++k) print(k, (*devices)[k]);
  return 0;
}

int compile(const std::string& device, std::vector<std::string> names) {
  names.erase(std::remove(names.begin(), names.end(), ""), names.end());  // of an option without words
  OpenClOptions options;
  options.device = device;
  if (names.empty()) {
    options.compiler = programPath();
    options.say = [](const std::string& said) { fmt::print(stderr, "{}\n", said); };
  }
  const Status compiled = compileKernels(options, names);
  return compiled ? 0 : fail(compiled);
}

}  // namespace

void addDevices(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("devices", "Threads, instruction sets and OpenCL devices");
  command->footer(kFooter);
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "As one JSON object");
  auto device = std::make_shared<std::string>();
  command->add_option("--device", *device, "With --check and --compile: by number or a part of its name");
  auto names = std::make_shared<std::vector<std::string>>();
  CLI::Option* kernels =
      command
          ->add_option("--compile", *names,
                       "Compiles these kernels, or all, for an OpenCL device, so that no run has to")
          ->expected(0, static_cast<int>(Kernel::count))
          ->type_name("KERNEL");
  auto checking = std::make_shared<bool>(false);
  command->add_flag("--check", *checking,
                    "Compares every kernel on an OpenCL device with the host, on random input");
  command->callback([=, &exit_code] {
    exit_code = *checking          ? check(*device)
                : kernels->count() ? compile(*device, *names)
                                   : runDevices(*as_json);
  });
}

}  // namespace repose
