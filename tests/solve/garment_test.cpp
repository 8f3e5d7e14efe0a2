// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What garments need: limits, tethers, stitches, attachments, rest shapes, creases and pressure.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/hash.h"
#include "garment_scene.h"
#include "model/build.h"
#include "model/tethers.h"
#include "scene/shapes.h"
#include "solve/workspace.h"

namespace repose {

namespace {

constexpr SolverMethod kMethods[] = {SolverMethod::gauss_seidel,
                                     SolverMethod::jacobi,
                                     SolverMethod::improved_jacobi,
                                     SolverMethod::accelerated_jacobi,
                                     SolverMethod::gauss_seidel_coloured,
                                     SolverMethod::nesterov,
                                     SolverMethod::chebyshev,
                                     SolverMethod::minimum_residual,
                                     SolverMethod::conjugate_residuals,
                                     SolverMethod::multilevel};

BodyView look(const Simulation& simulation, int body = 0) {
  BodyView view;
  simulation.readBody(body, view);
  return view;
}

Bounds boundsOf(const std::vector<Vec3f>& points) {
  Bounds box;
  for (const Vec3f p : points) box.add(p);
  return box;
}

// For tests that step by themselves.
void giveLowDigits(State& state, SolverMethod method) {
  if (method == SolverMethod::multilevel) state.x_low.resize(state.x.size());
}

// A heavy soft sheet on its first row.
Scene heavySheet(int cells, float limit) {
  Scene scene = sceneOf(makeGrid(cells, cells, 1, 1));
  scene.solver.base.iterations = 100;
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.stretchstiffness = 20;
  cloth.density = 2;
  cloth.strainlimit = limit;
  Pin pin{"top", {}, {}, false};
  for (int i = 0; i <= cells; ++i) pin.points.push_back(i);
  scene.bodies[0].pins.push_back(pin);
  return scene;
}

float largestStretchOf(const Scene& scene, int frames) {
  auto simulation = start(scene);
  StepReport report;
  float most = 0;
  for (int f = 0; f < frames; ++f) {
    EXPECT_TRUE(simulation->advance(1, report).ok());
    most = std::max(most, report.residual);
  }
  return most;
}

// Momentum and mass of all bodies.
std::array<double, 4> momentumOf(const Scene& scene, const Simulation& simulation) {
  const Result<Built> built = buildModel(scene);
  std::array<double, 4> sum{};
  for (int b = 0; b < simulation.bodyCount(); ++b) {
    const BodyView view = look(simulation, b);
    const Range points = built->model.bodies[b].points;
    for (int p = points.first; p < points.first + points.count; ++p) {
      const double mass = 1 / built->model.inv_mass[p];
      const Vec3f v = view.velocities[built->model.source[p]];
      for (int k = 0; k < 3; ++k) sum[k] += mass * v[k];
      sum[3] += mass;
    }
  }
  return sum;
}

float widestStitch(const Scene& scene, const Simulation& simulation) {
  const BodyView a = look(simulation, scene.stitches[0].a), b = look(simulation, scene.stitches[0].b);
  float widest = 0;
  for (const auto& [p, q] : scene.stitches[0].pairs)
    widest = std::max(widest, length(a.positions[p] - b.positions[q]));
  return widest;
}

}  // namespace

TEST(StrainLimit, SoftClothEndsHard) {
  for (const SolverMethod method : kMethods) {
    Scene scene = heavySheet(8, 0.1f);
    scene.solver.base.method = method;
    const bool slow = method == SolverMethod::jacobi || method == SolverMethod::nesterov ||
                      method == SolverMethod::minimum_residual;
    EXPECT_LT(largestStretchOf(scene, 24), slow ? 0.115f : 0.103f) << static_cast<int>(method);
  }
  EXPECT_GT(largestStretchOf(heavySheet(8, 0), 24), 0.4f);
}

TEST(StrainLimit, DoesNothingToClothThatDoesNotReachIt) {
  Scene plain = heavySheet(6, 0), wide = heavySheet(6, 10);
  for (Scene* scene : {&plain, &wide}) scene->solver.base.method = SolverMethod::gauss_seidel;
  auto one = start(plain), two = start(wide);
  advanceFrames(*one, 12);
  advanceFrames(*two, 12);
  EXPECT_EQ(look(*one).positions, look(*two).positions);
}

TEST(Tethers, AreTheShortestWaysAlongTheEdges) {
  // a chain 0-1-2-3-4 with a shortcut 0-3, pins 0 and 4; 5 is on its own
  const std::vector<WayEdge> edges = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 2}, {0, 3, 2}};
  const std::vector<Tether> tethers = findTethers(edges, {true, false, false, false, true, false});
  ASSERT_EQ(tethers.size(), 3u);
  const int expected[3][4] = {{1, 0, 1, -1}, {2, 0, 2, 0}, {3, 0, 2, -1}};  // of equal ways the pin 0
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(tethers[k].point, expected[k][0]);
    EXPECT_EQ(tethers[k].pin, expected[k][1]);
    EXPECT_EQ(tethers[k].length, static_cast<float>(expected[k][2]));
    EXPECT_EQ(tethers[k].next, expected[k][3]);
  }
}

