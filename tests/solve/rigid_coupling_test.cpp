// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies with cloth and sand, two ways (coupling_study.md with rotation).
#include <gtest/gtest.h>

#include <cmath>

#include "model/build.h"
#include "scene/shapes.h"
#include "solid_meshes.h"
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

// At a thousand times the mass of the cloth a ball stretches it, but does not go through at any substeps.
TEST(RigidCoupling, AHeavyBallOfAThousandTimesDoesNotTunnel) {
  for (const int substeps : {1, 4, 6, 8}) {
    constexpr float kRadius = 0.15f;
    Scene scene = sheetHeldAtItsCorners(1, 16);
    scene.world.base.substeps = substeps;
    addBall(scene, kRadius, 200, {0.03f, 0.3f, 0.02f});
    auto simulation = std::move(*Simulation::create(scene, 1));
    StepReport report;
    ASSERT_TRUE(simulation->measure(report).ok());
    const double energy = report.energy;
    for (int f = 0; f < 30; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      const Seen seen = look(*simulation, kRadius);
      ASSERT_GT(seen.ball.y, -0.8f) << substeps << " " << f;
      ASSERT_LT(seen.deepest, 0.1f * kRadius) << substeps << " " << f;
      ASSERT_LT(report.energy, energy + 1) << substeps << " " << f;
    }
  }
}

// Summed in double with the masses of the model.
struct Momentum {
  double linear[3] = {}, angular[3] = {};
};
Momentum momentumOf(const Simulation& simulation, const Model& model) {
  Momentum sum;
  const auto add = [&](double mass, Vec3f x, Vec3f v) {
    const double p[3] = {mass * v.x, mass * v.y, mass * v.z};
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      sum.linear[k] += p[k];
      sum.angular[k] += x[a] * p[b] - x[b] * p[a];
    }
  };
  BodyView cloth;
  RigidView ball;
  simulation.readBody(0, cloth), simulation.readRigid(1, ball);
  for (int p = 0; p < model.numPoints(); ++p)
    if (model.inv_mass[p] > 0)
      add(1 / static_cast<double>(model.inv_mass[p]), cloth.positions[model.source[p]],
          cloth.velocities[model.source[p]]);
  const RigidBody& body = model.rigid.bodies[0];
  add(body.mass, ball.poses[0].origin, ball.velocities[0]);
  for (int k = 0; k < 3; ++k)
    sum.angular[k] += static_cast<double>(body.moments.x) * static_cast<double>(ball.spins[0][k]);
  return sum;
}
double apart(const double* a, const double* b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                   (a[2] - b[2]) * (a[2] - b[2]));
}

