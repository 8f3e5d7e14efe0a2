// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Triangle membranes whose rest is not their source: restscale of the body and of points, and a rest shape.
#include <cmath>

#include "scenes.h"

namespace repose {

namespace {

// All but interleaved, which has springs alone.
std::vector<int> methods() {
  std::vector<int> all;
  for (int m = 0; m <= static_cast<int>(SolverMethod::multilevel); ++m)
    if (m != static_cast<int>(SolverMethod::interleaved)) all.push_back(m);
  return all;
}

// A free square of 1 m without gravity.
Scene freeSheet(SolverMethod method) {
  Scene scene = sceneOf(makeGrid(8, 8, 1, 1));
  scene.world.base.gravity = {};
  scene.solver.base.method = method;
  scene.solver.base.iterations = 100;
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.membrane = Membrane::triangles;
  cloth.stretchstiffness = 1000;
  cloth.shearstiffness = 300;
  cloth.veldamping = 20;
  return scene;
}

void scalePoints(Scene& scene, float scale) {
  Attribute attribute;
  attribute.name = "restscale";
  attribute.floats.assign(scene.bodies[0].geometry.points.size(), scale);
  scene.bodies[0].geometry.attributes.push_back(attribute);
}

struct Size {
  float x, z;
};

// Between corners: index order turns a free sheet a little.
Size sizeOf(const Simulation& simulation) {
  BodyView view;
  simulation.readBody(0, view);
  const Vec3f first = view.positions.front(), last = view.positions.back();
  const std::vector<Vec3f>& rest = view.geometry->points;
  Size size{0, 0};
  for (std::size_t p = 0; p < rest.size(); ++p) {
    if (rest[p].x == rest.back().x && rest[p].z == rest.front().z) size.x = length(view.positions[p] - first);
    if (rest[p].x == rest.back().x && rest[p].z == rest.front().z) size.z = length(view.positions[p] - last);
  }
  return size;
}

}  // namespace

TEST(MembraneRest, ScaleShrinksAFreeSheet) {
  for (const int m : methods())
    for (const bool by_points : {false, true}) {
      Scene scene = freeSheet(static_cast<SolverMethod>(m));
      if (by_points)
        scalePoints(scene, 0.9f);
      else
        scene.bodies[0].cloth.base.restscale = 0.9f;
      auto simulation = start(scene);
      StepReport report;
      ASSERT_TRUE(simulation->measure(report).ok());
      EXPECT_NEAR(report.residual, 1 / 0.9 - 1, 1e-4) << m;  // stretched against what it is at rest
      std::vector<float> strain, stress;
      simulation->readStrain(0, strain);
      simulation->readStress(0, stress);
      for (const float e : strain) EXPECT_NEAR(e, 1 / 0.9 - 1, 1e-4) << m;
      // both directions by e: (C11 + C12) e
      for (const float s : stress) EXPECT_NEAR(s, (1000 + 300) * (1 / 0.9 - 1), 0.2) << m;
      advanceFrames(*simulation, 36);
      EXPECT_NEAR(sizeOf(*simulation).x, 0.9, 2e-3) << m << " " << by_points;
      EXPECT_NEAR(sizeOf(*simulation).z, 0.9, 2e-3) << m << " " << by_points;
      simulation->readStrain(0, strain);
      for (const float e : strain) EXPECT_LT(e, 5e-3f) << m;
    }
}

TEST(MembraneRest, KeysAndPointsMultiply) {
  for (const int m : methods()) {
    Scene scene = freeSheet(static_cast<SolverMethod>(m));
    scalePoints(scene, 0.5f);
    scene.bodies[0].cloth.tracks.push_back(
        {offsetof(ClothParams, restscale), 1, {{{1, {2, 0, 0}}, {13, {2, 0, 0}}, {25, {1.6f, 0, 0}}}}});
    auto simulation = start(scene);
    advanceFrames(*simulation, 12);
    EXPECT_NEAR(sizeOf(*simulation).x, 1, 1e-5) << m;
    advanceFrames(*simulation, 40);
    EXPECT_NEAR(sizeOf(*simulation).x, 0.8, 2e-3) << m;
    EXPECT_NEAR(sizeOf(*simulation).z, 0.8, 2e-3) << m;
  }
}

TEST(MembraneRest, IsAsStiffAsSpringsOfTheSameScale) {
  // K (|fibre| - scale): a scaled strip of no shear pulls like springs of that scale, by points or by body
  const auto lengthOf = [](Membrane membrane, bool by_points) {
    Scene scene = sceneOf(makeGrid(1, 8, 0.125f, 1));
    scene.world.base.gravity = {0, 0, 2};
    scene.solver.base.method = SolverMethod::multilevel;
    ClothParams& cloth = scene.bodies[0].cloth.base;
    cloth.membrane = membrane;
    cloth.density = 0.2f;
    cloth.stretchstiffness = 4;
    cloth.shearstiffness = 0;
    cloth.bendmodel = BendModel::none;
    cloth.veldamping = 4;
    if (by_points)
      scalePoints(scene, 1.5f);
    else
      cloth.restscale = 1.5f;
    scene.bodies[0].pins.push_back({"top", {0, 1}, {}, false});
    auto simulation = start(scene);
    advanceFrames(*simulation, 96);
    return sizeOf(*simulation).z;
  };
  // its own weight stretches it by density g / (2 K) against the source
  for (const bool by_points : {false, true}) {
    EXPECT_NEAR(lengthOf(Membrane::springs, by_points), 1.5 + 0.05, 0.005);
    EXPECT_NEAR(lengthOf(Membrane::triangles, by_points), 1.5 + 0.05, 0.005);
  }
}

TEST(MembraneRest, ShapeOfItsOwn) {
  for (const int m : methods()) {
    Scene scene = freeSheet(static_cast<SolverMethod>(m));
    scene.bodies[0].rest_points = makeGrid(8, 8, 0.8f, 1.1f).points;
    auto simulation = start(scene);
    advanceFrames(*simulation, 48);
    EXPECT_NEAR(sizeOf(*simulation).x, 0.8, 2e-3) << m;
    EXPECT_NEAR(sizeOf(*simulation).z, 1.1, 2e-3) << m;
  }
}

}  // namespace repose
