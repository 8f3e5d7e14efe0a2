// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What fabrics ask of the multilevel solver: its formulas against finite differences of their energies,
// damping, folds and rest scales against closed forms, and the same bits everywhere.
#include <array>
#include <cmath>
#include <random>

#include "base/hash.h"
#include "garment_scene.h"
#include "kernel/lane1.h"
#include "model/build.h"
#include "solve/workspace.h"

namespace repose {

namespace {

using Place = std::array<double, 3>;

double dotOf(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Place crossOf(const Place& a, const Place& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Place minus(const Place& a, const Place& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double partOf(const Vec4f& p, int k) { return k == 0 ? p.x : k == 1 ? p.y : p.z; }

// Points of a kernel in two parts, x + off, as the solver has them.
template <int N>
struct SplitPoints {
  Vec4f x[N], off[N];

  SplitPoints(std::mt19937& random, const std::array<Place, N>& around, float noise) {
    std::uniform_real_distribution<float> far(-noise, noise), near(-1e-3f, 1e-3f);
    for (int p = 0; p < N; ++p) {
      x[p] = {static_cast<float>(around[p][0]) + far(random), static_cast<float>(around[p][1]) + far(random),
              static_cast<float>(around[p][2]) + far(random), 1};
      off[p] = {near(random), near(random), near(random), 0};
    }
  }
  std::array<Place, N> sum() const {
    std::array<Place, N> all;
    for (int p = 0; p < N; ++p)
      for (int k = 0; k < 3; ++k) all[p][k] = partOf(x[p], k) + partOf(off[p], k);
    return all;
  }
};

// The derivative of an energy by coordinate c of its N points, by central differences.
template <std::size_t N, class Energy>
double slope(std::array<Place, N> at, int c, const Energy& energy, double step = 1e-6) {
  double& place = at[c / 3][c % 3];
  const double here = place;
  place = here + step;
  const double up = energy(at);
  place = here - step;
  return (up - energy(at)) / (2 * step);
}

// Whether a symmetric n x n matrix has no eigenvalue below -least: its shifted Cholesky pivots are positive.
bool positive(std::vector<double> a, int n, double least) {
  for (int k = 0; k < n; ++k) {
    a[k * n + k] += least;
    for (int j = 0; j < k; ++j) a[k * n + k] -= a[k * n + j] * a[k * n + j];
    if (!(a[k * n + k] > 0)) return false;
    const double pivot = std::sqrt(a[k * n + k]);
    for (int i = k + 1; i < n; ++i) {
      for (int j = 0; j < k; ++j) a[i * n + k] -= a[i * n + j] * a[k * n + j];
      a[i * n + k] /= pivot;
    }
  }
  return true;
}

lane1::vec3 laneOf(const Place& d) {
  return {static_cast<float>(d[0]), static_cast<float>(d[1]), static_cast<float>(d[2])};
}

}  // namespace

TEST(MultilevelKernels, SpringsPullByTheSlopeOfTheirEnergy) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-1, 1);
  const double k = 30;
  for (int trial = 0; trial < 200; ++trial) {
    const double rest = 0.2 + 0.8 * std::abs(noise(random));
    const Place d = {noise(random), noise(random), noise(random)};
    const double l = std::sqrt(dotOf(d, d));
    if (l < 0.1) continue;
    const auto energy = [&](const Place& at) {
      const double c = std::sqrt(dotOf(at, at)) - rest;
      return 0.5 * k * c * c;
    };
    const lane1::ml_spring s =
        lane1::ml_spring_at(laneOf(d), static_cast<float>(rest), static_cast<float>(k));
    EXPECT_NEAR(s.energy, energy(d), 1e-5);
    const Place n = {d[0] / l, d[1] / l, d[2] / l};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(s.pull * d[i],
                  slope(std::array<Place, 1>{d}, i, [&](const auto& at) { return energy(at[0]); }), 2e-4);
      // the second derivatives k n n^T + k (1 - rest/l) (1 - n n^T), of which nothing negative is taken
      for (int j = 0; j < 3; ++j) {
        const double across = k * std::max(1 - rest / l, 0.0), unit = i == j ? 1 : 0;
        EXPECT_NEAR(s.axial * n[i] * n[j] + s.across * unit, k * n[i] * n[j] + across * (unit - n[i] * n[j]),
                    1e-4);
      }
    }
    EXPECT_GE(s.axial, -1e-5f);
    EXPECT_GE(s.across, 0.0f);
    // a rope of the same length: that spring when it is tight, nothing when it is slack
    const lane1::ml_spring rope =
        lane1::ml_spring_at(laneOf(d), static_cast<float>(-rest), static_cast<float>(k));
    const float tight = l > rest ? 1.0f : 0.0f;
    EXPECT_EQ(rope.energy, tight * s.energy);
    EXPECT_EQ(rope.pull, tight * s.pull);
    EXPECT_EQ(rope.axial, tight * s.axial);
    EXPECT_EQ(rope.across, tight * s.across);
  }
}

TEST(MultilevelKernels, DampingIsASpringToTheStart) {
  // 1/2 k (c^2 + rho (l - l_start)^2) is (1 + rho) k around the damped rest, but for a constant
  const float rest = 0.7f, start = 1.1f, rho = 0.4f;
  const float damped = lane1::ml_damped_rest(rest, rho, start);
  const auto twice = [&](double l) {
    return (l - rest) * (l - rest) + rho * (l - start) * (l - start) -
           (1 + rho) * (l - damped) * (l - damped);
  };
  for (const double l : {0.3, 0.9, 1.4}) EXPECT_NEAR(twice(l), twice(1), 1e-6);
}

namespace {

struct OneMembrane {
  static constexpr float kWarp[3] = {-1.25f, 1.5f, -0.25f}, kWeft[3] = {-0.5f, -0.75f, 1.25f};
  static constexpr float kStiffness[4] = {3, 2, 0.7f, 0.5f};
  float rest[4] = {0.9f, 1.1f, 1, 1};
  Vec4f push[3];
  float block[18];

