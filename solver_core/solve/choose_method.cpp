// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/choose_method.h"

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

// Of E h^2 / (density edge^2 iterations), how much a loop on multipliers holds. Measured (bench tets --part
// limit, docs/performance_soft.md): the beam of reference.md (g) then sags by 2 to 7 % too much with four
// cells across, by 14 to 18 % with two, and at 1 by 50 to 104 %.
constexpr double kMostStiff = 0.3;

bool tooStiffForMultipliers(const Body& body, const Scene& scene) {
  const SoftParams& soft = body.soft.base;
  const double h = scene.world.base.timescale / (scene.world.base.fps * scene.world.base.substeps);
  const double edge = meanEdge(body.tets);
  const double weight = double{soft.density} * edge * edge * scene.solver.base.iterations;
  return soft.youngsmodulus * h * h > kMostStiff * weight;
}

// Joints hold points in implicit steps alone.
bool pointsAreHeld(const Scene& scene) {
  const auto point = [&](const JointEnd& end) {
    return end.body >= 0 &&
           (scene.bodies[end.body].kind == BodyKind::soft || scene.bodies[end.body].kind == BodyKind::cloth);
  };
  return std::any_of(scene.joints.begin(), scene.joints.end(),
                     [&](const Joint& joint) { return point(joint.a) || point(joint.b); });
}

}  // namespace

double meanEdge(const TetMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.tets)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) sum += length(mesh.geometry.points[t[a]] - mesh.geometry.points[t[b]]);
  return sum / (6.0 * static_cast<double>(std::max<std::size_t>(mesh.tets.size(), 1)));
}

// Cloth keeps its length by implicit steps. Soft bodies are quicker on multipliers as long as these hold
// their stiffness.
SolverMethod chosenMethod(const Scene& scene) {
  if (scene.solver.base.method != SolverMethod::automatic) return scene.solver.base.method;
  const auto soft = [](const Body& body) { return body.kind == BodyKind::soft; };
  if (std::none_of(scene.bodies.begin(), scene.bodies.end(), soft)) return SolverMethod::multilevel;
  const bool stiff = std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) {
    return soft(body) && tooStiffForMultipliers(body, scene);
  });
  // implicit steps solve soft bodies one by one
  return (stiff || pointsAreHeld(scene)) && scene.stitches.empty() ? SolverMethod::multilevel
                                                                   : SolverMethod::gauss_seidel_coloured;
}

}  // namespace repose
