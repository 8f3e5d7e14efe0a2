// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Implicit steps by conjugate gradients without a matrix: as many iterations as with the matrix put together
// (reference.md h), closed forms, contacts between the iterations, and what the method refuses.
#include <gtest/gtest.h>

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "model/build.h"
#include "one_spring.h"
#include "scene/validate.h"
#include "scenes.h"
#include "solve/motion.h"
#include "solve/solver.h"
#include "solve/workspace.h"

namespace repose {
namespace {

using M = SolverMethod;

// The cloth of reference.md (h): 30 x 30 points, its first row held, stretch and shear springs, bending
// springs of a tenth.
struct HeldCloth {
  static constexpr int kSide = 30;
  Model model;
  State state;
  StepParams params;
  std::unique_ptr<Workspace> work;
  std::unique_ptr<Backend> backend = makeTbbBackend(1);

  HeldCloth(float stiffness, int order) {
    ModelBuilder builder;
    const float spacing = 1.6f / (kSide - 1);
    std::vector<Vec3f> points;
    std::vector<int> ids;
    for (int j = 0; j < kSide; ++j)
      for (int i = 0; i < kSide; ++i) {
        ids.push_back(j * kSide + i);
        points.push_back(
            {-0.8f + spacing * static_cast<float>(i), 0.9f, -0.2f + spacing * static_cast<float>(j)});
      }
    builder.beginBody("cloth");
    builder.addPoints(points, std::vector<float>(points.size(), 0.00222f), {}, ids);
    for (int i = 0; i < kSide; ++i) builder.pin(i, 0, 0);
    const auto add = [&](RowKind kind, int di, int dj, float k) {
      for (int j = 0; j + dj < kSide; ++j)
        for (int i = std::max(0, -di); i + std::max(0, di) < kSide; ++i)
          builder.addDistance(kind, j * kSide + i, (j + dj) * kSide + i + di,
                              spacing * std::sqrt(static_cast<float>(di * di + dj * dj)), k);
    };
    add(RowKind::stretch, 1, 0, stiffness), add(RowKind::stretch, 0, 1, stiffness);
    add(RowKind::shear, 1, 1, stiffness), add(RowKind::shear, -1, 1, stiffness);
    add(RowKind::neighbour, 2, 0, stiffness / 10), add(RowKind::neighbour, 0, 2, stiffness / 10);
    builder.endBody();
    Built built = builder.finish();
    model = std::move(built.model), state = std::move(built.state);
    params.h = 1.0f / 240;
    params.world.gravity = {0, -9.8f, 0}, params.world.airdensity = 0;
    params.solver.method = M::interleaved, params.solver.iterations = 500, params.solver.productorder = order;
    params.cloth.resize(1), params.soft.resize(1);
    params.cloth[0].stretchstiffness = params.cloth[0].shearstiffness = params.cloth[0].bendstiffness = 1;
    for (const ModelPin& pin : model.pins) params.pin_targets.push_back(points[pin.source]);
    work = std::make_unique<Workspace>(model, params);
  }

  struct Iterations {
    int free, assembled;
  };
  Iterations advance() {
    predict(model, state, params, *work, *backend);
    const int assembled = assembledIterations();
    work->prepare(model, state, params);
    const StepResult result = solveInterleaved(model, state, params, *work, *backend);
    EXPECT_TRUE(result.converged);
    integrate(model, state, params, *work, *backend);
    return {result.iterations, assembled};
  }