  void pull(const SplitPoints<3>& at) {
    const int corner[3] = {0, 1, 2};
    lane1::ml_membrane_item(0, at.x, at.off, corner, kWarp, kWeft, rest, kStiffness, nullptr, push, block, 1,
                            3, 1, 0);
  }
  void judge(const SplitPoints<3>& at, const Vec4f* step) {
    const int corner[3] = {0, 1, 2};
    lane1::ml_membrane_item(0, at.x, at.off, corner, kWarp, kWeft, rest, kStiffness, step, push, block, 1, 3,
                            0, 1);
  }
  double energy(const std::array<Place, 3>& at) const {
    double sum = 0;
    for (int f = 0; f < 4; ++f) {
      Place fibre{};
      for (int s = 0; s < 3; ++s) {
        const double u = kWarp[s], v = kWeft[s], half = std::sqrt(0.5);
        const double w = f == 0 ? u : f == 1 ? v : f == 2 ? (u + v) * half : (u - v) * half;
        for (int k = 0; k < 3; ++k) fibre[k] += w * at[s][k];
      }
      const double c = std::sqrt(dotOf(fibre, fibre)) - rest[f];
      sum += 0.5 * kStiffness[f] * c * c;
    }
    return sum;
  }
  // 9 x 9 from the blocks of the edges 01, 12 and 20
  std::vector<double> matrix() const {
    std::vector<double> a(81, 0.0);
    const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int e = 0; e < 3; ++e) {
      const int p = e, q = (e + 1) % 3;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const double b = block[place[i][j] * 3 + e];
          a[(3 * p + i) * 9 + 3 * p + j] += b, a[(3 * q + i) * 9 + 3 * q + j] += b;
          a[(3 * p + i) * 9 + 3 * q + j] -= b, a[(3 * q + i) * 9 + 3 * p + j] -= b;
        }
    }
    return a;
  }
};

constexpr std::array<Place, 3> kTriangle = {{{0, 0, 0}, {0.7, 0.1, 0.2}, {0.2, -0.3, 0.9}}};

}  // namespace