TEST(Tethers, KeepTheLengthOfAHangingSheetAtFewIterations) {
  for (const SolverMethod method : kMethods) {
    const auto drop = [&](bool tethers) {
      Scene scene = heavySheet(40, 0);
      scene.solver.base.method = method;
      scene.solver.base.iterations = 5;
      ClothParams& cloth = scene.bodies[0].cloth.base;
      cloth.stretchstiffness = 1e10f;
      cloth.tethers = tethers;
      cloth.tetherslack = 0.02f;
      auto simulation = start(scene);
      float most = 0;
      for (int f = 0; f < 24; ++f) {
        advanceFrames(*simulation, 1);
        const BodyView view = look(*simulation);
        // points of a column against their pin, over the way
        for (int j = 1; j <= 40; ++j)
          for (int i = 0; i <= 40; ++i)
            most = std::max(most, length(view.positions[j * 41 + i] - view.positions[i]) /
                                      (0.025f * static_cast<float>(j)));
      }
      return most;
    };
    // in five iterations gauss_seidel obeys its tethers, the others nearly; only residual solvers are far
    const bool residual =
        method == SolverMethod::minimum_residual || method == SolverMethod::conjugate_residuals;
    EXPECT_LT(drop(true), residual ? 1.35f : 1.07f) << static_cast<int>(method);
    if (method != SolverMethod::multilevel) {  // which keeps its length by itself
      EXPECT_GT(drop(false), 1.6f) << static_cast<int>(method);
    }
  }
}

TEST(Tethers, NeverPush) {
  // a free point below its pin, nearer than the tether is long, falls as if there were none
  for (const SolverMethod method : kMethods) {
    ModelBuilder builder;
    builder.beginBody("rope");
    builder.addPoints({{0, 0, 0}, {0, -0.2f, 0}}, {1, 1}, {}, {0, 1});
    builder.pin(0, 0, 0);
    builder.addTether(1, 0, 1, -1);
    builder.endBody();
    Built built = builder.finish();
    StepParams params;
    params.h = 0.01f;
    params.world.airdensity = 0;
    params.solver.method = method;
    params.cloth.resize(1);
    params.pin_targets = {{0, 0, 0}};
    giveLowDigits(built.state, method);
    Workspace work(built.model, params);
    const auto backend = makeTbbBackend(1);
    float y = -0.2f, v = 0;
    StageSeconds seconds{};
    for (int n = 0; n < 35; ++n) {
      step(built.model, built.state, params, work, *backend, seconds);
      v -= 0.01f * 9.81f;
      y += 0.01f * v;
      ASSERT_NEAR(built.state.x[1].y, y, 1e-5f) << static_cast<int>(method);
    }
    params.cloth[0].veldamping = 3;
    for (int n = 0; n < 1000; ++n) {
      step(built.model, built.state, params, work, *backend, seconds);
      ASSERT_GT(built.state.x[1].y, -1.001f) << static_cast<int>(method);
    }
    EXPECT_NEAR(built.state.x[1].y, -1, 2e-3f) << static_cast<int>(method);  // hangs
  }
}

