// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft boxes made by formula for the tests of the solver.
#pragma once
#include <algorithm>
#include <array>
#include <map>

#include "scenes.h"

namespace repose {

struct SoftBox {
  int nx = 1, ny = 1, nz = 1;  // cells, six tetrahedra each (Kuhn)
  Vec3f size{1, 1, 1}, corner{0, 0, 0};
};

inline float sixVolumes(const std::vector<Vec3f>& x, const std::array<std::int32_t, 4>& t) {
  return dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]]));
}

inline TetMesh makeSoftBox(const SoftBox& box) {
  TetMesh mesh;
  const auto id = [&](const int* c) { return (c[0] * (box.ny + 1) + c[1]) * (box.nz + 1) + c[2]; };
  int c[3];
  for (c[0] = 0; c[0] <= box.nx; ++c[0])
    for (c[1] = 0; c[1] <= box.ny; ++c[1])
      for (c[2] = 0; c[2] <= box.nz; ++c[2])
        mesh.geometry.points.push_back(
            box.corner + Vec3f{box.size.x * static_cast<float>(c[0]) / static_cast<float>(box.nx),
                               box.size.y * static_cast<float>(c[1]) / static_cast<float>(box.ny),
                               box.size.z * static_cast<float>(c[2]) / static_cast<float>(box.nz)});
  const int ways[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int i = 0; i < box.nx; ++i)
    for (int j = 0; j < box.ny; ++j)
      for (int k = 0; k < box.nz; ++k)
        for (const auto& way : ways) {
          int at[3] = {i, j, k};
          std::array<std::int32_t, 4> tet{id(at)};
          for (int s = 0; s < 3; ++s) ++at[way[s]], tet[s + 1] = id(at);
          if (sixVolumes(mesh.geometry.points, tet) < 0) std::swap(tet[2], tet[3]);
          mesh.tets.push_back(tet);
        }
  // faces that belong to one tetrahedron, seen from outside
  std::map<std::array<int, 3>, std::array<int, 3>> open;
  for (const auto& t : mesh.tets)
    for (const auto& f :
         {std::array<int, 3>{t[0], t[2], t[1]}, {t[0], t[1], t[3]}, {t[1], t[2], t[3]}, {t[0], t[3], t[2]}}) {
      std::array<int, 3> key = f;
      std::sort(key.begin(), key.end());
      if (!open.emplace(key, f).second) open.erase(key);
    }
  for (const auto& [key, f] : open) {
    mesh.geometry.face_counts.push_back(3);
    mesh.geometry.face_indices.insert(mesh.geometry.face_indices.end(), f.begin(), f.end());
  }
  return mesh;
}

inline Body softBody(const SoftBox& box) {
  Body body;
  body.name = "soft";
  body.kind = BodyKind::soft;
  body.tets = makeSoftBox(box);
  body.geometry = body.tets.geometry;
  body.embedding.resize(body.geometry.points.size());
  for (std::size_t t = 0; t < body.tets.tets.size(); ++t)
    for (int s = 0; s < 4; ++s) {
      Embedded& at = body.embedding[body.tets.tets[t][s]];
      at.tet = static_cast<int>(t);
      for (int k = 0; k < 4; ++k) at.weight[k] = k == s ? 1.0f : 0.0f;
    }
  return body;
}

// One soft body in a vacuum.
inline Scene softScene(const SoftBox& box, SoftMaterial material, SolverMethod method) {
  Scene scene;
  scene.first_frame = 1;
  scene.last_frame = 1000;
  scene.world.base.airdensity = 0;
  scene.world.base.fps = 60;
  scene.solver.base.method = method;
  scene.bodies.push_back(softBody(box));
  SoftParams& soft = scene.bodies[0].soft.base;
  soft.material = material;
  soft.density = 1000;
  soft.smoothing = SoftSmoothing::none;
  return scene;
}

// The beam of reference.md (g): 1 x .2 x .2 m, held at x = 0.
inline Scene cantilever(int cells, float young, float poisson, SoftMaterial material, SolverMethod method) {
  Scene scene = softScene({5 * cells, cells, cells, {1, 0.2f, 0.2f}, {0, 0, 0}}, material, method);
  scene.world.base.gravity = {0, -9.8f, 0};
  SoftParams& soft = scene.bodies[0].soft.base;
  soft.youngsmodulus = young, soft.poissonratio = poisson;
  Pin pin;
  pin.name = "wall";
  const std::vector<Vec3f>& points = scene.bodies[0].tets.geometry.points;
  for (std::size_t p = 0; p < points.size(); ++p)
    if (points[p].x < 1e-6f) pin.points.push_back(static_cast<int>(p));
  scene.bodies[0].pins.push_back(pin);
  return scene;
}

inline float tipDeflection(const Simulation& simulation, const Scene& scene) {
  BodyView view;
  simulation.readBody(0, view);
  double sum = 0;
  int count = 0;
  for (std::size_t p = 0; p < view.positions.size(); ++p)
    if (scene.bodies[0].geometry.points[p].x > 0.999f)
      sum += scene.bodies[0].geometry.points[p].y - view.positions[p].y, ++count;
  return static_cast<float>(sum / count);
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
  float least = 1e30f;
  for (const auto& t : mesh.tets) {
    const float a = sixVolumes(view.positions, t), b = sixVolumes(mesh.geometry.points, t);
    now += a, rest += b, least = std::min(least, a / b);
  }
  return {static_cast<float>(now / rest), least};
}

}  // namespace repose
