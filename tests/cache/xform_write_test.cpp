// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Thousands of moved meshes, and points with strings and orientations.
#include <chrono>
#include <cmath>

#include "base/pose.h"
#include "cache/abc_reader.h"
#include "cache/abc_verify.h"
#include "cache_fixtures.h"

namespace repose {
namespace {

constexpr int kFirst = 1001;

// Body k turns about an axis of its own while it moves; it rests from frame `rest` on.
Pose poseAt(int k, int frame, int rest = 1 << 30) {
  const auto t = static_cast<float>(std::min(frame, rest) - kFirst), i = static_cast<float>(k);
  const float half = 0.05f * (i + 1) * t;
  const Vec3f axis = Vec3f{1, 2, 2} * (1.0f / 3.0f);
  return poseOf({i, 0.1f * t, -0.3f * t},
                {axis.x * std::sin(half), axis.y * std::sin(half), axis.z * std::sin(half), std::cos(half)});
}

Mat4d matrixOf(const Pose& pose) {
  Mat4d m;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m.m[r][c] = pose.axis[c][r];
    m.m[r][3] = pose.origin[r];
  }
  return m;
}

class Xforms : public CacheTest {
 protected:
  void add(AbcWriter& writer, int bodies) {
    for (int k = 0; k < bodies; ++k) bodies_.push_back(writer.addRigid("body" + std::to_string(k), mesh_));
  }
  template <class Rest>
  void writeFrame(AbcWriter& writer, int frame, const Rest& rest) {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const int number = static_cast<int>(k);
      ASSERT_OK(writer.setTransform(bodies_[k], 0, matrixOf(poseAt(number, frame, rest(number)))));
    }
    ASSERT_OK(writer.endFrame(frame));
  }
  // Where the reader sees the points of every body at a frame, against where they are.
  template <class Rest>
  void expectAt(int frame, const Rest& rest) const {
    const auto reader = AbcReader::open(path_);
    ASSERT_TRUE(reader.ok()) << reader.status().message();
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const int object = (*reader)->find("body" + std::to_string(k));
      ASSERT_GE(object, 0);
      const auto seen = (*reader)->meshAt(object, frame / 24.0 + 1e-6);
      ASSERT_TRUE(seen.ok()) << seen.status().message();
      const Pose pose = poseAt(static_cast<int>(k), frame, rest(static_cast<int>(k)));
      for (std::size_t p = 0; p < mesh_.points.size(); ++p)
        EXPECT_LT(length(seen->points[p] - pose.world(mesh_.points[p])), 1e-4f) << "body " << k;
    }
  }

  const Geometry mesh_ = smallMesh();
  std::vector<int> bodies_;
};

TEST_F(Xforms, PointsAreWhereThePoseIs) {
  constexpr int kFrames = 8;
  const auto never = [](int) { return 1 << 30; };
  auto writer = create();
  add(*writer, 3);
  for (int f = kFirst; f < kFirst + kFrames; ++f) writeFrame(*writer, f, never);
  ASSERT_OK(writer->close());
  const auto reader = AbcReader::open(path_);
  ASSERT_TRUE(reader.ok());
  for (int k = 0; k < 3; ++k) {
    const int object = (*reader)->find("body" + std::to_string(k));
    const AbcObject& mesh = (*reader)->objects()[static_cast<std::size_t>(object)];
    EXPECT_EQ(mesh.samples, 1) << "the mesh is stored once";
    EXPECT_EQ((*reader)->objects()[static_cast<std::size_t>(mesh.parent)].samples, kFrames);
    for (int f = 0; f < kFrames; ++f) {
      const auto xform = (*reader)->xform(mesh.parent, f);
      ASSERT_TRUE(xform.ok());
      const Pose pose = poseAt(k, kFirst + f);
      for (const Vec3f p : mesh_.points)
        EXPECT_LT(length(transformPoint(*xform, p) - pose.world(p)), 1e-6f * (1 + length(pose.world(p))));
    }
  }
}

// While others move on, a body that rests has fewer samples than there are frames, until it moves again or
// the archive is finished.
TEST_F(Xforms, BodiesThatRestAreRightInEveryCommit) {
  const auto rest = [](int k) { return k == 1 ? kFirst + 2 : k == 2 ? kFirst : 1 << 30; };
  const auto waking = [](int k) { return k == 2 ? kFirst : 1 << 30; };  // body 1 jumps to where it would be
  auto writer = create();
  add(*writer, 3);
  for (int f = kFirst; f < kFirst + 6; ++f) {
    writeFrame(*writer, f, rest);
    ASSERT_OK(writer->flush());
    EXPECT_EQ(verifyAlembic(path_).frames, f - kFirst + 1);
    for (int seen = kFirst; seen <= f; ++seen) expectAt(seen, rest);
  }
  for (int f = kFirst + 6; f < kFirst + 9; ++f) writeFrame(*writer, f, waking);
  ASSERT_OK(writer->close());
  const AbcReport report = verifyAlembic(path_);
  EXPECT_TRUE(report.ok) << report.problem;
  for (int f = kFirst; f < kFirst + 6; ++f) expectAt(f, rest);
  for (int f = kFirst + 6; f < kFirst + 9; ++f) expectAt(f, waking);
  const auto reader = AbcReader::open(path_);
  for (const AbcObject& object : (*reader)->objects())
    EXPECT_EQ(object.samples, object.kind == AbcKind::xform ? 9 : 1) << object.path;
}

