// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// kernel/soft_matter.h: energies against formulas in double, stress and second derivatives by differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "kernel/lane1.h"

namespace repose {

namespace {

using lane1::mat3;
using Matrix = std::array<std::array<double, 3>, 3>;  // rows

constexpr int kMaterials[] = {lane1::RE_NEOHOOKEAN, lane1::RE_COROTATED, lane1::RE_STVK};
constexpr double kMu = 2, kLambda = 3;

double determinant(const Matrix& a) {
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
         a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

// Signed stretches: roots of the characteristic polynomial of F^T F.
std::array<double, 3> stretches(const Matrix& f) {
  Matrix c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[i][j] += f[k][i] * f[k][j];
  const double q = (c[0][0] + c[1][1] + c[2][2]) / 3;
  Matrix b = c;
  for (int i = 0; i < 3; ++i) b[i][i] -= q;
  double p2 = 0;
  for (const auto& row : b)
    for (const double e : row) p2 += e * e;
  const double p = std::sqrt(p2 / 6);
  if (p < 1e-14) return {std::sqrt(q), std::sqrt(q), std::copysign(std::sqrt(q), determinant(f))};
  const double phi = std::acos(std::clamp(determinant(b) / (2 * p * p * p), -1.0, 1.0)) / 3;
  const double pi = std::acos(-1.0);
  const double e0 = q + 2 * p * std::cos(phi), e2 = q + 2 * p * std::cos(phi + 2 * pi / 3),
               e1 = 3 * q - e0 - e2;
  return {std::sqrt(std::max(e0, 0.0)), std::sqrt(std::max(e1, 0.0)),
          std::copysign(std::sqrt(std::max(e2, 0.0)), determinant(f))};
}

// algorithms.md 6.1 and 7.2, and the neo-Hookean energy of soft_matter.h, as they are printed.
double energyOf(const Matrix& f, int material) {
  double norm2 = 0;
  for (const auto& row : f)
    for (const double e : row) norm2 += e * e;
  const double j = determinant(f);
  const double least = material == lane1::RE_COROTATED ? 0.15 : 0.3, inside = std::clamp(-j, 0.0, 2.0);
  const double flat = std::clamp(least - j, 0.0, least);
  const double guard = flat * flat / 2 + least * inside * (1 - inside / 4);
  if (material == lane1::RE_NEOHOOKEAN) {
    return kMu * 8 / 15 * (norm2 - 3 + 1 / (norm2 + 1) - 0.25) - kMu * (j - 1) +
           (kLambda + kMu * 14 / 15) * ((j - 1) * (j - 1) / 2 + 5 * guard);
  }
  if (material == lane1::RE_COROTATED) {
    double sum = 0, trace = 0;
    for (const double s : stretches(f)) sum += (s - 1) * (s - 1), trace += s - 1;
    return kMu * sum + kLambda / 2 * trace * trace + (kLambda + kMu) * 3 * guard;
  }
  double green = 0, trace = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      double g = a == b ? -0.5 : 0;
      for (int k = 0; k < 3; ++k) g += 0.5 * f[k][a] * f[k][b];
      green += g * g;
      if (a == b) trace += g;
    }
  const double lacks = std::min(j - 0.5, 0.0);
  return kMu * green + kLambda / 2 * trace * trace + (2 * kMu + kLambda) / 2 * lacks * lacks;
}

mat3 floats(const Matrix& m) {
  mat3 f;
  for (int c = 0; c < 3; ++c)
    f.c[c] = {static_cast<float>(m[0][c]), static_cast<float>(m[1][c]), static_cast<float>(m[2][c])};
  return f;
}
Matrix plus(Matrix a, const Matrix& b, double s) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] += s * b[i][j];
  return a;
}
double dotted(const mat3& a, const Matrix& b) {
  double sum = 0;
  for (int c = 0; c < 3; ++c) sum += a.c[c].x * b[0][c] + a.c[c].y * b[1][c] + a.c[c].z * b[2][c];
  return sum;
}
Matrix randomAround(std::mt19937& random, double spread, bool around_one) {
  std::normal_distribution<double> normal(0, spread);
  Matrix f{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) f[i][j] = normal(random) + (around_one && i == j ? 1 : 0);
  return f;
}
lane1::soft_law lawOf(int material, float fibre = 0, float rho = 0) {
  return {static_cast<float>(kMu), static_cast<float>(kLambda), fibre, rho, material};
}
lane1::soft_response respond(const Matrix& f, int material) {
  return lane1::soft_respond(floats(f), lawOf(material), {0, 0, 0}, {});
}

}  // namespace

