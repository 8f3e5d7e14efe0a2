// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid pieces and their hits as the files of a run have them.
#include "run/rigid_output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cache/abc_reader.h"
#include "run/outputs.h"
#include "scene/shapes.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

class RigidOutputs : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("rigid_outputs_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    Body stones;
    stones.name = "stones";
    stones.kind = BodyKind::rigid;
    RigidShape shape;
    shape.geometry = makeGrid({});
    stones.shapes = {shape};
    const float half = 0.4f;
    for (int k = 0; k < 3; ++k) {
      RigidPiece piece;
      piece.name = "stone" + std::to_string(k);
      piece.place = poseOf({static_cast<float>(k), 2, 0}, {0, 0, std::sin(half), std::cos(half)});
      piece.velocity = {0, static_cast<float>(k), 0};
      piece.spin = {0, 0, 3};
      stones.pieces.push_back(piece);
    }
    Body sheet;
    sheet.name = "sheet";
    sheet.geometry = makeGrid({});
    sheet.pins.push_back({"top", sheet.geometry.findGroup("top")->points, {}, false});
    scene_.first_frame = 1;
    scene_.last_frame = 2;
    scene_.bodies = {sheet, stones};
    Collider ground;
    ground.name = "ground";
    scene_.colliders = {ground};
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path() const { return (folder_ / "out.abc").string(); }
  std::unique_ptr<AbcWriter> create(int samples = 1) const {
    AbcOptions options;
    options.durable = false;
    options.samples = samples;
    auto writer = AbcWriter::create(path(), options);
    EXPECT_TRUE(writer.ok());
    return std::move(*writer);
  }
  RigidView view() const {
    RigidView view;
    view.body = &scene_.bodies[1];
    for (const RigidPiece& piece : view.body->pieces) {
      view.poses.push_back(piece.place);
      view.velocities.push_back(piece.velocity);
      view.spins.push_back(piece.spin);
    }
    return view;
  }
  static const Attribute& attribute(const AbcPoints& points, const std::string& name) {
    static const Attribute kNone;
    for (const Attribute& a : points.attributes)
      if (a.name == name) return a;
    ADD_FAILURE() << "no attribute " << name;
    return kNone;
  }

  fs::path folder_;
  Scene scene_;
};