TEST(MultilevelKernels, MembranePushesAreTheGradientOfItsEnergy) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    OneMembrane m;
    const SplitPoints<3> points(random, kTriangle, 0.5f);
    m.pull(points);
    const auto energy = [&](const std::array<Place, 3>& at) { return m.energy(at); };
    EXPECT_NEAR(m.push[0].w + m.push[1].w + m.push[2].w, energy(points.sum()), 1e-5);
    for (int c = 0; c < 9; ++c)
      EXPECT_NEAR(partOf(m.push[c / 3], c % 3), slope(points.sum(), c, energy), 2e-5) << trial << " " << c;
  }
}

TEST(MultilevelKernels, MembraneMatrixIsPositiveAndTrueWhereAllIsTight) {
  std::mt19937 random(3);
  int tight = 0;
  for (int trial = 0; trial < 200; ++trial) {
    OneMembrane m;
    if (trial % 2)  // every fibre is longer than that
      for (float& r : m.rest) r = 0.05f;
    const SplitPoints<3> points(random, kTriangle, trial % 2 ? 0.2f : 0.8f);
    m.pull(points);
    const std::vector<double> a = m.matrix();
    EXPECT_TRUE(positive(a, 9, 1e-5)) << trial;
    if (trial % 2 == 0) continue;
    ++tight;
    for (int r = 0; r < 9; ++r)
      for (int c = 0; c < 9; ++c) {
        const auto row = [&](const std::array<Place, 3>& at) {
          return slope(
              at, r, [&](const std::array<Place, 3>& there) { return m.energy(there); }, 1e-4);
        };
        EXPECT_NEAR(a[r * 9 + c], slope(points.sum(), c, row, 1e-4), 1e-3) << trial << " " << r << " " << c;
      }
  }
  EXPECT_EQ(tight, 100);
}

TEST(MultilevelKernels, HingePushesAreTheGradientOfItsEnergy) {
  constexpr std::array<Place, 4> kHinge = {{{0.6, 0.1, 0.5}, {-0.5, 0.2, 0.4}, {0, 0, 0}, {0, 0.1, 1}}};
  std::mt19937 random(4);
  const float stiffness = 1.3f, bend = 0.6f;
  for (int trial = 0; trial < 200; ++trial) {
    const SplitPoints<4> points(random, kHinge, 0.2f);
    const float rest = 0.3f * static_cast<float>(trial % 7 - 3);
    const int corner[4] = {0, 1, 2, 3};
    Vec4f push[4];
    lane1::ml_hinges_item(0, points.x, points.off, corner, &rest, nullptr, &stiffness, nullptr, push, 0, 1, 1,
                          0, bend);
    const auto energy = [&](const std::array<Place, 4>& x) {
      const Place e = minus(x[3], x[2]);
      const Place n1 = crossOf(minus(x[0], x[2]), minus(x[0], x[3]));
      const Place n2 = crossOf(minus(x[1], x[3]), minus(x[1], x[2]));
      const double angle = std::atan2(dotOf(crossOf(n1, n2), e) / std::sqrt(dotOf(e, e)), dotOf(n1, n2));
      return 0.5 * stiffness * bend * std::pow(std::remainder(angle - rest, 2 * 3.14159265358979), 2);
    };
    const double all = energy(points.sum());
    EXPECT_NEAR(push[0].w + push[1].w + push[2].w + push[3].w, all, 1e-5 * (1 + all)) << trial;
    for (int c = 0; c < 12; ++c) {
      const double expected = slope(points.sum(), c, energy);
      EXPECT_NEAR(partOf(push[c / 3], c % 3), expected, 1e-4 * (1 + std::abs(expected))) << trial << " " << c;
    }
  }
}

