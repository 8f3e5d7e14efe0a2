// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains, points of cloth and soft bodies held by rigid bodies and colliders, and bodies by colliders that
// move.
#include <gtest/gtest.h>

#include <cmath>

#include "model/build.h"
#include "scene/shapes.h"
#include "soft_world.h"
#include "solve/simulation.h"

namespace repose {
namespace {

constexpr float kGravity = 9.81f;

Body rigidBox(Vec3f size, float mass, Vec3f at) {
  Body body;
  body.name = "box", body.kind = BodyKind::rigid;
  body.shapes.push_back({{}, {makeBox(size)}, 0});
  body.rigid.base.density = mass / (size.x * size.y * size.z);
  RigidPiece piece;
  piece.name = "box", piece.place.origin = at;
  body.pieces.push_back(piece);
  return body;
}

Body grainsAt(const std::vector<Vec3f>& places) {
  Body sand;
  sand.name = "sand", sand.kind = BodyKind::grain;
  sand.grain.base.radius = 0.02f;
  sand.geometry.points = places;
  sand.radii.assign(places.size(), 0.02f);
  return sand;
}
float grainMass(const Body& sand) {
  const float r = sand.grain.base.radius;
  return sand.grain.base.density * 4.18879f * r * r * r;
}

// Holds grain k of body 0 where it is.
Joint& hold(Scene& scene, int k, JointEnd to, Joint::Kind kind = Joint::Kind::spherical) {
  Joint joint;
  joint.kind = kind, joint.name = "g" + std::to_string(k);
  joint.a = {0, k}, joint.b = to;
  joint.frame.origin = joint.other = scene.bodies[0].geometry.points[k];
  scene.joints.push_back(joint);
  return scene.joints.back();
}

// A box of colliders that keys take along and up within a second.
void addLift(Scene& scene) {
  Collider lift;
  lift.shape = Collider::Shape::volume, lift.name = "lift";
  lift.volume.shape = Volume::Shape::box, lift.volume.size = {3, 0.1f, 0.4f};
  lift.volume.place.m[1][3] = lift.point.y = 0.25f;
  lift.translate.keys = {{1.0, {0, 0, 0}}, {25.0, {0.5f, 1, 0}}};
  scene.colliders.push_back(lift);
  scene.first_frame = 1, scene.last_frame = 100;
}

BodyView grainsAfter(Simulation& simulation, int frames) {
  StepReport report;
  for (int f = 0; f < frames; ++f) EXPECT_TRUE(simulation.advance(1, report).ok());
  BodyView grains;
  simulation.readBody(0, grains);
  return grains;
}

TEST(Bonds, AColliderCarriesBodies) {
  Scene scene;
  scene.bodies.push_back(rigidBox({0.1f, 0.1f, 0.1f}, 1, {1, -0.5f, 0}));
  addLift(scene);
  Joint rod;
  rod.kind = Joint::Kind::distance, rod.name = "rod";
  rod.a = {-1, 0, 0}, rod.b = {0, 0};
  rod.frame.origin = {1, 0.2f, 0}, rod.other = {1, -0.5f, 0};
  scene.joints.push_back(rod);
  auto simulation = std::move(*Simulation::create(scene, 1));
  StepReport report;
  for (int f = 0; f < 24; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  RigidView box;
  simulation->readRigid(0, box);
  EXPECT_NEAR(length(box.poses[0].origin - Vec3f{1.5f, 1.2f, 0}), 0.7f, 0.005f) << "the rod keeps its length";
}

TEST(Bonds, AColliderCarriesGrains) {
  Scene scene;
  scene.bodies.push_back(grainsAt({{0.3f, 0.32f, 0}, {-0.3f, 0.18f, 0}}));
  addLift(scene);
  hold(scene, 0, {-1, 0, 0}), hold(scene, 1, {-1, 0, 0});
  auto simulation = std::move(*Simulation::create(scene, 1));
  const BodyView grains = grainsAfter(*simulation, 24);
  ASSERT_EQ(grains.positions.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_LT(
        length(grains.positions[i] - scene.bodies[0].geometry.points[grains.ids[i]] - Vec3f{0.5f, 1, 0}),
        0.002f);
}

// Grains on a rigid plate that turns over do not fall from it.
TEST(Bonds, GrainsStickToABody) {
  Scene scene;
  scene.world.base.substeps = 2;
  std::vector<Vec3f> places;
  for (int k = 0; k < 5; ++k) places.push_back({-0.2f + 0.1f * static_cast<float>(k), 0.07f, 0});
  scene.bodies.push_back(grainsAt(places));
  scene.bodies.push_back(rigidBox({0.6f, 0.1f, 0.2f}, 5, {}));
  scene.bodies[1].pieces[0].spin = {0, 0, 2};
  for (int k = 0; k < 4; ++k) hold(scene, k, {1, 0});  // the fifth one is free
  auto simulation = std::move(*Simulation::create(scene, 1));
  const BodyView grains = grainsAfter(*simulation, 36);
  RigidView view;
  simulation->readRigid(1, view);
  for (std::size_t i = 0; i < grains.positions.size(); ++i) {
    const float off = length(view.poses[0].local(grains.positions[i]) - places[grains.ids[i]]);
    if (grains.ids[i] < 4)
      EXPECT_LT(off, 0.002f) << grains.ids[i];
    else
      EXPECT_GT(off, 0.1f);
  }
}

// A free plate and a grain beside its centre that flies off with it: both ways, the momentum of all is kept.
TEST(Bonds, AGrainPullsOnItsBody) {
  Scene scene;
  scene.world.base.gravity = {};
  scene.bodies.push_back(grainsAt({{0.28f, 0.07f, 0}}));
  const float m = grainMass(scene.bodies[0]), big = 0.5f;
  scene.bodies.push_back(rigidBox({0.6f, 0.1f, 0.2f}, big, {}));
  scene.bodies[1].pieces[0].velocity = {0, 1, 0};
  hold(scene, 0, {1, 0});
  auto simulation = std::move(*Simulation::create(scene, 1));
  const BodyView grains = grainsAfter(*simulation, 24);
  RigidView plate;
  simulation->readRigid(1, plate);
  const Vec3f momentum = grains.velocities[0] * m + plate.velocities[0] * big;
  EXPECT_LT(length(momentum - Vec3f{0, big, 0}), 1e-5f * big);
  EXPECT_LT(plate.velocities[0].y, 0.999f) << "the grain holds it back";
  EXPECT_LT(length(plate.poses[0].local(grains.positions[0]) - Vec3f{0.28f, 0.07f, 0}), 0.002f);
}

// A soft bond sinks by its compliance times the weight, and swings out by its damping.
TEST(Bonds, ASoftBondGivesWayByItsCompliance) {
  Scene scene;
  scene.world.base.gravity = {0, -kGravity, 0};
  scene.bodies.push_back(grainsAt({{0, 1, 0}}));
  const float weight = kGravity * grainMass(scene.bodies[0]);
  JointParams& soft = hold(scene, 0, {}).params.base;
  soft.compliance = 0.1f / weight, soft.damping = 0.3f;  // critical: 2 sqrt(k m) = 1.3 N s/m
  scene.first_frame = 1, scene.last_frame = 200;
  auto simulation = std::move(*Simulation::create(scene, 1));
  const BodyView grains = grainsAfter(*simulation, 120);
  EXPECT_NEAR(grains.positions[0].y, 0.9f, 1e-3f);
}

TEST(Bonds, ABondBreaksUnderMoreThanItsForce) {
  for (const float share : {0.9f, 1.1f}) {
    Scene scene;
    scene.world.base.gravity = {0, -kGravity, 0};
    scene.bodies.push_back(grainsAt({{0, 1, 0}}));
    hold(scene, 0, {}).params.base.breakforce = share * kGravity * grainMass(scene.bodies[0]);
    auto simulation = std::move(*Simulation::create(scene, 1));
    const BodyView grains = grainsAfter(*simulation, 12);
    if (share > 1)
      EXPECT_NEAR(grains.positions[0].y, 1, 1e-3f) << "it holds";
    else
      EXPECT_LT(grains.positions[0].y, 0.9f) << "it falls";
  }
}

// A grain on a rope swings about its end and does not come nearer than the rope is long, nor further.
TEST(Bonds, ARopeKeepsItsLength) {
  Scene scene;
  scene.bodies.push_back(grainsAt({{0.5f, 1, 0}}));
  Joint& rope = hold(scene, 0, {}, Joint::Kind::distance);
  rope.other = {0, 1, 0};
  auto simulation = std::move(*Simulation::create(scene, 1));
  for (int f = 0; f < 12; ++f) {
    const BodyView grains = grainsAfter(*simulation, 1);
    EXPECT_NEAR(length(grains.positions[0] - Vec3f{0, 1, 0}), 0.5f, 0.005f) << f;
  }
}

// ---- points of cloth and soft bodies, which are part of what holds them ----

Body strip(float width, float height, int columns, int rows) {
  Body body;
  body.name = "strip";
  Shape shape;
  shape.size = {width, height, 0}, shape.divisions = {columns, rows, 1}, shape.plane = Plane::xy;
  body.geometry = makeGrid(shape);
  return body;
}

void holdGroup(Scene& scene, int body, const char* group, JointEnd to) {
  for (const std::int32_t p : scene.bodies[body].geometry.findGroup(group)->points) {
    Joint joint;
    joint.kind = Joint::Kind::spherical, joint.name = group + std::to_string(p);
    joint.a = {body, p}, joint.b = to;
    joint.frame.origin = joint.other = scene.bodies[body].geometry.points[p];
    scene.joints.push_back(joint);
  }
}

Scene clothScene(Body cloth) {
  Scene scene;
  scene.world.base.substeps = 4, scene.world.base.airdensity = 0;
  scene.solver.base.method = SolverMethod::multilevel;
  scene.bodies.push_back(std::move(cloth));
  scene.first_frame = 1, scene.last_frame = 1000;
  return scene;
}

// A box below a strip of 0.08 kg that is pinned above.
Scene hangingBox(float mass) {
  Scene scene = clothScene(strip(0.4f, 1, 6, 15));
  Body& cloth = scene.bodies[0];
  cloth.pins.push_back({"top", cloth.geometry.findGroup("top")->points, {}, false, {}});
  scene.bodies.push_back(rigidBox({0.4f, 0.2f, 0.2f}, mass, {0, -0.6f, 0}));
  holdGroup(scene, 0, "bottom", {1, 0});
  return scene;
}

struct Look {
  std::vector<Vec3f> points, velocities;
  Pose box;
  Vec3f velocity, spin;
};
Look look(const Simulation& simulation, int box = 1) {
  BodyView cloth;
  RigidView rigid;
  simulation.readBody(0, cloth), simulation.readRigid(box, rigid);
  return {cloth.positions, cloth.velocities, rigid.poses[0], rigid.velocities[0], rigid.spins[0]};
}

// How far held points are from their places on the box.
float bondError(const Scene& scene, const Look& seen, const char* group, int box = 1) {
  float worst = 0;
  const std::vector<Vec3f>& start = scene.bodies[0].geometry.points;
  const Pose& first = scene.bodies[box].pieces[0].place;
  for (const std::int32_t p : scene.bodies[0].geometry.findGroup(group)->points)
    worst = std::max(worst, length(seen.points[p] - seen.box.world(first.local(start[p]))));
  return worst;
}

TEST(Holds, ABoxHangsFromAStripAtAnyMass) {
  for (const float ratio : {0.1f, 1.0f, 100.0f}) {
    Scene scene = hangingBox(0.08f * ratio);
    scene.bodies[1].pieces[0].velocity = {0.5f, 0, 0.3f};
    auto simulation = std::move(*Simulation::create(scene, 1));
    StepReport report;
    ASSERT_TRUE(simulation->measure(report).ok());
    const double energy = report.energy;
    for (int f = 0; f < 24; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      const Look seen = look(*simulation);
      ASSERT_LT(bondError(scene, seen, "bottom"), 1e-4f) << ratio << " " << f;
      ASSERT_LT(report.energy, energy + 0.01 * 9.81 * (0.08 + 0.08 * ratio)) << ratio << " " << f;
      ASSERT_GT(seen.box.origin.y, -0.65f) << ratio << " " << f;
    }
  }
}

// A curtain with a bar along its lower edge swings and never stretches by more than a hundredth.
TEST(Holds, ACurtainWithAWeightBar) {
  Scene scene = clothScene(strip(1, 0.8f, 12, 10));
  Body& cloth = scene.bodies[0];
  cloth.pins.push_back({"top", cloth.geometry.findGroup("top")->points, {}, false, {}});
  scene.bodies.push_back(rigidBox({1.1f, 0.02f, 0.02f}, 0.5f, {0, -0.4f, 0}));
  scene.bodies[1].pieces[0].velocity = {0, 0, 1.5f};
  scene.bodies[1].pieces[0].spin = {0, 1, 0};
  holdGroup(scene, 0, "bottom", {1, 0});
  auto simulation = std::move(*Simulation::create(scene, 1));
  StepReport report;
  ASSERT_TRUE(simulation->measure(report).ok());
  const double energy = report.energy;
  for (int f = 0; f < 24; ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    ASSERT_LT(bondError(scene, look(*simulation), "bottom"), 1e-4f) << f;
    ASSERT_LT(report.residual, 0.01f) << f;
    ASSERT_LT(report.energy, energy + 0.01) << f;
  }
}

// Poles of a tenth and a hundredth of their flag's mass, held at their feet by a joint, in the wind.
TEST(Holds, AFlagOnALightPole) {
  for (const float ratio : {0.1f, 0.01f}) {
    Scene scene = clothScene(strip(0.9f, 0.6f, 12, 8));
    scene.world.base.substeps = ratio < 0.1f ? 1 : 2;
    scene.world.base.airdensity = 1.2f, scene.world.base.wind = {4, 0, 1};
    const Vec3f pole{-0.45f, -0.4f, 0};
    scene.bodies.push_back(rigidBox({0.04f, 1.4f, 0.04f}, 0.108f * ratio, pole));
    holdGroup(scene, 0, "left", {1, 0});
    Joint foot;
    foot.kind = Joint::Kind::fixed, foot.name = "foot";
    foot.a = {1, 0}, foot.b = {};
    foot.frame.origin = foot.other = pole - Vec3f{0, 0.7f, 0};
    scene.joints.push_back(foot);
    auto simulation = std::move(*Simulation::create(scene, 1));
    StepReport report;
    for (int f = 0; f < 36; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      const Look seen = look(*simulation);
      ASSERT_LT(bondError(scene, seen, "left"), 1e-4f) << ratio << " " << f;
      ASSERT_LT(length(seen.box.origin - pole), 0.014f) << ratio << " " << f << ": 1 % of the pole";
      ASSERT_LT(report.max_speed, 12) << ratio << " " << f;
    }
  }
}

// Nothing else acts on a box that a free cloth hangs on: the momentum of both stays.
TEST(Holds, MomentumOfAFreeBoxWithAClothIsKept) {
  for (const float ratio : {0.1f, 10.0f}) {
    Scene scene = clothScene(strip(0.4f, 1, 8, 20));
    scene.world.base.gravity = {};
    const float mass = 0.08f * ratio;
    scene.bodies.push_back(rigidBox({0.4f, 0.2f, 0.2f}, mass, {0, -0.6f, 0}));
    scene.bodies[1].pieces[0].velocity = {1, 0.2f, -0.5f}, scene.bodies[1].pieces[0].spin = {0, 3, 1};
    holdGroup(scene, 0, "bottom", {1, 0});
    auto simulation = std::move(*Simulation::create(scene, 1));
    const Model model = buildModel(scene)->model;
    const auto momentum = [&] {
      const Look seen = look(*simulation);
      double sum[3] = {mass * seen.velocity.x, mass * seen.velocity.y, mass * seen.velocity.z};
      for (int p = 0; p < model.numPoints(); ++p)
        for (int k = 0; k < 3 && model.inv_mass[p] > 0; ++k)
          sum[k] += static_cast<double>(seen.velocities[model.source[p]][k]) / model.inv_mass[p];
      return Vec3f{static_cast<float>(sum[0]), static_cast<float>(sum[1]), static_cast<float>(sum[2])};
    };
    const Vec3f before = momentum();
    StepReport report;
    ASSERT_TRUE(simulation->measure(report).ok());
    const double energy = report.energy;
    for (int f = 0; f < 24; ++f) {
      ASSERT_TRUE(simulation->advance(1, report).ok());
      ASSERT_LT(report.energy, 1.01 * energy) << ratio << " " << f;
    }
    EXPECT_LT(length(momentum() - before), 2e-6f * length(before)) << ratio;
  }
}

// A lift of colliders takes a cloth along by its upper edge, and it hangs below it.
TEST(Holds, AColliderCarriesACloth) {
  Scene scene = clothScene(strip(0.4f, 0.4f, 8, 8));
  addLift(scene);
  holdGroup(scene, 0, "top", {-1, 0, 0});
  auto simulation = std::move(*Simulation::create(scene, 1));
  StepReport report;
  for (int f = 0; f < 24; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  BodyView cloth;
  simulation->readBody(0, cloth);
  for (const std::int32_t p : scene.bodies[0].geometry.findGroup("top")->points)
    EXPECT_LT(length(cloth.positions[p] - scene.bodies[0].geometry.points[p] - Vec3f{0.5f, 1, 0}), 1e-4f);
  EXPECT_LT(report.residual, 0.01f);
}

TEST(Holds, AStripTearsOffAboveItsForce) {
  // the corners carry four times what the others do
  for (const float share : {0.7f, 8.0f}) {
    Scene scene = hangingBox(0.8f);
    for (Joint& joint : scene.joints) joint.params.base.breakforce = share * 9.81f * 0.8f / 6;
    auto simulation = std::move(*Simulation::create(scene, 1));
    StepReport report;
    for (int f = 0; f < 16; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    if (share > 1)
      EXPECT_GT(look(*simulation).box.origin.y, -0.65f) << "it hangs";
    else
      EXPECT_LT(look(*simulation).box.origin.y, -1.0f) << "it falls";
  }
}

// A soft bar with a box at either end, which falls and bounces about: the boxes are part of it.
TEST(Holds, SoftBodiesCarryBoxes) {
  Scene scene = softScene(softBox({1, 0.2f, 0.2f}, {10, 2, 2}, {0, 1, 0}));
  scene.world.base.substeps = 4;
  scene.bodies[0].soft.base.youngsmodulus = 2e5f;
  for (const float side : {-1.0f, 1.0f}) {
    scene.bodies.push_back(rigidBox({0.2f, 0.2f, 0.2f}, 4, {0.6f * side, 1, 0}));
    const int box = static_cast<int>(scene.bodies.size()) - 1;
    scene.bodies[box].name = side < 0 ? "left" : "right";
    const std::vector<Vec3f>& points = scene.bodies[0].tets.geometry.points;
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (std::abs(points[p].x - 0.5f * side) > 1e-4f) continue;
      Joint joint;
      joint.kind = Joint::Kind::spherical, joint.name = scene.bodies[box].name + std::to_string(p);
      joint.a = {0, static_cast<int>(p)}, joint.b = {box, 0};
      joint.frame.origin = joint.other = points[p];
      scene.joints.push_back(joint);
    }
  }
  scene.bodies[1].pieces[0].velocity = {0, 2, 0};
  scene.world.base.gravity = {};
  auto simulation = std::move(*Simulation::create(scene, 1));
  StepReport report;
  ASSERT_TRUE(simulation->measure(report).ok());
  const double energy = report.energy;
  for (int f = 0; f < 24; ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    ASSERT_LT(report.kinetic_energy, 1.01 * energy) << f;
  }
  BodyView soft;
  simulation->readBody(0, soft);
  for (const Joint& joint : scene.joints) {
    const Look seen = look(*simulation, joint.b.body);
    const Vec3f place = scene.bodies[joint.b.body].pieces[0].place.local(joint.frame.origin);
    EXPECT_LT(length(soft.positions[joint.a.piece] - seen.box.world(place)), 1e-4f) << joint.name;
  }
}

TEST(Holds, Refusals) {
  Scene scene = hangingBox(1);
  scene.solver.base.method = SolverMethod::gauss_seidel_coloured;
  auto refused = Simulation::create(scene, 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().message(),
            "joint 'bottom0' holds a point of 'strip', which only the method multilevel can: set "
            "solver.method to \"multilevel\", or use \"pins\"");
  scene = hangingBox(1);
  scene.joints[2].params.base.compliance = 0.1f;
  refused = Simulation::create(scene, 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().message(),
            "joint 'bottom2' holds a point of 'strip', which only a hard \"spherical\" or \"fixed\" joint "
            "can: leave out \"compliance\", or join a rigid body between them");
}

}  // namespace
}  // namespace repose
