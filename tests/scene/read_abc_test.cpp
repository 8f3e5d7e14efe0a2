// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Alembic files as sources: written by our writer, then moved, cut and damaged.
#include "cache/abc_writer.h"
#include "scene/shapes.h"
#include "scene_files.h"

namespace repose {

class ReadAbc : public SceneFiles {
 protected:
  static Geometry sheet() {
    Shape shape;
    shape.divisions = {3, 2, 1};
    Geometry geometry = makeGrid(shape);
    Attribute pin;
    pin.name = "pin";
    pin.type = AttributeType::i32;
    pin.ints.assign(geometry.points.size(), 0);
    pin.ints[2] = pin.ints[5] = 1;
    geometry.attributes.push_back(pin);
    return geometry;
  }

  // Frames 1001 to 1005 of sheets that rise by 1 m a frame.
  void writeSheets(const std::string& name, int count) const {
    AbcOptions options;
    options.first_frame = 1001;
    auto writer = AbcWriter::create(path(name), options);
    ASSERT_TRUE(writer.ok()) << writer.status().message();
    const Geometry geometry = sheet();
    for (int k = 0; k < count; ++k) (*writer)->addMesh("sheet" + std::to_string(k), geometry);
    for (int frame = 1001; frame <= 1005; ++frame) {
      std::vector<Vec3f> positions = geometry.points;
      for (Vec3f& p : positions) p.y += static_cast<float>(frame - 1001);
      for (int k = 0; k < count; ++k) ASSERT_TRUE((*writer)->setMesh(k, 0, positions).ok());
      ASSERT_TRUE((*writer)->endFrame(frame).ok());
    }
    ASSERT_TRUE((*writer)->close().ok());
  }

  static std::string sceneOf(const std::string& source, const std::string& rest = "") {
    return "{\"frames\": \"1001-1005\", \"bodies\": [{\"name\": \"a\", \"kind\": \"cloth\", \"source\":\n{" +
           source + "}" + rest + "}]}";
  }
};

TEST_F(ReadAbc, MeshAttributesAndPinsArrive) {
  writeSheets("one.abc", 1);
  const SceneLoad loaded = load(sceneOf("\"file\": \"one.abc\"", ", \"pins\": [{\"group\": \"pin\"}]"));
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  const Body& body = loaded.scene.bodies[0];
  EXPECT_EQ(body.geometry.points, sheet().points);
  EXPECT_EQ(body.geometry.face_counts, sheet().face_counts);
  EXPECT_EQ(body.geometry.face_indices, sheet().face_indices);
  EXPECT_NE(body.geometry.find(AttributeOwner::corner, "uv"), nullptr);
  ASSERT_EQ(body.pins.size(), 1u);
  EXPECT_EQ(body.pins[0].points, (std::vector<std::int32_t>{2, 5}));
  EXPECT_EQ(body.motion, nullptr);
}

TEST_F(ReadAbc, MotionBlendsBetweenSamplesHoldsOutsideAndIsTransformed) {
  writeSheets("one.abc", 1);
  const SceneLoad loaded = load(sceneOf("\"file\": \"one.abc\", \"animated\": true",
                                        ", \"transform\": {\"translate\": [0, 0, 7]},"
                                        "\"pins\": [{\"group\": \"pin\", \"animated\": true}]"));
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  Motion* motion = loaded.scene.bodies[0].motion.get();
  ASSERT_NE(motion, nullptr);
  const std::vector<Vec3f> rest = sheet().points;
  for (const auto& [frame, height] :
       {std::pair{1001.0, 0.0f}, {1003.0, 2.0f}, {1003.25, 2.25f}, {990.0, 0.0f}, {2000.0, 4.0f}}) {
    std::vector<Vec3f> points;
    ASSERT_TRUE(motion->positionsAt(frame, points).ok());
    ASSERT_EQ(points.size(), rest.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
      EXPECT_NEAR(points[p].y, rest[p].y + height, 1e-4) << frame;
      EXPECT_EQ(points[p].z, rest[p].z + 7);
    }
  }
}

TEST_F(ReadAbc, TheRestShapeIsThatOfTheFirstFrame) {
  writeSheets("one.abc", 1);
  const SceneLoad loaded = load(sceneOf("\"file\": \"one.abc\", \"animated\": true"), {"frames=1004-1005"});
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  EXPECT_NEAR(loaded.scene.bodies[0].geometry.points[0].y, 3, 1e-4);
}

TEST_F(ReadAbc, AnObjectIsNeededAmongSeveral) {
  writeSheets("two.abc", 2);
  EXPECT_EQ(onlyError(sceneOf("\"file\": \"two.abc\"")),
            "s.json:2:10: two.abc has 2 meshes; choose one with \"object\": /sheet0/sheet0Shape, "
            "/sheet1/sheet1Shape");
  EXPECT_EQ(
      onlyError(sceneOf("\"file\": \"two.abc\", \"object\": \"sheet2\"")),
      "s.json:2:10: two.abc has no mesh \"sheet2\"; its meshes are /sheet0/sheet0Shape, /sheet1/sheet1Shape");
  EXPECT_TRUE(load(sceneOf("\"file\": \"two.abc\", \"object\": \"/sheet1/sheet1Shape\"")).ok());
  EXPECT_TRUE(load(sceneOf("\"file\": \"two.abc\", \"object\": \"sheet1\"")).ok());
}

// A file cut anywhere is refused with one sentence, or (cut after a commit) still a whole mesh.
TEST_F(ReadAbc, TruncatedFiles) {
  writeSheets("one.abc", 1);
  const std::string whole = read("one.abc");
  int refused = 0;
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 200) {
    write("cut.abc", whole.substr(0, size));
    const SceneLoad loaded = load(sceneOf("\"file\": \"cut.abc\", \"animated\": true"));
    if (loaded.ok()) continue;
    ++refused;
    ASSERT_EQ(loaded.errors.size(), 1u) << testing::PrintToString(loaded.errors);
    EXPECT_NE(loaded.errors[0].find("cut.abc"), std::string::npos) << loaded.errors[0];
    EXPECT_EQ(loaded.errors[0].find('\n'), std::string::npos);
  }
  EXPECT_GT(refused, 100);
}

TEST_F(ReadAbc, FlippedBitsNeverCrash) {
  writeSheets("one.abc", 1);
  const std::string whole = read("one.abc");
  int refused = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 1 + 8 * whole.size() / 1500) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    write("bad.abc", damaged);
    const SceneLoad loaded = load(sceneOf("\"file\": \"bad.abc\", \"animated\": true"));
    refused += !loaded.ok();
    std::vector<Vec3f> points;
    if (loaded.ok())
      for (int frame = 1001; frame <= 1005; ++frame)
        (void)loaded.scene.bodies[0].motion->positionsAt(frame, points).ok();
  }
  EXPECT_GT(refused, 100);
}

}  // namespace repose