TEST_F(RigidOutputs, PointsCarryAllThatInstancesNeed) {
  auto writer = create(2);
  RigidObject object(*writer, scene_.bodies[1], RigidOutput::points);
  for (int sample = 0; sample < 2; ++sample) ASSERT_TRUE(object.write(view(), sample).ok());
  ASSERT_TRUE(writer->endFrame(1).ok());
  ASSERT_TRUE(writer->close().ok());
  const auto reader = AbcReader::open(path());
  const auto points = (*reader)->points((*reader)->find("stones"), 1);
  ASSERT_TRUE(points.ok()) << points.status().message();
  EXPECT_EQ(points->positions[2], (Vec3f{2, 2, 0}));
  EXPECT_EQ(points->velocities[2], (Vec3f{0, 2, 0}));
  EXPECT_EQ(points->ids, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_TRUE(points->widths.empty());
  EXPECT_EQ(attribute(*points, "name").strings, (std::vector<std::string>{"stone0", "stone1", "stone2"}));
  EXPECT_EQ(attribute(*points, "w").floats, (std::vector<float>{0, 0, 3, 0, 0, 3, 0, 0, 3}));
  const std::vector<float>& orient = attribute(*points, "orient").floats;
  ASSERT_EQ(orient.size(), 12u);
  EXPECT_NEAR(orient[6], std::sin(0.4f), 1e-6f);  // x y z w
  EXPECT_NEAR(orient[7], std::cos(0.4f), 1e-6f);
}

TEST_F(RigidOutputs, XformsCarryTheShapeToItsPlace) {
  auto writer = create();
  RigidObject object(*writer, scene_.bodies[1], RigidOutput::xform);
  ASSERT_TRUE(object.write(view(), 0).ok());
  ASSERT_TRUE(writer->endFrame(1).ok());
  ASSERT_TRUE(writer->close().ok());
  const auto reader = AbcReader::open(path());
  for (const RigidPiece& piece : scene_.bodies[1].pieces) {
    const auto mesh = (*reader)->mesh((*reader)->find(piece.name), 0);
    ASSERT_TRUE(mesh.ok());
    const std::vector<Vec3f>& local = scene_.bodies[1].shapes[0].geometry.points;
    ASSERT_EQ(mesh->points.size(), local.size());
    for (std::size_t k = 0; k < local.size(); ++k)
      EXPECT_LT(length(mesh->points[k] - piece.place.world(local[k])), 1e-6f);
  }
}

TEST_F(RigidOutputs, EveryHitIsInOneSample) {
  const auto hitAt = [](double frame, HitSide first, HitSide second) {
    Hit hit;
    hit.frame = frame;
    hit.place = {static_cast<float>(frame), 0, 0};
    hit.normal = {0, 1, 0};
    hit.impulse = 2 * static_cast<float>(frame);
    hit.speed = 5;
    hit.first = first, hit.second = second;
    return hit;
  };
  const Hit ground = hitAt(1.25, {1, 2}, {-1, 0}), cloth = hitAt(1.75, {1, 0}, {0, 7}),
            pair = hitAt(2, {1, 0}, {1, 1});
  auto writer = create();
  HitsObject object(*writer, scene_);
  ASSERT_TRUE(object.write({}, 1, 0).ok());
  ASSERT_TRUE(writer->endFrame(1).ok());
  ASSERT_TRUE(object.write({ground, cloth, pair}, 2, 0).ok());
  ASSERT_TRUE(writer->endFrame(2).ok());
  ASSERT_TRUE(object.write({cloth, pair}, 3, 0).ok());  // old ones, which are not written again
  ASSERT_TRUE(writer->endFrame(3).ok());
  ASSERT_TRUE(writer->close().ok());
  const auto reader = AbcReader::open(path());
  const int hits = (*reader)->find("hits");
  EXPECT_TRUE((*reader)->points(hits, 0)->positions.empty());
  EXPECT_TRUE((*reader)->points(hits, 2)->positions.empty());
  const auto seen = (*reader)->points(hits, 1);
  ASSERT_TRUE(seen.ok());
  ASSERT_EQ(seen->positions.size(), 3u);
  EXPECT_EQ(seen->positions[1], (Vec3f{1.75f, 0, 0}));
  EXPECT_EQ(attribute(*seen, "impulse").floats, (std::vector<float>{2.5f, 3.5f, 4}));
  EXPECT_EQ(attribute(*seen, "frame").floats, (std::vector<float>{1.25f, 1.75f, 2}));
  EXPECT_EQ(attribute(*seen, "speed").floats, std::vector<float>(3, 5));
  EXPECT_EQ(attribute(*seen, "N").floats, (std::vector<float>{0, 1, 0, 0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(attribute(*seen, "name").strings, (std::vector<std::string>{"stone2", "stone0", "stone0"}));
  EXPECT_EQ(attribute(*seen, "othername").strings, (std::vector<std::string>{"ground", "sheet", "stone1"}));
}

// All bodies of a scene in one cache; the pieces are where the view says, which is not where they began.
TEST_F(RigidOutputs, ACacheHasThemBesideTheCloth) {
  Scene cloth = scene_;
  cloth.bodies.resize(1);
  const auto simulation = Simulation::create(cloth, 1);
  ASSERT_TRUE(simulation.ok());
  for (const RigidOutput as : {RigidOutput::xform, RigidOutput::points}) {
    Output output;
    output.path = path();
    output.rigid = as;
    output.attributes = {"hits"};
    const auto made = makeOutput(scene_, output, {}, [](int, const std::string&) {});
    ASSERT_TRUE(made.ok()) << made.status().message();
    RunView now;
    now.frame = 1;
    now.bodies.resize(2);
    now.rigid.resize(2);
    (*simulation)->readBody(0, now.bodies[0]);
    (*simulation)->readRigid(0, now.rigid[0]);
    EXPECT_EQ(now.rigid[0].body, nullptr) << "cloth is not rigid";
    now.rigid[1] = view();
    now.rigid[1].poses[1].origin = {7, 8, 9};
    const Status wrote = (*made)->write(**simulation, now, 0);
    ASSERT_TRUE(wrote.ok()) << wrote.message();
    ASSERT_TRUE((*made)->endFrame(1, false).ok());
    ASSERT_TRUE((*made)->close().ok());
    const auto reader = AbcReader::open(path());
    ASSERT_TRUE(reader.ok());
    EXPECT_GE((*reader)->find("sheet"), 0);
    EXPECT_TRUE((*reader)->points((*reader)->find("hits"), 0)->positions.empty());
    if (as == RigidOutput::points) {
      EXPECT_EQ((*reader)->points((*reader)->find("stones"), 0)->positions[1], (Vec3f{7, 8, 9}));
      EXPECT_EQ((*reader)->find("stone1"), -1);
    } else {
      const auto matrix = (*reader)->xform((*reader)->find("stone1"), 0);
      ASSERT_TRUE(matrix.ok());
      EXPECT_EQ(transformPoint(*matrix, {}), (Vec3f{7, 8, 9}));
      EXPECT_EQ((*reader)->find("stones"), -1);
    }
  }
}

}  // namespace
}  // namespace repose
