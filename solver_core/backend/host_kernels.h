// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Function tables of the kernels compiled for one instruction set each.
#pragma once
#include "backend/kernel_args.h"

namespace repose {

using HostKernel = void (*)(int first_item, int end_item, const void* args);

struct HostKernelTable {
  int lanes;
  HostKernel kernels[static_cast<int>(Kernel::count)];
};

extern const HostKernelTable kHostKernels_sse2;
extern const HostKernelTable kHostKernels_avx2;
extern const HostKernelTable kHostKernels_avx512;

}  // namespace repose