TEST(SoftMatter, EnergyAndStressAreThoseOfTheFormulas) {
  std::mt19937 random(4);
  for (const int material : kMaterials)
    for (int trial = 0; trial < 300; ++trial) {
      const bool wild = trial % 2;
      const Matrix f = randomAround(random, wild ? 0.8 : 0.2, !wild), way = randomAround(random, 1, false);
      const lane1::soft_response r = respond(f, material);
      const double size = std::max(1.0, energyOf(f, material));
      EXPECT_NEAR(r.energy, energyOf(f, material), 2e-5 * size) << material;
      const double step = 1e-5;
      const double slope =
          (energyOf(plus(f, way, step), material) - energyOf(plus(f, way, -step), material)) / (2 * step);
      // co-rotated energy has a kink where two stretches cancel
      const auto s = stretches(f);
      if (material == lane1::RE_COROTATED && s[1] + s[2] < 0.02) continue;
      EXPECT_NEAR(dotted(r.stress, way), slope, 1e-4 * size * 10) << material << " trial " << trial;
    }
}

// Where nothing is cut off the second derivative is that of the energy; elsewhere it is above it and not
// negative.
TEST(SoftMatter, SecondDerivativeIsThatOfTheEnergyWithoutItsNegativePart) {
  std::mt19937 random(9);
  int exact = 0;
  for (const int material : kMaterials)
    for (int trial = 0; trial < 300; ++trial) {
      const bool wild = trial % 2;
      const Matrix f = randomAround(random, wild ? 0.8 : 0.1, !wild);
      const Matrix way = randomAround(random, 1, false);
      const auto s = stretches(f);
      if (material == lane1::RE_STVK && std::abs(determinant(f) - 0.5) < 0.02) continue;
      if (material == lane1::RE_COROTATED && s[1] + s[2] < 0.1) continue;
      const lane1::soft_response r = respond(f, material);
      const double curved = dotted(lane1::soft_change(r.stiffness, floats(way)), way), step = 1e-4;
      const double truth = (energyOf(plus(f, way, step), material) - 2 * energyOf(f, material) +
                            energyOf(plus(f, way, -step), material)) /
                           (step * step);
      const double size = std::max({10.0, std::abs(truth), curved});
      EXPECT_GE(curved, -1e-5 * size);
      EXPECT_GE(curved, truth - 2e-3 * size) << material << " trial " << trial;
      const lane1::svd3 d = lane1::svd3_of(floats(f));
      const lane1::soft_answer a =
          lane1::soft_isotropic(d.s, static_cast<float>(kMu), static_cast<float>(kLambda), material);
      const lane1::sym3 kept = lane1::soft_positive(a.normal);
      // the guard bends downwards where it fades
      if (material != lane1::RE_STVK && determinant(f) < 0.01) continue;
      if (std::min({a.shear.x, a.shear.y, a.shear.z, a.twist.x, a.twist.y, a.twist.z}) < 0 ||
          std::abs(kept.xx - a.normal.xx) + std::abs(kept.yy - a.normal.yy) +
                  std::abs(kept.zz - a.normal.zz) >
              1e-3)
        continue;
      EXPECT_NEAR(curved, truth, 2e-3 * size) << material;
      ++exact;
    }
  EXPECT_GT(exact, 60);
}