// Judging a step, both tell by how much the energy lies above or below the quadratic model of their own
// matrix.
TEST(MultilevelKernels, MembraneJudgesAStepByItsMatrix) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 100; ++trial) {
    OneMembrane m;
    SplitPoints<3> points(random, kTriangle, 0.3f);
    m.pull(points);
    const SplitPoints<3> step(random, {}, 0.1f);
    const std::vector<double> a = m.matrix();
    double model = m.energy(points.sum());
    for (int r = 0; r < 9; ++r) {
      const double way = partOf(step.x[r / 3], r % 3);
      model += partOf(m.push[r / 3], r % 3) * way;
      for (int c = 0; c < 9; ++c) model += 0.5 * way * a[r * 9 + c] * partOf(step.x[c / 3], c % 3);
    }
    for (int p = 0; p < 3; ++p) {
      points.off[p].x += step.x[p].x, points.off[p].y += step.x[p].y, points.off[p].z += step.x[p].z;
    }
    m.judge(points, step.x);
    double missed = 0;
    for (const Vec4f& p : m.push) {
      EXPECT_GE(p.x, 0.0f);
      EXPECT_GE(p.y, 0.0f);
      missed += p.x - p.y;
    }
    EXPECT_NEAR(missed, m.energy(points.sum()) - model, 1e-5) << trial;
  }
}

TEST(MultilevelKernels, HingeJudgesAStepByItsMatrix) {
  constexpr std::array<Place, 4> kHinge = {{{0.6, 0.1, 0.5}, {-0.5, 0.2, 0.4}, {0, 0, 0}, {0, 0.1, 1}}};
  std::mt19937 random(6);
  const float stiffness = 1.3f, bend = 0.6f, rest = 0.2f, weight[4] = {2, 1.8f, -1.7f, -2.1f};
  const int corner[4] = {0, 1, 2, 3};
  for (int trial = 0; trial < 100; ++trial) {
    SplitPoints<4> points(random, kHinge, 0.1f);
    const SplitPoints<4> step(random, {}, 0.05f);
    Vec4f push[4];
    const auto run = [&](int assembling) {
      lane1::ml_hinges_item(0, points.x, points.off, corner, &rest, weight, &stiffness, step.x, push, 0, 1,
                            assembling, !assembling, bend);
    };
    run(1);
    double model = 0;
    Place flat{};
    for (int c = 0; c < 12; ++c) {
      const double way = partOf(step.x[c / 3], c % 3);
      model += partOf(push[c / 3], c % 3) * way;
      flat[c % 3] += weight[c / 3] * way;
    }
    model += 0.5 * stiffness * bend * dotOf(flat, flat);
    for (const Vec4f& p : push) model += p.w;
    for (int p = 0; p < 4; ++p) {
      points.off[p].x += step.x[p].x, points.off[p].y += step.x[p].y, points.off[p].z += step.x[p].z;
    }
    run(0);
    double missed = 0, energy = 0;
    for (const Vec4f& p : push) missed += p.x - p.y, energy += p.w;
    EXPECT_NEAR(missed, energy - model, 2e-5) << trial;
  }
}

namespace {

// The farthest that a point 1 of a model strays from implicit Euler of a damped spring along an axis.
double strayOf(Built built, int axis, double rest, double k, double damping, const ClothParams& cloth) {
  const double m = 1 / built.model.inv_mass[1], h = 0.01;
  built.state.x_low.resize(built.state.x.size());
  StepParams params;
  params.h = static_cast<float>(h);
  params.world.gravity = {};
  params.world.airdensity = 0;
  params.solver.method = SolverMethod::multilevel;
  params.cloth = {cloth};
  for (const ModelPin& pin : built.model.pins) params.pin_targets.push_back(xyz(built.state.x[pin.point]));
  Workspace work(built.model, params);
  const auto backend = makeTbbBackend(1);
  double x = partOf(built.state.x[1], axis) - rest, v = 0, stray = 0;
  for (int n = 0; n < 200; ++n) {
    StageSeconds seconds{};
    step(built.model, built.state, params, work, *backend, seconds);
    v = (v - h * k * x / m) / (1 + h * h * k / m + h * k * damping / m);
    x += h * v;
    stray = std::max(stray, std::abs(partOf(built.state.x[1], axis) - rest - x));
  }
  return stray;
}

}  // namespace

