// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The argument lists of the kernels as data, for backends that pass them one by one.
#pragma once
#include <cstddef>

#include "backend/kernel_args.h"

namespace repose {

struct KernelArgument {
  const char* type;  // as in kernels.def
  const char* name;
  bool buffer;
  std::size_t offset, bytes;  // in the argument struct
};

struct KernelSignature {
  const char* name;
  const KernelArgument* arguments;
  int count;
};

const KernelSignature& signatureOf(Kernel kernel);

}  // namespace repose