TEST(RigidCoupling, AFreeCollisionWithClothKeepsTheMomentum) {
  for (const float mass : {0.2f, 2.0f, 20.0f}) {
    Scene scene = sheetHeldAtItsCorners(1, 16);
    scene.bodies[0].pins.clear();
    scene.world.base.gravity = {}, scene.world.base.airdensity = 0;
    addBall(scene, 0.15f, mass, {0.1f, 0.25f, 0}, {0.2f, -2, 0});
    const Model model = buildModel(scene)->model;
    auto simulation = std::move(*Simulation::create(scene, 1));
    const Momentum before = momentumOf(*simulation, model);
    StepReport report;
    for (int f = 0; f < 24; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    const Seen seen = look(*simulation, 0.15f);
    EXPECT_GT(seen.velocity.y, -1.999f) << mass << ": they have not met";
    const Momentum after = momentumOf(*simulation, model);
    const double none[3] = {};
    const double lost = apart(after.linear, before.linear) / apart(before.linear, none);
    const double turned =
        apart(after.angular, before.angular) / (mass * 2 * 0.5);  // about a rim of the sheet
    std::printf("ball of %g kg: momentum lost %.2e, angular %.2e\n", mass, lost, turned);
    EXPECT_LT(lost, 1e-6) << mass;
    EXPECT_LT(turned, 0.01) << mass;
  }
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

// An animated box that jumps into a box that rests: what it hits is thrown out, nothing else notices.
TEST(RigidCoupling, AnAnimatedBodyThatJumpsLivesOn) {
  Scene scene;
  scene.first_frame = 1, scene.last_frame = 100;
  const auto addBox = [&](const char* name, Vec3f at) -> Body& {
    Body box;
    box.name = name, box.kind = BodyKind::rigid;
    box.shapes.push_back({{}, {makeBox(Vec3f{0.4f, 0.4f, 0.4f})}, 0});
    RigidPiece piece;
    piece.name = name, piece.place.origin = at;
    box.pieces.push_back(piece);
    scene.bodies.push_back(std::move(box));
    return scene.bodies.back();
  };
  Body& jumper = addBox("jumper", {0, 0.2f, 0});
  jumper.rigid.base.animated = true;
  jumper.translate.keys = {{1.0, {0, 0, 0}}, {5.0, {0, 0, 0}}, {6.0, {3, 0.1f, 0}}};
  addBox("hit", {3.1f, 0.2f, 0.05f}), addBox("far", {-5, 0.2f, 0});
  scene.colliders.emplace_back();
  auto simulation = std::move(*Simulation::create(scene, 1));
  StepReport report;
  for (int f = 0; f < 36; ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    RigidView far;
    simulation->readRigid(2, far);
    ASSERT_LT(length(far.poses[0].origin - Vec3f{-5, 0.2f, 0}), 0.01f) << f;
  }
  RigidView jumped, hit;
  simulation->readRigid(0, jumped), simulation->readRigid(1, hit);
  EXPECT_LT(length(jumped.poses[0].origin - Vec3f{3, 0.3f, 0}), 1e-4f);
  EXPECT_GT(length(hit.poses[0].origin - jumped.poses[0].origin), 0.3f) << "it is out of it";
  EXPECT_LT(length(hit.velocities[0]), 100.0f);
}

// ---- concave bodies ----

Body concaveBody(const char* name, Geometry mesh, float voxel, Vec3f at) {
  Body body;
  body.name = name, body.kind = BodyKind::rigid;
  body.shapes.push_back({std::move(mesh), {}, voxel});
  RigidPiece piece;
  piece.name = name, piece.place.origin = at;
  body.pieces.push_back(piece);
  return body;
}

// A bowl that stands on the ground keeps the sand that is in it.
TEST(RigidCoupling, ABowlHoldsSand) {
  Scene scene;
  scene.first_frame = 1, scene.last_frame = 100;
  scene.world.base.substeps = 2;
  Body sand;
  sand.name = "sand", sand.kind = BodyKind::grain;
  sand.grain.base.radius = 0.03f;
  for (int y = 0; y < 4; ++y)
    for (int x = -3; x <= 3; ++x)
      for (int z = -3; z <= 3; ++z) {
        if (x * x + z * z > 9) continue;
        const auto jitter = static_cast<float>((7 * x + 3 * z + 5 * y) % 4) * 0.002f;
        sand.geometry.points.push_back({0.063f * static_cast<float>(x) + jitter,
                                        0.42f + 0.063f * static_cast<float>(y),
                                        0.063f * static_cast<float>(z) - jitter});
        sand.radii.push_back(0.03f);
      }
  const std::size_t count = sand.geometry.points.size();
  scene.bodies.push_back(std::move(sand));
  scene.bodies.push_back(concaveBody("bowl", bowlMesh(0.5f, 0.4f), 0.02f, {0, 0.5f, 0}));
  scene.colliders.emplace_back();
  auto simulation = std::move(*Simulation::create(scene, 1));
  StepReport report;
  for (int f = 0; f < 36; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  BodyView grains;
  RigidView bowl;
  simulation->readBody(0, grains), simulation->readRigid(1, bowl);
  ASSERT_EQ(grains.positions.size(), count);
  EXPECT_LT(length(bowl.poses[0].origin - Vec3f{0, 0.5f, 0}), 0.03f);
  EXPECT_GT(bowl.poses[0].axis[1].y, 0.99f) << "it stands upright";
  for (const Vec3f& p : grains.positions) {
    const Vec3f at = bowl.poses[0].local(p);
    EXPECT_LT(length(at), 0.4f - 0.8f * 0.03f) << "a grain is in the wall";
    EXPECT_LT(at.y, 0.02f) << "a grain is above the rim";
  }
}

// A cloth falls over a torus that lies on the ground, hangs into its hole and is nowhere inside of it.
TEST(RigidCoupling, AClothHangsOverATorus) {
  for (const SolverMethod method : {SolverMethod::multilevel, SolverMethod::gauss_seidel_coloured}) {
    constexpr float kRing = 0.3f, kTube = 0.1f;
    Scene scene;
    scene.first_frame = 1, scene.last_frame = 100;
    scene.world.base.substeps = 4;
    scene.solver.base.method = method;
    Shape shape;
    shape.size = {1, 1, 0}, shape.divisions = {20, 20, 1};
    Body sheet;
    sheet.name = "sheet", sheet.geometry = makeGrid(shape);
    for (Vec3f& p : sheet.geometry.points) p.y = 0.25f;
    scene.bodies.push_back(std::move(sheet));
    Shape ring;
    ring.radius = kRing, ring.tuberadius = kTube, ring.divisions = {48, 24, 1};
    scene.bodies.push_back(concaveBody("torus", makeTorus(ring), 0.02f, {0, kTube, 0}));
    scene.colliders.emplace_back();
    auto simulation = std::move(*Simulation::create(scene, 1));
    StepReport report;
    float deepest = 0;
    for (int f = 0; f < 24; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      BodyView cloth;
      RigidView torus;
      simulation->readBody(0, cloth), simulation->readRigid(1, torus);
      for (const Vec3f& p : cloth.positions) {
        const Vec3f at = torus.poses[0].local(p);
        const float out = std::sqrt(at.x * at.x + at.z * at.z) - kRing;
        deepest = std::max(deepest, kTube - std::sqrt(out * out + at.y * at.y));
      }
    }
    EXPECT_LT(deepest, 0.015f) << static_cast<int>(method);
    BodyView cloth;
    simulation->readBody(0, cloth);
    float over = 0, middle = 0;
    for (const Vec3f& p : cloth.positions) {
      const float out = std::sqrt(p.x * p.x + p.z * p.z);
      if (std::abs(out - kRing) < 0.03f) over = std::max(over, std::abs(p.y - 2 * kTube));
      if (out < 0.05f) middle = p.y;
    }
    EXPECT_LT(over, 0.03f) << "it lies on the ring";
    EXPECT_LT(middle, 1.95f * kTube) << "it hangs into the hole";
    RigidView torus;
    simulation->readRigid(1, torus);
    EXPECT_LT(length(torus.poses[0].origin - Vec3f{0, kTube, 0}), 0.02f);
  }
}

}  // namespace
}  // namespace repose
