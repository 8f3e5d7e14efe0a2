// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth against closed forms and conservation laws.
#include <gtest/gtest.h>

#include <cmath>

#include "model/build.h"
#include "scenes.h"
#include "solve/workspace.h"

namespace repose {

BodyView look(const Simulation& simulation) {
  BodyView view;
  simulation.readBody(0, view);
  return view;
}

Vec3f mean(const std::vector<Vec3f>& points) {
  Vec3f sum;
  for (const Vec3f p : points) sum += p;
  return sum * (1.0f / static_cast<float>(points.size()));
}

TEST(ClothPhysics, FreeClothFallsLikeAStone) {
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    Scene scene = sceneOf(makeGrid(8, 8, 1, 1));
    scene.solver.base.method = method;
    auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 24; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    // semi-implicit Euler: y = -g h^2 n (n + 1) / 2
    const double n = 24 * 4, h = 1.0 / n;
    EXPECT_NEAR(mean(look(*simulation).positions).y, -9.81 * h * h * n * (n + 1) / 2, 1e-3);
    EXPECT_LT(report.residual, 1e-4f);
  }
}

TEST(ClothPhysics, FreeClothKeepsMomentum) {
  // velocities that stretch, shear and bend it; no gravity, no air
  Scene scene = sceneOf(makeGrid(10, 10, 1, 1));
  scene.world.base.gravity = {};
  scene.bodies[0].cloth.base.stretchstiffness = 500;
  Geometry& g = scene.bodies[0].geometry;
  for (std::size_t p = 0; p < g.points.size(); ++p)  // crumpled rest shape: rows are not aligned
    g.points[p].y = 0.05f * std::sin(7.0f * static_cast<float>(p));
  scene.bodies[0].velocity = {1, 2, -0.5f};
  for (const SolverMethod method :
       {SolverMethod::gauss_seidel, SolverMethod::accelerated_jacobi, SolverMethod::multilevel}) {
    scene.solver.base.method = method;
    Result<Built> built = buildModel(scene);
    ASSERT_TRUE(built.ok());
    // stretch it by hand, then measure the momentum m v of all points
    auto simulation = start(scene);
    const auto momentum = [&] {
      const BodyView view = look(*simulation);
      double p[3] = {}, m = 0;
      for (int i = 0; i < built->model.numPoints(); ++i) {
        if (built->model.source[i] < 0) continue;
        const double mass = 1 / built->model.inv_mass[i];
        const Vec3f v = view.velocities[built->model.source[i]];
        for (int k = 0; k < 3; ++k) p[k] += mass * v[k];
        m += mass;
      }
      return std::array<double, 3>{p[0] / m, p[1] / m, p[2] / m};
    };
    StepReport report;
    for (int f = 0; f < 12; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    const auto after = momentum();
    EXPECT_NEAR(after[0], 1, 2e-3);
    EXPECT_NEAR(after[1], 2, 2e-3);
    EXPECT_NEAR(after[2], -0.5, 2e-3);
  }
}

// One heavy point on a spring from a pin: the implicit Euler step of algorithms.md 2.3.
TEST(ClothPhysics, SpringFollowsImplicitEuler) {
  for (const SolverMethod method : {SolverMethod::gauss_seidel, SolverMethod::jacobi,
                                    SolverMethod::accelerated_jacobi, SolverMethod::multilevel})
    for (const float rho_d : {0.0f, 0.05f}) {
      const double m = 2, k = 300, x0 = 0.1, h = 0.01;
      ModelBuilder builder;
      builder.beginBody("spring");
      builder.addPoints({{0, 0, 0}, {1, 0, 0}}, {1, static_cast<float>(m)}, {}, {0, 1});
      builder.pin(0, 0, 0);
      builder.addDistance(RowKind::stretch, 0, 1, 1, 1);
      builder.endBody();
      Built built = builder.finish();
      built.state.x[1].x = static_cast<float>(1 + x0);
      StepParams params;
      params.h = static_cast<float>(h);
      params.world.gravity = {};
      params.world.airdensity = 0;
      params.solver.method = method;
      params.solver.iterations = 400;
      params.solver.omega = method == SolverMethod::jacobi ? 1.0f : 0.0f;
      params.cloth.resize(1);
      params.cloth[0].stretchstiffness = static_cast<float>(k);
      params.cloth[0].stretchdamping = rho_d;
      params.pin_targets = {{0, 0, 0}};
      if (method == SolverMethod::multilevel) built.state.x_low.resize(built.state.x.size());
      Workspace work(built.model, params);
      const auto backend = makeTbbBackend(1);
      double x = x0, v = 0;
      for (int n = 0; n < 200; ++n) {
        StageSeconds seconds{};
        step(built.model, built.state, params, work, *backend, seconds);
        v = (v - h * k * x / m) / (1 + h * h * k / m + h * k * rho_d / m);
        x += h * v;
        ASSERT_NEAR(built.state.x[1].x - 1, x, 3e-4) << "step " << n << " rho_d " << rho_d;
      }
    }
}

TEST(ClothPhysics, FlatClothFallsAtItsTerminalSpeed) {
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    // drag of a plate: rho/2 cn v^2 = density g
    Scene scene = sceneOf(makeGrid(6, 6, 1, 1));
    scene.solver.base.method = method;
    scene.world.base.airdensity = 1.2f;
    scene.bodies[0].cloth.base.normaldrag = 1;
    scene.bodies[0].cloth.base.density = 0.1f;
    auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 48; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    EXPECT_NEAR(mean(look(*simulation).velocities).y, -std::sqrt(0.1 * 9.81 * 2 / 1.2), 0.01);
  }
}

