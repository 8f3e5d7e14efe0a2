// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Lattice tetrahedra against closed forms: volume, angles, closed surface, as many holes as the solid has.
#include "tetra/fill_surface.h"

#include <cmath>

#include "scene/shapes.h"
#include "tet_facts.h"
#include "tetra/embed.h"
#include "tetra/quality.h"

namespace repose {

namespace {

constexpr double kPi = 3.14159265358979323846;

Geometry ball(float radius, Vec3f middle = {}) {
  Shape shape;
  shape.radius = radius, shape.divisions = {64, 32, 1};
  Geometry mesh = makeSphere(shape);
  for (Vec3f& p : mesh.points) p = p + middle;
  return mesh;
}

Geometry ring() {
  Shape shape;
  shape.radius = 0.5f, shape.tuberadius = 0.2f, shape.divisions = {96, 48, 1};
  return makeTorus(shape);
}

TetMesh filled(const Geometry& surface, double edge, TetBoundary boundary = TetBoundary::conforming) {
  Result<Filled> filled = fillSurface(ClosedSurface(surface), {edge, boundary});
  EXPECT_TRUE(filled.ok()) << filled.status().message();
  return filled.ok() ? std::move(filled->mesh) : TetMesh();
}

}  // namespace

TEST(FillSurface, ABallIsFilledToHalfAPerCentWithGoodAngles) {
  const Geometry surface = ball(1);
  for (const double edge : {0.4, 0.2, 0.1}) {
    const TetMesh mesh = filled(surface, edge);
    expectSound(mesh);
    EXPECT_EQ(eulerOf(mesh.geometry), 2);
    const TetQuality q = qualityOf(mesh, surface);
    EXPECT_EQ(q.parts, 1);
    EXPECT_NEAR(q.surface_volume, 4.0 / 3 * kPi, 0.01 * 4.19);
    EXPECT_NEAR(q.volume / q.surface_volume, 1, 0.005) << edge;
    EXPECT_GT(q.angles.least, 10) << edge;
    EXPECT_LT(q.angles.greatest, 165) << edge;
    EXPECT_NEAR(q.mean_edge / edge, 1, 0.12);
  }
}

TEST(FillSurface, ARingHasAHole) {
  const TetMesh mesh = filled(ring(), 0.06);
  expectSound(mesh);
  EXPECT_EQ(eulerOf(mesh.geometry), 0);
  EXPECT_NEAR(volumeOf(mesh), 2 * kPi * kPi * 0.5 * 0.04, 0.005 * 0.395);
  EXPECT_GT(qualityOf(mesh, ring()).angles.least, 10);
}

// Wherever the surface lies in the lattice.
TEST(FillSurface, AnglesAreBoundedForAnyPlaceOfTheSurface) {
  double least = 180, greatest = 0;
  for (int k = 0; k < 12; ++k) {
    const float radius = 0.8f + 0.034f * static_cast<float>(k);
    const Geometry surface = k % 3 ? ball(radius) : ring();
    const TetMesh mesh = filled(surface, k % 3 ? 0.31 : 0.07 + 0.004 * k);
    expectSound(mesh);
    const AngleRange angles = qualityOf(mesh, surface).angles;
    least = std::min(least, angles.least), greatest = std::max(greatest, angles.greatest);
  }
  RecordProperty("least", std::to_string(least));
  RecordProperty("greatest", std::to_string(greatest));
  EXPECT_GT(least, 10);
  EXPECT_LT(greatest, 165);
}

TEST(FillSurface, AllSizesAreAlike) {
  const std::size_t tets = filled(ball(1), 0.25).tets.size();
  EXPECT_GT(tets, 500u);
  for (const float size : {1e-4f, 1e4f}) {
    const TetMesh mesh = filled(ball(size), 0.25 * static_cast<double>(size));
    EXPECT_NEAR(static_cast<double>(mesh.tets.size()), static_cast<double>(tets),
                0.01 * static_cast<double>(tets));
    expectSound(mesh);
  }
}

TEST(FillSurface, SameTetrahedraEveryTime) {
  const TetMesh a = filled(ring(), 0.08), b = filled(ring(), 0.08);
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.geometry.points, b.geometry.points);
}

TEST(FillSurface, EmbeddedTetrahedraHoldEveryPointAndTheMassOfTheSolid) {
  const Geometry surface = ring();
  const TetMesh mesh = filled(surface, 0.15, TetBoundary::embedded);
  expectSound(mesh);
  for (const Embedded& at : embed(mesh, surface.points)) EXPECT_EQ(outsideOf(at), 0);
  const Attribute* density = mesh.geometry.find(AttributeOwner::point, "density");
  ASSERT_NE(density, nullptr);
  double volume = 0;
  for (const TetCorners& tet : mesh.tets) {
    double mean = 0;
    for (const int p : tet) mean += density->floats[p] / 4;
    volume += mean * sixVolumes(tet, mesh.geometry.points) / 6;
  }
  EXPECT_NEAR(volume, ClosedSurface(surface).volume(), 0.002);
  EXPECT_GT(volumeOf(mesh), 1.1 * volume);
}