  // Conjugate gradients on M - h^2 K, put together in double, to the same residual.
  int assembledIterations() const {
    using Vec = Eigen::VectorXd;
    const int size = 3 * model.numPoints();
    const double h2 = double{params.h} * params.h;
    std::vector<Eigen::Triplet<double>> entries;
    Vec pull = Vec::Zero(size), way(size), mass(size);
    for (int p = 0; p < model.numPoints(); ++p)
      for (int axis = 0; axis < 3; ++axis) {
        const auto of = [axis](const Vec4f& v) { return double{axis == 0 ? v.x : axis == 1 ? v.y : v.z}; };
        way[3 * p + axis] = of(state.x[p]) - of(work->x_start[p]);
        mass[3 * p + axis] = model.inv_mass[p] > 0 ? 1.0 / model.inv_mass[p] : 0.0;
      }
    const DistanceRows& rows = model.distance;
    for (int i = 0; i < rows.size(); ++i) {
      if (!(rows.rest[i] > 0)) continue;
      const Vec4f a = work->x_start[rows.a[i]], b = work->x_start[rows.b[i]];
      const Eigen::Vector3d d(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
      const double l = d.norm(), rest = rows.rest[i], k = h2 * rows.stiffness[i];
      const Eigen::Vector3d direction = d / l;
      const double across = l >= rest ? 1 - rest / l : 0;
      const Eigen::Matrix3d block =
          k * (across * Eigen::Matrix3d::Identity() + (1 - across) * direction * direction.transpose());
      pull.segment<3>(3 * rows.a[i]) += k * (l - rest) * direction;
      pull.segment<3>(3 * rows.b[i]) -= k * (l - rest) * direction;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          for (const int me : {rows.a[i], rows.b[i]})
            for (const int other : {rows.a[i], rows.b[i]})
              entries.emplace_back(3 * me + r, 3 * other + c, me == other ? block(r, c) : -block(r, c));
    }
    Eigen::SparseMatrix<double> k(size, size);
    k.setFromTriplets(entries.begin(), entries.end());
    const auto filtered = [&](Vec v) {
      for (int e = 0; e < size; ++e)
        if (mass[e] == 0) v[e] = 0;
      return v;
    };
    Vec r = filtered(-pull - k * way), p = r;
    double rr = r.squaredNorm();
    const double enough = rr * 1e-6;
    int count = 0;
    while (rr > enough && count < 500) {
      const Vec q = filtered(mass.cwiseProduct(p) + k * p);
      const double alpha = rr / p.dot(q);
      r -= alpha * q;
      const double next = r.squaredNorm();
      p = r + (next / rr) * p;
      rr = next, ++count;
    }
    return count;
  }
};

struct Mean {
  double free = 0, assembled = 0;
  int most = 0;
};
Mean meanIterations(float stiffness, int order, int frames) {
  HeldCloth cloth(stiffness, order);
  Mean mean;
  for (int f = 0; f < frames; ++f) {
    const auto [free, assembled] = cloth.advance();
    mean.free += double(free) / frames, mean.assembled += double(assembled) / frames;
    mean.most = std::max(mean.most, free);
  }
  return mean;
}

TEST(InterleavedReference, AsManyIterationsAsWithTheMatrix) {
  for (const int order : {1, 2}) {
    const Mean soft = meanIterations(1e3f, order, 240);
    EXPECT_NEAR(soft.free, soft.assembled, 0.03 * soft.assembled);
    EXPECT_NEAR(soft.free, 27.4, 0.1 * 27.4);
    const Mean stiff = meanIterations(1e5f, order, 240);
    EXPECT_NEAR(stiff.free, stiff.assembled, 0.03 * stiff.assembled);
    EXPECT_NEAR(stiff.free, 142.4, 0.1 * 142.4);
  }
}

// One spring to a pin, pulled along itself: implicit Euler in closed form (algorithms.md 2.3).
TEST(Interleaved, ASpringIsImplicitEuler) {
  SolverParams solver;
  solver.method = M::interleaved, solver.productorder = 2;
  expectImplicitEuler(solver, 2e-4);
}

// The cloth over the torus, held on a line; contacts between the iterations.
Scene overTorus() {
  Scene scene = sceneOf(makeGrid(29, 29, 1.6f, 1.6f));
  Body& body = scene.bodies[0];
  Pin line{"line", {}, {}, false};
  for (int i = 0; i < 30; ++i) line.points.push_back(i);
  body.pins.push_back(line);
  for (Vec3f& p : body.geometry.points) p = p + Vec3f{-0.8f, 0.5f, -0.6f};
  body.cloth.base.stretchstiffness = 1000, body.cloth.base.shearstiffness = 500;
  body.cloth.base.density = 0.78f, body.cloth.base.friction = 0.3f, body.cloth.base.veldamping = 1;
  scene.world.base.fps = 24, scene.world.base.substeps = 10;
  scene.solver.base.method = M::interleaved, scene.solver.base.iterations = 100;
  Collider torus;
  torus.name = "torus", torus.shape = Collider::Shape::volume;
  torus.volume.shape = Volume::Shape::torus, torus.volume.radius = 0.5f, torus.volume.tuberadius = 0.2f;
  torus.params.base.friction = 0.3f;
  scene.colliders.push_back(torus);
  return scene;
}

TEST(Interleaved, ClothRestsOnATorus) {
  auto simulation = start(overTorus());
  StepReport report;
  float deepest = 0;
  for (int f = 0; f < 96; ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    deepest = std::max(deepest, report.max_penetration);
  }
  EXPECT_GT(report.contacts, 50);
  EXPECT_LT(report.max_speed, 0.1f);
  EXPECT_LT(deepest, 0.005f);  // into the thickness of 1 cm
  BodyView view;
  simulation->readBody(0, view);
  for (const Vec3f p : view.positions) {
    const float ring = std::hypot(p.x, p.z) - 0.5f;
    EXPECT_GT(std::hypot(ring, p.y) - 0.2f, 0);
  }
}

// The same cloth with its first row on a rod, along which it may slide.
Scene onARod() {
  Scene scene = overTorus();
  scene.bodies[0].pins[0].line = {1, 0, 0};
  return scene;
}

TEST(Interleaved, ClothOnARodStaysOnIt) {
  const Scene scene = onARod();
  auto simulation = start(scene);
  advanceFrames(*simulation, 48);
  StepReport report;
  ASSERT_TRUE(simulation->measure(report).ok());
  EXPECT_GT(report.contacts, 50);
  EXPECT_LT(report.max_penetration, 0.005f);
  BodyView view;
  simulation->readBody(0, view);
  float furthest = 0;
  for (int i = 0; i < 30; ++i) {
    const Vec3f from = scene.bodies[0].geometry.points[i], at = view.positions[i];
    EXPECT_EQ(at.y, from.y);
    EXPECT_EQ(at.z, from.z);
    EXPECT_EQ(view.velocities[i].y, 0);
    furthest = std::max(furthest, std::abs(at.x - from.x));
  }
  EXPECT_GT(furthest, 0.005f);  // the torus gathers it
}

TEST(Interleaved, SameBitsOnAnyNumberOfThreads) {
  Scene scene = onARod();
  scene.bodies[0].cloth.base.strainlimit = 0.02f;
  const auto hashOn = [&](int threads) {
    auto simulation = start(scene, threads);
    advanceFrames(*simulation, 12);
    return hexHash(simulation->stateHash());
  };
  const std::string expected = hashOn(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(hashOn(threads), expected);
}

// All points on parallel lines that fall by 3 in 5: the sheet slides as a whole, by its weight along them.
TEST(Interleaved, SlidesDownLines) {
  Scene scene = sceneOf(makeGrid(4, 4, 1, 1));
  scene.solver.base.method = M::interleaved;
  scene.world.base.substeps = 4;
  Pin lines{"all", {}, {}, false};
  for (int p = 0; p < 25; ++p) lines.points.push_back(p);
  lines.line = {0.8f, -0.6f, 0};
  scene.bodies[0].pins = {lines};
  scene.bodies[0].cloth.base.veldamping = 0;
  auto simulation = start(scene);
  advanceFrames(*simulation, 24);
  BodyView view;
  simulation->readBody(0, view);
  const float gravity = scene.world.base.gravity.y;
  for (int p = 0; p < 25; ++p) {
    const Vec3f moved = view.positions[p] - scene.bodies[0].geometry.points[p];
    EXPECT_NEAR(moved.x * 0.6f + moved.y * 0.8f, 0, 1e-6f);
    EXPECT_NEAR(moved.z, 0, 1e-6f);
    EXPECT_NEAR(length(view.velocities[p]), -gravity * 0.6f, 5e-3f);
    EXPECT_NEAR(length(moved), -gravity * 0.6f * 0.5f * (1 + 1 / 96.0f), 1e-3f);  // of implicit Euler
  }
}

// A line that is lifted takes its points along and leaves them free to slide.
TEST(Interleaved, LinesMove) {
  Scene scene = onARod();
  scene.colliders.clear();
  scene.bodies[0].pins[0].translate.keys = {{1, {}}, {25, {0.3f, 0.5f, 0}}};
  auto simulation = start(scene);
  advanceFrames(*simulation, 24);
  BodyView view;
  simulation->readBody(0, view);
  for (int i = 0; i < 30; ++i) {
    EXPECT_FLOAT_EQ(view.positions[i].y, 1.0f);
    EXPECT_NEAR(view.velocities[i].y, 0.5f, 1e-3f);
  }
  // nothing pulls it along the line
  double mean = 0;
  for (int i = 0; i < 30; ++i) mean += view.positions[i].x / 30;
  EXPECT_NEAR(mean, 0, 0.02);
}

TEST(Interleaved, KeepsStrainLimits) {
  const auto stretchOf = [](float limit) {
    Scene scene = sceneOf(makeGrid(16, 16, 1, 1));
    Body& body = scene.bodies[0];
    body.pins.push_back({"corners", {0, 16}, {}, false});
    body.cloth.base.stretchstiffness = 3, body.cloth.base.shearstiffness = 1;
    body.cloth.base.strainlimit = limit, body.cloth.base.veldamping = 1;
    scene.world.base.substeps = 8;
    scene.solver.base.method = M::interleaved, scene.solver.base.iterations = 400;
    auto simulation = start(scene);
    StepReport report;
    float worst = 0;
    for (int f = 0; f < 36; ++f) {
      EXPECT_TRUE(simulation->advance(1, report).ok());
      worst = std::max(worst, report.residual);
      EXPECT_TRUE(report.converged);
    }
    return worst;
  };
  EXPECT_GT(stretchOf(0), 1.0f);
  EXPECT_LT(stretchOf(0.1f), 0.112f);
}

// A free sheet in a vacuum without weight, pushed by pressure alone: p/density is its acceleration.
TEST(Interleaved, PressurePushes) {
  Scene scene = sceneOf(makeGrid(8, 8, 1, 1));
  scene.world.base.gravity = {};
  scene.bodies[0].cloth.base.veldamping = 0;
  scene.bodies[0].cloth.base.pressure = 2, scene.bodies[0].cloth.base.density = 0.5f;
  scene.solver.base.method = M::interleaved;
  auto simulation = start(scene);
  advanceFrames(*simulation, 12);
  BodyView view;
  simulation->readBody(0, view);
  for (const Vec3f v : view.velocities) EXPECT_NEAR(v.y, 2 / 0.5f * 0.5f, 1e-3f);
}

TEST(Interleaved, RefusesWhatItHasNot) {
  Scene scene = overTorus();
  scene.bodies[0].cloth.base.bendmodel = BendModel::dihedral;
  std::vector<Finding> findings = validateScene(scene);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].sentence.find("dihedral"), std::string::npos);
  scene.bodies[0].cloth.base.bendmodel = BendModel::quadratic;
  scene.bodies[0].cloth.base.membrane = Membrane::triangles;
  findings = validateScene(scene);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].sentence.find("triangles"), std::string::npos);
}

TEST(Interleaved, AloneHoldsPointsOnLines) {
  for (const M method : {M::multilevel, M::projective, M::gauss_seidel_coloured, M::automatic}) {
    Scene scene = onARod();
    scene.solver.base.method = method;
    const std::vector<Finding> findings = validateScene(scene);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_TRUE(findings[0].error);
    EXPECT_NE(findings[0].sentence.find("\"interleaved\""), std::string::npos);
  }
}

}  // namespace
}  // namespace repose
