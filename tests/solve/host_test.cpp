// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host does to a simulation: forces, places, velocities, pins, its call before each substep.
#include <cmath>
#include <limits>
#include <numeric>

#include "model/build.h"
#include "scene/host_mesh.h"
#include "scenes.h"

namespace repose {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Two grains, a steel ball and a sheet on one corner, far from each other, without air.
const char* const kApart = R"({"substeps": 4, "airdensity": 0, "bodies": [
    {"name": "sheet", "kind": "cloth", "source": {"shape": "grid", "size": [1, 1], "divisions": [4, 4]},
     "pins": [{"points": [0], "translate": [[1, [0, 0, 0]]]}]},
    {"name": "sand", "kind": "grain", "radius": 0.1, "density": 1000, "veldamping": 0, "source": {"host": "dots"},
     "transform": {"translate": [5, 0, 0]}},
    {"name": "ball", "kind": "rigid", "source": {"shape": "sphere", "radius": 0.5}, "density": 1000,
     "veldamping": 0, "spindamping": 0, "transform": {"translate": [10, 0, 0]}}]})";
enum { sheet, sand, ball };

Scene load(const std::string& text, const HostMeshes& meshes) {
  SceneLoad loaded = loadSceneText(text, "memory", meshes);
  EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  return std::move(loaded.scene);
}

Geometry dots() {
  Geometry points;
  points.points = {{0, 0, 0}, {1, 0, 0}};
  return points;
}

Scene apart() { return load(kApart, {{"dots", {dots(), nullptr}}}); }

BodyView look(const Simulation& simulation, int body) {
  BodyView view;
  simulation.readBody(body, view);
  return view;
}

void expectNear(Vec3f a, Vec3f b, float tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "along " << k;
}

// v = (g + F/m) t, whatever else happens.
TEST(HostForces, AddForceOverMassToGravity) {
  const auto simulation = start(apart());
  const double mass = 1000 * 4.0 / 3 * M_PI * 1e-3;
  const Vec3f force{0, static_cast<float>(9.81 * mass), static_cast<float>(2 * mass)};
  ASSERT_TRUE(simulation->setForces(sand, {{force, {}}, {}}).ok());
  advanceFrames(*simulation, 24);
  const BodyView view = look(*simulation, sand);
  expectNear(view.velocities[0], {0, 0, 2}, 1e-4f);
  expectNear(view.positions[0], {5, 0, 1}, 0.02f);
  expectNear(view.velocities[1], {0, -9.81f, 0}, 1e-3f);
  ASSERT_TRUE(simulation->setForces(sand, {}).ok());
  advanceFrames(*simulation, 24);
  expectNear(look(*simulation, sand).velocities[0], {0, -9.81f, 2}, 1e-3f);  // no force any more
}

TEST(HostForces, TurnAndPushRigidBodies) {
  Scene scene = apart();
  scene.world.base.gravity = {};
  const auto simulation = start(scene);
  const double mass = 1000 * 4.0 / 3 * M_PI * 0.125, inertia = 0.4 * mass * 0.25;
  ASSERT_TRUE(
      simulation
          ->setForces(ball, {{{static_cast<float>(mass), 0, 0}}, {{0, static_cast<float>(3 * inertia), 0}}})
          .ok());
  advanceFrames(*simulation, 24);
  RigidView view;
  simulation->readRigid(ball, view);
  expectNear(view.velocities[0], {1, 0, 0}, 0.01f);
  expectNear(view.spins[0], {0, 3, 0}, 0.03f);
}

// Momentum of a free sheet is the sum of its forces times time, by every way to solve it.
TEST(HostForces, AreTheMomentumOfCloth) {
  for (const SolverMethod method :
       {SolverMethod::gauss_seidel, SolverMethod::accelerated_jacobi, SolverMethod::multilevel}) {
    Scene scene = sceneOf(makeGrid(4, 4, 1, 1));
    scene.world.base.gravity = {};
    scene.solver.base.method = method;
    const auto simulation = start(scene);
    BodyForces pushes;
    pushes.forces.resize(25);
    pushes.forces[12] = {0, 0.1f, 0}, pushes.forces[3] = {0.05f, 0, 0};
    ASSERT_TRUE(simulation->setForces(0, pushes).ok());
    advanceFrames(*simulation, 12);
    Vec3f momentum;
    const BodyView view = look(*simulation, 0);
    const Result<Built> built = buildModel(scene);
    for (int p = 0; p < built->model.numPoints(); ++p)
      if (built->model.source[p] >= 0)
        momentum += view.velocities[built->model.source[p]] * (1 / built->model.inv_mass[p]);
    expectNear(momentum, {0.025f, 0.05f, 0}, 1e-3f);
  }
}

