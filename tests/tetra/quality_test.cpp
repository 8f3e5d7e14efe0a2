// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tetra/box_cells.h"
#include "tetra/closed_surface.h"
#include "tetra/distance_field.h"

namespace repose {

TEST(TetQuality, ARegularTetrahedron) {
  TetMesh mesh;
  mesh.geometry.points = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
  mesh.tets = {{0, 2, 1, 3}};
  if (sixVolumes(mesh.tets[0], mesh.geometry.points) < 0) std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  addSurface(mesh);
  const TetQuality q = qualityOf(mesh, mesh.geometry);
  EXPECT_NEAR(q.angles.least, 70.5288, 1e-3);
  EXPECT_NEAR(q.angles.greatest, 70.5288, 1e-3);
  EXPECT_NEAR(q.worst_aspect, 1, 1e-6);
  EXPECT_NEAR(q.volume, 8.0 / 3, 1e-6);
  EXPECT_NEAR(q.surface_volume, 8.0 / 3, 1e-6);
  EXPECT_NEAR(q.mean_edge, std::sqrt(8.0), 1e-6);
  EXPECT_EQ(q.parts, 1);
}

TEST(TetQuality, KuhnCellsHaveAnglesOf45To90AndPartsAreCounted) {
  TetMesh mesh = cutBox({1, 1, 1}, {1, 1, 1}, CellCut::kuhn);
  const AngleRange angles = qualityOf(mesh, mesh.geometry).angles;
  EXPECT_NEAR(angles.least, 45, 1e-4);
  EXPECT_NEAR(angles.greatest, 90, 1e-4);
  const std::size_t count = mesh.tets.size();
  for (std::size_t p = 0; p < 8; ++p)
    mesh.geometry.points.push_back(mesh.geometry.points[p] + Vec3f{3, 0, 0});
  for (std::size_t t = 0; t < count; ++t) {
    TetCorners other = mesh.tets[t];
    for (std::int32_t& p : other) p += 8;
    mesh.tets.push_back(other);
  }
  EXPECT_EQ(qualityOf(mesh, mesh.geometry).parts, 2);
}

TEST(DistanceField, TheSurfaceOfAFunctionIsClosedAndItsFieldKnowsTheDistance) {
  const Geometry ball = surfaceOfFunction({{4, -1, -1}, {6, 1, 1}}, 0.1, [](Vec3d p) {
    return length(p - Vec3d{5, 0, 0}) - 1;
  });
  const ClosedSurface closed(ball);
  EXPECT_EQ(closed.problem(), "");
  EXPECT_FALSE(closed.wasInsideOut());
  EXPECT_NEAR(closed.volume(), 4.18879, 0.06);
  const DistanceField field(closed.points(), closed.triangles(), 0.05, 6);
  EXPECT_NEAR(field.volume(), closed.volume(), 0.01);
  EXPECT_NEAR(field.at({5.9, 0, 0}), -0.1, 0.01);
  EXPECT_NEAR(field.at({5, 1.2, 0}), 0.2, 0.01);
  EXPECT_LT(field.at({5, 0, 0}), -0.2);
}

}  // namespace repose