TEST(MultilevelFabric, FibresAreDampedByStiffnessTimesTheirTime) {
  // the third corner of a triangle on a warp of 40 N/m times the area 1/2
  for (const float damping : {0.0f, 0.05f}) {
    ModelBuilder builder;
    builder.beginBody("fibre");
    builder.addPoints({{0, 0, 0}, {1.1f, 0, 0}, {0, 0, 1}}, {1, 2, 1}, {}, {0, 1, 2});
    builder.pin(0, 0, 0);
    builder.pin(2, 0, 0);
    const int corner[3] = {0, 1, 2};
    const float warp[3] = {-1, 1, 0}, weft[3] = {-1, 0, 1};
    builder.addMembrane(corner, warp, weft, 0.5f, 0.5f);
    builder.endBody();
    ClothParams cloth;
    cloth.stretchstiffness = 40;
    cloth.shearstiffness = 0;
    cloth.stretchdamping = damping;
    EXPECT_LT(strayOf(builder.finish(), 0, 1, 20, damping, cloth), 3e-4) << damping;
  }
}

TEST(MultilevelFabric, HingesAreDampedByStiffnessTimesTheirTime) {
  // a wing 1/2 m wide that flaps by a centimetre: its angle is 2 y, so a spring of 4 B along y
  for (const BendModel bend : {BendModel::quadratic, BendModel::dihedral})
    for (const float damping : {0.0f, 0.05f}) {
      ModelBuilder builder;
      builder.beginBody("wing");
      builder.addPoints({{-0.5f, 0, 0.5f}, {0.5f, 0.01f, 0.5f}, {0, 0, 0}, {0, 0, 1}}, {1, 2, 1, 1}, {},
                        {0, 1, 2, 3});
      for (const int p : {0, 2, 3}) builder.pin(p, 0, 0);
      const int corner[4] = {1, 0, 2, 3};
      const float weight[4] = {2, 2, -2, -2};
      builder.addHinge(bend, corner, weight, 0, 1);
      builder.endBody();
      ClothParams cloth;
      cloth.bendmodel = bend;
      cloth.bendstiffness = 5;
      cloth.benddamping = damping;
      EXPECT_LT(strayOf(builder.finish(), 1, 0, 20, damping, cloth), 1e-4)
          << static_cast<int>(bend) << " " << damping;
    }
}

TEST(MultilevelFabric, DihedralHingesComeBackToTheirRestAngle) {
  // two quads, folded by 60 degrees at rest, flat at the start, one half held
  for (const Membrane membrane : {Membrane::springs, Membrane::triangles}) {
    Scene scene = sceneOf(makeGrid(2, 1, 1, 0.5f));
    scene.world.base.gravity = {};
    scene.solver.base.method = SolverMethod::multilevel;
    Body& body = scene.bodies[0];
    body.rest_points = body.geometry.points;
    for (Vec3f& p : body.rest_points)
      if (p.x > 0.75f) p = {0.75f, 0.5f * std::sqrt(0.75f), p.z};
    body.cloth.base.membrane = membrane;
    body.cloth.base.bendmodel = BendModel::dihedral;
    body.cloth.base.bendstiffness = 1;
    body.cloth.base.veldamping = 20;
    body.pins.push_back({"half", {0, 1, 3, 4}, {}, false});
    auto simulation = start(scene);
    advanceFrames(*simulation, 72);
    BodyView view;
    simulation->readBody(0, view);
    const Vec3f arm = view.positions[2] - view.positions[1];
    EXPECT_NEAR(std::atan2(arm.y, arm.x) * 180 / 3.14159265, 60, 0.5) << static_cast<int>(membrane);
  }
}

// A membrane of 2 x 2 m on two corners, at 2 substeps of 1/60 s.
TEST(MultilevelFabric, StiffTrianglesKeepTheirLengthWhateverTheirPinsDo) {
  for (const bool at_once : {false, true}) {
    Scene scene = sceneOf(makeGrid(49, 49, 2, 2));
    scene.world.base.fps = 60;
    scene.world.base.substeps = 2;
    scene.solver.base.method = SolverMethod::multilevel;
    scene.solver.base.cycles = 20;
    ClothParams& cloth = scene.bodies[0].cloth.base;
    cloth.membrane = Membrane::triangles;
    cloth.stretchstiffness = 2e6f;
    cloth.shearstiffness = 1000;
    cloth.bendstiffness = 1e-5f;
    Pin pin{"corners", {0, 49}, {}, false};
    for (int k = 0; k <= 120 && !at_once; ++k)
      pin.translate.keys.push_back(
          {1 + 0.5 * k, {0, 0, 0.3f * (1 - std::cos(static_cast<float>(k) * 6.2831853f / 120))}});
    if (at_once) pin.translate.keys = {{1, {}}, {61, {0, 0, 1.9f}}};  // 1.9 m/s from the first step on
    scene.bodies[0].pins.push_back(pin);
    auto simulation = start(scene);
    StepReport report;
    float worst = 0;
    for (int f = 0; f < 40; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      worst = std::max(worst, report.residual);
    }
    EXPECT_LT(worst, at_once ? 0.05f : 0.01f);
  }
}

