// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Level sets of VDB files and meshes turned into fields, against exact distances; files that are refused.
#include <oneapi/tbb/global_control.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "obstacle_fixtures.h"

namespace repose {

namespace {

class Fields : public testing::Test {
 protected:
  void SetUp() override {
    openvdb::initialize();
    path_ = (std::filesystem::temp_directory_path() /
             (std::string("repose_field_") + testing::UnitTest::GetInstance()->current_test_info()->name() +
              ".vdb"))
                .string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const openvdb::GridBase::Ptr& grid) const {
    openvdb::io::File file(path_);
    file.write(openvdb::GridPtrVec{grid});
  }
  Collider field(const Mat4d& place = {}) const {
    Collider collider;
    collider.name = "c";
    collider.shape = Collider::Shape::field;
    collider.path = path_;
    collider.place = place;
    collider.point = transformPoint(place, {});
    return collider;
  }
  std::unique_ptr<Obstacle> madeField(const Collider& collider, float reach) const {
    Result<std::unique_ptr<Obstacle>> obstacle = makeObstacle(collider, reach);
    EXPECT_TRUE(obstacle.ok()) << obstacle.status().message();
    if (!obstacle.ok()) return nullptr;
    EXPECT_TRUE((*obstacle)->move(1, 2, 1.0f / 24).ok());
    return std::move(*obstacle);
  }
  std::string refusal() const {
    const std::string message = makeObstacle(field()).status().message();
    const std::size_t at = message.find(path_);
    return at == std::string::npos ? message
                                   : message.substr(0, at) + "F" + message.substr(at + path_.size());
  }

  std::string path_;
};

openvdb::FloatGrid::Ptr ball(float radius, float voxel) {
  return openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(radius, openvdb::Vec3f(0), voxel);
}

}  // namespace

TEST_F(Fields, AFileOfASphereIsASphere) {
  write(ball(1, 0.05f));
  // twice as large, turned and elsewhere
  const double scale[3] = {2, 2, 2};
  const Vec3f middle{3, 1, -2};
  const auto obstacle = madeField(field(composeTransform(middle, {10, 20, 30}, scale)), 0.2f);
  ASSERT_TRUE(obstacle);
  for (const Vec3f d : randomPoints(2000, 3)) {
    const float exact = length(d) - 2;
    const std::vector<Touch> found = touches(*obstacle, middle + d, 0.2f);
    if (exact > 0.22f) {
      EXPECT_TRUE(found.empty());
    }
    if (exact > 0.18f) continue;
    ASSERT_EQ(found.size(), 1u) << exact;
    // in the narrow band of the file, and rebuilt from it deep inside
    EXPECT_NEAR(found[0].gap, exact, exact > -0.25f ? 4e-3f : 0.03f);
    const float along = dot(found[0].normal, d) / length(d);
    EXPECT_GT(along, exact > -0.25f ? 0.99f : 0.7f) << exact;  // deep inside, roughly out is enough
  }
  const Bounds bounds = obstacle->bounds();
  EXPECT_LE(bounds.lo.x, 1);
  EXPECT_GE(bounds.hi.x, 5);
}

TEST_F(Fields, AMeshTurnedIntoAFieldIsTheMesh) {
  Shape shape;
  shape.size = {1, 0.6f, 1.4f};
  shape.divisions = {3, 3, 3};
  Collider collider = meshCollider(makeBox(shape));
  Volume volume;
  volume.size = shape.size;
  const auto box = made(volumeCollider(volume));
  collider.voxel = 0.02f;
  const auto obstacle = madeField(collider, 0.2f);
  ASSERT_TRUE(obstacle);
  int seen = 0, agree = 0;
  for (const Vec3f p : randomPoints(3000, 1)) {
    const Touch exact = touches(*box, p, 100)[0];
    if (exact.gap > 0.18f) continue;
    const std::vector<Touch> found = touches(*obstacle, p, 0.2f);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].gap, exact.gap, 0.01f);  // half a voxel at its edges
    ++seen;
    agree += dot(found[0].normal, exact.normal) > 0.98f;
  }
  // all but those near an edge or a middle plane
  EXPECT_GT(seen, 500);
  EXPECT_GT(agree, 0.9 * seen);
}

