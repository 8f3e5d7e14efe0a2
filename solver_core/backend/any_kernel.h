// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A launch of a kernel that is known by its number, for backends that stand on another one.
#pragma once
#include "backend/backend.h"

namespace repose {

inline void launchAny(Backend& on, Kernel kernel, int items, const void* args) {
  switch (kernel) {
#define RE_CASE(name) \
  case Kernel::name:  \
    return on.launch(items, *static_cast<const name##_args*>(args));
    RE_KERNELS(RE_CASE)
#undef RE_CASE
    case Kernel::count:
      break;
  }
}

}  // namespace repose
