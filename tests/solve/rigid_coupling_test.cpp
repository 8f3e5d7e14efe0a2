// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies with cloth and sand, two ways (coupling_study.md with rotation).
#include <gtest/gtest.h>

#include <cmath>

#include "scene/shapes.h"
#include "solve/simulation.h"

namespace repose {
namespace {

Scene sheetHeldAtItsCorners(float size, int cells) {
  Scene scene;
  scene.world.base.substeps = 2;
  Body sheet;
  sheet.name = "sheet";
  Shape shape;
  shape.size = {size, size, 0}, shape.divisions = {cells, cells, 1};
  sheet.geometry = makeGrid(shape);
  sheet.pins.push_back({"corners", sheet.geometry.findGroup("corners")->points, {}, false, {}});
  scene.bodies.push_back(std::move(sheet));
  return scene;
}

void addBall(Scene& scene, float radius, float mass, Vec3f at, Vec3f velocity = {}) {
  Body ball;
  ball.name = "ball", ball.kind = BodyKind::rigid;
  ball.rigid.base.density = mass / (4.18879f * radius * radius * radius);
  ball.shapes.push_back({{}, {makeSphere(radius)}, 0});
  RigidPiece piece;
  piece.name = "ball", piece.place.origin = at, piece.velocity = velocity;
  ball.pieces.push_back(piece);
  scene.bodies.push_back(std::move(ball));
}

struct Seen {
  Vec3f ball, velocity;
  float deepest = 0;  // of a cloth point inside the ball [m]
};
Seen look(const Simulation& simulation, float radius) {
  BodyView cloth;
  RigidView ball;
  simulation.readBody(0, cloth), simulation.readRigid(1, ball);
  Seen seen{ball.poses[0].origin, ball.velocities[0]};
  for (const Vec3f& p : cloth.positions)
    seen.deepest = std::max(seen.deepest, radius - length(p - ball.poses[0].origin));
  return seen;
}

// 0.2 kg of cloth and balls of so many times that.
TEST(RigidCoupling, AHeavyBallStaysOnACloth) {
  for (const SolverMethod method : {SolverMethod::multilevel, SolverMethod::accelerated_jacobi})
    for (const float ratio : {1.0f, method == SolverMethod::multilevel ? 100.0f : 10.0f}) {
      constexpr float kRadius = 0.15f;
      Scene scene = sheetHeldAtItsCorners(1, 20);
      scene.solver.base.method = method;
      scene.world.base.substeps = 8;
      addBall(scene, kRadius, 0.2f * ratio, {0.03f, 0.3f, 0.02f});
      auto simulation = std::move(*Simulation::create(scene, 1));
      StepReport report;
      ASSERT_TRUE(simulation->measure(report).ok());
      const double energy = report.energy;
      float deepest = 0, lowest = 1;
      for (int f = 0; f < 72; ++f) {
        ASSERT_TRUE(simulation->advance(1, report).ok());
        const Seen seen = look(*simulation, kRadius);
        deepest = std::max(deepest, seen.deepest);
        lowest = std::min(lowest, seen.ball.y);
        ASSERT_LT(report.energy, energy + 0.02 * 9.81 * 0.2 * ratio) << f;
      }
      const int name = static_cast<int>(method);
      EXPECT_GT(lowest, -1.0f) << name << " " << ratio << ": it fell through";
      EXPECT_LT(deepest, 0.06f * kRadius) << name << " " << ratio;
    }
}

TEST(RigidCoupling, AFreeCollisionWithClothKeepsTheMomentum) {
  Scene scene = sheetHeldAtItsCorners(1, 16);
  scene.bodies[0].pins.clear();
  scene.world.base.gravity = {}, scene.world.base.airdensity = 0;
  addBall(scene, 0.15f, 2, {0, 0.25f, 0}, {0.2f, -2, 0});
  auto simulation = std::move(*Simulation::create(scene, 1));
  StepReport report;
  for (int f = 0; f < 24; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  BodyView cloth;
  simulation->readBody(0, cloth);
  const Seen seen = look(*simulation, 0.15f);
  EXPECT_GT(seen.velocity.y, -1.99f) << "they have not met";
  // corners and rims of the sheet weigh less than points inside: sum as the model does
  double sheet = 0, total = 0;
  for (std::size_t p = 0; p < cloth.velocities.size(); ++p) {
    const Vec3f& rest = cloth.geometry->points[p];
    const double share = (std::abs(std::abs(rest.x) - 0.5f) < 1e-4f ? 0.5 : 1.0) *
                         (std::abs(std::abs(rest.z) - 0.5f) < 1e-4f ? 0.5 : 1.0);
    total += share, sheet += share * static_cast<double>(cloth.velocities[p].y);
  }
  EXPECT_NEAR(2 * static_cast<double>(seen.velocity.y) + 0.2 * sheet / total, -4.0, 4e-4);
}

// A crate on sand sinks in a little and stays; a plate of steel does not fall through.
TEST(RigidCoupling, ACrateRestsOnSand) {
  Scene scene;
  scene.world.base.substeps = 2;
  Body sand;
  sand.name = "sand", sand.kind = BodyKind::grain;
  sand.grain.base.radius = 0.04f;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 10; ++x)
      for (int z = 0; z < 10; ++z) {
        sand.geometry.points.push_back(
            {-0.37f + 0.082f * static_cast<float>(x) + 0.01f * static_cast<float>(y % 2),
             0.04f + 0.081f * static_cast<float>(y), -0.37f + 0.082f * static_cast<float>(z)});
        sand.radii.push_back(0.04f);
      }
  scene.bodies.push_back(std::move(sand));
  Body crate;
  crate.name = "crate", crate.kind = BodyKind::rigid;
  crate.rigid.base.density = 600;
  crate.shapes.push_back({{}, {makeBox(Vec3f{0.3f, 0.2f, 0.3f})}, 0});
  RigidPiece piece;
  piece.name = "crate", piece.place.origin = {0, 0.7f, 0};
  crate.pieces.push_back(piece);
  scene.bodies.push_back(std::move(crate));
  Collider floor;
  scene.colliders.push_back(floor);
  for (const float side : {-1.0f, 1.0f}) {
    Collider wall;
    wall.point = {side * 0.42f, 0, 0}, wall.normal = {-side, 0, 0};
    scene.colliders.push_back(wall);
    wall.point = {0, 0, side * 0.42f}, wall.normal = {0, 0, -side};
    scene.colliders.push_back(wall);
  }
  auto simulation = std::move(*Simulation::create(scene, 1));
  StepReport report;
  RigidView view;
  for (int f = 0; f < 72; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  simulation->readRigid(1, view);
  EXPECT_GT(view.poses[0].origin.y, 0.25f);
  EXPECT_LT(view.poses[0].origin.y, 0.46f);
  EXPECT_LT(length(view.velocities[0]), 0.01f);
  EXPECT_LT(report.max_penetration, 0.01f);
}

}  // namespace
}  // namespace repose
