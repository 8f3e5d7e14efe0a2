// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "model/build.h"

namespace repose {

std::vector<int> spaceOrder(const std::vector<Vec3f>& points) {
  Bounds box;
  for (const Vec3f p : points) box.add(p);
  const float extent = std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z, 1e-20f});
  const auto spread = [](std::uint64_t v) {  // bits of v three apart
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
  };
  std::vector<std::uint64_t> code(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int k = 0; k < 3; ++k)
      code[i] |= spread(static_cast<std::uint64_t>((points[i][k] - box.lo[k]) / extent * 1048575.0f)) << k;
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return code[a] < code[b]; });
  return order;
}

}  // namespace repose
