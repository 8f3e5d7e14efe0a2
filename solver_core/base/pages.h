// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pages of the memory: large arrays that are walked through again and again are read faster from huge ones.
#pragma once
#include <cstddef>

namespace repose {

// Asks for huge pages where the system has them, for memory that nobody has written to yet. Of arrays below
// a few megabytes they gain nothing.
void wantHugePages(void* memory, std::size_t bytes);

}  // namespace repose
