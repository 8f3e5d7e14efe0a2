// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Scenes at the limits of what grains can do: the end of the world, beginnings inside colliders, wet sand
// that sleeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "solve/emission.h"
#include "solve/simulation.h"

namespace repose {
namespace {

constexpr float kRadius = 0.01f;

Body grains(const std::vector<Vec3f>& places) {
  Body body;
  body.name = "sand", body.kind = BodyKind::grain;
  body.grain.base.radius = kRadius;
  body.geometry.points = places;
  body.radii.assign(places.size(), kRadius);
  return body;
}

std::unique_ptr<Simulation> start(const Scene& scene) {
  Result<std::unique_ptr<Simulation>> simulation = Simulation::create(scene, 1);
  EXPECT_TRUE(simulation.ok()) << simulation.status().message();
  return std::move(*simulation);
}

// ---- the end of the world ----

TEST(WorldEnd, TakesOutWhoCrossesItAndKeepsTheOrderOfTheOthers) {
  GrainState state = makeGrains([] {
    Scene scene;
    scene.bodies = {
        grains({{0, 0, 0}, {0, -9999, 0}, {0, -10001, 0}, {5, 0, 0}, {15000, 0, 0}, {0, 0, 30000}})};
    return scene;
  }());
  state.x[3].x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(removeLost(state), 2);
  // neither what is no number nor what was thrown far is hidden
  EXPECT_EQ(state.id, (std::vector<std::uint32_t>{0, 1, 3, 5}));
  EXPECT_EQ(state.births[0], 6u);
  EXPECT_EQ(removeLost(state), 0);
}

// A grain falls out of a world that is smaller because of its radius; the others and new ones stay.
TEST(WorldEnd, AGrainThatFallsForEverLeavesOnceAndItsIdIsNotUsedAgain) {
  Scene scene;
  scene.bodies = {grains({{0, 0, 0}, {0, -9990, 0}, {1, 0, 0}})};
  scene.bodies[0].velocity = {0, -100, 0};
  Emitter emitter;
  emitter.rate = 24, emitter.volume.size = {0.5f, 0.5f, 0.5f};
  emitter.volume.place.m[0][3] = 5;
  scene.bodies[0].emitters = {emitter};
  const auto simulation = start(scene);
  std::int64_t lost = 0;
  BodyView view;
  for (int f = 0; f < 12; ++f) {
    StepReport report;
    ASSERT_TRUE(simulation->advance(1, report).ok());
    lost += report.lost;
    simulation->readBody(0, view);
    for (const Vec3f p : view.positions) ASSERT_TRUE(isFinite(p));
  }
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(std::count(view.ids.begin(), view.ids.end(), 1u), 0);
  EXPECT_TRUE(std::is_sorted(view.ids.begin(), view.ids.end()));
  EXPECT_EQ(view.ids.size(), 2 + 11u);
  EXPECT_EQ(view.ids.back(), 2 + 11u);
}

TEST(WorldEnd, AGrainThatOneStepThrowsOutIsNamed) {
  Scene scene;
  scene.first_frame = 1001;
  scene.bodies = {grains({{0, 0, 0}}), grains({{1, 0, 0}, {2, 0, 0}})};
  scene.bodies[1].name = "gravel";
  scene.bodies[1].velocity = {5e6f, 0, 0};
  const auto simulation = start(scene);
  StepReport report;
  const Status status = simulation->advance(1, report);
  EXPECT_EQ(status.code(), Code::unstable);
  EXPECT_EQ(status.message().find("frame 1002: body 'gravel', grain 0: thrown to "), 0u) << status.message();
}

// ---- beginnings inside colliders ----

Scene insideCollider(Collider collider) {
  Scene scene;
  Body sand = grains({});
  Emitter emitter;
  emitter.rate = 2000;
  emitter.volume.size = {0.3f, 0.3f, 0.3f};
  emitter.volume.place.m[1][3] = 0.5f;
  sand.emitters = {emitter};
  scene.bodies = {sand};
  Collider floor;
  floor.name = "floor";
  collider.name = "c";
  scene.colliders = {floor, collider};
  return scene;
}

// Grains are born wherever the emitter says; what overlaps is pushed out at a bounded speed.
TEST(InsideCollider, GrainsComeOutWithoutBeingThrown) {
  Collider ball;
  ball.shape = Collider::Shape::volume;
  ball.volume.shape = Volume::Shape::sphere, ball.volume.radius = 0.3f;
  ball.volume.place.m[1][3] = 0.5f;
  Collider box = ball;
  box.volume.shape = Volume::Shape::box, box.volume.size = {0.6f, 0.6f, 0.6f};
  Collider plane;
  plane.point = {0, 0.7f, 0};
  Collider mesh;
  mesh.shape = Collider::Shape::mesh;
  mesh.geometry.points = {{-1, 0.1f, -1}, {2, 0.1f, -1}, {-1, 0.1f, 2}, {-1, 3, -1}};
  mesh.geometry.face_counts = {3, 3, 3, 3};
  mesh.geometry.face_indices = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
  for (const Collider& collider : {ball, box, plane, mesh}) {
    const auto simulation = start(insideCollider(collider));
    float fastest = 0;
    StepReport report;
    for (int f = 0; f < 24; ++f) {
      const Status moved = simulation->advance(1, report);
      ASSERT_TRUE(moved.ok()) << moved.message();
      fastest = std::max(fastest, report.max_speed);
    }
    BodyView view;
    simulation->readBody(0, view);
    EXPECT_GT(view.ids.size(), 200u);
    for (const Vec3f p : view.positions) {
      ASSERT_TRUE(isFinite(p));
      EXPECT_LT(length(p), 6);
    }
    EXPECT_LT(fastest, 12) << static_cast<int>(collider.shape);
  }
}

// ---- wet sand that sleeps ----

// A wet block with steep sides on a floor.
Scene wetBlock() {
  std::vector<Vec3f> places;
  for (int k = 0; k < 10 * 10 * 10; ++k) {
    const auto at = [k](int step) { return 2 * kRadius * static_cast<float>(k / step % 10); };
    // layers in each other's hollows: dry ones do not stand
    const float aside = k / 100 % 2 ? 0.7f * kRadius : 0.0f;
    places.push_back({at(1) + aside, kRadius + 0.9f * at(100), at(10) + aside});
  }
  Scene scene;
  scene.bodies = {grains(places)};
  scene.bodies[0].grain.base.cohesion = 3000;
  Collider floor;
  floor.name = "floor";
  scene.colliders = {floor};
  return scene;
}

float topOf(const Simulation& simulation) {
  BodyView view;
  simulation.readBody(0, view);
  float top = 0;
  for (const Vec3f p : view.positions) top = std::max(top, p.y);
  return top;
}

// It stands and sleeps; a ball that drives into it wakes it.
TEST(WetSand, SleepsAndWakes) {
  Scene scene = wetBlock();
  Collider ball;
  ball.name = "ball", ball.shape = Collider::Shape::volume;
  ball.volume.shape = Volume::Shape::sphere, ball.volume.radius = 0.05f;
  ball.volume.place.m[0][3] = -0.5, ball.volume.place.m[1][3] = 0.1, ball.volume.place.m[2][3] = 0.09;
  ball.translate.keys = {{1, {}}, {60, {}}, {84, {0.5f, 0, 0}}};
  scene.colliders.push_back(ball);
  const auto simulation = start(scene);
  StepReport report;
  const auto run = [&](int frames) {
    for (int f = 0; f < frames; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  };
  run(58);
  EXPECT_EQ(report.asleep, 1000);
  EXPECT_EQ(report.max_speed, 0);
  EXPECT_GT(topOf(*simulation), 0.16f);  // it has not slumped
  BodyView before, after;
  simulation->readBody(0, before);
  run(30);
  simulation->readBody(0, after);
  int moved = 0;
  for (std::size_t k = 0; k < before.positions.size(); ++k)
    moved += length(after.positions[k] - before.positions[k]) > kRadius;
  EXPECT_GT(moved, 20);
  EXPECT_LT(report.max_penetration, 0.5f * kRadius);
  run(48);
  EXPECT_GT(report.asleep, 900);
}

// A castle that sleeps falls when it dries, and when gravity turns.
TEST(WetSand, SleepersWakeWhenTheRulesChange) {
  for (const bool dries : {true, false}) {
    Scene scene = wetBlock();
    if (dries) {
      scene.bodies[0].grain.tracks.push_back({offsetof(GrainParams, cohesion), 1, {}});
      scene.bodies[0].grain.tracks.back().keys.keys = {{48, {3000, 0, 0}}, {50, {0, 0, 0}}};
    } else {
      scene.world.tracks.push_back({offsetof(WorldParams, gravity), 3, {}});
      scene.world.tracks.back().keys.keys = {{48, {0, -9.81f, 0}}, {50, {0, 9.81f, 0}}};
    }
    const auto simulation = start(scene);
    StepReport report;
    for (int f = 0; f < 46; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    EXPECT_EQ(report.asleep, 1000);
    const float before = topOf(*simulation);
    for (int f = 0; f < 36; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
    if (dries)
      EXPECT_LT(topOf(*simulation), before - 2 * kRadius);
    else
      EXPECT_GT(topOf(*simulation), before + 1);
  }
}

}  // namespace
}  // namespace repose
