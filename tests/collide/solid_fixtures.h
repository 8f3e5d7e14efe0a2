// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Solids in random places, and a slow reference for how far they are apart.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "collide/manifold.h"

namespace repose {

class RandomPlaces {
 public:
  explicit RandomPlaces(unsigned seed) : random_(seed) {}
  float next() { return static_cast<float>(random_()) / 2147483648.0f - 1; }
  Vec3f vector(float half) {
    const float x = next(), y = next(), z = next();
    return Vec3f{x, y, z} * half;
  }
  Quat turn() {
    for (;;) {
      const float x = next(), y = next(), z = next(), w = next();
      const float size2 = x * x + y * y + z * z + w * w;
      if (size2 > 0.01f && size2 <= 1) return normalized({x, y, z, w});
    }
  }
  Pose pose(float half) {
    const Vec3f at = vector(half);
    return poseOf(at, turn());
  }

 private:
  std::mt19937 random_;
};

inline std::vector<Vec3f> directions(int count) {
  std::vector<Vec3f> found;
  for (int k = 0; k < count; ++k) {
    const float y = 1 - 2 * (static_cast<float>(k) + 0.5f) / static_cast<float>(count);
    const float turn = 2.3999632f * static_cast<float>(k), r = std::sqrt(1 - y * y);
    found.push_back({r * std::cos(turn), y, r * std::sin(turn)});
  }
  return found;
}

inline Convex testHull(int corners, float size, unsigned seed = 5) {
  RandomPlaces places(seed);
  std::vector<Vec3f> points;
  for (const Vec3f d : directions(corners)) points.push_back(d * (size * (0.9f + 0.1f * places.next())));
  return *makeHull(points);
}

inline Vec3f supportAt(const Convex& convex, const Pose& pose, Vec3f d) {
  return pose.world(convex.support(pose.localVector(d)));
}
// Gap along n, from b to a.
inline float gapAlong(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, Vec3f n) {
  return dot(n, supportAt(a, pa, -n) - supportAt(b, pb, n));
}

// Distance, or minus the shortest way apart: the largest gap over all directions, by trying them.
inline float referenceGap(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, Vec3f& normal) {
  static const std::vector<Vec3f> kAll = directions(3000);
  std::vector<std::pair<float, Vec3f>> tried;
  for (const Vec3f d : kAll) tried.push_back({gapAlong(a, pa, b, pb, d), d});
  std::partial_sort(tried.begin(), tried.begin() + 12, tried.end(),
                    [](const auto& x, const auto& y) { return x.first > y.first; });
  float best = -1e30f;
  for (int start = 0; start < 12; ++start) {
    auto [gap, n] = tried[start];
    // random steps that shrink: no direction of a crease is missed for long
    std::mt19937 random(17);
    float step = 0.05f;
    for (int round = 0; round < 1500; ++round, step = std::max(step * 0.993f, 1e-5f)) {
      const auto next = [&] { return step * (static_cast<float>(random()) / 2147483648.0f - 1); };
      const float x = next(), y = next(), z = next();
      Vec3f d = n + Vec3f{x, y, z};
      d = d * (1 / length(d));
      if (const float g = gapAlong(a, pa, b, pb, d); g > gap) gap = g, n = d;
    }
    if (gap > best) best = gap, normal = n;
  }
  return best;
}

inline float deepest(const Manifold& m) {
  float least = 1e30f;
  for (int k = 0; k < m.count; ++k) least = std::min(least, m.point[k].gap);
  return least;
}

}  // namespace repose
