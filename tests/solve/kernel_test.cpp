// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The formulas by themselves: accuracy of our own functions, derivatives by finite differences, and the same
// bits on every number of lanes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "backend/backend.h"
#include "kernel/lane1.h"

namespace repose {

using lane1::vec3;

TEST(Kernel, ReciprocalRootIsAccurateAndFiniteAtZero) {
  for (float a = 1e-30f; a < 1e30f; a *= 1.37f) {
    const double exact = 1 / std::sqrt(static_cast<double>(a));
    EXPECT_NEAR(lane1::re_rsqrt(a) / exact, 1, 2.5e-7) << a;
  }
  EXPECT_TRUE(std::isfinite(lane1::re_rsqrt(0)));
}

TEST(Kernel, ArcTangentCoversTheCircle) {
  for (double angle = -3.14; angle < 3.14; angle += 0.001) {
    const auto y = static_cast<float>(2.5 * std::sin(angle)), x = static_cast<float>(2.5 * std::cos(angle));
    EXPECT_NEAR(lane1::re_atan2(y, x), std::atan2(y, x), 4e-7) << angle;
  }
  EXPECT_EQ(lane1::re_atan2(0, 0), 0);
}

// The same angle in double, for differences.
double hingeAngle(const double x[4][3]) {
  using V = std::array<double, 3>;
  const auto sub = [&](int a, int b) { return V{x[a][0] - x[b][0], x[a][1] - x[b][1], x[a][2] - x[b][2]}; };
  const auto crossed = [](V a, V b) {
    return V{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto dotted = [](V a, V b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const V e = sub(3, 2), n1 = crossed(sub(0, 2), sub(0, 3)), n2 = crossed(sub(1, 3), sub(1, 2));
  return std::atan2(dotted(crossed(n1, n2), e) / std::sqrt(dotted(e, e)), dotted(n1, n2));
}

TEST(Kernel, HingeGradientMatchesDifferences) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> jitter(-0.3, 0.3);
  for (int trial = 0; trial < 200; ++trial) {
    double x[4][3] = {{0.5, 0, -1}, {0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}};
    for (auto& p : x)
      for (double& c : p) c += jitter(random);
    const auto at = [&](int s) {
      return vec3{static_cast<float>(x[s][0]), static_cast<float>(x[s][1]), static_cast<float>(x[s][2])};
    };
    const lane1::hinge h = lane1::hinge_at(at(0), at(1), at(2), at(3));
    EXPECT_NEAR(h.angle, hingeAngle(x), 2e-6);
    for (int s = 0; s < 4; ++s)
      for (int k = 0; k < 3; ++k) {
        const double here = x[s][k], step = 1e-6;
        x[s][k] = here + step;
        const double up = hingeAngle(x);
        x[s][k] = here - step;
        const double down = hingeAngle(x);
        x[s][k] = here;
        const float gradient = k == 0 ? h.gradient[s].x : k == 1 ? h.gradient[s].y : h.gradient[s].z;
        EXPECT_NEAR(gradient, (up - down) / (2 * step), 2e-4);
      }
  }
}

TEST(Kernel, FlatHingeHasNoAngle) {
  EXPECT_EQ(lane1::hinge_at({0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}).angle, 0);
}

TEST(Kernel, NoiseIsSmoothAndBounded) {
  float last = lane1::value_noise({-3, 0.3f, 0.7f}, 1), largest = 0;
  for (float x = -3; x < 3; x += 1e-3f) {
    const float now = lane1::value_noise({x, 0.3f, 0.7f}, 1);
    EXPECT_LT(std::abs(now - last), 6e-3f) << x;
    EXPECT_LE(std::abs(now), 1);
    largest = std::max(largest, std::abs(now));
    last = now;
  }
  EXPECT_GT(largest, 0.3f);
}

// Every kernel with lanes on random input, against the one-lane formula, for every instruction set of this
// machine.
class KernelLanes : public testing::TestWithParam<Isa> {};

std::vector<Vec4f> randomPoints(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(-1, 1), mass(0.1f, 5);
  std::vector<Vec4f> points(n);
  for (Vec4f& p : points) p = {place(random), place(random), place(random), mass(random)};
  return points;
}

std::vector<int> randomIndices(int n, int end, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> indices(n);
  for (int& i : indices) i = static_cast<int>(random() % static_cast<unsigned>(end));
  return indices;
}

std::vector<float> randomFloats(int n, float lo, float hi, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(lo, hi);
  std::vector<float> values(n);
  for (float& v : values) v = value(random);
  return values;
}

bool sameBits(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec4f)) == 0;
}

constexpr int kPoints = 256, kEntries = 64;

TEST_P(KernelLanes, DihedralBend) {
  const auto x = randomPoints(kPoints, 1), x_start = randomPoints(kPoints, 2);
  const auto corner = randomIndices(4 * kEntries, kPoints, 3);
  const auto split = randomFloats(4 * kEntries, 1, 8, 4), rest = randomFloats(kEntries, -1, 1, 5);
  const auto alpha = randomFloats(kEntries, 0, 2, 6);
  const auto lambda = randomFloats(kEntries, -1, 1, 7), momentum = randomFloats(kEntries, -1, 1, 8);
  const auto run = [&](auto&& go) {
    std::vector<float> l = lambda, m = momentum;
    std::vector<Vec4f> push(4 * kEntries);
    bend_dihedral_args a;
    a.x = x.data(), a.x_start = x_start.data(), a.corner = corner.data(), a.split = split.data();
    a.rest_angle = rest.data(), a.alpha = alpha.data(), a.lambda = l.data(), a.momentum = m.data();
    a.push = push.data(), a.stride = kEntries, a.rho = 0.3f, a.gain = 1.7f, a.beta = 0.4f, a.keep = 1;
    go(a);
    for (int k = 0; k < kEntries; ++k) push.push_back({l[k], m[k], 0, 0});
    return push;
  };
  const auto one = run([](const bend_dihedral_args& a) {
    for (int i = 0; i < kEntries; ++i)
      lane1::bend_dihedral_item(i, a.x, a.x_start, a.corner, a.split, a.rest_angle, a.alpha, a.lambda,
                                a.momentum, a.push, a.stride, a.first_entry, a.rho, a.gain, a.beta, a.keep);
  });
  const auto backend = makeTbbBackend(1, GetParam());
  const auto many = run([&](const bend_dihedral_args& a) { backend->launchLanes(kEntries, a); });
  EXPECT_TRUE(sameBits(one, many));
}

TEST_P(KernelLanes, Air) {
  const auto x = randomPoints(kPoints, 1), v = randomPoints(kPoints, 2);
  const auto corner = randomIndices(3 * kEntries, kPoints, 3);
  const auto scale = randomFloats(kEntries, 0, 2, 4), inv_mass = randomFloats(kEntries, 0, 50, 6);
  const auto run = [&](auto&& go) {
    std::vector<Vec4f> force(kEntries);
    air_args a;
    a.x = x.data(), a.v = v.data(), a.corner = corner.data();
    a.normal_scale = a.tangent_scale = scale.data(), a.inv_mass = inv_mass.data();
    a.force = force.data(), a.stride = kEntries, a.scaled = 1, a.h = 0.01f;
    a.wind_x = 3, a.wind_y = -1, a.wind_z = 0.5f, a.drift_x = 11.3f, a.turbulence = 2, a.inv_scale = 1.7f;
    a.gravity_y = -9.8f, a.air_density = 1.2f, a.normal_drag = 1, a.tangent_drag = 0.2f, a.pressure = 3;
    go(a);
    return force;
  };
  const auto one = run([](const air_args& a) {
    for (int i = 0; i < kEntries; ++i)
      lane1::air_item(i, a.x, a.v, a.corner, a.normal_scale, a.tangent_scale, a.inv_mass, a.force, a.stride,
                      a.first_entry, a.scaled, a.h, a.wind_x, a.wind_y, a.wind_z, a.drift_x, a.drift_y,
                      a.drift_z, a.turbulence, a.inv_scale, a.air_density, a.normal_drag, a.tangent_drag,
                      a.gravity_x, a.gravity_y, a.gravity_z, a.pressure);
  });
  const auto backend = makeTbbBackend(1, GetParam());
  const auto many = run([&](const air_args& a) { backend->launchLanes(kEntries, a); });
  EXPECT_TRUE(sameBits(one, many));
}

TEST_P(KernelLanes, MotionSums) {
  const auto x = randomPoints(4096, 1), v = randomPoints(4096, 2);
  const auto run = [&](auto&& go) {
    std::vector<float> result(3 * 4);
    motion_args a;
    a.x = x.data(), a.v = v.data(), a.result = result.data(), a.count = 4096;
    go(a);
    return result;
  };
  const auto one = run([](const motion_args& a) {
    for (int i = 0; i < 4; ++i) lane1::motion_item(i, a.x, a.v, a.result, a.count);
  });
  const auto backend = makeTbbBackend(1, GetParam());
  EXPECT_EQ(one, run([&](const motion_args& a) { backend->launch(4, a); }));
}

INSTANTIATE_TEST_SUITE_P(Isas, KernelLanes, testing::ValuesIn(supportedIsas()),
                         [](const auto& isa) { return "isa" + std::to_string(static_cast<int>(isa.param)); });

}  // namespace repose
