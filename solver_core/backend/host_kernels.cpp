// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Compiled once for each instruction set, with RE_ISA (sse2, avx2, avx512) and RE_LANES. Includes nothing
// with inline functions outside the kernels: the linker would keep one copy of them, perhaps one this machine
// cannot run.
#include "backend/host_kernels.h"

#define RE_JOIN_(a, b) a##b
#define RE_JOIN(a, b)  RE_JOIN_(a, b)
#define RE_SPACE       RE_JOIN(kernels_, RE_ISA)

namespace repose {
namespace RE_SPACE {

#include "kernel/kernels.h"

// A copy of the arguments: no store through a buffer can change it, so it need not be read again for each
// item.
#define RE_PASS(type, name) , a.name
#define RE_RUN(name)                                                                                         \
  void run_##name(int first_item, int end_item, const void* args) {                                          \
    const auto a = *static_cast<const name##_args*>(args);                                                   \
    for (int item = first_item; item < end_item; ++item) name##_item(item RE_ARGS_##name(RE_PASS, RE_PASS)); \
  }
RE_KERNELS(RE_RUN)

}  // namespace RE_SPACE

#define RE_ENTRY(name) RE_SPACE::run_##name,
extern const HostKernelTable RE_JOIN(kHostKernels_, RE_ISA) = {RE_LANES, {RE_KERNELS(RE_ENTRY)}};

}  // namespace repose
