// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The kernels by name, and the argument list of each as a struct <name>_args; made from kernel/kernels.def.
#pragma once
#include "base/types.h"
#include "kernel/kernels.def"

namespace repose {

using point3 = Vec3f;
using point4 = Vec4f;
using cell_key = unsigned long;

#define RE_NAME(name) name,
enum class Kernel : int { RE_KERNELS(RE_NAME) count };
#undef RE_NAME

// Whether an item is a chunk of entries, worth handing over alone.
constexpr bool hasChunks(Kernel kernel) {
  switch (kernel) {
#define RE_CASE(name) case Kernel::name:
    RE_CHUNK_KERNELS(RE_CASE)
#undef RE_CASE
    return true;
    default:
      return false;
  }
}

// <name>_args: the argument list of each kernel as a struct.
#define RE_BUFFER_FIELD(type, name) type* name = nullptr;
#define RE_VALUE_FIELD(type, name)  type name = {};
#define RE_ARGS_STRUCT(name)                        \
  struct name##_args {                              \
    static constexpr Kernel kernel = Kernel::name;  \
    RE_ARGS_##name(RE_BUFFER_FIELD, RE_VALUE_FIELD) \
  };
RE_KERNELS(RE_ARGS_STRUCT)
#undef RE_BUFFER_FIELD
#undef RE_VALUE_FIELD
#undef RE_ARGS_STRUCT

}  // namespace repose