TEST(SoftMatter, RotationLeavesNoStress) {
  std::mt19937 random(1);
  for (const int material : kMaterials)
    for (int trial = 0; trial < 50; ++trial) {
      const mat3 r = lane1::svd3_rotation(lane1::svd3_of(floats(randomAround(random, 1, false))));
      const lane1::soft_response a = lane1::soft_respond(r, lawOf(material), {0, 0, 0}, {});
      EXPECT_LT(std::abs(a.energy), 1e-10);
      EXPECT_LT(std::sqrt(lane1::m3_dot(a.stress, a.stress)), 4e-5);
    }
}

// Small strain: all three are Hooke's law with the moduli that were asked for.
TEST(SoftMatter, SmallStrainIsHookesLaw) {
  for (const int material : kMaterials) {
    const double e = 1e-3;
    const Matrix pulled = {{{1 + e, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                 sheared = {{{1, e, 0}, {e, 1, 0}, {0, 0, 1}}};
    const lane1::soft_response a = respond(pulled, material), b = respond(sheared, material);
    EXPECT_NEAR(a.stress.c[0].x / e, 2 * kMu + kLambda, 0.03);
    EXPECT_NEAR(a.stress.c[1].y / e, kLambda, 0.03);
    EXPECT_NEAR(b.stress.c[1].x / (2 * e), kMu, 0.01);
  }
}

// The block between two corners is what soft_change gives to a displacement of one of them.
TEST(SoftMatter, BlocksAreTheChangeOfThePushes) {
  std::mt19937 random(6);
  for (const int material : kMaterials)
    for (int trial = 0; trial < 60; ++trial) {
      const lane1::vec3 fibre = {0.6f, 0, 0.8f};
      const lane1::soft_response r =
          lane1::soft_respond(floats(randomAround(random, 0.4, true)), lawOf(material, 4, 2), fibre, {});
      const mat3 three = floats(randomAround(random, 1, false));
      const lane1::vec3 a = three.c[0], b = three.c[1], u = three.c[2];
      const mat3 way = lane1::m3(lane1::v3_scale(u, b.x), lane1::v3_scale(u, b.y), lane1::v3_scale(u, b.z));
      const lane1::vec3 expected = lane1::m3_mul(lane1::soft_change(r.stiffness, way), a);
      const mat3 block =
          lane1::soft_block(r.stiffness, lane1::m3_tmul(r.stiffness.v, a), lane1::m3_tmul(r.stiffness.v, b),
                            lane1::v3_dot(a, fibre) * lane1::v3_dot(b, fibre));
      const lane1::vec3 got = lane1::m3_mul(block, u), off = lane1::v3_sub(got, expected);
      EXPECT_LT(std::sqrt(lane1::v3_dot(off, off)),
                2e-5 * (1 + std::sqrt(lane1::v3_dot(expected, expected))));
    }
}

// Fibres and damping: gradients of their energies by differences in float.
TEST(SoftMatter, FibresAndDampingPushDownTheirEnergies) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const Matrix f = randomAround(random, 0.2, true), way = randomAround(random, 0.3, false);
    const lane1::sym3 start = lane1::soft_strain(floats(randomAround(random, 0.2, true)));
    const auto at = [&](double s) {
      return lane1::soft_respond(floats(plus(f, way, s)), lawOf(lane1::RE_STVK, 5, 3), {0, 0.8f, 0.6f},
                                 start);
    };
    const double step = 0.01, slope = (static_cast<double>(at(step).energy) - at(-step).energy) / (2 * step);
    EXPECT_NEAR(dotted(at(0).stress, way), slope, 0.02 * (1 + std::abs(slope)));
  }
  // a turn is not damped
  const mat3 turned = lane1::svd3_rotation(lane1::svd3_of(floats(randomAround(random, 1, false))));
  const lane1::soft_response r = lane1::soft_respond(turned, lawOf(lane1::RE_STVK, 0, 1000), {0, 0, 0}, {});
  EXPECT_LT(std::sqrt(lane1::m3_dot(r.stress, r.stress)), 2e-2);
}

}  // namespace repose
