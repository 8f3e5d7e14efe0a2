// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// OpenCL entry points: one work-item an item, no formula lives here. The signatures come from kernel/kernels.def.
#define RE_LANES 1
#include "kernel/kernels.h"

#define RE_PASS(type, name) , name
#define RE_ENTRY(name)                                                        \
  __kernel void name(int items RE_ARGS_##name(RE_BUFFER, RE_VALUE)) {         \
    const int item = (int)get_global_id(0);                                   \
    if (item < items) name##_item(item RE_ARGS_##name(RE_PASS, RE_PASS));     \
  }
RE_KERNELS(RE_ENTRY)
