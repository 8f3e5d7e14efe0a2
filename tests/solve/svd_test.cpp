// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// kernel/svd3.h: the decomposition gives back its matrix, its sides are rotations, the sign is where it
// belongs, and the number of lanes changes no bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "kernel/lane1.h"

namespace repose {

namespace lane4 {
#define RE_LANES 4
#include "kernel/kernels.h"
#undef RE_LANES
}  // namespace lane4

namespace {

using lane1::mat3;
using lane1::svd3;

using Matrix = std::array<std::array<double, 3>, 3>;  // rows

Matrix doubles(const mat3& m) {
  Matrix a;
  for (int c = 0; c < 3; ++c) a[0][c] = m.c[c].x, a[1][c] = m.c[c].y, a[2][c] = m.c[c].z;
  return a;
}
double det(const Matrix& a) {
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
         a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}
// Greatest entry of A B^T - C.
double differ(const Matrix& a, const Matrix& b, const Matrix& c) {
  double most = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = -c[i][j];
      for (int k = 0; k < 3; ++k) sum += a[i][k] * b[j][k];
      most = std::max(most, std::abs(sum));
    }
  return most;
}
double largest(const Matrix& a) {
  double most = 0;
  for (const auto& row : a)
    for (const double e : row) most = std::max(most, std::abs(e));
  return most;
}
constexpr Matrix kOne = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// All that must hold for any F; returns the error of U S V^T over the greatest entry.
double expectDecomposed(const mat3& f) {
  const svd3 d = lane1::svd3_of(f);
  const Matrix whole = doubles(f), u = doubles(d.u), v = doubles(d.v);
  EXPECT_LT(differ(u, u, kOne), 2e-6);
  EXPECT_LT(differ(v, v, kOne), 4e-6);
  EXPECT_GT(det(u), 0.99);
  EXPECT_GT(det(v), 0.99);
  EXPECT_GE(d.s.x * (1 + 1e-6f), d.s.y);
  EXPECT_GE(d.s.y * (1 + 1e-5f) + 1e-6f * d.s.x, std::abs(d.s.z));
  Matrix us = u;
  for (auto& row : us) row[0] *= d.s.x, row[1] *= d.s.y, row[2] *= d.s.z;
  const double scale = std::max(largest(whole), 1e-37);
  const double error = differ(us, v, whole) / scale;
  EXPECT_LT(error, 4e-6);
  if (std::abs(det(whole)) > 1e-4 * scale * scale * scale) {
    EXPECT_EQ(d.s.z < 0, det(whole) < 0);
  }
  return error;
}

mat3 randomMatrix(std::mt19937& random) {
  std::normal_distribution<float> normal(0, 1);
  mat3 f;
  for (auto& c : f.c) c = {normal(random), normal(random), normal(random)};
  return f;
}

}  // namespace

TEST(Svd, GivesBackRandomMatricesHalfOfThemInsideOut) {
  std::mt19937 random(11);
  double worst = 0;
  int inverted = 0;
  for (int k = 0; k < 20000; ++k) {
    const mat3 f = randomMatrix(random);
    inverted += det(doubles(f)) < 0;
    worst = std::max(worst, expectDecomposed(f));
  }
  EXPECT_GT(inverted, 9000);
  RecordProperty("worst", std::to_string(worst));
  EXPECT_LT(worst, 3e-6);
}

