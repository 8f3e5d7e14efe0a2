// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// OpenCL entry points: a work-item does `share` items, no formula lives here. The signatures come from
// kernel/kernels.def, the names with run_ before them: OpenCL has functions of its own. Define RE_LANES, and
// RE_KERNEL to compile one of them alone, or RE_SET as the name of a list of them.
// PoCL has macros of these names, we a kernel and arguments
#undef dot
#undef step
#include "kernel/kernels.h"

#define RE_PASS(type, name) , name
#define RE_ENTRY(name)                                                                             \
  __kernel void run_##name(int items, int share RE_ARGS_##name(RE_BUFFER, RE_VALUE)) {             \
    const int first = (int)get_global_id(0) * share, end = min(first + share, items);              \
    for (int item = first; item < end; ++item) name##_item(item RE_ARGS_##name(RE_PASS, RE_PASS)); \
  }
#define RE_ENTRY_OF(name) RE_ENTRY(name)
#ifdef RE_KERNEL
RE_ENTRY_OF(RE_KERNEL)
#elif defined(RE_SET)
RE_SET(RE_ENTRY)
#else
RE_KERNELS(RE_ENTRY)
#endif
