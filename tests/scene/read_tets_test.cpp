// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Tetrahedra of files: two of them, in every format, whole and broken.
#include "scene/read_tets.h"

#include "scene_files.h"
#include "tetra/tet_surface.h"

namespace repose {

namespace {

// A unit corner and the one above its slanted side; the second is inside out in this order.
constexpr const char* kMedit = R"(MeshVersionFormatted 1
# made by hand
Dimension
3
Vertices
5
0 0 0 0
1 0 0 7
0 1 0 7
0 0 1 0
1 1 1 0
Triangles
1
1 2 3 5
Tetrahedra
2
1 2 3 4 1
2 3 4 5 1
End
)";
constexpr const char* kNode =
    "# five points\n5 3 0 1\n0 0 0 0 0\n1 1 0 0 7\n2 0 1 0 7\n3 0 0 1 0\n4 1 1 1 0\n";
constexpr const char* kEle = "2 4 0\n0 0 1 2 3\n1 1 2 3 4\n";

class ReadTets : public SceneFiles {
 protected:
  std::string medit(const std::string& text) const {
    write("a.mesh", text);
    const Result<TetSource> source = readMedit(path("a.mesh"));
    return source.ok() ? "" : shortened({source.status().message()})[0];
  }
  std::string tetgen(const std::string& node, const std::string& ele) const {
    write("a.node", node), write("a.ele", ele);
    const Result<TetSource> source = readTetGen(path("a.ele"));
    return source.ok() ? "" : shortened({source.status().message()})[0];
  }
  static void expectTwo(const Result<TetSource>& source) {
    ASSERT_TRUE(source.ok()) << source.status().message();
    const TetMesh& mesh = source->mesh;
    ASSERT_EQ(mesh.tets.size(), 2u);
    EXPECT_EQ(mesh.geometry.points.size(), 5u);
    EXPECT_EQ(mesh.geometry.face_counts.size(), 6u);
    EXPECT_NEAR(sixVolumes(mesh.tets[0], mesh.geometry.points), 1, 1e-6);
    EXPECT_NEAR(sixVolumes(mesh.tets[1], mesh.geometry.points), 2, 1e-6);
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
};

}  // namespace

TEST_F(ReadTets, Medit) {
  EXPECT_EQ(medit(kMedit), "");
  const Result<TetSource> source = readMedit(path("a.mesh"));
  expectTwo(source);
  EXPECT_EQ(source->mesh.geometry.findGroup("ref7")->points, (std::vector<std::int32_t>{1, 2}));
}

TEST_F(ReadTets, TetGenFromZeroAndFromOne) {
  EXPECT_EQ(tetgen(kNode, kEle), "");
  expectTwo(readTetGen(path("a.node")));
  EXPECT_EQ(readTetGen(path("a.ele"))->mesh.geometry.findGroup("marker7")->points.size(), 2u);
  EXPECT_EQ(tetgen("5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n", "2 4 0\n1 1 2 3 4\n2 2 3 4 5\n"),
            "");
  expectTwo(readTetGen(path("a.ele")));
}

TEST_F(ReadTets, TurnedAndUnusedAreMendedWithAWord) {
  EXPECT_EQ(medit(replaced(replaced(kMedit, "1 2 3 4 1\n", "1 3 2 4 1\n"),
                           "Tetrahedra\n2\n1 3 2 4 1\n2 3 4 5 1", "Tetrahedra\n2\n1 3 2 4 1\n1 2 3 4 1")),
            "");
  const Result<TetSource> source = readMedit(path("a.mesh"));
  ASSERT_EQ(source->notes.size(), 2u);
  EXPECT_EQ(source->notes[0], "has 1 tetrahedra of 2 that were inside out and have been turned");
  EXPECT_EQ(source->notes[1], "has 1 points of no tetrahedron, which are left out");
  EXPECT_EQ(source->mesh.geometry.points.size(), 4u);
}

TEST_F(ReadTets, EveryBrokenFileIsNamedWithItsLine) {
  EXPECT_EQ(medit(""), "a.mesh:1: the file has no section \"Tetrahedra\"");
  EXPECT_EQ(medit("Vertices 2\n0 0 0 0\n1 0"), "a.mesh:3: the file ends where a coordinate should be");
  EXPECT_EQ(medit(replaced(kMedit, "1 1 1 0", "1 nan 1 0")),
            "a.mesh:11: \"nan\" is not a number, where a coordinate should be");
  EXPECT_EQ(medit(replaced(kMedit, "2 3 4 5 1", "2 3 4 6 1")),
            "a.mesh:19: tetrahedron 2 names vertex 6, but there are only 5");
  EXPECT_EQ(medit(replaced(kMedit, "2 3 4 5 1", "2 3 0 5 1")),
            "a.mesh:18: a vertex of a tetrahedron is 0, but must be from 1 to 2000000000");
  EXPECT_EQ(medit("Dimension 2\n"), "a.mesh:1: the dimension is 2, but must be from 3 to 3");
  EXPECT_EQ(medit("Vertices 999999999999\n"),
            "a.mesh:1: \"999999999999\" is not a number, where the number of vertices should be");
  EXPECT_EQ(tetgen(kNode, "2 4 0\n0 0 1 2 3\n1 1 2 3"),
            "a.ele:3: the file ends where a point of a tetrahedron should be");
  EXPECT_EQ(tetgen(kNode, "1 4 0\n0 0 1 2 5\n"),
            "a.ele:2: a point of a tetrahedron is 5, but must be from 0 to 4");
  EXPECT_EQ(tetgen(replaced(kNode, "3 0 0 1 0", "9 0 0 1 0"), kEle),
            "a.node:6: the number of a point is 9, but must be from 3 to 3");
  std::filesystem::remove(path("a.node"));
  EXPECT_FALSE(readTetGen(path("a.ele")).ok());
}

TEST_F(ReadTets, ListsBesideTheFacesOfAMesh) {
  Geometry mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  mesh.face_counts = {4, 4}, mesh.face_indices = {0, 1, 2, 3, 1, 2, 3, 4};
  expectTwo(tetsOfList(mesh, "faces"));
  Attribute list;
  list.name = "tets", list.owner = AttributeOwner::detail, list.type = AttributeType::i32;
  list.ints = mesh.face_indices;
  mesh.attributes.push_back(list);
  expectTwo(tetsOfList(mesh, "tets"));
  mesh.attributes[0].ints.back() = 5;
  EXPECT_EQ(tetsOfList(mesh, "tets").status().message(), "tetrahedron 1 names point 5, but there are only 5");
  mesh.attributes[0].ints.pop_back();
  EXPECT_EQ(tetsOfList(mesh, "tets").status().message(),
            "the list \"tets\" has 7 numbers, but needs four for each tetrahedron");
  EXPECT_EQ(tetsOfList(mesh, "cells").status().message(),
            "there is no attribute \"cells\" of whole numbers for the whole mesh");
  mesh.face_counts = {4, 3}, mesh.face_indices.pop_back();
  EXPECT_EQ(tetsOfList(mesh, "faces").status().message(),
            "face 1 has 3 corners, but each must have 4 to be a tetrahedron");
}

}  // namespace repose