TEST(ClothPhysics, NoWindOvershootsOnTheLightestCloth) {
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    Scene scene = sceneOf(makeGrid(6, 6, 1, 1));
    scene.solver.base.method = method;
    scene.world.base.gravity = {};
    scene.world.base.airdensity = 1.2f;
    scene.world.base.wind = {0, 150, 0};
    scene.bodies[0].cloth.base.density = 1e-3f;
    auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 24; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      EXPECT_LE(report.max_speed, 150.01f);
    }
    EXPECT_GT(report.max_speed, 140);
  }
}

// A strip clamped at one end, its tip after it came to rest.
constexpr double kStripLength = 0.2, kStripStiffness = 0.02, kStripDensity = 0.2;

double tipSag(int cells_long, BendModel bend, SolverMethod method) {
  const auto strip = static_cast<float>(kStripLength);
  Scene scene = sceneOf(makeGrid(cells_long, 2 * cells_long, strip, 2 * strip));
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.density = static_cast<float>(kStripDensity);
  cloth.bendmodel = bend;
  cloth.bendstiffness = static_cast<float>(kStripStiffness);
  cloth.veldamping = 6;
  scene.world.base.substeps = 60;
  scene.solver.base.method = method;
  Pin clamp;
  const std::vector<Vec3f>& points = scene.bodies[0].geometry.points;
  for (std::size_t p = 0; p < points.size(); ++p)
    if (points[p].x < 1.01f * strip / static_cast<float>(cells_long))
      clamp.points.push_back(static_cast<int>(p));
  scene.bodies[0].pins.push_back(clamp);
  auto simulation = start(scene);
  StepReport report;
  for (int f = 0; f < 36; ++f) EXPECT_TRUE(simulation->advance(1, report).ok());
  double sag = 0;
  int tips = 0;
  const BodyView view = look(*simulation);
  for (std::size_t p = 0; p < points.size(); ++p)
    if (points[p].x > 0.999f * strip) sag -= view.positions[p].y, ++tips;
  return sag / tips;
}

TEST(ClothPhysics, BendingIsThatOfABeamAtAnyResolution) {
  for (const SolverMethod method : {SolverMethod::gauss_seidel, SolverMethod::multilevel})
    for (const BendModel bend : {BendModel::quadratic, BendModel::dihedral})
      for (const int cells : {4, 8}) {
        // hinges at k a from the tip turn by moment * a / B, moment = w (k a)^2 / 2: the beam w L^4 / (8 B)
        // in steps
        const double a = kStripLength / cells;
        double beam = 0;
        for (int k = 1; k < cells; ++k)
          beam += kStripDensity * 9.81 * std::pow(k * a, 3) * a / (2 * kStripStiffness);
        EXPECT_NEAR(tipSag(cells, bend, method) / beam, 1, 0.2)
            << "method " << static_cast<int>(method) << " cells " << cells << " model "
            << static_cast<int>(bend);
      }
}

