// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_hash.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace repose {
namespace {

std::string hex(const Digest& digest) {
  unsigned char bytes[16];
  std::memcpy(bytes, digest.word, sizeof bytes);
  std::string text;
  for (const unsigned char byte : bytes) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", byte);
    text += two;
  }
  return text;
}

Digest murmur(const std::string& text) { return murmur3(text.data(), text.size()); }

// Published vectors of MurmurHash3 x64 128 with seed 0.
TEST(Murmur3, KnownVectors) {
  EXPECT_EQ(hex(murmur("")), std::string(32, '0'));
  const Digest hello = murmur("hello");
  EXPECT_EQ(hello.word[0], 0xcbd8a7b341bd9b02ull);
  EXPECT_EQ(hello.word[1], 0x5b1e906a48ae1d19ull);
  const Digest fox = murmur("The quick brown fox jumps over the lazy dog");
  EXPECT_EQ(fox.word[0], 0xe34bbc7bbc071b6cull);
  EXPECT_EQ(fox.word[1], 0x7a433ca9c49a9347ull);
}

// The hash of the empty message, alembic.md 3.9; the long path by values that the library has in its files is
// the matter of test_hashes.py.
TEST(Spooky, EmptyMessage) { EXPECT_EQ(hex(spooky("")), "1909f56bfc062723c751e8b465ee728b"); }

TEST(Spooky, EveryByteCountsAtEveryLength) {
  for (std::size_t length = 1; length < 300; ++length) {
    std::string text(length, 'a');
    const Digest before = spooky(text);
    for (const std::size_t at : {std::size_t{0}, length / 2, length - 1}) {
      text[at] = 'b';
      EXPECT_NE(spooky(text), before) << length << " " << at;
      text[at] = 'a';
    }
    EXPECT_NE(spooky(text + 'a'), before);
  }
}

TEST(Spooky, AccumulationDependsOnTheOrder) {
  const Digest a = spooky("a"), b = spooky("b");
  EXPECT_NE(accumulate(a, b), accumulate(b, a));
}

}  // namespace
}  // namespace repose
