// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// All outputs of a scene: caches, level sets and surfaces of grains.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cache/abc_reader.h"
#include "progress.h"
#include "run/run.h"
#include "scene/shapes.h"
#include "scene/validate.h"
#include "vdb/level_set.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

class Outputs : public testing::Test, public RunObserver {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("outputs_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    Body sheet;
    sheet.name = "sheet";
    sheet.geometry = makeGrid({});
    sheet.pins.push_back({"top", sheet.geometry.findGroup("top")->points, {}, false});
    Body sand;
    sand.name = "sand";
    sand.kind = BodyKind::grain;
    for (int k = 0; k < 27; ++k) {
      const auto at = [k](int step) { return 0.1f * static_cast<float>(k / step % 3); };
      sand.geometry.points.push_back({at(1), 5 + at(3), at(9)});
      sand.radii.push_back(0.05f);
    }
    scene_.first_frame = 1;
    scene_.last_frame = 3;
    scene_.bodies = {sheet, sand};
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void frameCommitted(const FrameReport& report) override {
    for (const std::string& file : expected_) missing_ += !fs::exists(file);
    reports_.push_back(report);
  }
  Status run() {
    RunOptions options = runOptions(scene_);
    options.threads = 2;
    return runScene(scene_, options, *this);
  }
  AbcPoints points(const std::string& file, int sample) const {
    const auto reader = AbcReader::open(file);
    EXPECT_TRUE(reader.ok());
    auto points = (*reader)->points((*reader)->find("sand"), sample);
    EXPECT_TRUE(points.ok()) << points.status().message();
    return *points;
  }

  fs::path folder_;
  Scene scene_;
  std::vector<FrameReport> reports_;
  std::vector<std::string> expected_;  // files that must be there when a frame is reported
  int missing_ = 0;
};

TEST_F(Outputs, GrainsArePointsWithIdsAndWidths) {
  scene_.outputs = {{path("all.abc"), 1, {"speed", "strain", "ncontacts", "asleep", "contactforce"}}};
  scene_.bodies[1].grain.base.startasleep = true;
  const Status done = run();
  ASSERT_TRUE(done.ok()) << done.message();
  const AbcPoints sand = points(path("all.abc"), 0);
  ASSERT_EQ(sand.positions.size(), 27u);
  EXPECT_EQ(sand.velocities.size(), 27u);
  for (std::size_t k = 0; k < 27; ++k) {
    EXPECT_EQ(sand.ids[k], k);
    EXPECT_EQ(sand.widths[k], 0.1f);
    EXPECT_EQ(sand.positions[k], scene_.bodies[1].geometry.points[k]);
  }
  std::vector<std::string> names;
  for (const Attribute& a : sand.attributes) {
    names.push_back(a.name);
    EXPECT_EQ(a.type == AttributeType::i32, a.name == "ncontacts" || a.name == "asleep");
    if (a.name != "asleep") continue;
    EXPECT_EQ(a.ints, std::vector<std::int32_t>(27, 1));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"speed", "contactforce", "ncontacts", "asleep"}));
  const auto reader = AbcReader::open(path("all.abc"));
  const auto sheet = (*reader)->mesh((*reader)->firstMesh(), 0);
  EXPECT_TRUE(sheet->find(AttributeOwner::point, "strain"));
  EXPECT_FALSE(sheet->find(AttributeOwner::point, "asleep"));
  EXPECT_EQ(reports_.at(0).step.grains, 27);
  EXPECT_EQ(reports_.at(0).step.asleep, 27);
}

TEST_F(Outputs, AllOfASceneAreWritten) {
  GrainSkin skin;
  skin.voxel = 0.02f;
  scene_.outputs = {{path("sand.##.vdb"), 1, {}, skin},
                    {path("all.abc"), 1, {}},
                    {path("skin.abc"), 1, {}, skin, "sand"},
                    {path("blur.abc"), 2, {"speed"}}};
  expected_ = {path("all.abc"), path("skin.abc"), path("blur.abc"), path("sand.01.vdb")};
  const Status done = run();
  ASSERT_TRUE(done.ok()) << done.message();
  ASSERT_EQ(reports_.size(), 3u);
  EXPECT_EQ(missing_, 0);
  for (const char* file : {"sand.01.vdb", "sand.02.vdb", "sand.03.vdb"}) {
    const auto vdb = summarizeVdb(path(file));
    ASSERT_TRUE(vdb.ok()) << vdb.status().message();
    EXPECT_GT(vdb->grids.at(0).active_voxels, 1000u);
  }
  const auto skins = AbcReader::open(path("skin.abc"));
  ASSERT_TRUE(skins.ok());
  const int object = (*skins)->find("sand_surface");
  ASSERT_GE(object, 0);
  EXPECT_EQ((*skins)->objects()[static_cast<std::size_t>(object)].samples, 3);
  const auto mesh = (*skins)->mesh(object, 2);
  ASSERT_TRUE(mesh.ok()) << mesh.status().message();
  EXPECT_GT(mesh->face_counts.size(), 100u);
  const auto samples = [&](const char* file) {
    const auto reader = AbcReader::open(path(file));
    return (*reader)->objects()[static_cast<std::size_t>((*reader)->firstMesh())].samples;
  };
  EXPECT_EQ(samples("all.abc"), 3);
  EXPECT_EQ(samples("blur.abc"), 6);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 6);
}