TEST(ClothPhysics, ToleranceStopsEarlyAndSaysWhenItIsMissed) {
  Scene scene = sceneOf(makeGrid(20, 20, 1, 1));
  scene.bodies[0].pins.push_back({"corners", {0, 20}, {}, false});
  scene.solver.base.iterations = 400;
  scene.solver.base.tolerance = 0.05f;
  auto simulation = start(scene);
  StepReport report;
  for (int f = 0; f < 12; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.iterations, 4 * 400);
  EXPECT_LE(report.residual, 0.05f);

  scene.solver.base.iterations = 2;
  scene.solver.base.tolerance = 1e-6f;
  simulation = start(scene);
  for (int f = 0; f < 12; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  EXPECT_FALSE(report.converged);
}

TEST(ClothPhysics, PinsFollowTheirKeys) {
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    Scene scene = sceneOf(makeGrid(10, 10, 1, 1));
    scene.solver.base.method = method;
    Pin pin;
    pin.points = {0, 10};
    pin.translate.keys = {{1, {0, 0, 0}}, {25, {0, 2.4f, 0}}};
    scene.bodies[0].pins.push_back(pin);
    auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 10; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    const BodyView view = look(*simulation);
    for (const int p : {0, 10}) {
      EXPECT_NEAR(view.positions[p].y, 1.0f, 1e-5f);   // frame 11: ten frames of 0.1 m
      EXPECT_NEAR(view.velocities[p].y, 2.4f, 1e-3f);  // 0.1 m a frame at 24 frames a second
    }
  }
}

TEST(ClothPhysics, PointAttributeScalesStiffness) {
  // two halves hang from the top; the one with a tenth of the stiffness stretches more
  Geometry g = makeGrid(8, 16, 0.5f, 1);
  for (Vec3f& p : g.points) p = {p.x, -p.z, 0};
  Attribute scale;
  scale.name = "stretchstiffness";
  scale.floats.assign(g.points.size(), 0.1f);
  Pin top;
  for (int i = 0; i <= 8; ++i) top.points.push_back(i);
  const auto sag = [&](bool scaled, SolverMethod method) {
    Scene scene = sceneOf(g);
    scene.solver.base.method = method;
    if (scaled) scene.bodies[0].geometry.attributes.push_back(scale);
    scene.bodies[0].cloth.base.stretchstiffness = 100;
    scene.bodies[0].cloth.base.shearstiffness = 0;
    scene.solver.base.iterations = 100;
    scene.bodies[0].cloth.base.veldamping = 5;
    scene.bodies[0].pins.push_back(top);
    auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 72; ++f) EXPECT_TRUE(simulation->advance(1, report).ok());
    return -1 - mean({look(*simulation).positions.back()}).y;
  };
  // a strip under its own weight: density g L^2 / (2 K)
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    EXPECT_NEAR(sag(false, method), 0.2 * 9.81 / 200, 0.1 * 0.2 * 9.81 / 200);
    EXPECT_NEAR(sag(true, method), 0.2 * 9.81 / 20, 0.15 * 0.2 * 9.81 / 20);
  }
}

TEST(ClothPhysics, BlownUpClothIsReportedWithItsPlace) {
  Scene scene = sceneOf(makeGrid(4, 4, 1, 1));
  scene.bodies[0].velocity = {3e38f, 0, 0};
  auto simulation = start(scene);
  StepReport report;
  Status status;
  for (int f = 0; f < 50 && status.ok(); ++f) status = simulation->advance(1, report);
  EXPECT_EQ(status.code(), Code::unstable);
  EXPECT_NE(status.message().find("body 'cloth', point"), std::string::npos) << status.message();
}

}  // namespace repose
