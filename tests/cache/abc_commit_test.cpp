// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Commits: what they cost, what they leave behind when things go wrong, and what is refused.
#include <signal.h>
#include <sys/resource.h>

#include "cache/abc_reader.h"
#include "cache/abc_verify.h"
#include "cache_fixtures.h"

namespace repose {
namespace {

using Commit = CacheTest;

Status writeFrame(AbcWriter& writer, int object, const Geometry& mesh, int frame) {
  const auto shift = static_cast<float>(frame);
  if (Status s = writer.setMesh(object, 0, moved(mesh.points, shift), mesh.points); !s.ok()) return s;
  return writer.endFrame(frame);
}

TEST_F(Commit, EveryFrameOpensAndVerifies) {
  const Geometry mesh = smallMesh();
  auto writer = create();
  const int object = writer->addMesh("cloth", mesh);
  EXPECT_FALSE(std::filesystem::exists(path_));
  for (int frame = 1001; frame < 1040; ++frame) {
    ASSERT_OK(writeFrame(*writer, object, mesh, frame));
    ASSERT_OK(writer->flush());
    const AbcReport report = verifyAlembic(path_);
    ASSERT_TRUE(report.ok) << report.problem;
    EXPECT_EQ(report.frames, frame - 1000);
  }
  writer.reset();  // without close()
  EXPECT_EQ(verifyAlembic(path_).frames, 39);
  EXPECT_EQ(filesInFolder(), 1u);
}

// The bound of the class description, for known and unknown numbers of frames.
TEST_F(Commit, DeadBytesAreBounded) {
  const Geometry mesh = smallMesh();
  for (const int expected : {0, 300}) {
    options_.expected_frames = expected;
    auto writer = create();
    const int cloth = writer->addMesh("cloth", mesh), stone = writer->addRigid("stone", mesh);
    const int strain = writer->addAttribute(cloth, "strain", AttributeType::f32);
    constexpr int kFrames = 300;
    const std::vector<float> values(mesh.points.size(), 1);
    std::uint64_t at_100 = 0, at_200 = 0;
    for (int k = 0; k < kFrames; ++k) {
      Mat4d matrix;
      matrix.m[0][3] = k;
      ASSERT_OK(writer->setTransform(stone, 0, matrix));
      ASSERT_OK(writer->setAttribute(strain, 0, values.data(), values.size()));
      ASSERT_OK(writeFrame(*writer, cloth, mesh, 1001 + k));
      if (k == 99 || k == 199) {
        ASSERT_OK(writer->flush());
      }
      if (k == 99) at_100 = writer->fileBytes();
      if (k == 199) at_200 = writer->fileBytes();
    }
    ASSERT_OK(writer->close());
    const AbcReport report = verifyAlembic(path_);
    ASSERT_TRUE(report.ok) << report.problem;
    const std::uint64_t names = 3 * (5 + 5);
    // Animated: bounds, P, indices, counts, uv (two), velocities, strain; inherits, ops, matrix.
    const std::uint64_t bound =
        AbcWriter::kCommitBytes + 2 * AbcWriter::kObjectBytes + names + 11 * AbcWriter::kPropertyBytes;
    EXPECT_LE(report.dead_bytes, bound * kFrames);
    EXPECT_GT(report.dead_bytes, bound * kFrames / 8) << "the bound is far too generous";
    // Independent of the frame number: with room reserved, 100 frames cost what 100 frames cost.
    const double slack = expected > 0 ? 100 * 16.0 : 1e9;
    EXPECT_NEAR(double(report.bytes - at_200), double(at_200 - at_100), slack);
  }
}

TEST_F(Commit, EqualBlocksAreStoredOnce) {
  Geometry mesh = smallMesh();
  mesh.points.resize(2000);
  const auto bytesOf = [&](int meshes) {
    auto writer = create();
    std::vector<int> objects;
    for (int k = 0; k < meshes; ++k) objects.push_back(writer->addRigid("stone", mesh));
    for (const int object : objects) EXPECT_TRUE(writer->setTransform(object, 0, Mat4d()).ok());
    EXPECT_TRUE(writer->endFrame(1001).ok());
    EXPECT_TRUE(writer->close().ok());
    return writer->fileBytes();
  };
  mesh.attributes[1].floats.resize(2000);
  const std::uint64_t one = bytesOf(1), ten = bytesOf(10);
  EXPECT_GT(one, 2000 * sizeof(Vec3f));
  EXPECT_LT(ten - one, 9u * 2000u);  // headers only
}

TEST_F(Commit, WhatRestsIsStoredOnce) {
  const Geometry mesh = smallMesh();
  auto writer = create();
  const int object = writer->addMesh("cloth", mesh);
  for (int frame = 1001; frame < 1011; ++frame) {
    ASSERT_OK(writer->setMesh(object, 0, mesh.points, mesh.points));
    ASSERT_OK(writer->endFrame(frame));
  }
  ASSERT_OK(writer->close());
  auto reader = AbcReader::open(path_);
  ASSERT_TRUE(reader.ok());
  EXPECT_FALSE((*reader)->objects()[1].moves);
  EXPECT_EQ((*reader)->objects()[1].samples, 10);
}

TEST_F(Commit, SameContentSameBytes) {
  const Geometry mesh = smallMesh();
  std::string bytes[2];
  for (std::string& b : bytes) {
    auto writer = create();
    const int object = writer->addMesh("cloth", mesh);
    for (int frame = 1001; frame < 1020; ++frame) ASSERT_OK(writeFrame(*writer, object, mesh, frame));
    ASSERT_OK(writer->close());
    b = readFile(path_);
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST_F(Commit, FailureBeforeTheFirstFrameLeavesTheOldFile) {
  writeFile(path_, "an older cache");
  {
    auto writer = create();
    writer->addMesh("cloth", smallMesh());
    EXPECT_EQ(writer->endFrame(1001).code(), Code::bad_input);  // nothing was set
  }
  EXPECT_EQ(readFile(path_), "an older cache");
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(Commit, PathsThatCannotBeWrittenAreRefused) {
  EXPECT_EQ(AbcWriter::create((folder_ / "none" / "a.abc").string(), options_).status().code(), Code::io);
  EXPECT_EQ(AbcWriter::create(folder_.string(), options_).status().code(), Code::io);
  EXPECT_EQ(filesInFolder(), 0u);
}

TEST_F(Commit, WrongUseIsRefused) {
  const Geometry mesh = smallMesh();
  auto writer = create();
  const int object = writer->addMesh("cloth", mesh);
  EXPECT_EQ(writer->setMesh(object, 1, mesh.points).code(), Code::bad_input);
  EXPECT_EQ(writer->setMesh(7, 0, mesh.points).code(), Code::bad_input);
  EXPECT_EQ(writer->setTransform(object, 0, Mat4d()).code(), Code::bad_input);
  EXPECT_EQ(writer->setMesh(object, 0, std::vector<Vec3f>(3)).code(), Code::bad_input);
  ASSERT_OK(writer->setMesh(object, 0, mesh.points));
  EXPECT_EQ(writer->endFrame(5).code(), Code::bad_input);
  ASSERT_OK(writer->endFrame(1001));
  EXPECT_EQ(writer->setMesh(object, 0, mesh.points, mesh.points).code(), Code::bad_input);
  ASSERT_OK(writer->close());
  EXPECT_EQ(writer->endFrame(1002).code(), Code::bad_input);
  Geometry broken = mesh;
  broken.face_indices[0] = 99;
  auto other = create();
  const int wrong = other->addMesh("broken", broken);
  EXPECT_EQ(other->setMesh(wrong, 0, mesh.points).code(), Code::bad_input);
}

TEST_F(Commit, CallbackComesAfterTheCommit) {
  const Geometry mesh = smallMesh();
  auto writer = create();
  const int object = writer->addMesh("cloth", mesh);
  std::vector<int> frames;
  writer->onCommit([&](int frame, const std::string&) {
    frames.push_back(frame);
    auto reader = AbcReader::open(path_);
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ((*reader)->info().frames, static_cast<int>(frames.size()));
  });
  for (int frame = 1001; frame < 1006; ++frame) ASSERT_OK(writeFrame(*writer, object, mesh, frame));
  ASSERT_OK(writer->close());
  EXPECT_EQ(frames, (std::vector<int>{1001, 1002, 1003, 1004, 1005}));
}

// A file that may not grow beyond a limit is our full disk.
class FullDisk : public CacheTest {
 protected:
  void limit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    rlimit now = before_;
    now.rlim_cur = bytes;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &now), 0);
    limited_ = true;
  }
  void TearDown() override {
    if (limited_) setrlimit(RLIMIT_FSIZE, &before_);
    CacheTest::TearDown();
  }
  rlimit before_{};
  bool limited_ = false;
};

TEST_F(FullDisk, LastGoodFrameStays) {
  Geometry mesh = smallMesh();
  mesh.attributes.clear();
  mesh.points.resize(1000);
  auto writer = create();
  const int object = writer->addMesh("cloth", mesh);
  limit(200 * 1000);
  Status status;
  for (int frame = 1001; status.ok() && frame < 1100; ++frame)
    status = writeFrame(*writer, object, mesh, frame);
  if (status.ok()) status = writer->flush();
  EXPECT_EQ(status.code(), Code::io);
  EXPECT_NE(status.message().find(path_), std::string::npos);
  EXPECT_EQ(writer->close().code(), Code::io);
  const int committed = writer->committedFrames();
  writer.reset();
  EXPECT_GT(committed, 3);
  const AbcReport report = verifyAlembic(path_);
  EXPECT_TRUE(report.ok) << report.problem;
  EXPECT_EQ(report.frames, committed);
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(FullDisk, NothingIsLeftIfTheFirstFrameDoesNotFit) {
  Geometry mesh = smallMesh();
  mesh.attributes.clear();
  mesh.points.resize(10000);
  auto writer = create();
  const int object = writer->addMesh("cloth", mesh);
  limit(50 * 1000);
  Status status = writeFrame(*writer, object, mesh, 1001);
  if (status.ok()) status = writer->flush();
  EXPECT_EQ(status.code(), Code::io);
  writer.reset();
  EXPECT_EQ(filesInFolder(), 0u);
}

}  // namespace
}  // namespace repose
