// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/box_cells.h"

#include "tet_facts.h"

namespace repose {

TEST(BoxCells, EveryCutFillsTheBoxAndIsClosed) {
  for (const CellCut cut : {CellCut::mirrored, CellCut::kuhn, CellCut::five}) {
    const TetMesh mesh = cutBox({1, 0.2f, 0.3f}, {5, 2, 3}, cut);
    EXPECT_EQ(mesh.geometry.points.size(), 6u * 3 * 4);
    EXPECT_EQ(mesh.tets.size(), 30u * (cut == CellCut::five ? 5 : 6));
    expectSound(mesh);
    EXPECT_NEAR(volumeOf(mesh), 0.06, 1e-7);
    EXPECT_EQ(eulerOf(mesh.geometry), 2);
  }
}

TEST(BoxCells, KuhnCellsAreAllAlikeAndMirroredOnesAreMirrorImages) {
  const auto shapes = [](CellCut cut) {  // of the tetrahedra of two cells, from the middle between them
    const TetMesh mesh = cutBox({2, 1, 1}, {2, 1, 1}, cut);
    std::multiset<std::vector<float>> cells[2];
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
      std::multiset<std::vector<float>> corners;
      for (const int p : mesh.tets[t]) {
        const Vec3f x = mesh.geometry.points[p];
        corners.insert({t < 6 ? -x.x : x.x, x.y, x.z});
      }
      std::vector<float> all;
      for (const auto& c : corners) all.insert(all.end(), c.begin(), c.end());
      cells[t / 6].insert(all);
    }
    return cells[0] == cells[1];
  };
  EXPECT_TRUE(shapes(CellCut::mirrored));
  EXPECT_FALSE(shapes(CellCut::kuhn));
}

TEST(BoxCells, GroupsAreTheSides) {
  const TetMesh mesh = cutBox({1, 1, 1}, {4, 2, 3}, CellCut::kuhn);
  const std::pair<const char*, std::size_t> sides[] = {{"left", 12}, {"right", 12}, {"bottom", 20},
                                                       {"top", 20},  {"back", 15},  {"front", 15}};
  for (const auto& [name, count] : sides) {
    ASSERT_NE(mesh.geometry.findGroup(name), nullptr) << name;
    EXPECT_EQ(mesh.geometry.findGroup(name)->points.size(), count) << name;
  }
  for (const int p : mesh.geometry.findGroup("left")->points) EXPECT_EQ(mesh.geometry.points[p].x, -0.5f);
}

}  // namespace repose
