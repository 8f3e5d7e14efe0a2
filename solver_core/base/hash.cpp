// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>

#include <cstring>

namespace repose {

namespace {

// The finaliser of splitmix64: every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace

void Hasher::add(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  const auto* p = static_cast<const unsigned char*>(data);
  const std::size_t total = bytes;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    state_ = mix(state_ ^ word);
  }
  std::uint64_t tail = 0;
  std::memcpy(&tail, p, bytes);
  state_ = mix(state_ ^ tail ^ (static_cast<std::uint64_t>(total) << 1));
}

std::string hexHash(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace repose