// On points of a surface that is embedded: momentum is force times time, and the body goes where it is
// pushed.
TEST(HostForces, OnShownPointsMoveSoftBodies) {
  Scene scene = load(R"({"airdensity": 0, "gravity": [0, 0, 0], "bodies": [{"name": "box", "kind": "soft",
      "density": 1000, "youngsmodulus": 1e6, "source": {"shape": "box", "size": [0.4, 0.4, 0.4]}}]})",
                     {});
  const auto simulation = start(scene);
  std::vector<float> masses;
  simulation->readMasses(0, masses);
  EXPECT_NEAR(std::accumulate(masses.begin(), masses.end(), 0.0), 64, 1e-3);
  std::vector<Vec3f> shown(look(*simulation, 0).positions.size());
  shown[0] = {40, 0, 0}, shown.back() = {24, 0, 0};
  ASSERT_TRUE(simulation->setForces(0, {simulation->onSimulated(0, shown), {}}).ok());
  advanceFrames(*simulation, 24);
  std::vector<Vec3f> places, velocities;
  simulation->readPoints(0, places, velocities);
  Vec3f momentum;
  for (std::size_t p = 0; p < masses.size(); ++p) momentum += velocities[p] * masses[p];
  expectNear(momentum, {64, 0, 0}, 0.1f);
}

// A simulation whose forces are gone has the bits of one that never had any.
TEST(HostForces, ThatAreZeroAreNone) {
  const auto pushed = start(apart()), plain = start(apart());
  for (const int body : {sheet, sand, ball}) {
    const std::size_t count = body == sheet ? 25 : body == sand ? 2 : 1;
    ASSERT_TRUE(pushed->setForces(body, {std::vector<Vec3f>(count, {1, 0, 0}), {}}).ok());
    ASSERT_TRUE(pushed->setForces(body, {std::vector<Vec3f>(count), {}}).ok());
  }
  advanceFrames(*pushed, 2);
  advanceFrames(*plain, 2);
  EXPECT_EQ(pushed->stateHash(), plain->stateHash());
}

// A linear field pushes a piece about its centre of mass: the view says where that is, and how it turns.
TEST(HostForces, TheMassOfAPieceIsSeen) {
  const Scene scene = load(R"({"bodies": [{"name": "box", "kind": "rigid", "density": 500, "source":
      {"shape": "box", "size": [1, 2, 3]}, "transform": {"translate": [4, 5, 6]}}]})",
                           {});
  const auto simulation = start(scene);
  std::vector<PieceMass> pieces;
  simulation->readPieces(0, pieces);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_NEAR(pieces[0].mass, 3000, 1e-2f);
  expectNear(pieces[0].axes.origin, {4, 5, 6}, 1e-5f);
  Vec3f squares;  // of the extents, along the axes of the world
  for (int k = 0; k < 3; ++k) {
    const Vec3f m = pieces[0].moments;
    const float spread = 6 * (m[(k + 1) % 3] + m[(k + 2) % 3] - m[k]) / 3000;
    for (int c = 0; c < 3; ++c) squares[c] += spread * pieces[0].axes.axis[k][c] * pieces[0].axes.axis[k][c];
  }
  expectNear(squares, {1, 4, 9}, 1e-3f);
}

