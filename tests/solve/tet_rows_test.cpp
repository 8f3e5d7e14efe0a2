// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Formulas of tetrahedra as rows: energies and their derivatives, the matrix of a block against sums over
// corners, and one step against its equation (algorithms.md 6.1).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernel/lane1.h"

namespace repose {

using namespace lane1;

struct Noise {
  std::mt19937 engine{7};
  float operator()() { return std::uniform_real_distribution<float>(-1, 1)(engine); }
  vec3 vec() { return {(*this)(), (*this)(), (*this)()}; }
  mat3 nearIdentity(float by) {
    mat3 f = m3(v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1));
    for (vec3& c : f.c) c = v3_mad(vec(), by, c);
    return f;
  }
};

// Four corners, their masses, and what follows.
struct Tet {
  vec3 rest[4], now[4];
  float w[4];
  tet_row row;
};

Tet makeTet(Noise& noise, float by) {
  Tet t;
  t.rest[0] = v3(0, 0, 0), t.rest[1] = v3(1, 0.1f, 0), t.rest[2] = v3(0.2f, 1.1f, 0),
  t.rest[3] = v3(0.1f, 0.2f, 0.9f);
  const vec3 e[3] = {t.rest[1], t.rest[2], t.rest[3]};
  const float six = v3_dot(e[0], v3_cross(e[1], e[2]));
  t.row.rest.y[0] = v3_scale(v3_cross(e[1], e[2]), 1 / six);
  t.row.rest.y[1] = v3_scale(v3_cross(e[2], e[0]), 1 / six);
  t.row.rest.y[2] = v3_scale(v3_cross(e[0], e[1]), 1 / six);
  t.row.masses = s3_scaled_identity(0);
  vec3 y[4] = {v3(0, 0, 0), t.row.rest.y[0], t.row.rest.y[1], t.row.rest.y[2]};
  for (int s = 1; s < 4; ++s) y[0] = v3_sub(y[0], y[s]);
  for (int s = 0; s < 4; ++s) {
    t.w[s] = 1 + 0.5f * noise();
    t.now[s] = v3_mad(noise.vec(), by, t.rest[s]);
    t.row.masses = s3_mad(s3_outer(y[s], 0), t.w[s], t.row.masses);
  }
  t.row.mu = 0.7f, t.row.lambda = 1.9f, t.row.rho = 0;
  return t;
}

// The energies of the multilevel solver: there is one of each material.
double energyOf(mat3 f, int material) { return soft_isotropic(svd3_of(f).s, 0.7f, 1.9f, material).energy; }

void expectGradient(int material, mat3 f, mat3 p) {
  const float step = 1e-2f;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      const auto moved = [&](float by) {
        mat3 g = f;
        (r == 0 ? g.c[c].x : r == 1 ? g.c[c].y : g.c[c].z) += by;
        return energyOf(g, material);
      };
      // fourth order: floats leave no room for small steps
      const double slope =
          (8 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12 * step);
      EXPECT_NEAR(r == 0 ? p.c[c].x : r == 1 ? p.c[c].y : p.c[c].z, slope, 2e-3);
    }
}

TEST(TetRows, StressIsTheGradientOfTheEnergy) {
  Noise noise;
  for (int k = 0; k < 40; ++k) {
    mat3 f = noise.nearIdentity(k < 20 ? 0.4f : 0.1f);
    if (k >= 20) f.c[1] = v3_scale(f.c[1], 0.075f);  // where the guard pushes
    if (k % 4 == 3) f.c[0] = v3_scale(f.c[0], -1);   // inside out
    expectGradient(RE_NEOHOOKEAN, f, tet_neohookean(f, 0.7f, 1.9f).p);
    if (k % 4 != 3) expectGradient(RE_COROTATED, f, tet_corotated(f, 0.7f, 1.9f).p);
  }
}

