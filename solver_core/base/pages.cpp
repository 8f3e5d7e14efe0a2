// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/pages.h"

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace repose {

#ifdef __linux__
namespace {
constexpr std::uintptr_t kHugePage = std::uintptr_t{1} << 21;
constexpr std::size_t kLeast = 4 * kHugePage;
}  // namespace

void wantHugePages(void* memory, std::size_t bytes) {
  if (bytes < kLeast) return;
  // whole pages within the memory alone: what lies beside it belongs to others
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = (begin + bytes) / kHugePage * kHugePage;
  // a system that refuses leaves small pages, which do as well
  (void)madvise(static_cast<char*>(memory) + (first - begin), end - first, MADV_HUGEPAGE);
}
#else
void wantHugePages(void*, std::size_t) {}
#endif

}  // namespace repose
