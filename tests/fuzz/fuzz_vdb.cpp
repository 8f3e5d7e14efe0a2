// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "vdb/level_set.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)repose::readVdb(repose::asFile(data, size, ".vdb"));
  return 0;
}
