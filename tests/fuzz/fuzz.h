// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share. Each target is one function that reads bytes as one kind of file; libFuzzer or
// tests/fuzz/mutate.cpp calls it.
#pragma once
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace repose {

// The bytes as a file in memory, for readers that take a path.
inline std::string asFile(const std::uint8_t* data, std::size_t size, const char* name) {
  std::string path = "/dev/shm/repose_fuzz_" + std::to_string(getpid()) + name;
  if (std::FILE* file = std::fopen(path.c_str(), "wb")) {
    std::fwrite(data, 1, size, file);
    std::fclose(file);
  }
  return path;
}

}  // namespace repose
