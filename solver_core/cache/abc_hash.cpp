// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_hash.h"

#include <array>
#include <cstring>

namespace repose {
namespace {

using U64 = std::uint64_t;
using Bytes = const unsigned char*;

constexpr U64 kC1 = 0x87c37b91114253d5ull, kC2 = 0x4cf5ad432745937full;  // Murmur3
constexpr U64 kSc = 0xdeadbeefdeadbeefull;                               // Spooky

U64 rotl(U64 x, int r) { return (x << r) | (x >> (64 - r)); }

U64 load(Bytes p) {
  U64 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Up to eight bytes as a little-endian number.
U64 loadTail(Bytes p, std::size_t count) {
  U64 v = 0;
  std::memcpy(&v, p, count < 8 ? count : 8);
  return v;
}

U64 murmurFinal(U64 x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return x ^ (x >> 33);
}

using Short = std::array<U64, 4>;  // a, b, c, d

void shortMix(Short& v) {
  constexpr int kRotate[12] = {50, 52, 30, 41, 54, 48, 38, 37, 62, 34, 5, 36};
  for (unsigned i = 0; i < 12; ++i) {
    U64& x = v[(i + 2) % 4];
    x = rotl(x, kRotate[i]) + v[(i + 3) % 4];
    v[i % 4] ^= x;
  }
}

void shortEnd(Short& v) {
  constexpr int kRotate[11] = {15, 52, 26, 51, 28, 9, 47, 54, 32, 25, 63};
  for (unsigned i = 0; i < 11; ++i) {
    U64& x = v[(i + 3) % 4];
    U64& y = v[(i + 2) % 4];
    x ^= y;
    y = rotl(y, kRotate[i]);
    x += y;
  }
}

Digest spookyShort(Bytes p, std::size_t length) {
  Short v = {0, 0, kSc, kSc};
  std::size_t left = length;
  for (; left >= 32; left -= 32, p += 32) {
    v[2] += load(p);
    v[3] += load(p + 8);
    shortMix(v);
    v[0] += load(p + 16);
    v[1] += load(p + 24);
  }
  if (left >= 16) {
    v[2] += load(p);
    v[3] += load(p + 8);
    shortMix(v);
    left -= 16;
    p += 16;
  }
  v[3] += static_cast<U64>(length) << 56;
  if (left == 0) {
    v[2] += kSc;
    v[3] += kSc;
  } else {
    v[2] += loadTail(p, left);
    if (left > 8) v[3] += loadTail(p + 8, left - 8);
  }
  shortEnd(v);
  return {{v[0], v[1]}};
}

using Long = std::array<U64, 12>;

void longMix(Long& s, Bytes p) {
  constexpr int kRotate[12] = {11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46};
  for (unsigned i = 0; i < 12; ++i) {
    s[i] += load(p + 8 * i);
    s[(i + 2) % 12] ^= s[(i + 10) % 12];
    s[(i + 11) % 12] ^= s[i];
    s[i] = rotl(s[i], kRotate[i]);
    s[(i + 11) % 12] += s[(i + 1) % 12];
  }
}

void longEnd(Long& s) {
  constexpr int kRotate[12] = {44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54};
  for (int pass = 0; pass < 3; ++pass)
    for (unsigned j = 0; j < 12; ++j) {
      s[(j + 11) % 12] += s[(j + 1) % 12];
      s[(j + 2) % 12] ^= s[(j + 11) % 12];
      s[(j + 1) % 12] = rotl(s[(j + 1) % 12], kRotate[j]);
    }
}

Digest spookyLong(Bytes p, std::size_t length) {
  Long s = {0, 0, kSc, 0, 0, kSc, 0, 0, kSc, 0, 0, kSc};
  std::size_t left = length;
  for (; left >= 96; left -= 96, p += 96) longMix(s, p);
  unsigned char rest[96] = {};
  std::memcpy(rest, p, left);
  rest[95] = static_cast<unsigned char>(left);
  for (unsigned i = 0; i < 12; ++i) s[i] += load(rest + 8 * i);
  longEnd(s);
  return {{s[0], s[1]}};
}

}  // namespace

Digest murmur3(const void* bytes, std::size_t count) {
  Bytes p = static_cast<Bytes>(bytes);
  U64 h1 = 0, h2 = 0;
  std::size_t left = count;
  for (; left >= 16; left -= 16, p += 16) {
    h1 ^= rotl(load(p) * kC1, 31) * kC2;
    h1 = (rotl(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= rotl(load(p + 8) * kC2, 33) * kC1;
    h2 = (rotl(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  if (left > 8) h2 ^= rotl(loadTail(p + 8, left - 8) * kC2, 33) * kC1;
  if (left > 0) h1 ^= rotl(loadTail(p, left) * kC1, 31) * kC2;
  h1 ^= count;
  h2 ^= count;
  h1 += h2;
  h2 += h1;
  h1 = murmurFinal(h1);
  h2 = murmurFinal(h2);
  h1 += h2;
  h2 += h1;
  return {{h1, h2}};
}

Digest spooky(std::string_view bytes) {
  Bytes p = reinterpret_cast<Bytes>(bytes.data());
  return bytes.size() < 192 ? spookyShort(p, bytes.size()) : spookyLong(p, bytes.size());
}

Digest accumulate(const Digest& sum, const Digest& next) {
  Short v = {sum.word[0], sum.word[1], next.word[0], next.word[1]};
  shortEnd(v);
  return {{v[0], v[1]}};
}

}  // namespace repose
