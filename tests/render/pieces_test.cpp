// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid pieces in pictures: moved meshes, and points to copy shapes to.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/pose.h"
#include "cache/abc_writer.h"
#include "render/cache_source.h"
#include "render/ray_scene.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

Geometry box(Vec3f half) {
  Geometry g;
  for (int k = 0; k < 8; ++k)
    g.points.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
  g.face_counts.assign(6, 4);
  g.face_indices = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  return g;
}

// A flat, long box: x 2 m, y 0.2 m. In frame f it is at x = 3 f, turned upright in frame 2.
constexpr Vec3f kHalf{1, 0.1f, 0.5f};
Pose poseAt(int frame) {
  const float half = frame == 2 ? 0.78539816f : 0.0f;
  return poseOf({3.0f * static_cast<float>(frame), 1, 0}, {0, 0, std::sin(half), std::cos(half)});
}

class Pieces : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (fs::path(testing::TempDir()) /
             (std::string("repose_pieces_") + testing::UnitTest::GetInstance()->current_test_info()->name() +
              ".abc"))
                .string();
    auto writer = AbcWriter::create(path_, {});
    ASSERT_TRUE(writer.ok());
    writer_ = std::move(*writer);
    Body plank;
    plank.kind = BodyKind::rigid;
    plank.shapes.resize(1);
    plank.shapes[0].geometry = box(kHalf);
    plank.pieces.resize(1);
    plank.pieces[0].name = "plank";
    scene_.bodies = {plank};
  }
  void TearDown() override { fs::remove(path_); }

  void writeXforms() {
    const int plank = writer_->addRigid("plank", box(kHalf));
    for (int frame = 1; frame <= 2; ++frame) {
      const Pose pose = poseAt(frame);
      Mat4d m;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) m.m[r][c] = pose.axis[c][r];
        m.m[r][3] = pose.origin[r];
      }
      ASSERT_TRUE(writer_->setTransform(plank, 0, m).ok());
      ASSERT_TRUE(writer_->endFrame(frame).ok());
    }
    ASSERT_TRUE(writer_->close().ok());
  }
  void writePoints() {
    const int plank = writer_->addPoints("planks", PointWidths::none);
    const int orient = writer_->addAttribute(plank, "orient", AttributeType::f32, 4, "quat");
    const int name = writer_->addAttribute(plank, "name", AttributeType::string);
    for (int frame = 1; frame <= 2; ++frame) {
      const Quat q = quatOf(poseAt(frame));
      ASSERT_TRUE(writer_->setPoints(plank, 0, std::vector<Vec3f>{poseAt(frame).origin}).ok());
      ASSERT_TRUE(writer_->setAttribute(orient, 0, &q.x, 4).ok());
      ASSERT_TRUE(writer_->setAttribute(name, 0, std::vector<std::string>{"plank"}).ok());
      ASSERT_TRUE(writer_->endFrame(frame).ok());
    }
    ASSERT_TRUE(writer_->close().ok());
  }
  RenderScene load(int frame, const Scene* scene) const {
    const auto source = CacheSource::open(path_, "", scene);
    EXPECT_TRUE(source.ok()) << source.status().message();
    std::size_t lost = 0;
    auto loaded = (*source)->load(frame, lost);
    EXPECT_TRUE(loaded.ok());
    return *loaded;
  }
  // Whether a ray along -z through a place in the xy plane meets the piece.
  static bool meets(const RenderScene& picture, Vec3f at) {
    auto rays = RayScene::create(picture, {});
    EXPECT_TRUE(rays.ok());
    Surface surface;
    return (*rays)->nearest({{at.x, at.y, 10}, {0, 0, -1}}, 100, surface);
  }
  void expectPlank(const Scene* scene) const {
    const RenderScene lying = load(1, scene), upright = load(2, scene);
    EXPECT_TRUE(meets(lying, {3, 1, 0}));
    EXPECT_TRUE(meets(lying, {3.9f, 1, 0}));
    EXPECT_FALSE(meets(lying, {3, 1.5f, 0}));
    EXPECT_FALSE(meets(lying, {6, 1, 0}));
    EXPECT_TRUE(meets(upright, {6, 1.9f, 0}));
    EXPECT_FALSE(meets(upright, {6.9f, 1, 0}));
    EXPECT_FALSE(meets(upright, {3, 1, 0}));
    ASSERT_EQ(lying.meshes.size(), 1u);
    EXPECT_EQ(lying.meshes[0].color, pieceColor("plank"));
    EXPECT_EQ(upright.meshes[0].color, pieceColor("plank"));
  }

  std::string path_;
  std::unique_ptr<AbcWriter> writer_;
  Scene scene_;
};

TEST_F(Pieces, AMovedMeshIsWhereItsXformPutsIt) {
  writeXforms();
  expectPlank(nullptr);
}

TEST_F(Pieces, PointsShowTheShapesOfTheScene) {
  writePoints();
  expectPlank(&scene_);
}

TEST_F(Pieces, WithoutASceneTheyAreBoxes) {
  writePoints();
  const RenderScene picture = load(1, nullptr);
  ASSERT_EQ(picture.meshes.size(), 1u);
  EXPECT_TRUE(picture.spheres.empty());
  EXPECT_EQ(picture.meshes[0].triangles.size(), 12u);
}

TEST_F(Pieces, HitsAreNotDrawn) {
  const int hits = writer_->addPoints("hits", PointWidths::none);
  const int impulse = writer_->addAttribute(hits, "impulse", AttributeType::f32);
  const int other = writer_->addAttribute(hits, "othername", AttributeType::string);
  const float value = 1;
  ASSERT_TRUE(writer_->setPoints(hits, 0, std::vector<Vec3f>(1)).ok());
  ASSERT_TRUE(writer_->setAttribute(impulse, 0, &value, 1).ok());
  ASSERT_TRUE(writer_->setAttribute(other, 0, std::vector<std::string>{"ground"}).ok());
  ASSERT_TRUE(writer_->endFrame(1).ok());
  ASSERT_TRUE(writer_->close().ok());
  const RenderScene picture = load(1, nullptr);
  EXPECT_TRUE(picture.meshes.empty() && picture.spheres.empty());
}

TEST(PieceColor, TellsNeighboursApart) {
  int same = 0;
  for (int k = 0; k < 100; ++k)
    same += pieceColor("box" + std::to_string(k)) == pieceColor("box" + std::to_string(k + 1));
  EXPECT_LT(same, 5);
}

}  // namespace
}  // namespace repose