// Two balls in one mesh that reach into each other are their union.
TEST(FillSurface, ASurfaceThatCrossesItselfIsAUnion) {
  Geometry both = ball(0.5f);
  const Geometry other = ball(0.5f, {0.6f, 0, 0});
  const auto shift = static_cast<std::int32_t>(both.points.size());
  both.points.insert(both.points.end(), other.points.begin(), other.points.end());
  both.face_counts.insert(both.face_counts.end(), other.face_counts.begin(), other.face_counts.end());
  for (const std::int32_t p : other.face_indices) both.face_indices.push_back(p + shift);
  const TetMesh mesh = filled(both, 0.08);
  expectSound(mesh);
  EXPECT_EQ(eulerOf(mesh.geometry), 2);
  const double r = 0.5, d = 0.6, lens = kPi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12;
  const double whole = 2 * 4.0 / 3 * kPi * r * r * r - lens;
  EXPECT_NEAR(volumeOf(mesh), whole, 0.005 * whole);
}

TEST(FillSurface, OpenFlatAndTooCoarseAreNamed) {
  Geometry open = ball(1);
  open.face_indices.resize(open.face_indices.size() - 3);
  open.face_counts.pop_back();
  EXPECT_EQ(ClosedSurface(open).problem().substr(0, 71),
            "is open, or not all of its faces turn the same way: 3 edges have only o");
  const Geometry flat = makeGrid({});
  EXPECT_EQ(ClosedSurface(flat).problem().substr(0, 7), "is open");
  EXPECT_EQ(
      fillSurface(ClosedSurface(ball(0.1f)), {5, TetBoundary::conforming}).status().message(),
      "edge is 5 m, which leaves no tetrahedron inside a body of 0.2 x 0.2 x 0.2 m: take less than 0.1 m, or "
      "\"boundary\": \"embedded\"");
  EXPECT_EQ(fillSurface(ClosedSurface(ball(1)), {1e-4, TetBoundary::conforming}).ok(), false);
  EXPECT_GT(filled(ball(0.1f), 5, TetBoundary::embedded).tets.size(), 0u);
}

TEST(FillSurface, SeamsAreWeldedAndInsideOutIsTurned) {
  Geometry seams;  // every face with points of its own
  const Geometry whole = ball(1);
  std::size_t first = 0;
  for (const std::int32_t count : whole.face_counts) {
    for (std::int32_t k = count; k-- > 0;) {
      seams.face_indices.push_back(static_cast<std::int32_t>(seams.points.size()));
      seams.points.push_back(whole.points[whole.face_indices[first + static_cast<std::size_t>(k)]]);
    }
    seams.face_counts.push_back(count);
    first += static_cast<std::size_t>(count);
  }
  const ClosedSurface closed(seams);
  EXPECT_EQ(closed.problem(), "");
  EXPECT_TRUE(closed.wasInsideOut());
  EXPECT_NEAR(closed.volume(), ClosedSurface(whole).volume(), 1e-4);
}

TEST(FillSurface, GroupsAndAttributesAreCarried) {
  Geometry surface = ball(1);
  Attribute soft;
  soft.name = "youngsmodulus";
  for (const Vec3f p : surface.points) soft.floats.push_back(2 + p.y);
  surface.attributes.push_back(soft);
  PointGroup upper{"upper", {}};
  for (std::size_t p = 0; p < surface.points.size(); ++p)
    if (surface.points[p].y > 0.3f) upper.points.push_back(static_cast<std::int32_t>(p));
  surface.groups.push_back(upper);
  TetMesh mesh = filled(surface, 0.25);
  carryAttributes(surface, mesh);
  const Attribute* carried = mesh.geometry.find(AttributeOwner::point, "youngsmodulus");
  ASSERT_NE(carried, nullptr);
  ASSERT_EQ(mesh.geometry.findGroup("bottom")->points.size(), 1u);  // the pole
  std::vector<bool> in(mesh.geometry.points.size(), false);
  for (const int p : mesh.geometry.findGroup("upper")->points) in[p] = true;
  for (std::size_t p = 0; p < in.size(); ++p) {
    const Vec3f x = mesh.geometry.points[p];
    if (length(x) < 0.97f) continue;
    EXPECT_NEAR(carried->floats[p], 2 + x.y, 0.05f);
    if (std::abs(x.y - 0.3f) > 0.1f) {
      EXPECT_EQ(in[p], x.y > 0.3f) << x.y;
    }
  }
}

// A thin sheet gets two tetrahedra across, within reason.
TEST(FillSurface, TheChosenEdgeFollowsThickness) {
  EXPECT_NEAR(static_cast<double>(filled(ball(1), 0).tets.size()), 8000, 2500);
  Shape sheet;
  sheet.size = {1, 0.1f, 1}, sheet.divisions = {4, 1, 4};
  EXPECT_LT(chooseEdge(ClosedSurface(makeBox(sheet))), 0.05);
}

}  // namespace repose
