// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft boxes of plain tetrahedra on multipliers, for the tests of the solver.
#pragma once
#include <algorithm>

#include "soft_world.h"

namespace repose {

struct SoftBox {
  int nx = 1, ny = 1, nz = 1;  // cells, six tetrahedra each (Kuhn)
  Vec3f size{1, 1, 1}, corner{0, 0, 0};
};

// One soft body in a vacuum.
inline Scene softScene(const SoftBox& box, SoftMaterial material, SolverMethod method) {
  Scene scene = softScene(softBox(box.size, {box.nx, box.ny, box.nz}, box.corner + box.size * 0.5f));
  scene.world.base.gravity = WorldParams().gravity;
  scene.world.base.fps = 60;
  scene.solver.base.method = method;
  SoftParams& soft = scene.bodies[0].soft.base;
  soft.material = material;
  soft.smoothing = SoftSmoothing::none;
  return scene;
}

inline Scene cantilever(int cells, float young, float poisson, SoftMaterial material, SolverMethod method) {
  Scene scene = cantilever(cells, young, poisson, material, SoftSmoothing::none);
  scene.world.base.fps = 60;
  scene.solver.base.method = method;
  return scene;
}

inline float tipDeflection(const Simulation& simulation, const Scene& scene) {
  return -tipOf(simulation, scene);
}

// A box of 0.3 m, 1000 kg/m^3 and 3e4 Pa on the plane y = 0.
inline void expectLyingBox(const Simulation& simulation) {
  BodyView view;
  simulation.readBody(0, view);
  float low = 1, high = 0;
  for (const Vec3f p : view.positions) low = std::min(low, p.y), high = std::max(high, p.y);
  EXPECT_NEAR(low, 0.005f, 0.004f);
  // its own weight squeezes it by rho g h^2 / 2E
  EXPECT_NEAR(high - low, 0.3f - 1000 * 9.81f * 0.09f / (2 * 3e4f), 0.008f);
}

// Over that at rest: of the whole, and the least of a tetrahedron.
struct Volumes {
  float whole, least;
};
inline Volumes volumesOf(const Simulation& simulation, const Scene& scene) {
  BodyView view;
  simulation.readBody(0, view);
  const TetMesh& mesh = scene.bodies[0].tets;
  double now = 0, rest = 0;
  double least = 1e30;
  for (const auto& t : mesh.tets) {
    const double a = sixVolumes(t, view.positions), b = sixVolumes(t, mesh.geometry.points);
    now += a, rest += b, least = std::min(least, a / b);
  }
  return {static_cast<float>(now / rest), static_cast<float>(least)};
}

}  // namespace repose
