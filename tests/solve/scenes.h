// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Scenes made by formula for the tests of the solver.
#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "solve/simulation.h"

namespace repose {

// A grid of quads in the xz plane, nx x nz cells, facing up.
inline Geometry makeGrid(int nx, int nz, float width, float depth) {
  Geometry g;
  for (int j = 0; j <= nz; ++j)
    for (int i = 0; i <= nx; ++i)
      g.points.push_back({width * static_cast<float>(i) / static_cast<float>(nx), 0,
                          depth * static_cast<float>(j) / static_cast<float>(nz)});
  for (int j = 0; j < nz; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i;
      g.face_counts.push_back(4);
      for (const int corner : {a, a + nx + 1, a + nx + 2, a + 1}) g.face_indices.push_back(corner);
    }
  return g;
}

// One cloth in a vacuum.
inline Scene sceneOf(Geometry geometry) {
  Scene scene;
  scene.first_frame = 1;
  scene.last_frame = 1000;
  scene.world.base.airdensity = 0;
  Body body;
  body.name = "cloth";
  body.geometry = std::move(geometry);
  scene.bodies.push_back(std::move(body));
  return scene;
}

// A sheet on two corners in a gusty wind, with every kind of row: rigid stretch, soft shear, bending,
// damping.
inline Scene gustyScene(int cells, BendModel bend, SolverMethod method) {
  Scene scene = sceneOf(makeGrid(cells, cells, 1, 1));
  scene.world.base.airdensity = 1.2f;
  scene.world.base.wind = {4, 0, 2};
  scene.world.base.windturbulence = 0.5f;
  scene.world.base.substeps = 4;
  scene.solver.base.method = method;
  scene.solver.base.iterations = 20;
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.bendmodel = bend;
  cloth.bendstiffness = 1e-4f;
  cloth.benddamping = 0.002f;
  cloth.shearstiffness = 1000;
  scene.bodies[0].pins.push_back({"corners", {0, cells}, {}, false});
  return scene;
}

inline std::unique_ptr<Simulation> start(const Scene& scene, int threads = 1) {
  auto simulation = Simulation::create(scene, threads);
  EXPECT_TRUE(simulation.ok()) << simulation.status().message();
  return std::move(*simulation);
}

inline void advanceFrames(Simulation& simulation, int frames) {
  StepReport report;
  for (int f = 0; f < frames; ++f) ASSERT_TRUE(simulation.advance(1, report).ok());
}

}  // namespace repose