TEST(Svd, TakesFlatLineZeroEqualAndExtremeMatrices) {
  std::mt19937 random(5);
  for (int k = 0; k < 2000; ++k) {
    mat3 flat = randomMatrix(random), line = flat, scaled = flat, thin = flat, turned;
    flat.c[2] = lane1::v3_mad(flat.c[0], 0.3f, flat.c[1]);
    line.c[1] = lane1::v3_scale(line.c[0], -2), line.c[2] = lane1::v3_scale(line.c[0], 0.5f);
    thin.c[k % 3] = lane1::v3_scale(thin.c[k % 3], 1e-6f);
    const svd3 d = lane1::svd3_of(scaled);
    turned = lane1::svd3_rotation(d);
    for (const mat3& f :
         {flat, line, thin, turned, lane1::m3_scale(turned, -1), lane1::m3_scale(scaled, 1e-12f),
          lane1::m3_scale(scaled, 1e12f), lane1::m3_mad(scaled, 1e-6f, turned)})
      expectDecomposed(f);
  }
  const lane1::vec3 none{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  for (const mat3& f : {mat3{none, none, none}, mat3{x, none, none}, mat3{none, none, x}, mat3{y, none, z},
                        mat3{x, x, x}, mat3{x, y, z}, mat3{y, x, z}, mat3{x, y, {0, 0, -1}}})
    expectDecomposed(f);
}

// Against values of a matrix that is made from them.
TEST(Svd, FindsSmallValuesToRelativePrecision) {
  std::mt19937 random(3);
  for (int k = 0; k < 1000; ++k) {
    const svd3 a = lane1::svd3_of(randomMatrix(random));
    const float s[3] = {3, 0.5f, k % 2 ? -2e-3f : 2e-3f};
    const mat3 us = lane1::m3(lane1::v3_scale(a.u.c[0], s[0]), lane1::v3_scale(a.u.c[1], s[1]),
                              lane1::v3_scale(a.u.c[2], s[2]));
    const svd3 d = lane1::svd3_of(lane1::m3_product(us, lane1::m3_transposed(a.v)));
    EXPECT_NEAR(d.s.x, s[0], 6e-6);
    EXPECT_NEAR(d.s.y, s[1], 4e-6);
    EXPECT_NEAR(d.s.z, s[2], 2e-6);  // F itself is rounded to 3e-7
  }
}

// A rotation times a stretch has that rotation as its polar factor.
TEST(Svd, PolarRotationOfAStretchIsTheRotation) {
  std::mt19937 random(8);
  for (int k = 0; k < 2000; ++k) {
    const svd3 a = lane1::svd3_of(randomMatrix(random));
    const mat3 r = lane1::svd3_rotation(a);
    const mat3 stretch = lane1::m3({1.7f, 0.2f, 0.1f}, {0.2f, 0.8f, -0.1f}, {0.1f, -0.1f, 1.1f});
    const mat3 got = lane1::svd3_rotation(lane1::svd3_of(lane1::m3_product(r, stretch)));
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(got.c[c].x, r.c[c].x, 4e-6);
      EXPECT_NEAR(got.c[c].y, r.c[c].y, 4e-6);
      EXPECT_NEAR(got.c[c].z, r.c[c].z, 4e-6);
    }
  }
}

TEST(Svd, LanesChangeNoBit) {
  std::mt19937 random(2);
  for (int k = 0; k < 500; ++k) {
    mat3 f[4];
    float in[9][4];
    for (int lane = 0; lane < 4; ++lane) {
      f[lane] = randomMatrix(random);
      for (int c = 0; c < 3; ++c)
        in[3 * c][lane] = f[lane].c[c].x, in[3 * c + 1][lane] = f[lane].c[c].y,
               in[3 * c + 2][lane] = f[lane].c[c].z;
    }
    lane4::mat3 wide;
    for (int c = 0; c < 3; ++c)
      wide.c[c] =
          lane4::v3(lane4::re_load(in[3 * c]), lane4::re_load(in[3 * c + 1]), lane4::re_load(in[3 * c + 2]));
    const lane4::svd3 d = lane4::svd3_of(wide);
    for (int lane = 0; lane < 4; ++lane) {
      const svd3 one = lane1::svd3_of(f[lane]);
      EXPECT_EQ(one.s.z, d.s.z[lane]);
      EXPECT_EQ(one.u.c[1].x, d.u.c[1].x[lane]);
      EXPECT_EQ(one.v.c[2].y, d.v.c[2].y[lane]);
    }
  }
}

}  // namespace repose