TEST(Stitches, EdgesMeetAndMomentumIsKept) {
  for (const SolverMethod method : kMethods) {
    Scene scene = twoSheets(8, 0.05f);
    scene.solver.base.method = method;
    scene.solver.base.iterations = 60;
    scene.bodies[0].velocity = {0, 1, 0};
    scene.bodies[1].velocity = {0, 0, -1};
    scene.bodies[1].cloth.base.density = 0.6f;
    auto simulation = start(scene);
    const auto before = momentumOf(scene, *simulation);
    advanceFrames(*simulation, 24);
    EXPECT_LT(widestStitch(scene, *simulation), 1e-3f) << static_cast<int>(method);
    const auto after = momentumOf(scene, *simulation);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(after[k] / after[3], before[k] / before[3], 2e-3) << static_cast<int>(method);
  }
}

TEST(Stitches, SoftThreadsStretchByTheirStiffness) {
  // one point hangs from a pin of another body by a thread of 100 N/m: m g / k longer
  for (const SolverMethod method : {SolverMethod::gauss_seidel, SolverMethod::gauss_seidel_coloured,
                                    SolverMethod::accelerated_jacobi, SolverMethod::multilevel}) {
    ModelBuilder builder;
    for (const float y : {0.0f, -0.5f}) {
      builder.beginBody("one");
      builder.addPoints({{0, y, 0}}, {1}, {}, {0});
      if (y == 0) builder.pin(0, 0, 0);
      builder.endBody();
    }
    builder.addStitch(0, 0, 1, 0, 0.5f, 100);
    Built built = builder.finish();
    StepParams params;
    params.h = 0.01f;
    params.world.airdensity = 0;
    params.solver.method = method;
    params.cloth.resize(2);
    params.solver.iterations = 200;
    for (ClothParams& cloth : params.cloth) cloth.veldamping = 5;  // which also takes its part of h g
    params.pin_targets = {{0, 0, 0}};
    giveLowDigits(built.state, method);
    Workspace work(built.model, params);
    const auto backend = makeTbbBackend(1);
    StageSeconds seconds{};
    for (int n = 0; n < 500; ++n) step(built.model, built.state, params, work, *backend, seconds);
    EXPECT_NEAR(built.state.x[16].y, -0.5 - 9.81 / 100 / 1.05, 1e-4) << static_cast<int>(method);
  }
}

TEST(Stitches, CloseOverTheirFrames) {
  for (const SolverMethod method : {SolverMethod::accelerated_jacobi, SolverMethod::gauss_seidel,
                                    SolverMethod::gauss_seidel_coloured, SolverMethod::multilevel}) {
    Scene scene = twoSheets(4, 0.4f);
    scene.solver.base.method = method;
    scene.solver.base.iterations = 60;
    scene.stitches[0].closes = true;
    scene.stitches[0].close_first = 5, scene.stitches[0].close_last = 45;
    for (Body& body : scene.bodies) body.cloth.base.veldamping = 5;
    auto simulation = start(scene);
    advanceFrames(*simulation, 4);
    EXPECT_NEAR(widestStitch(scene, *simulation), 0.4f, 1e-4f);
    advanceFrames(*simulation, 20);
    EXPECT_NEAR(widestStitch(scene, *simulation), 0.2f, 5e-3f);
    advanceFrames(*simulation, 30);
    EXPECT_LT(widestStitch(scene, *simulation), 2e-3f);
  }
}

