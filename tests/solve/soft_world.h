// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft boxes by formula for the tests of the solver.
#pragma once
#include "scenes.h"
#include "tetra/box_cells.h"
#include "tetra/tet_surface.h"

namespace repose {

// A box of Kuhn cells with its centre at `centre`; what is read back are the corners of its tetrahedra.
inline Body softBox(Vec3f size, const std::array<int, 3>& divisions, Vec3f centre = {}) {
  Body body;
  body.name = "soft";
  body.kind = BodyKind::soft;
  body.tets = cutBox(size, divisions, CellCut::kuhn);
  for (Vec3f& p : body.tets.geometry.points) p += centre;
  body.geometry = body.tets.geometry;
  body.embedding.resize(body.geometry.points.size());
  for (std::size_t t = 0; t < body.tets.tets.size(); ++t)
    for (int s = 0; s < 4; ++s) {
      Embedded at{static_cast<std::int32_t>(t), {0, 0, 0, 0}};
      at.weight[s] = 1;
      body.embedding[body.tets.tets[t][s]] = at;
    }
  return body;
}

inline Scene softScene(Body body) {
  Scene scene;
  scene.first_frame = 1;
  scene.last_frame = 10000;
  scene.world.base.airdensity = 0;
  scene.world.base.gravity = {0, -9.8f, 0};
  scene.solver.base.method = SolverMethod::multilevel;
  scene.bodies.push_back(std::move(body));
  return scene;
}

// Holds the points where `inside` says so.
template <class Inside>
void pinWhere(Body& body, const Inside& inside) {
  Pin pin;
  pin.name = "held";
  for (std::size_t p = 0; p < body.tets.geometry.points.size(); ++p)
    if (inside(body.tets.geometry.points[p])) pin.points.push_back(static_cast<std::int32_t>(p));
  body.pins.push_back(pin);
}

// The cantilever of reference.md (g): 1 x .2 x .2 m, the face x = 0 held.
inline Scene cantilever(int cells, float youngs, float poisson, SoftMaterial material,
                        SoftSmoothing smoothing) {
  Body beam = softBox({1, 0.2f, 0.2f}, {5 * cells, cells, cells}, {0.5f, 0, 0});
  pinWhere(beam, [](Vec3f p) { return p.x < 1e-5f; });
  beam.soft.base.youngsmodulus = youngs;
  beam.soft.base.poissonratio = poisson;
  beam.soft.base.material = material;
  beam.soft.base.smoothing = smoothing;
  return softScene(std::move(beam));
}

// Mean height of the free end.
inline float tipOf(const Simulation& simulation, const Scene& scene) {
  BodyView view;
  simulation.readBody(0, view);
  float sum = 0;
  int count = 0;
  for (std::size_t p = 0; p < view.positions.size(); ++p)
    if (scene.bodies[0].tets.geometry.points[p].x > 1 - 1e-5f) sum += view.positions[p].y, ++count;
  return sum / static_cast<float>(count);
}

inline double volumeOf(const Body& body, const std::vector<Vec3f>& x) {
  double six = 0;
  for (const auto& t : body.tets.tets) six += sixVolumes(t, x);
  return six / 6;
}

}  // namespace repose