TEST(TetRows, TurningLeavesNoStress) {
  Noise noise;
  for (int k = 0; k < 20; ++k) {
    const mat3 r = svd3_rotation(svd3_of(noise.nearIdentity(1.0f)));
    for (const tet_stress& s : {tet_neohookean(r, 0.7f, 1.9f), tet_corotated(r, 0.7f, 1.9f)})
      EXPECT_LT(std::sqrt(m3_dot(s.p, s.p)), 3e-5f);
  }
}

// The quick way to the rotation agrees with the way by singular values, also where it has to give up.
TEST(TetRows, RotationIsTheNearest) {
  Noise noise;
  for (int k = 0; k < 2000; ++k) {
    mat3 f = noise.nearIdentity(k % 3 == 0 ? 0.2f : 1.5f);
    if (k % 7 == 0) f.c[2] = v3_mad(f.c[0], 0.5f, f.c[1]);  // flat
    const mat3 off = m3_sub(tet_polar_of(f).rotation, svd3_rotation(svd3_of(f)));
    EXPECT_LT(std::sqrt(m3_dot(off, off)), 5e-6f);
  }
}

// All three agree for small strains: P = 2 mu e + lambda tr e.
TEST(TetRows, SmallStrainsAreHookes) {
  Noise noise;
  const float mu = 0.7f, lambda = 1.9f;
  for (int k = 0; k < 10; ++k) {
    const mat3 f = noise.nearIdentity(1e-3f);
    const mat3 d = m3_sub(f, m3(v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)));
    const float trace = d.c[0].x + d.c[1].y + d.c[2].z;
    mat3 hooke = m3_scale(m3_add(d, m3_transposed(d)), mu);
    hooke.c[0].x += lambda * trace, hooke.c[1].y += lambda * trace, hooke.c[2].z += lambda * trace;
    for (const tet_stress& s : {tet_neohookean(f, mu, lambda), tet_corotated(f, mu, lambda)}) {
      const mat3 off = m3_sub(s.p, hooke);
      EXPECT_LT(std::sqrt(m3_dot(off, off)), 3e-5f);
    }
  }
}

// algorithms.md 6.1: the energy of six rows with shear entries 4 mu is that of Green's strain.
TEST(TetRows, EnergyOfSixRows) {
  Noise noise;
  const double mu = 0.7, lambda = 1.9;
  for (int k = 0; k < 20; ++k) {
    const mat3 f = noise.nearIdentity(0.5f);
    const sym3 g = tet_green(m3_gram(f), s3_scaled_identity(1));
    const double trace = g.xx + g.yy + g.zz;
    const double squares = double{g.xx} * g.xx + double{g.yy} * g.yy + double{g.zz} * g.zz +
                           2 * (double{g.yz} * g.yz + double{g.xz} * g.xz + double{g.xy} * g.xy);
    double rows = 0.5 * lambda * trace * trace;
    rows += 0.5 * 2 * mu * (double{g.xx} * g.xx + double{g.yy} * g.yy + double{g.zz} * g.zz);
    rows += 0.5 * 4 * mu * (double{g.yz} * g.yz + double{g.xz} * g.xz + double{g.xy} * g.xy);
    EXPECT_NEAR(rows, mu * squares + 0.5 * lambda * trace * trace, 1e-12);
  }
}

