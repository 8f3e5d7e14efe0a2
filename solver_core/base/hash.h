// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// 64-bit hash of bytes, for state hashes and golden values: the same on every
// little-endian machine. Not for hash tables with untrusted keys.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace repose {

class Hasher {
 public:
  // Adds one piece; the division into pieces is part of the value.
  void add(const void* data, std::size_t bytes);
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15ull;
};

// Of one piece of many bytes, several times as fast: to tell whether an array is what it was. Another value.
std::uint64_t quickHash(const void* data, std::size_t bytes);

std::string hexHash(std::uint64_t hash);  // 16 lower-case digits

}  // namespace repose