TEST(HostForces, GiveTheSameBitsOnAnyNumberOfThreads) {
  const Scene scene = load(R"({"bodies": [{"name": "sand", "kind": "grain", "radius": 0.05, "source":
      {"fill": {"shape": "box", "size": [1, 1, 1]}}}], "colliders": [{"name": "floor", "shape": "plane",
      "transform": {"translate": [0, -0.6, 0]}}]})",
                           {});
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3}) {
    const auto simulation = start(scene, threads);
    BodyForces wind;
    for (const Vec3f p : look(*simulation, 0).positions) wind.forces.push_back({p.y, 0, -p.x});
    ASSERT_TRUE(simulation->setForces(0, wind).ok());
    advanceFrames(*simulation, 3);
    hashes.push_back(simulation->stateHash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(HostForces, ThatAreWrongAreNamed) {
  const auto simulation = start(apart());
  const auto message = [&](int body, const BodyForces& forces) {
    const Status set = simulation->setForces(body, forces);
    EXPECT_EQ(set.code(), Code::bad_input);
    return set.message();
  };
  EXPECT_EQ(message(sand, {{{}, {0, kNan, 0}}, {}}), "body 'sand', grain 1: the force given is not finite");
  EXPECT_EQ(message(sand, {{{}}, {}}), "body 'sand' has 2 grains, but 1 forces were given");
  EXPECT_EQ(message(sheet, {{{}}, {}}), "body 'sheet' has 25 points, but 1 forces were given");
  EXPECT_EQ(message(sheet, {{}, {{}}}), "body 'sheet' is not rigid and takes no torques");
  EXPECT_EQ(message(ball, {{}, {{kNan, 0, 0}}}), "body 'ball', piece 0: the force given is not finite");
}

// Sand that has fallen asleep on a floor rolls off when it is pushed.
TEST(HostForces, WakeWhatSleeps) {
  const Scene scene = load(R"({"bodies": [
      {"name": "sand", "kind": "grain", "radius": 0.1, "source": {"host": "dots"}},
      {"name": "box", "kind": "rigid", "source": {"shape": "box", "size": [1, 1, 1]},
       "transform": {"translate": [5, 0.4, 0]}}],
      "colliders": [{"name": "floor", "shape": "plane", "transform": {"translate": [0, -0.1, 0]}}]})",
                           {{"dots", {dots(), nullptr}}});
  const auto simulation = start(scene);
  StepReport report;
  for (int f = 0; f < 60; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  ASSERT_EQ(report.asleep, 2);
  ASSERT_TRUE(simulation->setForces(0, {{{200, 0, 0}, {}}, {}}).ok());
  ASSERT_TRUE(simulation->setForces(1, {{{1e5f, 0, 0}}, {}}).ok());
  for (int f = 0; f < 10; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  EXPECT_GT(look(*simulation, 0).velocities[0].x, 0.1f);
  RigidView box;
  simulation->readRigid(1, box);
  EXPECT_GT(box.velocities[0].x, 1.0f);
}

TEST(HostEdit, OfWhatWasReadChangesNoBit) {
  const auto simulation = start(apart()), untouched = start(apart());
  for (int f = 0; f < 3; ++f) {
    for (const int body : {sheet, sand}) {
      const BodyView view = look(*simulation, body);
      ASSERT_TRUE(
          simulation->writeBody(body, {view.positions.size(), view.positions.data(), view.velocities.data()})
              .ok());
    }
    RigidView view;
    simulation->readRigid(ball, view);
    ASSERT_TRUE(
        simulation->writeRigid(ball, {1, view.poses.data(), view.velocities.data(), view.spins.data()}).ok());
    advanceFrames(*simulation, 1), advanceFrames(*untouched, 1);
    EXPECT_EQ(simulation->stateHash(), untouched->stateHash());
  }
}

TEST(HostEdit, MovesPointsGrainsAndPieces) {
  Scene scene = apart();
  scene.world.base.gravity = {};
  scene.solver.base.secondorder = true;
  const auto simulation = start(scene);
  BodyView view = look(*simulation, sand);
  view.positions[1] = {5, 3, 0}, view.velocities[0] = {0, 0, 1};
  ASSERT_TRUE(simulation->writeBody(sand, {2, view.positions.data(), view.velocities.data()}).ok());
  std::vector<Vec3f> places(25), velocities(25, Vec3f{0, 1, 0});
  simulation->readPoints(sheet, places, velocities);
  for (std::size_t p = 1; p < velocities.size(); ++p) velocities[p] = {0, 0.001f, 0};
  ASSERT_TRUE(simulation->writeBody(sheet, {25, nullptr, velocities.data()}).ok());
  const Pose turned = poseOf({10, 0, 7}, normalized({0, 1, 0, 1}));
  const Vec3f velocity{0, 2, 0}, spin{1, 0, 0};
  ASSERT_TRUE(simulation->writeRigid(ball, {1, &turned, &velocity, &spin}).ok());
  advanceFrames(*simulation, 24);
  expectNear(look(*simulation, sand).positions[1], {5, 3, 0}, 1e-5f);
  expectNear(look(*simulation, sand).positions[0], {5, 0, 1}, 1e-4f);
  EXPECT_NE(look(*simulation, sheet).positions[12].y, places[12].y);
  RigidView rigid;
  simulation->readRigid(ball, rigid);
  expectNear(rigid.poses[0].origin, {10, 2, 7}, 1e-4f);
  expectNear(rigid.spins[0], spin, 1e-4f);
}

TEST(HostEdit, ThatIsWrongIsNamedAndChangesNothing) {
  const auto simulation = start(apart());
  const std::uint64_t hash = simulation->stateHash();
  BodyView view = look(*simulation, sheet);
  view.positions[7].y = kNan;
  EXPECT_EQ(simulation->writeBody(sheet, {25, view.positions.data(), nullptr}).message(),
            "body 'sheet', point 7: the position given is not finite");
  view.positions[7] = view.positions[8], view.positions[0].y += 1;
  EXPECT_EQ(simulation->writeBody(sheet, {25, view.positions.data(), nullptr}).message(),
            "body 'sheet', point 0: it is pinned; move its target instead");
  EXPECT_EQ(simulation->writeBody(sand, {3, view.positions.data(), nullptr}).message(),
            "body 'sand' has 2 grains, but 3 were given");
  const Vec3f wild[] = {{}, {0, 0, kNan}};
  EXPECT_EQ(simulation->writeBody(sand, {2, nullptr, wild}).message(),
            "body 'sand', grain 1: the velocity given is not finite");
  Pose skew;
  skew.axis[0] = {1, 1, 0};
  EXPECT_EQ(simulation->writeRigid(ball, {1, &skew, nullptr, nullptr}).message(),
            "body 'ball', piece 'ball': the pose given is not finite, or its axes are not orthonormal");
  EXPECT_EQ(simulation->stateHash(), hash);
}

TEST(HostCall, ComesBeforeEverySubstepAndMayEndTheStep) {
  const auto simulation = start(apart());
  std::vector<double> seconds;
  simulation->onSubstep([&](double now) -> Status {
    seconds.push_back(now);
    if (seconds.size() == 3) return badInput("enough");
    return {};
  });
  StepReport report;
  const Status ended = simulation->advance(1, report);
  EXPECT_EQ(ended.code(), Code::bad_input);
  EXPECT_EQ(ended.message(), "enough");
  ASSERT_EQ(seconds.size(), 3u);
  EXPECT_NEAR(seconds[2], 2.0 / 96, 1e-7);
  ASSERT_TRUE(simulation->advance(1, report).ok()) << "it goes on where it stopped";
  EXPECT_EQ(seconds.size(), 5u);
  EXPECT_EQ(simulation->frame(), 2);
}

TEST(HostPins, GoWhereTheHostSays) {
  const auto simulation = start(apart());
  const Vec3f home = look(*simulation, sheet).positions[0], away = home + Vec3f{0, 0.5f, 0};
  ASSERT_TRUE(simulation->setPinTargets(sheet, {0}, {away}).ok());
  advanceFrames(*simulation, 1);
  expectNear(look(*simulation, sheet).positions[0], away, 1e-6f);
  ASSERT_TRUE(simulation->setPinTargets(sheet, {}, {}).ok());
  advanceFrames(*simulation, 1);
  expectNear(look(*simulation, sheet).positions[0], home, 1e-6f);
  EXPECT_EQ(simulation->setPinTargets(sheet, {3}, {away}).message(),
            "body 'sheet', point 3: it is not pinned; name it in \"pins\" of the scene");
  EXPECT_EQ(simulation->setPinTargets(sheet, {0}, {{kNan, 0, 0}}).message(),
            "body 'sheet', point 0: the target given is not finite");
}

// The attribute "v" is turned with the body and added to its velocity.
TEST(HostVelocity, IsAPointAttribute) {
  Attribute v;
  v.name = "v", v.width = 3, v.floats = {1, 0, 0, 0, 2, 0};
  Geometry points = dots();
  points.attributes = {v};
  const std::string text =
      R"({"bodies": [{"name": "sand", "kind": "grain", "radius": 0.1, "velocity": [0, 0, 5],
      "source": {"host": "dots"}, "transform": {"rotate": [0, 0, 90]}}]})";
  const auto simulation = start(load(text, {{"dots", {points, nullptr}}}));
  expectNear(look(*simulation, 0).velocities[0], {0, 1, 5}, 1e-6f);
  expectNear(look(*simulation, 0).velocities[1], {-2, 0, 5}, 1e-6f);

  Scene cloth = sceneOf(makeGrid(1, 1, 1, 1));
  v.floats = {1, 0, 0, 1, 0, 0, 0, 3, 0, 1, 0, 0};
  cloth.bodies[0].geometry.attributes = {v};
  expectNear(look(*start(cloth), 0).velocities[2], {0, 3, 0}, 0);

  points.attributes[0].floats[4] = kNan;
  EXPECT_EQ(loadSceneText(text, "memory", {{"dots", {points, nullptr}}}).errors.at(0),
            "memory:1:13: body \"sand\" has a velocity \"v\" at point 1 that is not finite");
}

}  // namespace
}  // namespace repose