// An archive says how many frames there are also when nothing moves any more, or nothing has moved yet.
TEST_F(Xforms, FramesGoOnWhenAllRest) {
  for (const int moves : {kFirst, kFirst + 2}) {
    const auto rest = [moves](int k) { return k == 2 ? moves : kFirst; };
    bodies_.clear();
    auto writer = create();
    add(*writer, 4);
    for (int f = kFirst; f < kFirst + 5; ++f) writeFrame(*writer, f, rest);
    ASSERT_OK(writer->flush());
    EXPECT_EQ(verifyAlembic(path_).frames, 5);
    expectAt(kFirst + 4, rest);
    const auto reader = AbcReader::open(path_);
    int most = 0;
    for (const AbcObject& object : (*reader)->objects())
      if (object.moves) most = std::max(most, object.samples);
    EXPECT_EQ(most, moves == kFirst ? 0 : 5) << "other programs count the samples of what has moved";
  }
}

TEST_F(Xforms, WhatThousandsCost) {
  constexpr int kBodies = 2000, kFrames = 10;
  constexpr std::size_t kMatrixBytes = 8 + 16 + 16 * sizeof(double) + 8, kName = 9;
  const auto never = [](int) { return 1 << 30; };
  const auto settled = [](int) { return kFirst + kFrames - 1; };
  options_.expected_frames = 2 * kFrames;
  auto writer = create();
  add(*writer, kBodies);
  writeFrame(*writer, kFirst, never);
  ASSERT_OK(writer->flush());
  const std::uint64_t first = writer->fileBytes();
  const auto begin = std::chrono::steady_clock::now();
  for (int f = kFirst + 1; f < kFirst + kFrames; ++f) writeFrame(*writer, f, never);
  ASSERT_OK(writer->flush());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  const std::uint64_t moving = writer->fileBytes();
  for (int f = kFirst + kFrames; f < kFirst + 2 * kFrames; ++f) writeFrame(*writer, f, settled);
  ASSERT_OK(writer->flush());
  const std::uint64_t resting = writer->fileBytes();
  const auto a_body = [](std::uint64_t bytes, int frames) { return double(bytes) / frames / kBodies; };
  std::printf("a body and frame: %.0f bytes while it moves, %.0f at rest; %.1f ms a frame of %d that move\n",
              a_body(moving - first, kFrames - 1), a_body(resting - moving, kFrames),
              took.count() / (kFrames - 1), kBodies);
  EXPECT_LE(a_body(moving - first, kFrames - 1),
            double(kMatrixBytes + AbcWriter::kObjectBytes + 3 * kName + 3 * AbcWriter::kPropertyBytes));
  EXPECT_LE(a_body(resting - moving, kFrames), 16.0 + kName) << "its name and its place in the list";
}

TEST_F(Xforms, PointsHaveStringsThatChange) {
  auto writer = create();
  const int hits = writer->addPoints("hits", PointWidths::none);
  const int name = writer->addAttribute(hits, "name", AttributeType::string);
  const int orient = writer->addAttribute(hits, "orient", AttributeType::f32, 4, "quat");
  const std::vector<std::vector<std::string>> names = {{"a", "", "ä b"}, {}, {"c"}, {"c"}, {"a", "b"}};
  for (std::size_t f = 0; f < names.size(); ++f) {
    std::vector<float> quats;
    for (std::size_t k = 0; k < names[f].size(); ++k) quats.insert(quats.end(), {0, 0, 0.6f, 0.8f});
    std::vector<std::uint64_t> ids(names[f].size(), f);
    ASSERT_OK(writer->setPoints(hits, 0, std::vector<Vec3f>(names[f].size()), {}, ids));
    ASSERT_OK(writer->setAttribute(name, 0, names[f]));
    ASSERT_OK(writer->setAttribute(orient, 0, quats.data(), quats.size()));
    ASSERT_OK(writer->endFrame(kFirst + static_cast<int>(f)));
  }
  ASSERT_OK(writer->close());
  EXPECT_TRUE(verifyAlembic(path_).ok) << verifyAlembic(path_).problem;
  const auto reader = AbcReader::open(path_);
  ASSERT_TRUE(reader.ok());
  for (std::size_t f = 0; f < names.size(); ++f) {
    const auto points = (*reader)->points((*reader)->find("hits"), static_cast<int>(f));
    ASSERT_TRUE(points.ok()) << points.status().message();
    for (const Attribute& a : points->attributes) {
      EXPECT_EQ(a.strings, a.name == "name" ? names[f] : std::vector<std::string>());
      EXPECT_EQ(a.interpretation, a.name == "orient" ? "quat" : "");
    }
    EXPECT_EQ(points->attributes.size(), 2u);
  }
}

TEST_F(Xforms, StringsMustFitThePoints) {
  auto writer = create();
  const int points = writer->addPoints("points", PointWidths::none);
  const int name = writer->addAttribute(points, "name", AttributeType::string);
  ASSERT_OK(writer->setPoints(points, 0, std::vector<Vec3f>(3)));
  ASSERT_OK(writer->setAttribute(name, 0, {"a", "b"}));
  const float number = 1;
  EXPECT_EQ(writer->setAttribute(name, 0, &number, 1).code(), Code::bad_input);
  const Status ended = writer->endFrame(kFirst);
  EXPECT_EQ(ended.code(), Code::bad_input);
  EXPECT_NE(ended.message().find("2 values where 3"), std::string::npos) << ended.message();
}

}  // namespace
}  // namespace repose
