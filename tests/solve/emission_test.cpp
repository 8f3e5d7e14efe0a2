// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains that come and go: counts by rate and time, room at birth, sinks, and the same bits however time is
// cut.
#include "solve/emission.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/build.h"
#include "solve/simulation.h"

namespace repose {

namespace {

constexpr double kPi = 3.14159265358979323846;

// Grains of 1 cm from a box of 1 m, 1000 a second at 24 frames a second.
Scene pouring() {
  Scene scene;
  scene.first_frame = 1, scene.last_frame = 100;
  Body body;
  body.name = "sand";
  body.kind = BodyKind::grain;
  body.grain.base.radius = 0.01f;
  Emitter emitter;
  emitter.rate = 1000;
  emitter.velocity = {0, -3, 0};
  emitter.seed = 4;
  body.emitters.push_back(emitter);
  scene.bodies.push_back(body);
  return scene;
}

// Runs to a frame in substeps; grains do not move.
void run(const Scene& scene, Emission& emission, double from, double to, int substeps, GrainState& grains) {
  const int steps = static_cast<int>(std::lround((to - from) * substeps));
  for (int k = 1; k <= steps; ++k) {
    const double frame = from + static_cast<double>(k) / substeps;
    emission.step(frame, (frame - scene.first_frame) / scene.world.base.fps, grains);
  }
}

bool sameBits(const GrainState& a, const GrainState& b) {
  const auto same = [](const std::vector<Vec4f>& p, const std::vector<Vec4f>& q) {
    for (std::size_t k = 0; k < std::min(p.size(), q.size()); ++k)
      if (xyz(p[k]) != xyz(q[k]) || p[k].w != q[k].w) return false;
    return p.size() == q.size();
  };
  return same(a.x, b.x) && same(a.v, b.v) && a.id == b.id && a.body == b.body && a.births == b.births &&
         a.emitted == b.emitted;
}

int overlapping(const GrainState& grains) {
  int pairs = 0;
  SphereGrid grid;
  grid.clear(grains.size());
  for (const Vec4f& x : grains.x) {
    grid.overlaps(xyz(x), x.w * 0.999f, [&](int, double) { return ++pairs, true; });
    grid.add(x);
  }
  return pairs;
}

}  // namespace

TEST(FirstGrains, HaveTheMassOfASphereAndIdsInTheOrderOfTheGeometry) {
  Scene scene;
  Body cloth;
  cloth.name = "cloth";
  Body sand;
  sand.name = "sand";
  sand.kind = BodyKind::grain;
  sand.velocity = {1, 2, 3};
  sand.grain.base.density = 2650;
  sand.grain.base.startasleep = true;
  sand.geometry.points = {{0, 0, 0}, {1, 0, 0}};
  sand.radii = {0.1f, 0.2f};
  Attribute factor;
  factor.name = "density";
  factor.floats = {1, 0.5f};
  sand.geometry.attributes.push_back(factor);
  Body snow = sand;
  snow.name = "snow";
  snow.grain.base.startasleep = false;
  snow.geometry.attributes.clear();
  scene.bodies = {cloth, sand, snow};
  const GrainState grains = makeGrains(scene);
  ASSERT_EQ(grains.size(), 4u);
  EXPECT_FLOAT_EQ(1 / grains.v[0].w, static_cast<float>(2650 * 4.0 / 3 * kPi * 0.001));
  EXPECT_FLOAT_EQ(1 / grains.v[1].w, static_cast<float>(0.5 * 2650 * 4.0 / 3 * kPi * 0.008));
  EXPECT_EQ(xyz(grains.x[1]), (Vec3f{1, 0, 0}));
  EXPECT_EQ(grains.x[1].w, 0.2f);
  EXPECT_EQ(xyz(grains.v[3]), (Vec3f{1, 2, 3}));
  EXPECT_EQ(grains.id, (std::vector<std::uint32_t>{0, 1, 0, 1}));
  EXPECT_EQ(grains.body, (std::vector<std::uint16_t>{1, 1, 2, 2}));
  EXPECT_EQ(grains.births, (std::vector<std::uint32_t>{0, 2, 2}));
  EXPECT_EQ(grains.calm, (std::vector<float>{GrainState::kAsleep, GrainState::kAsleep, 0, 0}));
  EXPECT_TRUE(grains.spin.empty());
  scene.bodies[2].grain.base.rotation = true;
  EXPECT_EQ(makeGrains(scene).spin.size(), 4u);

  const std::vector<GrainLevel> levels = grainLevels(scene);
  EXPECT_EQ(levels[0].greatest, 0);
  EXPECT_EQ(levels[1].least, 0.1f);
  EXPECT_EQ(levels[1].greatest, 0.2f);
}

TEST(Emitters, GiveRateTimesTimeWhateverTheSubsteps) {
  const Scene scene = pouring();
  GrainState one = makeGrains(scene), many = one;
  Emission first(scene), second(scene);
  for (int frame = 2; frame <= 49; ++frame) {
    run(scene, first, frame - 1, frame, 1, one);
    run(scene, second, frame - 1, frame, 7, many);
    ASSERT_EQ(one.size(), static_cast<std::size_t>((frame - 1) * 1000 / 24)) << frame;
    ASSERT_EQ(many.size(), one.size());
  }
  EXPECT_EQ(one.births[0], 2000u);
  EXPECT_EQ(overlapping(one), 0);
  EXPECT_EQ(std::set<std::uint32_t>(one.id.begin(), one.id.end()).size(), 2000u);
  for (const Vec4f& x : one.x)
    EXPECT_TRUE(std::abs(x.x) <= 0.5f && std::abs(x.y) <= 0.5f && std::abs(x.z) <= 0.5f);
  for (const Vec4f& v : one.v) EXPECT_EQ(xyz(v), (Vec3f{0, -3, 0}));
  EXPECT_TRUE(sameBits(one, many));  // as nothing moved in between
}

TEST(Emitters, AStateThatIsTakenUpAgainGivesTheSameBits) {
  Scene scene = pouring();
  scene.bodies[0].emitters.push_back(scene.bodies[0].emitters[0]);
  scene.bodies[0].emitters[1].seed = 5;
  scene.bodies[0].emitters[1].rate = 37.5f;
  scene.bodies[0].emitters[1].spread = 0.5f;
  scene.bodies[0].grain.base.radiusvariance = 0.5f;
  GrainState whole = makeGrains(scene);
  Emission emission(scene);
  run(scene, emission, 1, 30, 4, whole);
  GrainState parts = makeGrains(scene);
  Emission before(scene);
  run(scene, before, 1, 13.25, 4, parts);
  Emission after(scene);
  run(scene, after, 13.25, 30, 4, parts);
  EXPECT_TRUE(sameBits(whole, parts));
  EXPECT_EQ(overlapping(whole), 0);
}

TEST(Emitters, KeepToTheirFramesAndToTheTimeScale) {
  Scene scene = pouring();
  scene.bodies[0].emitters[0].first_frame = 13, scene.bodies[0].emitters[0].last_frame = 37;
  GrainState grains = makeGrains(scene);
  Emission emission(scene);
  run(scene, emission, 1, 13, 4, grains);
  EXPECT_EQ(grains.size(), 0u);
  run(scene, emission, 13, 60, 4, grains);
  EXPECT_EQ(grains.size(), 1000u);

  // From 1 to 0 within 24 frames: half a second.
  Scene slowing = pouring();
  slowing.world.tracks.push_back({offsetof(WorldParams, timescale), 1, {{{1, {1, 0, 0}}, {25, {0, 0, 0}}}}});
  GrainState few = makeGrains(slowing);
  Emission slow(slowing);
  run(slowing, slow, 1, 60, 3, few);
  EXPECT_EQ(few.size(), 500u);
}

TEST(Emitters, AGrainWithoutRoomComesLaterAndDebtsLapse) {
  Scene scene = pouring();
  Emitter& emitter = scene.bodies[0].emitters[0];
  emitter.volume.size = {0.001f, 0.001f, 0.001f};  // one at a time
  emitter.rate = 48;
  GrainState grains = makeGrains(scene);
  Emission emission(scene);
  run(scene, emission, 1, 5, 4, grains);
  ASSERT_EQ(grains.size(), 1u);  // the first is in the way
  grains.x[0].x = 5;
  run(scene, emission, 5, 6, 4, grains);
  ASSERT_EQ(grains.size(), 2u);
  EXPECT_EQ(grains.id[1], 1u);
  grains.x[1].x = 6;
  run(scene, emission, 6, 49, 4, grains);
  EXPECT_EQ(grains.births[0], 3u);
  EXPECT_GE(grains.emitted[0], 48u);  // 96 were due, at most a second's are still owed
}

TEST(Sinks, TakeWhatIsInsideBehindOrOldAndNoIdComesAgain) {
  Scene scene = pouring();
  Sink plane;
  plane.kind = Sink::Kind::plane;
  plane.point = {0, -0.25f, 0};
  Sink ball;
  ball.volume.shape = Volume::Shape::sphere;
  ball.volume.radius = 0.1f;
  ball.volume.place.m[1][3] = 0.3;
  scene.sinks = {plane, ball};
  GrainState grains = makeGrains(scene);
  Emission emission(scene);
  std::set<std::uint32_t> seen;
  int gone = 0;
  for (int frame = 2; frame <= 25; ++frame) {
    const Emission::Changes changes = emission.step(frame, frame / 24.0, grains);
    gone += changes.gone;
    for (std::size_t k = grains.size() - changes.born; k < grains.size(); ++k)
      EXPECT_TRUE(seen.insert(grains.id[k]).second);
  }
  EXPECT_EQ(seen.size(), 1000u);
  EXPECT_EQ(grains.births[0], 1000u);
  EXPECT_NEAR(gone, 250, 60);  // a quarter of the box is behind the plane
  Emission last(scene);
  last.step(25, 2, grains);
  for (const Vec4f& x : grains.x) {
    EXPECT_GE(x.y, -0.25f);
    EXPECT_GT(length(xyz(x) - Vec3f{0, 0.3f, 0}), 0.1f);
  }
  EXPECT_TRUE(std::is_sorted(grains.id.begin(), grains.id.end()));  // the order has stayed

  Sink age;
  age.kind = Sink::Kind::age;
  age.age = 0.5f;
  scene.sinks = {age};
  GrainState mortal = makeGrains(scene);
  Emission emission2(scene);
  run(scene, emission2, 1, 49, 4, mortal);
  EXPECT_EQ(mortal.births[0], 2000u);
  EXPECT_NEAR(static_cast<double>(mortal.size()), 500, 15);

  scene.sinks[0].body = "other";
  GrainState spared = makeGrains(scene);
  Emission emission3(scene);
  run(scene, emission3, 1, 49, 4, spared);
  EXPECT_EQ(spared.size(), 2000u);
}

TEST(GrainModel, GrainsLeaveTheModelEmptyAndBodiesKeepTheirNumbers) {
  Scene scene = pouring();
  const Result<Built> grains = buildModel(scene);
  ASSERT_TRUE(grains.ok()) << grains.status().message();
  EXPECT_EQ(grains->model.bodies.size(), 1u);
  EXPECT_EQ(grains->model.numPoints(), 0);

  Body cloth;
  cloth.name = "cloth";
  cloth.geometry.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  cloth.geometry.face_counts = {4};
  cloth.geometry.face_indices = {0, 1, 2, 3};
  scene.bodies.push_back(cloth);
  const Result<Built> both = buildModel(scene);
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(both->model.bodies[0].points.count, 0);
  EXPECT_EQ(both->model.bodies[1].name, "cloth");
  EXPECT_EQ(both->model.bodies[1].points.count, 4);
  for (const SolverMethod method : {SolverMethod::multilevel, SolverMethod::accelerated_jacobi}) {
    scene.solver.base.method = method;
    auto simulation = Simulation::create(scene, 1);
    ASSERT_TRUE(simulation.ok());
    StepReport report;
    EXPECT_TRUE((*simulation)->advance(1, report).ok());
  }
}

}  // namespace repose