TEST(Attachments, FollowAMovingMeshExactly) {
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    // a board that turns and travels; corners of the sheet hover 0.3 m above it
    const auto turn = [](Vec3f p, double frame) {
      const double angle = 0.02 * (frame - 1);
      const auto c = static_cast<float>(std::cos(angle)), s = static_cast<float>(std::sin(angle));
      return Vec3f{c * p.x - s * p.y + 0.01f * static_cast<float>(frame - 1), s * p.x + c * p.y, p.z};
    };
    Scene scene = sceneOf(makeGrid(6, 6, 1, 1));
    scene.solver.base.method = method;
    Geometry board = makeGrid(3, 3, 5, 5);
    for (Vec3f& p : board.points) p = p - Vec3f{2, 0.3f, 2};
    Pin pin{"corners", {0, 6}, {}, false};
    pin.to =
        std::make_shared<AnchorMesh>(AnchorMesh{board, std::make_shared<FormulaMotion>(board.points, turn)});
    scene.bodies[0].pins.push_back(pin);
    const std::vector<Vec3f> rest = scene.bodies[0].geometry.points;
    auto simulation = start(scene);
    for (int f = 2; f <= 20; ++f) {
      advanceFrames(*simulation, 1);
      const BodyView view = look(*simulation);
      for (const int p : {0, 6})
        EXPECT_LT(length(view.positions[p] - turn(rest[p], f)), 1e-6f) << "frame " << f;
    }
  }
}

TEST(Attachments, KeepTheirPlaceOnAMeshThatStretches) {
  Scene scene = sceneOf(makeGrid(2, 2, 1, 1));
  Geometry board = makeGrid(1, 1, 2, 2);
  const auto widen = [](Vec3f p, double frame) { return Vec3f{p.x * static_cast<float>(frame), p.y, p.z}; };
  Pin pin{"corner", {8}, {}, false};  // at (1, 0, 1), the middle of the board
  pin.to =
      std::make_shared<AnchorMesh>(AnchorMesh{board, std::make_shared<FormulaMotion>(board.points, widen)});
  scene.bodies[0].pins.push_back(pin);
  auto simulation = start(scene);
  advanceFrames(*simulation, 1);
  EXPECT_LT(length(look(*simulation).positions[8] - Vec3f{2, 0, 1}), 1e-5f);
}

TEST(Rest, ScaleShrinksAFreeSheet) {
  for (const SolverMethod method : kMethods) {
    Scene scene = sceneOf(makeGrid(8, 8, 1, 1));
    scene.world.base.gravity = {};
    scene.solver.base.method = method;
    scene.solver.base.iterations = 100;
    scene.bodies[0].cloth.base.restscale = 0.9f;
    scene.bodies[0].cloth.base.veldamping = 5;
    StepReport report;
    auto simulation = start(scene);
    ASSERT_TRUE(simulation->measure(report).ok());
    EXPECT_NEAR(report.residual, 1 / 0.9 - 1, 1e-4);  // stretched against what it is at rest
    advanceFrames(*simulation, 24);
    const std::vector<Vec3f> x = look(*simulation).positions;
    EXPECT_NEAR(length(x[8] - x[0]), 0.9, 1e-3) << static_cast<int>(method);
    EXPECT_NEAR(length(x[72] - x[0]), 0.9, 1e-3) << static_cast<int>(method);
  }
}

TEST(Rest, KeysAndPointAttributesMultiply) {
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    Scene scene = sceneOf(makeGrid(4, 4, 1, 1));
    scene.solver.base.method = method;
    scene.world.base.gravity = {};
    scene.solver.base.iterations = 100;
    Attribute attribute;
    attribute.name = "restscale";
    attribute.floats.assign(25, 0.5f);
    scene.bodies[0].geometry.attributes.push_back(attribute);
    scene.bodies[0].cloth.base.veldamping = 5;
    scene.bodies[0].cloth.tracks.push_back(
        {offsetof(ClothParams, restscale), 1, {{{1, {2, 0, 0}}, {13, {2, 0, 0}}, {25, {1.6f, 0, 0}}}}});
    auto simulation = start(scene);
    const auto width = [&] {
      const Bounds box = boundsOf(look(*simulation).positions);
      return box.hi.x - box.lo.x;
    };
    advanceFrames(*simulation, 12);
    EXPECT_NEAR(width(), 1, 1e-5);
    advanceFrames(*simulation, 36);
    EXPECT_NEAR(width(), 0.8, 1e-3);
  }
}

