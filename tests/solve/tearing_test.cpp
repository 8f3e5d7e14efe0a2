// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth that tears by its stretch or by cuts.
#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "base/hash.h"
#include "scene/validate.h"
#include "scenes.h"

namespace repose {
namespace {

using G = GlobalStep;

// 1 m x 0.5 m, 16 x 8 quads, in a vacuum without weight; both ends are held.
Scene strip(G way = G::red_black) {
  Scene scene = sceneOf(makeGrid(16, 8, 1, 0.5f));
  scene.world.base.gravity = {};
  scene.world.base.airdensity = 0;
  scene.solver.base.method = SolverMethod::projective;
  scene.solver.base.globalstep = way;
  scene.solver.base.iterations = 60;
  Body& body = scene.bodies[0];
  body.cloth.base.stretchstiffness = 500, body.cloth.base.shearstiffness = 0;
  body.cloth.base.bendmodel = BendModel::none;
  body.cloth.base.veldamping = 5;
  body.pins.clear();
  Pin left{"left", {}, {}, false}, right{"right", {}, {}, false};
  for (std::size_t p = 0; p < body.geometry.points.size(); ++p) {
    const float x = body.geometry.points[p].x;
    if (x < 0.01f) left.points.push_back(static_cast<int>(p));
    if (x > 0.99f) right.points.push_back(static_cast<int>(p));
  }
  body.pins = {left, right};
  return scene;
}

int tornFaces(const Simulation& simulation) {
  BodyView view;
  simulation.readBody(0, view);
  return static_cast<int>(std::count(view.torn.begin(), view.torn.end(), 1));
}

TEST(Tearing, AtItsThreshold) {
  for (const G way : {G::red_black, G::jacobi, G::direct}) {
    Scene scene = strip(way);
    scene.bodies[0].cloth.base.tearstretch = 1.5f;
    scene.bodies[0].pins[1].translate.keys = {{1, {}}, {49, {0.4f, 0, 0}}, {97, {0.8f, 0, 0}}};
    auto simulation = start(scene);
    // slowly: all edges along the strip are stretched alike
    advanceFrames(*simulation, 48);
    EXPECT_EQ(tornFaces(*simulation), 0);
    advanceFrames(*simulation, 48);
    EXPECT_GE(tornFaces(*simulation), 8);  // across the whole strip
    StepReport report;
    ASSERT_TRUE(simulation->measure(report).ok());
    EXPECT_LT(report.residual, 0.5f);  // what is left is not stretched beyond it
  }
}

// A column of points from frame 5 to frame 13: then the two halves are apart, and the free one falls freely.
TEST(Tearing, ByAnAnimatedCut) {
  Scene scene = strip();
  Body& body = scene.bodies[0];
  body.cloth.base.veldamping = 0;
  scene.world.base.gravity = {0, -9.81f, 0};
  Cut cut;
  for (std::size_t p = 0; p < body.geometry.points.size(); ++p)
    if (std::abs(body.geometry.points[p].x - 0.5f) < 0.01f) cut.points.push_back(static_cast<int>(p));
  ASSERT_EQ(cut.points.size(), 9u);
  cut.first_frame = 5, cut.last_frame = 13;
  body.cuts = {cut};
  body.pins.pop_back();
  auto simulation = start(scene);
  int last = 0;
  for (int frame = 2; frame <= 14; ++frame) {
    advanceFrames(*simulation, 1);
    const int torn = tornFaces(*simulation);
    EXPECT_EQ(torn, 2 * std::clamp(frame - 5, 0, 8)) << "frame " << frame;
    EXPECT_GE(torn, last);
    last = torn;
  }
  // the centre of mass of the free half feels its weight alone; points at a border have half a mass
  const auto fall = [&] {
    BodyView view;
    simulation->readBody(0, view);
    double momentum = 0, mass = 0;
    for (std::size_t p = 0; p < view.positions.size(); ++p) {
      const Vec3f at = body.geometry.points[p];
      if (at.x < 0.55f) continue;
      const double m = (at.x > 0.99f ? 0.5 : 1) * (at.z < 0.01f || at.z > 0.49f ? 0.5 : 1);
      momentum += m * view.velocities[p].y, mass += m;
    }
    return momentum / mass;
  };
  const double before = fall();
  advanceFrames(*simulation, 12);
  EXPECT_NEAR(fall() - before, -9.81 * 12 / 24, 0.05);
}

TEST(Tearing, EverythingTears) {
  Scene scene = strip();
  scene.bodies[0].cloth.base.tearstretch = 0.5f;
  scene.bodies[0].cloth.base.selfcollision = true;
  auto simulation = start(scene);
  StepReport report;
  for (int f = 0; f < 6; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  EXPECT_EQ(tornFaces(*simulation), 16 * 8);
  EXPECT_EQ(report.residual, 0);
}

Scene tornSheet() {
  Scene scene = strip();
  scene.world.base.gravity = {0, -9.81f, 0};
  scene.bodies[0].cloth.base.tearstretch = 1.3f;
  scene.bodies[0].pins[1].translate.keys = {{1, {}}, {25, {0.5f, 0.1f, 0.2f}}};
  return scene;
}

TEST(Tearing, SameBitsOnAnyNumberOfThreads) {
  const auto hashOn = [&](int threads) {
    auto simulation = start(tornSheet(), threads);
    advanceFrames(*simulation, 30);
    EXPECT_GT(tornFaces(*simulation), 0);
    return hexHash(simulation->stateHash());
  };
  const std::string expected = hashOn(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(hashOn(threads), expected);
}

TEST(Tearing, GoesOnFromACheckpoint) {
  auto whole = start(tornSheet());
  advanceFrames(*whole, 20);
  std::string saved;
  ByteWriter out(saved);
  whole->save(out);
  EXPECT_GT(tornFaces(*whole), 0);
  auto resumed = start(tornSheet());
  ByteReader in(saved);
  resumed->load(in);
  ASSERT_TRUE(in.done());
  advanceFrames(*whole, 10);
  advanceFrames(*resumed, 10);
  EXPECT_EQ(hexHash(resumed->stateHash()), hexHash(whole->stateHash()));
}

TEST(Tearing, RefusesWhatCannotTear) {
  const auto refused = [](auto&& change, const char* word) {
    Scene scene = tornSheet();
    change(scene);
    const std::vector<Finding> findings = validateScene(scene);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_TRUE(findings[0].error);
    EXPECT_NE(findings[0].sentence.find(word), std::string::npos) << findings[0].sentence;
  };
  refused([](Scene& s) { s.solver.base.method = SolverMethod::multilevel; }, "projective");
  refused([](Scene& s) { s.bodies[0].cloth.base.tethers = true; }, "tethers");
  refused([](Scene& s) { s.bodies[0].cloth.base.membrane = Membrane::triangles; }, "springs");
}

}  // namespace
}  // namespace repose