// A heavy soft sheet drops onto its limit of 10 %, held along its top or by two corners.
TEST(MultilevelFabric, LimitsHoldSoftTrianglesToo) {
  for (const Membrane membrane : {Membrane::springs, Membrane::triangles})
    for (const bool corners : {false, true}) {
      Scene scene = sceneOf(makeGrid(8, 8, 1, 1));
      scene.solver.base.method = SolverMethod::multilevel;
      ClothParams& cloth = scene.bodies[0].cloth.base;
      cloth.membrane = membrane;
      cloth.density = 2;
      cloth.stretchstiffness = 100;
      cloth.shearstiffness = 25;
      cloth.strainlimit = 0.1f;
      Pin pin{"top", {0, 8}, {}, false};
      for (int i = 1; i < 8 && !corners; ++i) pin.points.push_back(i);
      scene.bodies[0].pins.push_back(pin);
      auto simulation = start(scene);
      StepReport report;
      float worst = 0;
      for (int f = 0; f < 36; ++f) {
        ASSERT_TRUE(simulation->advance(1, report).ok());
        worst = std::max(worst, report.residual);
      }
      EXPECT_LT(worst, 0.103f) << static_cast<int>(membrane) << " " << corners;
      EXPECT_GT(worst, 0.099f) << static_cast<int>(membrane) << " " << corners;
    }
}

// A sheet that is flat at rest springs open from a right angle: its motion has no more than 1/2 B angle^2 of
// each of the edges of the fold, however stiff it is.
TEST(MultilevelFabric, AFoldGivesNoMoreThanItsEnergy) {
  for (const float bend : {1e-3f, 1.0f, 100.0f}) {
    Scene scene = sceneOf(makeGrid(8, 8, 1, 1));
    scene.world.base.gravity = {};
    scene.solver.base.method = SolverMethod::multilevel;
    Body& body = scene.bodies[0];
    body.rest_points = body.geometry.points;
    for (Vec3f& p : body.geometry.points)
      if (p.x > 0.5f) p = {0.5f, p.x - 0.5f, p.z};
    body.cloth.base.bendmodel = BendModel::dihedral;
    body.cloth.base.bendstiffness = bend;
    const double most = 8 * 0.5 * bend * 1.5708 * 1.5708;
    auto simulation = start(scene);
    StepReport report;
    double fastest = 0;
    for (int f = 0; f < 48; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      fastest = std::max(fastest, report.kinetic_energy);
    }
    EXPECT_LT(fastest, 1.01 * most) << bend;
    if (bend < 0.1f) {
      EXPECT_GT(fastest, 0.1 * most);
      continue;
    }
    BodyView view;  // stiff ones come to rest within a few steps
    simulation->readBody(0, view);
    EXPECT_NEAR(length(view.positions[8] - view.positions[0]), 1, 2e-3) << bend;
  }
}

TEST(MultilevelFabric, SameBitsForEveryThreadCountAndInstructionSet) {
  const Scene scene = fabricScene(24, SolverMethod::multilevel);
  std::string expected;
  for (const Isa isa : supportedIsas())
    for (const int threads : {1, 2, 3, 7}) {
      auto simulation = Simulation::create(scene, makeTbbBackend(threads, isa));
      ASSERT_TRUE(simulation.ok());
      advanceFrames(**simulation, 8);
      const std::string hash = hexHash((*simulation)->stateHash());
      if (expected.empty()) expected = hash;
      EXPECT_EQ(hash, expected) << isaName(isa) << ", " << threads << " threads";
    }
}

}  // namespace repose
