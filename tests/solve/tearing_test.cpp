// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth that tears by its stretch or by cuts.
#include <algorithm>
#include <cmath>
#include <numeric>

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

struct Torn {
  int copies = 0;             // points that tears have made
  std::vector<int> piece_of;  // of each face: the first face that it hangs together with
  int pieces() const {
    int count = 0;
    for (std::size_t f = 0; f < piece_of.size(); ++f) count += piece_of[f] == static_cast<int>(f);
    return count;
  }
};

Torn tornOf(const Simulation& simulation, const Scene& whole) {
  BodyView view;
  simulation.readBody(0, view);
  const Geometry& g = *view.geometry;
  EXPECT_EQ(g.face_counts, whole.bodies[0].geometry.face_counts);  // no face goes
  EXPECT_EQ(g.points.size(), view.positions.size());
  Torn torn;
  torn.copies = static_cast<int>(view.positions.size() - whole.bodies[0].geometry.points.size());
  torn.piece_of.resize(g.face_counts.size());
  std::iota(torn.piece_of.begin(), torn.piece_of.end(), 0);
  std::vector<int> first(g.points.size(), -1);  // face at each point
  for (std::size_t c = 0; c < g.face_indices.size(); ++c) {
    int& face = first[g.face_indices[c]];
    if (face < 0) face = static_cast<int>(c / 4);
    const int one = torn.piece_of[face], other = torn.piece_of[c / 4];
    std::replace(torn.piece_of.begin(), torn.piece_of.end(), std::max(one, other), std::min(one, other));
  }
  EXPECT_EQ(std::count(first.begin(), first.end(), -1), 0);  // every point has a face
  return torn;
}

TEST(Tearing, AtItsThreshold) {
  for (const G way : {G::red_black, G::jacobi, G::direct}) {
    Scene scene = strip(way);
    scene.bodies[0].cloth.base.tearstretch = 1.5f;
    scene.bodies[0].pins[1].translate.keys = {{1, {}}, {49, {0.4f, 0, 0}}, {97, {0.8f, 0, 0}}};
    auto simulation = start(scene);
    // slowly: all edges along the strip are stretched alike
    advanceFrames(*simulation, 48);
    EXPECT_EQ(tornOf(*simulation, scene).copies, 0);
    advanceFrames(*simulation, 48);
    // from side to side; what is left shrinks back
    const Torn torn = tornOf(*simulation, scene);
    EXPECT_GE(torn.copies, 9);
    EXPECT_GE(torn.pieces(), 2);
    EXPECT_NE(torn.piece_of[0], torn.piece_of[15]);
    EXPECT_LT(torn.copies, 30);  // a tear, not shreds
    advanceFrames(*simulation, 24);
    StepReport report;
    ASSERT_TRUE(simulation->measure(report).ok());
    EXPECT_LT(report.residual, 0.3f);
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
  for (int frame = 2; frame <= 14; ++frame) {
    advanceFrames(*simulation, 1);
    // the last edge parts two points
    const Torn torn = tornOf(*simulation, scene);
    EXPECT_EQ(torn.copies, frame < 13 ? std::max(frame - 5, 0) : 9) << "frame " << frame;
    EXPECT_EQ(torn.pieces(), frame < 13 ? 1 : 2);
  }
  // the centre of mass of the free half feels its weight alone; a quarter of each face for each corner
  const Torn torn = tornOf(*simulation, scene);
  const auto fall = [&] {
    BodyView view;
    simulation->readBody(0, view);
    const std::vector<std::int32_t>& c = view.geometry->face_indices;
    double speed = 0;
    for (std::size_t k = 0; k < c.size(); ++k)
      if (torn.piece_of[k / 4] == torn.piece_of[15]) speed += view.velocities[c[k]].y / (4 * 64.0);
    return speed;
  };
  const double before = fall();
  advanceFrames(*simulation, 12);
  EXPECT_NEAR(fall() - before, -9.81 * 12 / 24, 0.05);
}

// A cut that is not stretched opens nothing by itself, and what was split moves on as before.
TEST(Tearing, KeepsMomentum) {
  Scene scene = strip();
  Body& body = scene.bodies[0];
  body.pins.clear();
  body.cloth.base.veldamping = 0;
  body.velocity = {1, 2, 3};
  Cut cut;
  for (int p = 4 * 17; p < 5 * 17; ++p) cut.points.push_back(p);
  cut.first_frame = 3, cut.last_frame = 3;
  body.cuts = {cut};
  auto simulation = start(scene);
  advanceFrames(*simulation, 8);
  EXPECT_EQ(tornOf(*simulation, scene).pieces(), 2);
  BodyView view;
  simulation->readBody(0, view);
  for (const Vec3f v : view.velocities) EXPECT_LT(length(v - Vec3f{1, 2, 3}), 1e-4f);
}

TEST(Tearing, EverythingTears) {
  Scene scene = strip();
  scene.bodies[0].cloth.base.tearstretch = 0.5f;
  scene.bodies[0].cloth.base.selfcollision = true;
  scene.bodies[0].pins.clear();
  auto simulation = start(scene);
  StepReport report;
  for (int f = 0; f < 12; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
  const Torn torn = tornOf(*simulation, scene);
  EXPECT_EQ(torn.pieces(), 16 * 8);
  EXPECT_EQ(torn.copies, 4 * 16 * 8 - 17 * 9);
  EXPECT_LT(report.residual, 1e-3f);
  EXPECT_LT(report.max_speed, 1e-2f);
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
    EXPECT_GT(tornOf(*simulation, tornSheet()).copies, 0);
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
  EXPECT_GT(tornOf(*whole, tornSheet()).copies, 0);
  auto resumed = start(tornSheet());
  ByteReader in(saved);
  resumed->load(in);
  ASSERT_TRUE(in.done());
  EXPECT_EQ(tornOf(*resumed, tornSheet()).copies, tornOf(*whole, tornSheet()).copies);
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
  refused(
      [](Scene& s) {
        s.bodies[0].cloth.base.bendmodel = BendModel::dihedral, s.bodies[0].cloth.base.creaseangle = 30;
      },
      "creaseangle");
}

}  // namespace
}  // namespace repose
