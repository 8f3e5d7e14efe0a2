// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// So many grains that their pairs are solved in tiles, side by side (solve/contact/contact_batch.h).
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "grain_world.h"
#include "tests/backend/opencl_here.h"

namespace repose {
namespace {

// A long beam of grains that hang in the air, each on its way into its neighbours.
class Beam : public GrainWorld {
 public:
  static constexpr float kRadius = 0.05f;
  explicit Beam(int threads) : GrainWorld(kRadius, threads) {
    params.world.gravity = {};
    setFriction(0.5f);
    Lcg random(7);
    for (int k = 0; k < 800; ++k)
      for (int j = 0; j < 16; ++j)
        for (int i = 0; i < 16; ++i) {
          const auto at = [&](int n) { return 2 * kRadius * static_cast<float>(n) + random.around(0.001f); };
          const Vec3f x = {at(k), at(j), at(i)};
          add(x, {random.around(0.1f), random.around(0.1f), random.around(0.1f)}, kRadius, 1);
        }
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) step();
    EXPECT_GE(contacts->pairs.tiles(), 64);
  }
};

// Where the grains are and how fast after two steps; a beam of one thread must be gone before the next
// begins: TBB gives all of them as many threads as the least.
std::vector<Vec4f> afterTwoSteps(int threads, std::unique_ptr<Backend> other = nullptr) {
  Beam beam(threads);
  if (other) beam.backend = std::move(other);
  beam.steps(2);
  std::vector<Vec4f> all = beam.state.grains.x;
  all.insert(all.end(), beam.state.grains.v.begin(), beam.state.grains.v.end());
  return all;
}

bool same(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec4f)) == 0;
}

TEST(GrainTiles, SameBitsOnAnyNumberOfThreads) {
  const std::vector<Vec4f> one = afterTwoSteps(1);
  for (const int threads : {2, 5}) EXPECT_TRUE(same(afterTwoSteps(threads), one)) << threads;
}

TEST(OpenClGrainTiles, SameBitsAsOnTheHost) {
  EXPECT_TRUE(same(afterTwoSteps(2, openClHere(2)), afterTwoSteps(2)));
}

// What one grain of a pair gains the other loses, whichever tile the pair is in.
TEST(GrainTiles, MomentumIsKept) {
  Beam beam(2);
  const auto momentum = [&] {
    double sum[3] = {};
    for (const Vec4f& v : beam.state.grains.v) sum[0] += v.x, sum[1] += v.y, sum[2] += v.z;
    return std::vector<double>(sum, sum + 3);
  };
  const auto energy = [&] {
    double sum = 0;
    for (const Vec4f& v : beam.state.grains.v) sum += v.x * v.x + v.y * v.y + v.z * v.z;
    return sum;
  };
  const std::vector<double> before = momentum();
  const double energy_before = energy();
  beam.steps(2);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(momentum()[k], before[k], 0.02);  // of 204,800 grains
  EXPECT_LT(energy(), 0.7 * energy_before);                                 // they did meet
}

}  // namespace
}  // namespace repose
