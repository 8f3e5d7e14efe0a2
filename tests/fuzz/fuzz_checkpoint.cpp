// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/checkpoint.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)repose::readCheckpoint(repose::asFile(data, size, ".checkpoint"));
  return 0;
}