TEST(Rest, ShapeOfItsOwnAndMoving) {
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    // the rest shape is narrow, and then grows long
    Scene scene = sceneOf(makeGrid(6, 6, 1, 1));
    scene.solver.base.method = method;
    scene.world.base.gravity = {};
    scene.solver.base.iterations = 150;
    ClothParams& cloth = scene.bodies[0].cloth.base;
    cloth.veldamping = 5;
    cloth.strainlimit = 0.2f;
    cloth.bendmodel = BendModel::dihedral;
    Body& body = scene.bodies[0];
    body.rest_points = makeGrid(6, 6, 0.8f, 1).points;
    const auto size = [](const Simulation& simulation) {
      const Bounds box = boundsOf(look(simulation).positions);
      return box.hi - box.lo;
    };
    auto still = start(scene);
    advanceFrames(*still, 24);
    EXPECT_NEAR(size(*still).x, 0.8, 1e-3);
    EXPECT_NEAR(size(*still).z, 1, 1e-3);
    body.rest_motion = std::make_shared<FormulaMotion>(body.rest_points, [](Vec3f p, double frame) {
      return Vec3f{p.x, p.y, p.z * static_cast<float>(std::min(1 + 0.01 * (frame - 1), 1.2))};
    });
    auto moving = start(scene);
    advanceFrames(*moving, 48);
    EXPECT_NEAR(size(*moving).x, 0.8, 1e-3);
    EXPECT_NEAR(size(*moving).z, 1.2, 1e-3);
  }
}

// Degrees at which a strip of two quads comes to rest, flat by its rest shape, half of it held and the other
// folded at the start.
float angleAfterFolding(float fold_degrees, float yield_degrees, SolverMethod method) {
  Scene scene = sceneOf(makeGrid(2, 1, 1, 0.5f));
  scene.world.base.gravity = {};
  scene.solver.base.iterations = 60;
  scene.solver.base.method = method;
  Body& body = scene.bodies[0];
  body.rest_points = body.geometry.points;
  const double angle = fold_degrees * 3.14159265 / 180;
  for (Vec3f& p : body.geometry.points)
    if (p.x > 0.75f)
      p = {0.5f + 0.5f * static_cast<float>(std::cos(angle)), 0.5f * static_cast<float>(std::sin(angle)),
           p.z};
  ClothParams& cloth = body.cloth.base;
  cloth.bendmodel = BendModel::dihedral;
  cloth.bendstiffness = 1;
  cloth.veldamping = 200;  // slow: the fold is held for longer than a crease takes
  cloth.creaseangle = yield_degrees;
  cloth.creasetime = 1e-3f;
  body.pins.push_back({"half", {0, 1, 3, 4}, {}, false});
  auto simulation = start(scene);
  advanceFrames(*simulation, 224);
  const BodyView view = look(*simulation);
  const Vec3f arm = view.positions[2] - view.positions[1];
  return static_cast<float>(std::atan2(arm.y, arm.x) * 180 / 3.14159265);
}

TEST(Creases, AFoldBeyondTheYieldStays) {
  for (const SolverMethod method : {SolverMethod::gauss_seidel, SolverMethod::multilevel}) {
    EXPECT_NEAR(angleAfterFolding(60, 0, method), 0, 0.5);    // no creases: flat again
    EXPECT_NEAR(angleAfterFolding(15, 20, method), 0, 0.5);   // below the yield: flat again
    EXPECT_NEAR(angleAfterFolding(60, 20, method), 40, 2.0);  // what is beyond the yield stays
    EXPECT_NEAR(angleAfterFolding(-60, 20, method), -40, 2.0);
  }
}

