// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Sums and maxima over vectors of the points, in fixed blocks; the memory of the blocks is the caller's.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/backend.h"

namespace repose {

inline constexpr int kPointBlock = 1024;  // RE_BLOCK of kernel/measure.h

// Sum of weight a.b.
inline double dotPoints(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b,
                        const std::vector<float>& weight, std::vector<float>& partial, Backend& backend) {
  dot3_args d;
  d.a = a.data(), d.b = b.data(), d.weight = weight.data(), d.result = partial.data();
  d.count = static_cast<int>(a.size());
  const int blocks = (d.count + kPointBlock - 1) / kPointBlock;
  backend.launch(blocks, d);
  backend.look(partial.data());
  double sum = 0;
  for (int k = 0; k < blocks; ++k) sum += partial[k];
  return sum;
}

// Largest scale |a|.
inline float largestOfPoints(const std::vector<Vec4f>& a, const std::vector<float>& scale,
                             std::vector<float>& partial, Backend& backend) {
  pd_largest_args args;
  args.a = a.data(), args.scale = scale.data(), args.result = partial.data();
  args.count = static_cast<int>(a.size());
  const int blocks = (args.count + kPointBlock - 1) / kPointBlock;
  backend.launch(blocks, args);
  backend.look(partial.data());
  return blocks > 0 ? std::sqrt(*std::max_element(partial.begin(), partial.begin() + blocks)) : 0.0f;
}

}  // namespace repose
