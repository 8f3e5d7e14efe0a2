// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/kernel_signatures.h"

namespace repose {

namespace {

#define RE_BUFFER_ROW(type, field) \
  {#type, #field, true, offsetof(Args, field), sizeof(decltype(Args::field))},
#define RE_VALUE_ROW(type, field) \
  {#type, #field, false, offsetof(Args, field), sizeof(decltype(Args::field))},
#define RE_ARGUMENTS(kernel)                                                                       \
  struct Of_##kernel {                                                                             \
    using Args = kernel##_args;                                                                    \
    static constexpr KernelArgument arguments[] = {RE_ARGS_##kernel(RE_BUFFER_ROW, RE_VALUE_ROW)}; \
  };
RE_KERNELS(RE_ARGUMENTS)

#define RE_SIGNATURE(kernel)        \
  {#kernel, Of_##kernel::arguments, \
   static_cast<int>(sizeof(Of_##kernel::arguments) / sizeof(KernelArgument))},
constexpr KernelSignature kSignatures[] = {RE_KERNELS(RE_SIGNATURE)};

}  // namespace

const KernelSignature& signatureOf(Kernel kernel) { return kSignatures[static_cast<int>(kernel)]; }

}  // namespace repose
