// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace repose {

namespace {

// The finaliser of splitmix64: every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Both halves of a product: fewer steps, each of which most bits reach.
std::uint64_t fold(std::uint64_t x) {
  const unsigned __int128 product = static_cast<unsigned __int128>(x) * 0x9e3779b97f4a7c15ull;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
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

// Eight sums side by side: each step of one waits for the step before.
std::uint64_t quickHash(const void* data, std::size_t bytes) {
  const auto* p = static_cast<const unsigned char*>(data);
  std::array<std::uint64_t, 8> sums{1, 2, 3, 4, 5, 6, 7, 8}, words{};
  std::size_t left = bytes;
  for (; left >= sizeof words; left -= sizeof words, p += sizeof words) {
    std::memcpy(words.data(), p, sizeof words);
    for (std::size_t k = 0; k < words.size(); ++k) sums[k] = fold(sums[k] ^ words[k]);
  }
  Hasher all;
  all.add(sums.data(), sizeof sums);
  all.add(p, left);
  return all.value();
}

std::string hexHash(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace repose
