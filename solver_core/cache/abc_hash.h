// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The two hashes of Alembic (alembic.md 3.9 and 9): Murmur3 for sample keys, SpookyHash V2 for headers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace repose {

struct Digest {
  std::uint64_t word[2] = {0, 0};
};
inline bool operator==(const Digest& a, const Digest& b) {
  return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}
inline bool operator!=(const Digest& a, const Digest& b) { return !(a == b); }

Digest murmur3(const void* bytes, std::size_t count);  // x64, 128 bit, seed 0
Digest spooky(std::string_view bytes);                 // V2, 128 bit, seeds 0

// Folds the next sample's digest into the accumulated one: Spooky's short final mix.
Digest accumulate(const Digest& sum, const Digest& next);

}  // namespace repose