TEST_F(Outputs, AVoxelThatIsTooCoarseLeavesNoFile) {
  GrainSkin skin;
  skin.voxel = 1;
  scene_.outputs = {{path("all.abc"), 1, {}}, {path("sand.##.vdb"), 1, {}, skin}};
  const Status done = run();
  EXPECT_EQ(done.code(), Code::bad_input);
  EXPECT_NE(done.message().find("too coarse"), std::string::npos) << done.message();
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Outputs, AskForWhatSomeBodyHas) {
  const auto problems = [this] {
    std::string all;
    for (const Finding& finding : validateScene(scene_))
      if (finding.about == Finding::About::output) all += finding.sentence + "\n";
    return all;
  };
  GrainSkin skin;
  skin.voxel = 0.02f;
  scene_.outputs = {{"a.abc", 1, {"asleep", "strain"}}, {"s.##.vdb", 1, {}, skin, "sand"}};
  EXPECT_EQ(problems(), "");
  scene_.outputs[1].body = "snad";
  EXPECT_EQ(problems(), "body is \"snad\", but the bodies of kind grain are sand; did you mean \"sand\"?\n");
  scene_.outputs[1] = {"s.##.vdb", 2, {}, skin};
  EXPECT_EQ(problems(), "a surface has one sample a frame and no attributes\n");
  scene_.outputs[1] = {"b.abc", 1, {}, {}, "sand"};
  EXPECT_EQ(problems(), "\"body\" is only for outputs with a \"surface\"\n");
  scene_.bodies.pop_back();
  scene_.outputs[1] = {"s.##.vdb", 1, {}, skin};
  EXPECT_EQ(problems(),
            "the output attribute \"asleep\" belongs to grains, and the scene has none\n"
            "a surface needs a body of kind grain, and the scene has none\n");
}

TEST_F(Outputs, TwoMayNotShareAFile) {
  RunOptions options = runOptions(scene_);
  options.out = path("a.abc");
  options.more = {{path("a.abc"), 1, {}}};
  EXPECT_EQ(runScene(scene_, options, *this).code(), Code::bad_input);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST(Log, HasWhatContactsDid) {
  FrameReport report;
  report.step.grains = 1000;
  report.step.asleep = 400;
  report.step.contacts = 2500;
  report.step.max_penetration = 0.25f;
  report.step.mean_penetration = 0.125f;
  report.step.kinetic_energy = 2;
  report.step.energy = 10;
  const auto json = nlohmann::json::parse(frameAsJson(report));
  EXPECT_EQ(json["grains"], 1000);
  EXPECT_EQ(json["asleep"], 400);
  EXPECT_EQ(json["contacts"], 2500);
  EXPECT_EQ(json["max_penetration"], 0.25);
  EXPECT_EQ(json["mean_penetration"], 0.125);
  EXPECT_EQ(json["kinetic_energy"], 2);
  EXPECT_EQ(json["energy"], 10);
}

TEST(Log, TheLineForPeopleNamesGrainsWhereThereAreSome) {
  const auto line = [](const FrameReport& report) {
    testing::internal::CaptureStdout();
    makeProgress("plain")->frame(report);
    return testing::internal::GetCapturedStdout();
  };
  FrameReport report;
  report.done = report.count = 1;
  EXPECT_EQ(line(report).find("grains"), std::string::npos);
  report.step.grains = 1000;
  report.step.asleep = 400;
  report.step.contacts = 2500;
  EXPECT_NE(line(report).find("  1000 grains, 400 asleep  2500 contacts  "), std::string::npos)
      << line(report);
}

}  // namespace
}  // namespace repose
