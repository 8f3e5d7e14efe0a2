// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Whether a device divides and takes roots as IEEE 754 says, by trying: some do so and do not say it.
#pragma once
#include "backend/opencl_api.h"

namespace repose {

// Compares some ten thousand quotients and roots with those of the host. apart: the device has a memory of
// its own.
bool roundsExactly(const OpenClApi& api, cl_device_id device, bool apart);

}  // namespace repose
