// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/tally.h"
#include "scene/validate.h"
#include "tetra/tet_surface.h"

namespace repose {

namespace {

// Six volumes over the longest edge cubed, below which a tetrahedron is flat.
constexpr double kLeastVolumeRatio = 1e-6;

double longestEdge(const TetCorners& tet, const std::vector<Vec3f>& points) {
  double longest = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      longest = std::max(longest, length(toDouble(points[tet[a]]) - toDouble(points[tet[b]])));
  return longest;
}

Tally badTets(const TetMesh& mesh) {
  Tally bad;
  const std::vector<Vec3f>& points = mesh.geometry.points;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto outside = [&](std::int32_t p) {
      return p < 0 || static_cast<std::size_t>(p) >= points.size();
    };
    if (std::any_of(mesh.tets[t].begin(), mesh.tets[t].end(), outside)) {
      bad.add(
          fmt::format("has a tetrahedron {} with a corner that is none of its {} points", t, points.size()));
      continue;
    }
    const double six = sixVolumes(mesh.tets[t], points), edge = longestEdge(mesh.tets[t], points);
    if (std::abs(six) <= kLeastVolumeRatio * edge * edge * edge)
      bad.add(fmt::format("has a tetrahedron {} without volume", t));
    else if (six < 0)
      bad.add(fmt::format("has a tetrahedron {} that is inside out", t));
  }
  return bad;
}

Tally badEmbedding(const Body& body) {
  Tally bad;
  for (std::size_t k = 0; k < body.embedding.size(); ++k) {
    const Embedded& at = body.embedding[k];
    if (at.tet < 0 || static_cast<std::size_t>(at.tet) >= body.tets.tets.size())
      bad.add(fmt::format("has point {} in tetrahedron {}, which is not there", k, at.tet));
    else if (!std::all_of(at.weight, at.weight + 4, [](float w) { return std::isfinite(w); }))
      bad.add(fmt::format("has point {} with weights that are not finite", k));
  }
  return bad;
}

}  // namespace

void validateTets(const Body& body, int index, std::vector<Finding>& findings) {
  const auto error = [&](const std::string& sentence) {
    findings.push_back(
        {Finding::About::body, index, true, fmt::format("body \"{}\" {}", body.name, sentence)});
  };
  if (body.tets.tets.empty()) return error("has no tetrahedra");
  if (const Tally bad = badTets(body.tets); !bad.empty()) return error(bad.sentence());
  if (body.embedding.size() != body.geometry.points.size())
    return error(fmt::format("has {} points, but {} of them go with its tetrahedra",
                             body.geometry.points.size(), body.embedding.size()));
  if (const Tally bad = badEmbedding(body); !bad.empty()) error(bad.sentence());
}

void validateSoftSolver(const Scene& scene, std::vector<Finding>& findings) {
  const auto soft = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                 [](const Body& body) { return body.kind == BodyKind::soft; });
  if (soft == scene.bodies.end()) return;
  const SolverParams& solver = scene.solver.base;
  const auto error = [&](const std::string& sentence) {
    findings.push_back({Finding::About::body, static_cast<int>(soft - scene.bodies.begin()), true,
                        fmt::format("body \"{}\" is soft, which {}", soft->name, sentence)});
  };
  // these weigh multipliers one by one, and those of a tetrahedron only mean something together
  switch (solver.method) {
    case SolverMethod::nesterov:
    case SolverMethod::chebyshev:
    case SolverMethod::minimum_residual:
    case SolverMethod::conjugate_residuals:
      return error(
          "the methods nesterov, chebyshev, minimum_residual and conjugate_residuals cannot solve: use "
          "multilevel, gauss_seidel_coloured, gauss_seidel, jacobi, improved_jacobi or accelerated_jacobi");
    case SolverMethod::jacobi:
    case SolverMethod::improved_jacobi:
    case SolverMethod::accelerated_jacobi:
      if (solver.omega <= 0 && solver.relaxation == Relaxation::power)
        error("relaxation \"power\" cannot measure: use \"split\" or \"count\", or give omega");
      return;
    default:
      return;
  }
}

}  // namespace repose
