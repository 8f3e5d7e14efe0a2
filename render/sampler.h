// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Sample points that spread the error of a picture as fine grain: one Owen-scrambled Sobol sequence runs
// through all pixels along a shuffled Z-curve (Ahmed and Wonka, ACM TOG 39(6), 2020), so neighbours share no
// bias. A point is a pure function of pixel, sample and purpose: no state, the same for any thread count.
#pragma once
#include <cstdint>

namespace repose {

struct SamplePoint {
  float u = 0, v = 0;  // both in [0, 1)
};

namespace sampling {

inline std::uint32_t reverseBits(std::uint32_t x) {
  x = __builtin_bswap32(x);
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

// Changes each bit by a hash of the lower ones: Owen's scrambling of a number whose bits are reversed (Laine
// and Karras 2011, with Vegdahl's constants).
inline std::uint32_t scrambleUpwards(std::uint32_t x, std::uint32_t seed) {
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= seed >> 16 | 1;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return x;
}

inline std::uint32_t hashBits(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// Product with Pascal's triangle modulo 2, the matrix of Sobol's second dimension.
inline std::uint32_t pascalProduct(std::uint32_t x) {
  x ^= x >> 1 & 0x55555555u;
  x ^= x >> 2 & 0x33333333u;
  x ^= x >> 4 & 0x0f0f0f0fu;
  x ^= x >> 8 & 0x00ff00ffu;
  return x ^ x >> 16;
}

// Puts a zero bit before each of the lower 16 bits.
inline std::uint32_t spreadBits(std::uint32_t x) {
  x = (x | x << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}

inline float unitFloat(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

}  // namespace sampling

class PixelSampler {
 public:
  // log2_samples: of the samples in one pixel.
  PixelSampler(int x, int y, int log2_samples)
      : first_((sampling::spreadBits(static_cast<std::uint32_t>(x)) |
                sampling::spreadBits(static_cast<std::uint32_t>(y)) << 1)
               << log2_samples) {}

  // Points of different purposes are independent of each other.
  SamplePoint point(int sample, std::uint32_t purpose) const {
    using namespace sampling;
    const std::uint32_t seed = hashBits(purpose + 1);
    const std::uint32_t along_curve = first_ | static_cast<std::uint32_t>(sample);
    const std::uint32_t index = reverseBits(scrambleUpwards(reverseBits(along_curve), seed));
    return {unitFloat(reverseBits(scrambleUpwards(index, hashBits(seed)))),
            unitFloat(reverseBits(scrambleUpwards(pascalProduct(index), hashBits(~seed))))};
  }

 private:
  std::uint32_t first_;
};

}  // namespace repose
