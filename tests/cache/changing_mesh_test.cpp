// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Meshes with other points and faces in each sample.
#include <gtest/gtest.h>

#include <filesystem>

#include "cache/abc_reader.h"
#include "cache/abc_verify.h"
#include "cache/abc_writer.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

// A fan of `corners` triangles; of none there is nothing at all.
Geometry fan(int corners) {
  Geometry g;
  if (corners == 0) return g;
  g.points.push_back({0, 0, 0});
  for (int k = 0; k <= corners; ++k)
    g.points.push_back({static_cast<float>(k), 1, static_cast<float>(corners)});
  for (int k = 1; k <= corners; ++k) {
    g.face_counts.push_back(3);
    g.face_indices.insert(g.face_indices.end(), {0, k, k + 1});
  }
  return g;
}

class ChangingMesh : public testing::Test {
 protected:
  void SetUp() override {
    path_ =
        (fs::path(testing::TempDir()) /
         (std::string("repose_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".abc"))
            .string();
    options_.first_frame = 1;
    options_.durable = false;
  }
  void TearDown() override { fs::remove(path_); }
  std::string path_;
  AbcOptions options_;
};

TEST_F(ChangingMesh, ComesBackSampleBySample) {
  const std::vector<int> corners = {3, 0, 5, 5, 1};
  {
    auto writer = AbcWriter::create(path_, options_);
    ASSERT_TRUE(writer.ok());
    const int object = (*writer)->addChangingMesh("skin");
    for (std::size_t f = 0; f < corners.size(); ++f) {
      ASSERT_TRUE((*writer)->setChangingMesh(object, 0, fan(corners[f])).ok());
      ASSERT_TRUE((*writer)->endFrame(1 + static_cast<int>(f)).ok());
    }
    ASSERT_TRUE((*writer)->close().ok());
  }
  const AbcReport report = verifyAlembic(path_);
  EXPECT_TRUE(report.ok) << report.problem;
  auto reader = AbcReader::open(path_);
  ASSERT_TRUE(reader.ok());
  const int object = (*reader)->find("skin");
  ASSERT_GE(object, 0);
  EXPECT_FALSE((*reader)->objects()[static_cast<std::size_t>(object)].constant_topology);
  for (std::size_t f = 0; f < corners.size(); ++f) {
    const auto mesh = (*reader)->mesh(object, static_cast<int>(f));
    ASSERT_TRUE(mesh.ok()) << mesh.status().message();
    EXPECT_EQ(mesh->points, fan(corners[f]).points);
    EXPECT_EQ(mesh->face_counts, fan(corners[f]).face_counts);
    EXPECT_EQ(mesh->face_indices, fan(corners[f]).face_indices);
  }
  const auto summary = summarize(**reader);
  ASSERT_TRUE(summary.ok());
  EXPECT_NE(toText(*summary, "skin.abc").find("5 points at first, 3 at last"), std::string::npos)
      << toText(*summary, "skin.abc");
}

TEST_F(ChangingMesh, FacesMustFitThePoints) {
  auto writer = AbcWriter::create(path_, options_);
  ASSERT_TRUE(writer.ok());
  const int object = (*writer)->addChangingMesh("skin");
  Geometry wrong = fan(2);
  wrong.face_indices.back() = 99;
  EXPECT_EQ((*writer)->setChangingMesh(object, 0, wrong).code(), Code::bad_input);
  EXPECT_EQ((*writer)->setMesh(object, 0, wrong.points).code(), Code::bad_input);
}

// Corners go to new points; faces and what they have stay, attributes of points become those of corners.
TEST_F(ChangingMesh, TearsAndKeepsItsAttributes) {
  Geometry whole;
  whole.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}, {2, 1, 0}, {3, 0, 0}};
  whole.face_counts = {4, 4, 3};
  whole.face_indices = {0, 1, 2, 3, 1, 4, 5, 2, 4, 6, 5};
  Attribute uv, heat, piece;
  uv.name = "uv", uv.owner = AttributeOwner::corner, uv.width = 2;
  for (int k = 0; k < 11; ++k) uv.floats.insert(uv.floats.end(), {static_cast<float>(k), 0.5f});
  heat.name = "heat", heat.owner = AttributeOwner::point, heat.floats = {0, 1, 2, 3, 4, 5, 6};
  piece.name = "piece", piece.owner = AttributeOwner::face, piece.type = AttributeType::i32;
  piece.ints = {7, 8, 9};
  whole.attributes = {uv, heat, piece};
  // the second face comes off the first, then the third off the second
  std::vector<Geometry> torn = {whole, whole, whole, whole};
  for (const int f : {2, 3}) {
    torn[f].points.insert(torn[f].points.end(), {whole.points[1], whole.points[2]});
    torn[f].face_indices[4] = 7, torn[f].face_indices[7] = 8;
  }
  torn[3].points.insert(torn[3].points.end(), {whole.points[4], whole.points[5]});
  torn[3].face_indices[8] = 9, torn[3].face_indices[10] = 10;
  {
    auto writer = AbcWriter::create(path_, options_);
    ASSERT_TRUE(writer.ok());
    const int object = (*writer)->addTearingMesh("sheet", whole);
    const auto set = [&](const Geometry& g, const std::vector<std::int32_t>& corners) {
      return (*writer)->setTearingMesh(object, 0, g.points, g.points, corners);
    };
    for (std::size_t f = 0; f < torn.size(); ++f) {
      ASSERT_TRUE(set(torn[f], torn[f].face_indices).ok());
      ASSERT_TRUE((*writer)->endFrame(1 + static_cast<int>(f)).ok());
    }
    EXPECT_EQ(set(whole, {1}).code(), Code::bad_input);
    EXPECT_EQ(set(whole, torn[3].face_indices).code(), Code::bad_input);
    ASSERT_TRUE((*writer)->close().ok());
  }
  const AbcReport report = verifyAlembic(path_);
  EXPECT_TRUE(report.ok) << report.problem;
  auto reader = AbcReader::open(path_);
  ASSERT_TRUE(reader.ok());
  const int object = (*reader)->find("sheet");
  for (std::size_t f = 0; f < torn.size(); ++f) {
    const auto mesh = (*reader)->mesh(object, static_cast<int>(f));
    ASSERT_TRUE(mesh.ok()) << mesh.status().message();
    EXPECT_EQ(mesh->points, torn[f].points);
    EXPECT_EQ(mesh->face_counts, whole.face_counts);
    EXPECT_EQ(mesh->face_indices, torn[f].face_indices);
    for (const Attribute& a : mesh->attributes) {
      EXPECT_TRUE(a.name != "piece" || a.ints == piece.ints);
      if (a.name != "uv" && a.name != "heat") continue;
      ASSERT_EQ(a.owner, AttributeOwner::corner);
      for (std::size_t k = 0; k < 11; ++k) {
        const std::size_t at = a.indices.empty() ? k : a.indices[k];
        EXPECT_EQ(a.floats[a.width * at],
                  a.name == "uv" ? static_cast<float>(k) : static_cast<float>(whole.face_indices[k]));
      }
    }
    for (const char* name : {"uv", "heat"}) EXPECT_NE(mesh->find(AttributeOwner::corner, name), nullptr);
    EXPECT_NE(mesh->find(AttributeOwner::face, "piece"), nullptr);
  }
}

}  // namespace
}  // namespace repose
