// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What AbcWriter writes, AbcReader reads. The real library's opinion is in the Python tests beside this file.
#include <cmath>

#include "cache/abc_reader.h"
#include "cache/abc_verify.h"
#include "cache_fixtures.h"

namespace repose {
namespace {

using RoundTrip = CacheTest;

void expectSame(const Attribute& found, const Attribute& wanted) {
  EXPECT_EQ(found.owner, wanted.owner) << wanted.name;
  EXPECT_EQ(found.type, wanted.type) << wanted.name;
  EXPECT_EQ(found.width, wanted.width) << wanted.name;
  EXPECT_EQ(found.floats, wanted.floats) << wanted.name;
  EXPECT_EQ(found.ints, wanted.ints) << wanted.name;
  EXPECT_EQ(found.strings, wanted.strings) << wanted.name;
  EXPECT_EQ(found.indices, wanted.indices) << wanted.name;
}

std::unique_ptr<AbcReader> openCache(const std::string& path) {
  auto reader = AbcReader::open(path);
  EXPECT_TRUE(reader.ok()) << reader.status().message();
  return std::move(*reader);
}

TEST_F(RoundTrip, DeformingMeshWithItsAttributes) {
  const Geometry mesh = smallMesh();
  options_.samples = 2;
  auto writer = create();
  const int object = writer->addMesh("my cloth", mesh);
  const int strain = writer->addAttribute(object, "strain", AttributeType::f32);
  for (int frame = 0; frame < 3; ++frame) {
    for (int s = 0; s < 2; ++s) {
      const auto shift = static_cast<float>(2 * frame + s);
      const std::vector<float> values(mesh.points.size(), shift);
      ASSERT_OK(writer->setMesh(object, s, moved(mesh.points, shift), moved(mesh.points, -shift)));
      ASSERT_OK(writer->setAttribute(strain, s, values.data(), values.size()));
    }
    ASSERT_OK(writer->endFrame(1001 + frame));
  }
  ASSERT_OK(writer->close());
  EXPECT_EQ(writer->committedFrames(), 3);

  const auto reader = openCache(path_);
  EXPECT_EQ(reader->info().frames, 3);
  EXPECT_DOUBLE_EQ(reader->info().fps, 24);
  EXPECT_NEAR(reader->info().first_frame, 1001, 1e-9);
  const int found = reader->find("my_cloth");
  ASSERT_EQ(reader->objects()[static_cast<std::size_t>(found)].path, "/my_cloth/my_clothShape");
  EXPECT_TRUE(reader->objects()[static_cast<std::size_t>(found)].constant_topology);
  ASSERT_EQ(reader->objects()[static_cast<std::size_t>(found)].samples, 6);
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(reader->time(found, k), (1001 + 0.5 * k) / 24, 1e-12);
    auto read = reader->mesh(found, k);
    ASSERT_TRUE(read.ok()) << read.status().message();
    const auto shift = static_cast<float>(k);
    EXPECT_EQ(read->points, moved(mesh.points, shift));
    EXPECT_EQ(read->face_counts, mesh.face_counts);
    EXPECT_EQ(read->face_indices, mesh.face_indices);
    for (const Attribute& wanted : mesh.attributes) {
      const Attribute* a = read->find(wanted.owner, wanted.name);
      ASSERT_NE(a, nullptr) << wanted.name;
      expectSame(*a, wanted);
    }
    const Attribute* v = read->find(AttributeOwner::point, "v");
    ASSERT_NE(v, nullptr);
    EXPECT_EQ(v->floats[3], mesh.points[1].x - shift);
    EXPECT_EQ(read->find(AttributeOwner::point, "strain")->floats[2], shift);
  }
}

TEST_F(RoundTrip, PositionsBetweenSamplesAreBlended) {
  const Geometry mesh = smallMesh();
  auto writer = create();
  const int object = writer->addMesh("cloth", mesh);
  for (int frame = 0; frame < 2; ++frame) {
    ASSERT_OK(writer->setMesh(object, 0, moved(mesh.points, static_cast<float>(frame))));
    ASSERT_OK(writer->endFrame(1001 + frame));
  }
  ASSERT_OK(writer->close());
  const auto reader = openCache(path_);
  std::vector<Vec3f> positions;
  ASSERT_OK(reader->positionsAt(reader->find("cloth"), 1001.25 / 24, positions));
  for (std::size_t k = 0; k < positions.size(); ++k)
    EXPECT_NEAR(length(positions[k] - moved(mesh.points, 0.25f)[k]), 0, 1e-5);
  ASSERT_OK(reader->positionsAt(reader->find("cloth"), 2000, positions));
  EXPECT_EQ(positions, moved(mesh.points, 1));
}

TEST_F(RoundTrip, RigidBodiesAreTransformedAndScaled) {
  const Geometry mesh = smallMesh();
  options_.scale = 100;
  auto writer = create();
  const int object = writer->addRigid("stone", mesh);
  Mat4d turn;  // a quarter turn about z and a shift
  turn.m[0][0] = turn.m[1][1] = 0;
  turn.m[0][1] = -1;
  turn.m[1][0] = 1;
  for (int frame = 0; frame < 3; ++frame) {
    turn.m[0][3] = frame;
    ASSERT_OK(writer->setTransform(object, 0, turn));
    ASSERT_OK(writer->endFrame(1001 + frame));
  }
  ASSERT_OK(writer->close());
  const auto reader = openCache(path_);
  const int shape = reader->find("stoneShape");
  EXPECT_TRUE(reader->objects()[static_cast<std::size_t>(shape)].moves);
  for (int frame = 0; frame < 3; ++frame) {
    auto read = reader->meshAt(shape, (1001.0 + frame) / 24);
    ASSERT_TRUE(read.ok()) << read.status().message();
    for (std::size_t k = 0; k < mesh.points.size(); ++k) {
      const Vec3f p = mesh.points[k];
      const Vec3f wanted = 100.0f * Vec3f{-p.y + static_cast<float>(frame), p.x, p.z};
      EXPECT_NEAR(length(read->points[k] - wanted), 0, 1e-3);
    }
  }
}

TEST_F(RoundTrip, PointsMayVanishAndComeBack) {
  auto writer = create();
  const int object = writer->addPoints("grains", PointWidths::per_point);
  const std::vector<std::size_t> counts = {3, 0, 5, 5};
  for (std::size_t f = 0; f < counts.size(); ++f) {
    std::vector<Vec3f> positions(counts[f], Vec3f{1, 2, static_cast<float>(f)});
    std::vector<std::uint64_t> ids(counts[f]);
    for (std::size_t k = 0; k < counts[f]; ++k) ids[k] = 100 * f + k;
    ASSERT_OK(writer->setPoints(object, 0, positions, positions, ids, std::vector<float>(counts[f], 0.5f)));
    ASSERT_OK(writer->endFrame(1001 + static_cast<int>(f)));
  }
  ASSERT_OK(writer->close());
  const auto reader = openCache(path_);
  for (std::size_t f = 0; f < counts.size(); ++f) {
    auto points = reader->points(reader->find("grains"), static_cast<int>(f));
    ASSERT_TRUE(points.ok()) << points.status().message();
    EXPECT_EQ(points->positions.size(), counts[f]);
    EXPECT_EQ(points->velocities.size(), counts[f]);
    EXPECT_EQ(points->widths.size(), counts[f]);
    ASSERT_EQ(points->ids.size(), counts[f]);
    for (std::size_t k = 0; k < counts[f]; ++k) EXPECT_EQ(points->ids[k], 100 * f + k);
  }
  EXPECT_TRUE(verifyAlembic(path_).ok);
}

TEST_F(RoundTrip, CurvesAndFourFloatVectors) {
  auto writer = create();
  const int object = writer->addCurves("hair", {2, 3});
  std::vector<Vec4f> points(5);
  for (std::size_t k = 0; k < 5; ++k) points[k] = {static_cast<float>(k), 1, 2, 99};
  ASSERT_OK(writer->setCurves(object, 0, points, points));
  ASSERT_OK(writer->endFrame(1001));
  ASSERT_OK(writer->close());
  const auto reader = openCache(path_);
  auto curves = reader->curves(reader->find("hair"), 0);
  ASSERT_TRUE(curves.ok()) << curves.status().message();
  EXPECT_EQ(curves->counts, (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(curves->positions[4], (Vec3f{4, 1, 2}));
  EXPECT_EQ(curves->velocities[3], (Vec3f{3, 1, 2}));
}

TEST_F(RoundTrip, NamesAreMadeUnique) {
  auto writer = create();
  const Geometry mesh = smallMesh();
  EXPECT_EQ(writer->objectPath(writer->addMesh("a/b", mesh)), "/a_b/a_bShape");
  EXPECT_EQ(writer->objectPath(writer->addMesh("a b", mesh)), "/a_b_2/a_b_2Shape");
  EXPECT_EQ(writer->objectPath(writer->addMesh("2", mesh)), "/_2/_2Shape");
}

TEST_F(RoundTrip, SummaryNamesWhatIsThere) {
  auto writer = create();
  const Geometry mesh = smallMesh();
  const int object = writer->addMesh("cloth", mesh);
  ASSERT_OK(writer->setMesh(object, 0, mesh.points, mesh.points));
  ASSERT_OK(writer->endFrame(1001));
  ASSERT_OK(writer->close());
  const auto reader = openCache(path_);
  const auto summary = summarize(*reader);
  ASSERT_TRUE(summary.ok()) << summary.status().message();
  ASSERT_EQ(summary->objects.size(), 2u);
  EXPECT_EQ(summary->objects[1].points, 5u);
  EXPECT_EQ(summary->objects[1].faces, 2u);
  EXPECT_EQ(summary->bounds.hi, (Vec3f{2, 1, 1}));
  EXPECT_NE(toText(*summary, "x.abc").find("clothShape  mesh, 1 sample, 5 points, 2 faces"),
            std::string::npos);
  EXPECT_NE(toJson(*summary, "x.abc").find("\"first_frame\": 1001"), std::string::npos);
}

}  // namespace
}  // namespace repose
