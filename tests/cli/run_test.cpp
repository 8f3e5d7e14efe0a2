// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "cache/abc_reader.h"
#include "scene/shapes.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

class Run : public testing::Test, public RunObserver {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("run_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    Shape shape;
    shape.divisions = {6, 6, 1};
    Body sheet;
    sheet.name = "sheet";
    sheet.geometry = makeGrid(shape);
    sheet.pins.push_back({"top", sheet.geometry.findGroup("top")->points, {}, false});
    scene_.first_frame = 1001;
    scene_.last_frame = 1010;
    scene_.bodies.push_back(sheet);
    options_ = runOptions(scene_);
    options_.out = (folder_ / "out.abc").string();
    options_.threads = 1;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void frameCommitted(const FrameReport& report) override {
    reports_.push_back(report);
    if (report.frame == stop_at_) stop_ = true;
  }

  int framesInCache() const {
    const auto reader = AbcReader::open(options_.out);
    return reader ? (*reader)->objects()[static_cast<std::size_t>((*reader)->firstMesh())].samples : 0;
  }
  bool folderIsEmpty() const { return fs::is_empty(folder_); }

  fs::path folder_;
  Scene scene_;
  RunOptions options_;
  std::vector<FrameReport> reports_;
  int stop_at_ = 0;
  std::atomic<bool> stop_{false};
};

TEST_F(Run, ReportsEveryFrameOnce) {
  ASSERT_TRUE(runScene(scene_, options_, *this).ok());
  ASSERT_EQ(reports_.size(), 10u);
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(reports_[k].frame, 1001 + k);
    EXPECT_EQ(reports_[k].done, k + 1);
    EXPECT_EQ(reports_[k].count, 10);
  }
  EXPECT_EQ(framesInCache(), 10);
}

TEST_F(Run, AStopCommitsTheCurrentFrame) {
  scene_.last_frame = options_.last_frame = 100000;
  stop_at_ = 1004;
  options_.stop = &stop_;
  EXPECT_EQ(runScene(scene_, options_, *this).code(), Code::stopped);
  EXPECT_GE(reports_.size(), 4u);
  EXPECT_LT(reports_.size(), 100u);
  EXPECT_EQ(framesInCache(), static_cast<int>(reports_.size()));
}

TEST_F(Run, AnUnstableRunKeepsTheLastGoodFrame) {
  scene_.bodies[0].velocity = {1e38f, 0, 0};
  const Status status = runScene(scene_, options_, *this);
  EXPECT_EQ(status.code(), Code::unstable);
  EXPECT_NE(status.message().find("sheet"), std::string::npos) << status.message();
  ASSERT_GE(reports_.size(), 1u);
  EXPECT_EQ(reports_[0].frame, 1001);
  EXPECT_EQ(framesInCache(), static_cast<int>(reports_.size()));
}

TEST_F(Run, MoreSamplesChangeNothingAtTheFrames) {
  ASSERT_TRUE(runScene(scene_, options_, *this).ok());
  const std::vector<FrameReport> once = std::move(reports_);
  reports_.clear();
  options_.samples = 2;
  ASSERT_TRUE(runScene(scene_, options_, *this).ok());
  ASSERT_EQ(reports_.size(), once.size());
  for (std::size_t k = 0; k < once.size(); ++k) {
    EXPECT_EQ(reports_[k].step.hash, once[k].step.hash);
    EXPECT_EQ(reports_[k].step.iterations, once[k].step.iterations);
  }
  EXPECT_EQ(framesInCache(), 20);
}

TEST_F(Run, AttributesOnRequest) {
  options_.attributes = {"speed", "strain", "stress"};
  ASSERT_TRUE(runScene(scene_, options_, *this).ok());
  const auto reader = AbcReader::open(options_.out);
  ASSERT_TRUE(reader.ok());
  const auto mesh = (*reader)->mesh((*reader)->firstMesh(), 9);
  ASSERT_TRUE(mesh.ok());
  const Attribute* speed = mesh->find(AttributeOwner::point, "speed");
  const Attribute* velocity = mesh->find(AttributeOwner::point, "v");
  ASSERT_TRUE(speed && velocity && mesh->find(AttributeOwner::point, "strain") &&
              mesh->find(AttributeOwner::point, "stress"));
  for (std::size_t p = 0; p < mesh->points.size(); ++p) {
    const Vec3f v{velocity->floats[3 * p], velocity->floats[3 * p + 1], velocity->floats[3 * p + 2]};
    EXPECT_EQ(speed->floats[p], length(v));
  }
}

TEST_F(Run, WrongOptionsLeaveNoFile) {
  const auto refused = [this](void (*change)(RunOptions&)) {
    RunOptions options = options_;
    change(options);
    return runScene(scene_, options, *this).code() == Code::bad_input && folderIsEmpty();
  };
  EXPECT_TRUE(refused([](RunOptions& o) { o.samples = 3; }));  // 4 substeps
  EXPECT_TRUE(refused([](RunOptions& o) { o.samples = 0; }));
  EXPECT_TRUE(refused([](RunOptions& o) { o.first_frame = 1000; }));
  EXPECT_TRUE(refused([](RunOptions& o) { o.last_frame = 1000; }));
  EXPECT_TRUE(refused([](RunOptions& o) { o.attributes = {"colour"}; }));
}

TEST_F(Run, AFolderThatIsNotThereIsAnInputOutputError) {
  options_.out = (folder_ / "missing" / "out.abc").string();
  EXPECT_EQ(runScene(scene_, options_, *this).code(), Code::io);
  EXPECT_TRUE(reports_.empty());
}

}  // namespace
}  // namespace repose