TEST_F(Fields, TurnsWithItsKeysAndCatchesFastSpheres) {
  write(ball(1, 0.05f));
  Collider collider = field();
  collider.rotate.keys = {{1, {0, 0, 0}}, {25, {0, 0, 90}}};
  collider.translate.keys = {{1, {0, 0, 0}}, {25, {0, 0, 2}}};
  const auto obstacle = madeField(collider, 0.1f);
  ASSERT_TRUE(obstacle);
  expectNear(touches(*obstacle, {1.05f, 0, 0}, 0.1f).at(0).velocity, {0, 1.5708f, 2}, 0.06f);
  EXPECT_TRUE(touches(*obstacle, {4, 0.1f, 0}, 0.1f).empty());
  const std::vector<Touch> fast = touches(*obstacle, {4, 0.1f, 0}, 0.1f, {-8, 0, 0});
  ASSERT_EQ(fast.size(), 1u);
  EXPECT_NEAR(fast[0].normal.x, 1, 0.03f);
  EXPECT_NEAR(fast[0].gap, 3, 0.05f);
}

TEST_F(Fields, AContainerBringsBackWhatIsOutside) {
  write(ball(1, 0.05f));
  Collider collider = field();
  collider.inside = true;
  const auto obstacle = madeField(collider, 0.1f);
  ASSERT_TRUE(obstacle);
  EXPECT_TRUE(touches(*obstacle, {0.3f, 0, 0}, 0.1f).empty());
  EXPECT_NEAR(touches(*obstacle, {0, 0.95f, 0}, 0.1f).at(0).gap, 0.05f, 4e-3f);
  const Touch away = touches(*obstacle, {0, 5, 0}, 0.1f).at(0);
  EXPECT_LT(away.gap, 0);
  EXPECT_LT(away.normal.y, -0.99f);
}

TEST_F(Fields, AnyNumberOfThreadsMakesTheSameField) {
  Shape shape;
  shape.divisions = {32, 16, 1};
  Collider collider = meshCollider(makeTorus(shape));
  collider.voxel = 0.02f;
  const auto run = [&](std::size_t threads) {
    const oneapi::tbb::global_control control(oneapi::tbb::global_control::max_allowed_parallelism, threads);
    const auto obstacle = madeField(collider, 0.1f);
    std::vector<Touch> all(2000 * kMostTouches);
    const std::vector<Vec3f> points = randomPoints(2000, 0.8f);
    for (std::size_t k = 0; k < points.size(); ++k)
      obstacle->touch(points[k], {}, 0.1f, &all[k * kMostTouches]);
    return all;
  };
  const std::vector<Touch> one = run(1), two = run(2);
  EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size() * sizeof(Touch)), 0);
}

TEST_F(Fields, FilesThatAreNoLevelSets) {
  auto fog = openvdb::FloatGrid::create(0);
  fog->setName("density");
  fog->setGridClass(openvdb::GRID_FOG_VOLUME);
  fog->tree().setValue({0, 0, 0}, 1);
  write(fog);
  EXPECT_EQ(refusal(),
            "collider \"c\" has the file F, whose grid \"density\" is not a level set but Fog Volume");
  write(openvdb::Vec3SGrid::create());
  EXPECT_EQ(refusal(), "collider \"c\" has the file F, which has no grid of floats");
  auto empty = openvdb::FloatGrid::create(0.1f);
  empty->setName("surface");
  empty->setGridClass(openvdb::GRID_LEVEL_SET);
  write(empty);
  EXPECT_EQ(refusal(),
            "collider \"c\" has the file F, whose grid \"surface\" encloses nothing: its values do not "
            "change their "
            "sign");
  auto wild = ball(1, 0.1f);
  wild->setName("surface");
  wild->tree().setValue({10, 0, 0}, NAN);
  write(wild);
  EXPECT_EQ(refusal(),
            "collider \"c\" has the file F, whose grid \"surface\" has a value that is not finite");
  std::ofstream(path_) << "not a volume";
  EXPECT_NE(refusal().find("collider \"c\" has the file F that cannot be used: "), std::string::npos)
      << refusal();
  std::filesystem::remove(path_);
  EXPECT_NE(refusal().find("collider \"c\" has the file F that cannot be used: "), std::string::npos)
      << refusal();
}

}  // namespace repose
