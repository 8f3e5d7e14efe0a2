// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: a linear congruential generator (reference.md, head)
// whose streams are told apart by two numbers.
#pragma once
#include <cstddef>
#include <cstdint>

namespace repose {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(mix(mix(seed) + stream)) {}

  // From 0, 1 excluded.
  double uniform() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  double between(double least, double greatest) { return least + (greatest - least) * uniform(); }
  // Mean 0 and variance 1, from -3 to 3: a sum of twelve uniform numbers, which needs no logarithm.
  double normal() {
    double sum = 4;
    while (sum > 3 || sum < -3) {
      sum = -6;
      for (int k = 0; k < 12; ++k) sum += uniform();
    }
    return sum;
  }

 private:
  // Neighbouring seeds begin far apart (the finalizer of splitmix64).
  static std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

// A number of an index, from -1 to 1: three for each point, with salts 0 to 2.
inline float pointNoise(std::size_t index, std::uint32_t salt) {
  std::uint32_t n = (static_cast<std::uint32_t>(index) * 3 + salt) * 2654435761u;
  n = (n ^ (n >> 15)) * 2246822519u;
  return static_cast<float>(static_cast<std::int32_t>(n ^ (n >> 13))) * 0x1p-31f;
}

}  // namespace repose