TEST(Creases, TakeTheirTime) {
  // a fold held by pins: rest -> (fold - yield) (1 - exp(-t / time))
  for (const SolverMethod method : kMethods) {
    ModelBuilder builder;
    builder.beginBody("hinge");
    builder.addPoints({{0.5f, 0.5f, 0}, {-0.5f, 0.5f, 0}, {0, 0, 0}, {0, 0, 1}}, {1, 1, 1, 1}, {},
                      {0, 1, 2, 3});
    for (int p = 0; p < 4; ++p) builder.pin(p, 0, 0);
    const int corner[4] = {0, 1, 2, 3};
    const float weight[4] = {1, 1, 1, 1};
    builder.addHinge(BendModel::dihedral, corner, weight, 0, 1);
    builder.endBody();
    Built built = builder.finish();
    built.state.rest_angle = built.model.dihedral.rest_angle;
    StepParams params;
    params.h = 0.01f;
    params.solver.method = method;
    params.solver.iterations = 2;
    params.world.airdensity = 0;
    params.cloth.resize(1);
    params.cloth[0].creaseangle = 30;
    params.cloth[0].creasetime = 0.25f;
    for (int p = 0; p < 4; ++p) params.pin_targets.push_back(xyz(built.state.x[p]));
    giveLowDigits(built.state, method);
    Workspace work(built.model, params);
    const auto backend = makeTbbBackend(1);
    StageSeconds seconds{};
    for (int n = 0; n < 50; ++n) step(built.model, built.state, params, work, *backend, seconds);
    const double expected = (90 - 30) * 3.14159265 / 180 * (1 - std::exp(-0.5 / 0.25));
    EXPECT_NEAR(std::abs(built.state.rest_angle[0]), expected, 1e-5);
  }
}

TEST(Pressure, InflatesASphereWithoutMovingIt) {
  Shape shape;
  for (const ShapeRow& row : kShapes) {
    if (row.name != "sphere" && row.name != "box" && row.name != "torus") continue;
    shape.divisions = row.default_divisions;
    Scene scene = sceneOf(row.make(shape));
    scene.world.base.gravity = {};
    ClothParams& cloth = scene.bodies[0].cloth.base;
    cloth.density = 0.25f;
    cloth.pressure = 3;
    cloth.stretchstiffness = 1e-3f;  // nothing that holds it
    cloth.shearstiffness = 0;
    cloth.bendmodel = BendModel::none;
    scene.solver.base.iterations = 1;
    auto simulation = start(scene);
    StepReport report;
    ASSERT_TRUE(simulation->advance(4, report).ok());  // one step
    const auto sum = momentumOf(scene, *simulation);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(sum[k] / sum[3], 0, 1e-6) << row.name;
    if (row.name != "sphere") continue;
    // p A n / m, A n and m those of the triangles at a point; nearly the radius
    const BodyView view = look(*simulation);
    const double h = 1.0 / (24 * 4);
    for (std::size_t p = 0; p < view.velocities.size(); ++p) {
      const Vec3f out = view.geometry->points[p] * (1 / length(view.geometry->points[p]));
      EXPECT_NEAR(dot(view.velocities[p], out) / (h * 3 / 0.25), 1, 0.03) << p;
    }
  }
}

TEST(Pressure, OfAFlatSheetIsExact) {
  for (const SolverMethod method : {SolverParams{}.method, SolverMethod::multilevel}) {
    Scene scene = sceneOf(makeGrid(5, 5, 1, 1));  // faces up
    scene.solver.base.method = method;
    scene.world.base.gravity = {};
    scene.bodies[0].cloth.base.density = 0.5f;
    scene.bodies[0].cloth.base.pressure = 2;
    auto simulation = start(scene);
    advanceFrames(*simulation, 24);
    for (const Vec3f v : look(*simulation).velocities) EXPECT_NEAR(v.y, 2 / 0.5, 1e-3);
  }
}

TEST(Garment, SameBitsForEveryThreadCountAndInstructionSet) {
  for (const SolverMethod method : kMethods) {
    const Scene scene = garmentScene(method == SolverMethod::accelerated_jacobi ? 40 : 20, method);
    const auto hashWith = [&](int threads, Isa isa) {
      auto simulation = Simulation::create(scene, makeTbbBackend(threads, isa));
      EXPECT_TRUE(simulation.ok());
      advanceFrames(**simulation, 6);
      return hexHash((*simulation)->stateHash());
    };
    const std::string expected = hashWith(1, Isa::sse2);
    for (const int threads : {2, 3, 7})
      EXPECT_EQ(hashWith(threads, supportedIsas().back()), expected)
          << static_cast<int>(method) << " " << threads;
  }
}

TEST(Garment, RestAnglesArePartOfTheState) {
  State state;
  state.x.resize(16), state.v.resize(16);
  const std::uint64_t plain = stateHash(state);
  state.rest_angle = {0.5f};
  EXPECT_NE(stateHash(state), plain);
}

}  // namespace repose