// What the multipliers of strain push is the transposed Jacobian, by finite differences.
TEST(TetRows, PushesAreTheGradientsOfStrain) {
  Noise noise;
  Tet t = makeTet(noise, 0.2f);
  const auto strains = [&](const vec3* x, real* out) {
    const sym3 g = tet_green(m3_gram(tet_gradient_of(x, t.row.rest)), s3_scaled_identity(1));
    const real all[6] = {g.xx, g.yy, g.zz, g.yz, g.xz, g.xy};
    std::copy(all, all + 6, out);
  };
  for (int row = 0; row < 6; ++row) {
    real one[6] = {};
    one[row] = 1;
    vec3 push[3];
    tet_pushes(m3_times(tet_gradient_of(t.now, t.row.rest), tet_stress_of(one)), t.row.rest, push);
    for (int s = 1; s < 4; ++s)
      for (int axis = 0; axis < 3; ++axis) {
        const float step = 1e-2f;  // strains are quadratic in places: central differences are exact
        vec3 x[4] = {t.now[0], t.now[1], t.now[2], t.now[3]};
        float* at = axis == 0 ? &x[s].x : axis == 1 ? &x[s].y : &x[s].z;
        real high[6], low[6];
        *at += step, strains(x, high);
        *at -= 2 * step, strains(x, low);
        const vec3 p = push[s - 1];
        EXPECT_NEAR(axis == 0 ? p.x : axis == 1 ? p.y : p.z, (high[row] - low[row]) / (2 * step), 2e-4f);
      }
  }
}

// One visit solves the six equations of the block for rows that are linear: the residual of the linearised
// block is gone.
TEST(TetRows, BlockOfSixSolvesItsEquations) {
  Noise noise;
  for (int k = 0; k < 10; ++k) {
    Tet t = makeTet(noise, 0.05f);
    real last[RE_TET_MULTIPLIERS] = {};
    for (int i = 0; i < 6; ++i) last[i] = 0.01f * noise();
    const mat3 f = tet_gradient_of(t.now, t.row.rest);
    const tet_answer a = tet_strain_step(f, f, t.row, last, 0);
    // J dx from the pushes, the derivative of strain along the step
    const mat3 df = m3_times(m3_times(f, tet_stress_of(a.step)), t.row.masses);
    const sym3 g = tet_green(m3_gram(f), s3_scaled_identity(1));
    const mat3 product = m3_product(m3_transposed(f), df);
    const float mu = t.row.mu, lambda = t.row.lambda;
    const float young = mu * (3 * lambda + 2 * mu) / (lambda + mu), nu = lambda / (2 * (lambda + mu));
    float p[6];
    for (int i = 0; i < 6; ++i) p[i] = last[i] + a.step[i];
    EXPECT_NEAR(g.xx + product.c[0].x + (p[0] - nu * (p[1] + p[2])) / young, 0, 2e-6f);
    EXPECT_NEAR(g.zz + product.c[2].z + (p[2] - nu * (p[0] + p[1])) / young, 0, 2e-6f);
    EXPECT_NEAR(g.xy + 0.5f * (product.c[0].y + product.c[1].x) + p[5] / (4 * mu), 0, 2e-6f);
    EXPECT_NEAR(g.yz + 0.5f * (product.c[1].z + product.c[2].y) + p[3] / (4 * mu), 0, 2e-6f);
  }
}

// Visits of one tetrahedron alone end where its multiplier is its stress.
TEST(TetRows, VisitsConvergeToTheStress) {
  Noise noise;
  for (int k = 0; k < 12; ++k) {
    Tet t = makeTet(noise, k % 3 == 2 ? 0.8f : 0.3f);
    mat3 f = tet_gradient_of(t.now, t.row.rest);
    const mat3 begin = f;
    mat3 q = m3(v3(0, 0, 0), v3(0, 0, 0), v3(0, 0, 0));
    real last[RE_TET_MULTIPLIERS] = {};
    float error = 0;
    for (int visit = 0; visit < 100; ++visit) {
      const tet_answer a = tet_gradient_step(k % 2 ? RE_COROTATED : RE_NEOHOOKEAN, f, f, t.row, last, 0);
      for (int i = 0; i < 9; ++i) last[i] += a.step[i];
      q = m3_add(q, a.impulse);
      f = m3_add(begin, m3_times(q, t.row.masses));
      error = std::sqrt(a.error2);
    }
    EXPECT_LT(error, 1e-5f) << k;
    EXPECT_GT(m3_det(f), 0) << k;
  }
}

}  // namespace repose
