// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/kernel_check.h"

#include "backend/any_kernel.h"
#include "backend/random_arguments.h"

namespace repose {

KernelCheck checkKernel(Kernel kernel, unsigned seed, Backend& host, Backend& device) {
  const RandomArguments before(signatureOf(kernel), seed);
  RandomArguments on_host = before, on_device = before;
  const int items = hasChunks(kernel) ? 1 : 80 / host.lanes();
  device.expect([&] { return on_device.bytes(); });
  launchAny(host, kernel, items, on_host.args());
  launchAny(device, kernel, items, on_device.args());
  device.expect([] { return std::size_t{0}; });
  return {on_host.difference(on_device), !on_host.difference(before).empty()};
}

std::unique_ptr<Backend> hostWithLanes(int lanes) {
  for (const Isa isa : supportedIsas())
    if (auto host = makeTbbBackend(1, isa); host->lanes() == lanes) return host;
  return nullptr;
}

}  // namespace repose
