// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/fill_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tetra/lattice_mesh.h"
#include "tetra/tet_surface.h"

namespace repose {

namespace {

constexpr double kUsualTets = 8000, kMostChosen = 2e5;
constexpr double kMostTets = 2e7, kMostCubes = 2e8;
constexpr double kVoxels = 4;        // to the side of a cube
constexpr double kBand = 1.75;       // cubes: the surface cuts no edge further from its ends
constexpr double kMostLevel = 0.15;  // of a cube's side; more is missing because something is too thin
constexpr float kMarks = 0.5f;       // of a cube's side between marks on the surface

// Places all over the surface, so that even what is thinner than a voxel is found.
std::vector<Vec3f> marksOn(const ClosedSurface& surface, float spacing) {
  std::vector<Vec3f> marks;
  for (const auto& t : surface.triangles()) {
    const Vec3f a = surface.points()[t[0]], b = surface.points()[t[1]], c = surface.points()[t[2]];
    const float longest = std::max({length(b - a), length(c - b), length(a - c)});
    const int cells = std::max(1, static_cast<int>(std::ceil(longest / spacing)));
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; i + j <= cells; ++j)
        marks.push_back(a + (b - a) * (static_cast<float>(i) / static_cast<float>(cells)) +
                        (c - a) * (static_cast<float>(j) / static_cast<float>(cells)));
  }
  return marks;
}

double volumeOf(const TetMesh& mesh) {
  double six = 0;
  for (const TetCorners& tet : mesh.tets) six += sixVolumes(tet, mesh.geometry.points);
  return six / 6;
}

// Chords cut off what bulges, so that a coarse ball would be too small: tetrahedra end as far outside as that
// takes.
TetMesh stuffToVolume(const Lattice& lattice, const DistanceField& field, double volume, double area) {
  TetMesh mesh = stuff(lattice, field, 0);
  const double level = (volume - volumeOf(mesh)) / area;
  if (mesh.tets.empty() || std::abs(level) > kMostLevel * lattice.side()) return mesh;
  return stuff(lattice, field, level);
}

// Makes the mass that of the solid.
void matchVolume(TetMesh& mesh, double volume) {
  for (Attribute& attribute : mesh.geometry.attributes) {
    if (attribute.name != "density") continue;
    double sum = 0;
    for (const TetCorners& tet : mesh.tets) {
      double mean = 0;
      for (const int p : tet) mean += attribute.floats[p] / 4;
      sum += mean * sixVolumes(tet, mesh.geometry.points) / 6;
    }
    for (float& f : attribute.floats) f = static_cast<float>(f * (volume / sum));
  }
}

}  // namespace

double chooseEdge(const ClosedSurface& surface) {
  const auto sideFor = [&](double tets) {
    return std::cbrt(surface.volume() / (tets * Lattice::kTetVolume));
  };
  const double across = surface.volume() / surface.area();  // of a sheet half its thickness
  return Lattice::kMeanEdge * std::max(std::min(sideFor(kUsualTets), across), sideFor(kMostChosen));
}

Result<Filled> fillSurface(const ClosedSurface& surface, const FillOptions& options) {
  const double edge = options.edge > 0 ? options.edge : chooseEdge(surface);
  const double side = edge / Lattice::kMeanEdge;
  const Vec3f size = surface.bounds().hi - surface.bounds().lo;
  const double tets = surface.volume() / (side * side * side * Lattice::kTetVolume);
  const double cubes = (size.x / side + 4) * (size.y / side + 4) * (size.z / side + 4);
  if (tets > kMostTets || cubes > kMostCubes)
    return badInput(
        fmt::format("edge is {:.4g} m, which makes {:.3g} tetrahedra in a box of {:.3g} cells, but at most "
                    "{:.3g} and {:.3g} are possible",
                    edge, tets, cubes, kMostTets, kMostCubes));
  const Lattice lattice(surface.bounds(), side);
  const DistanceField field(surface.points(), surface.triangles(), side / kVoxels, kBand * kVoxels);
  Filled filled{{}, std::min(field.volume(), surface.volume())};
  if (options.boundary == TetBoundary::conforming) {
    filled.mesh = stuffToVolume(lattice, field, filled.solid, surface.area());
  } else {
    filled.mesh = cover(lattice, field, marksOn(surface, static_cast<float>(kMarks * side)));
    matchVolume(filled.mesh, filled.solid);
  }
  if (!filled.mesh.tets.empty()) return filled;
  return badInput(fmt::format(
      "edge is {:.4g} m, which leaves no tetrahedron inside a body of {:.4g} x {:.4g} x {:.4g} m: "
      "take less than {:.3g} m, or \"boundary\": \"embedded\"",
      edge, size.x, size.y, size.z, std::min({size.x, size.y, size.z}) / 2));
}

}  // namespace repose
