// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies of scene files: their tetrahedra, pins and parameters, and what is refused.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cache/abc_writer.h"
#include "scene/shapes.h"
#include "scene/validate.h"
#include "scene_files.h"

namespace repose {

namespace {

class Soft : public SceneFiles {
 protected:
  // `inside` is the third line of the file, within the only body.
  static std::string scene(const std::string& inside) {
    return "{\"bodies\": [{\"name\": \"jelly\",\n\"kind\": \"soft\",\n" + inside + "}]}";
  }
  Body body(const std::string& inside, const std::vector<std::string>& sets = {}) const {
    SceneLoad loaded = load(scene(inside), sets);
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    return loaded.scene.bodies.empty() ? Body() : loaded.scene.bodies[0];
  }
  // Where the tetrahedra carry a point of the surface.
  static Vec3f placeOf(const Body& body, std::size_t point) {
    Vec3f p;
    const Embedded& at = body.embedding[point];
    for (int s = 0; s < 4; ++s) p += body.tets.geometry.points[body.tets.tets[at.tet][s]] * at.weight[s];
    return p;
  }
  // Frames 1 to 3 of a.abc, 1 m higher in each.
  void writeRising(const Geometry& mesh) const {
    auto writer = AbcWriter::create(path("a.abc"), {});
    ASSERT_TRUE(writer.ok()) << writer.status().message();
    const int object = (*writer)->addMesh("a", mesh);
    for (int frame = 1; frame <= 3; ++frame) {
      std::vector<Vec3f> positions = mesh.points;
      for (Vec3f& p : positions) p.y += static_cast<float>(frame - 1);
      ASSERT_TRUE((*writer)->setMesh(object, 0, positions).ok());
      ASSERT_TRUE((*writer)->endFrame(frame).ok());
    }
    ASSERT_TRUE((*writer)->close().ok());
  }
  std::string refusal(const std::string& inside) const { return onlyError(scene(inside)); }
};

constexpr const char* kBeam = R"("source": {"shape": "box", "size": [1, 0.2, 0.2], "divisions": [10, 2, 2]})";

}  // namespace

TEST_F(Soft, ABoxIsCutIntoTheCellsOfItsDivisions) {
  const Body beam =
      body(std::string(kBeam) + R"(, "tets": {"cells": "kuhn"}, "transform": {"translate": [0.5, 0, 0]},
    "velocity": [1, 2, 3], "youngsmodulus": 1e6, "poissonratio": [[1, 0.3], [10, 0.45]])");
  EXPECT_EQ(beam.kind, BodyKind::soft);
  EXPECT_EQ(beam.tets.tets.size(), 240u);
  EXPECT_EQ(beam.tets.geometry.points.size(), 99u);
  EXPECT_EQ(beam.velocity, (Vec3f{1, 2, 3}));
  EXPECT_EQ(beam.soft.base.youngsmodulus, 1e6f);
  EXPECT_NEAR(beam.soft.at(10).poissonratio, 0.45f, 1e-6f);
  // the surface is that of the box by formula, and each of its points is a corner
  EXPECT_EQ(beam.geometry.points.size(), 90u);
  ASSERT_EQ(beam.embedding.size(), 90u);
  for (std::size_t k = 0; k < 90; ++k) {
    const Embedded& at = beam.embedding[k];
    const int s = static_cast<int>(std::find(at.weight, at.weight + 4, 1.0f) - at.weight);
    ASSERT_LT(s, 4);
    EXPECT_EQ(beam.tets.geometry.points[beam.tets.tets[at.tet][s]], beam.geometry.points[k]);
  }
}

TEST_F(Soft, PinsNamePointsOfTheTetrahedra) {
  const Body beam = body(std::string(kBeam) + R"(, "pins": [{"group": "left"}, {"points": [98, 3]},
    {"region": {"shape": "sphere", "radius": 0.15, "transform": {"translate": [0.5, 0, 0]}}, "translate": [0, 1, 0]}])");
  ASSERT_EQ(beam.pins.size(), 3u);
  EXPECT_EQ(beam.pins[0].points.size(), 9u);
  for (const int p : beam.pins[0].points) EXPECT_EQ(beam.simulated().points[p].x, -0.5f);
  EXPECT_EQ(beam.pins[1].points, (std::vector<std::int32_t>{3, 98}));
  for (const int p : beam.pins[2].points)
    EXPECT_LE(length(beam.simulated().points[p] - Vec3f{0.5f, 0, 0}), 0.15f);
  EXPECT_EQ(beam.pins[2].points.size(), 9u + 5u);
  EXPECT_EQ(beam.pins[2].translate.at(1), (Vec3f{0, 1, 0}));
}

TEST_F(Soft, OverridesReachSoftBodies) {
  const Body beam = body(kBeam, {"jelly.youngsmodulus=5e6", "soft.material=stvk", "plasticyield=0.1"});
  EXPECT_EQ(beam.soft.base.youngsmodulus, 5e6f);
  EXPECT_EQ(beam.soft.base.material, SoftMaterial::stvk);
  EXPECT_EQ(beam.soft.base.plasticyield, 0.1f);
}

TEST_F(Soft, ExamplesAreValid) {
  for (const char* name :
       {"jelly_cubes", "soft_torus", "creature_on_stairs", "soft_in_sand", "cloth_over_soft"}) {
    const SceneLoad loaded = loadScene(std::string(REPOSE_SOURCE_DIR "/examples_hip/") + name + ".json", {});
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    EXPECT_TRUE(loaded.warnings.empty()) << testing::PrintToString(loaded.warnings);
  }
}

TEST_F(Soft, Refusals) {
  EXPECT_EQ(refusal(std::string(kBeam) + R"(, "bendstiffness": 1)"),
            "s.json:3:77: \"bendstiffness\" is a key of cloth bodies, but this one is of kind soft");
  EXPECT_EQ(refusal(std::string(kBeam) + R"(, "poissonratio": 0.5)"),
            "s.json:3:93: poissonratio is 0.5, but must be a number from 0 to 0.499");
  EXPECT_EQ(
      refusal(std::string(kBeam) + R"(, "tets": {"cells": "khun"})"),
      "s.json:3:95: cells is \"khun\", but must be one of mirrored, kuhn, five; did you mean \"kuhn\"?");
  EXPECT_EQ(refusal(std::string(kBeam) +
                    R"(, "pins": [{"region": {"shape": "sphere", "radius": 0.01}, "group": "left"}])"),
            "s.json:3:86: a pin must have one of \"group\", \"points\" and \"region\"");
  EXPECT_EQ(refusal(std::string(kBeam) +
                    R"(, "pins": [{"region": {"shape": "box", "transform": {"translate": [0, 5, 0]}}}])"),
            "s.json:3:97: the region holds no point of the body");
  EXPECT_EQ(
      onlyError(
          R"({"bodies": [{"name": "flag", "kind": "cloth", "tets": {}, "source": {"shape": "grid"}}]})"),
      "s.json:1:47: \"tets\" is a key of soft bodies, but this one is of kind cloth");
}

TEST_F(Soft, SurfacesByFormulaAreFilledByALattice) {
  for (const char* shape : {"sphere", "torus", "capsule", "cylinder", "cone"}) {
    const Body soft = body(fmt::format(
        R"("source": {{"shape": "{}"}}, "tets": {{"edge": 0.12}}, "transform": {{"translate": [0, 3, 0]}})",
        shape));
    EXPECT_GT(soft.tets.tets.size(), 100u) << shape;
    EXPECT_EQ(soft.embedding.size(), soft.geometry.points.size());
    for (std::size_t k = 0; k < soft.embedding.size(); ++k)
      EXPECT_LT(length(placeOf(soft, k) - soft.geometry.points[k]), 1e-5f) << shape;
  }
  // a box has cells unless a lattice is asked for
  EXPECT_EQ(body(R"("source": {"shape": "box", "divisions": [2, 2, 2]})").tets.tets.size(), 48u);
  EXPECT_GT(
      body(R"("source": {"shape": "box"}, "tets": {"boundary": "embedded", "edge": 0.2})").tets.tets.size(),
      500u);
}

TEST_F(Soft, GroupsOfASurfacePinItsTetrahedra) {
  const Body soft = body(R"("source": {"shape": "cylinder", "divisions": [48, 8]}, "tets": {"edge": 0.15},
    "pins": [{"group": "bottom"}])");
  ASSERT_EQ(soft.pins.size(), 1u);
  EXPECT_GT(soft.pins[0].points.size(), 10u);
  for (const int p : soft.pins[0].points) EXPECT_LT(soft.simulated().points[p].y, -0.38f);
}

TEST_F(Soft, ABlobIsASmoothUnionWithGroupsOfItsParts) {
  const std::string parts = R"({"shape": "sphere", "radius": 0.5, "name": "belly"},
    {"shape": "sphere", "radius": 0.3, "transform": {"translate": [0, 0.7, 0]}, "name": "head"})";
  const Body soft =
      body("\"source\": {\"blob\": [" + parts + R"(], "blend": 0.2}, "pins": [{"group": "head"}])");
  ASSERT_NE(soft.geometry.findGroup("belly"), nullptr);
  EXPECT_EQ(soft.geometry.findGroup("belly")->points.size() + soft.geometry.findGroup("head")->points.size(),
            soft.geometry.points.size());
  for (const int p : soft.pins[0].points) EXPECT_GT(soft.simulated().points[p].y, 0.2f);
  // the neck is thicker than where the spheres meet
  const auto neck = [&](const std::string& blend) {
    const Body of = body("\"source\": {\"blob\": [" + parts + "], \"voxel\": 0.02" + blend + "}");
    float widest = 0;
    for (const Vec3f p : of.geometry.points)
      if (std::abs(p.y - 0.464f) < 0.015f) widest = std::max(widest, std::sqrt(p.x * p.x + p.z * p.z));
    return widest;
  };
  EXPECT_NEAR(neck(""), 0.216f, 0.02f);
  EXPECT_GT(neck(R"(, "blend": 0.2)"), 0.25f);
  EXPECT_EQ(refusal(R"("source": {"blob": [{"shape": "sphere", "carve": true}]})"),
            "s.json:3:20: a blob needs a part that is not carved away");
}

TEST_F(Soft, TetFilesAsSourceAndUnderARenderMesh) {
  write("a.node", "5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n");
  write("a.ele", "2 4 0\n1 1 2 3 4\n2 2 3 4 5\n");
  const Body own = body(
      R"("source": {"file": "a.ele"}, "transform": {"translate": [0, 2, 0]}, "pins": [{"points": [0]}])");
  EXPECT_EQ(own.tets.tets.size(), 2u);
  EXPECT_EQ(own.geometry.points.size(), 5u);
  EXPECT_EQ(own.geometry.points[0], (Vec3f{0, 2, 0}));
  write("a.obj", "v 0.1 0.1 0.1\nv 0.3 0.1 0.1\nv 0.1 0.3 0.1\nf 1 2 3\n");
  const Body carried = body(R"("source": {"file": "a.obj"}, "tets": {"file": "a.node"})");
  EXPECT_EQ(carried.geometry.points.size(), 3u);
  EXPECT_LT(length(placeOf(carried, 1) - Vec3f{0.3f, 0.1f, 0.1f}), 1e-6f);
  write("q.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3 4\n");
  EXPECT_EQ(body(R"("source": {"file": "q.obj"}, "tets": {"list": "faces"})").tets.tets.size(), 1u);
}

// Every bad input that the issue of soft bodies names.
TEST_F(Soft, BadSurfacesAndTetrahedraAreNamed) {
  EXPECT_EQ(refusal(R"("source": {"shape": "grid"})").substr(0, 52),
            "s.json:3:11: the surface of body \"jelly\" is open, or");
  EXPECT_EQ(refusal(R"("source": {"shape": "sphere"}, "tets": {"edge": 3})"),
            "s.json:3:40: edge is 3 m, which leaves no tetrahedron inside a body of 1 x 1 x 1 m: take less "
            "than 0.5 m, "
            "or \"boundary\": \"embedded\"");
  EXPECT_EQ(refusal(R"("source": {"shape": "sphere"}, "tets": {"edge": 3, "cells": "kuhn"})").substr(0, 35),
            "s.json:3:40: tets come from \"cells\"");
  write("flat.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 1 1 0\n");
  write("flat.ele", "1 4 0\n0 0 1 2 3\n");
  EXPECT_EQ(refusal(R"("source": {"file": "flat.ele"})"),
            "s.json:1:13: body \"jelly\" has a tetrahedron 0 without volume");
  EXPECT_EQ(refusal(R"("source": {"file": "none.mesh"})"), "s.json:3:20: the file none.mesh does not exist");
  EXPECT_EQ(refusal(R"("source": {"shape": "sphere"}, "poissonratio": 0.7)"),
            "s.json:3:48: poissonratio is 0.7, but must be a number from 0 to 0.499");
  for (const char* size : {"1e-4", "1e4"}) {
    const Body soft =
        body(fmt::format(R"("source": {{"shape": "sphere"}}, "transform": {{"scale": {}}})", size));
    EXPECT_NEAR(static_cast<double>(soft.tets.tets.size()), 8000, 2500) << size;
  }
}

TEST_F(Soft, AnimatedPinsFollowTheSurfaceOfTheSource) {
  EXPECT_EQ(refusal(R"("source": {"shape": "sphere"}, "pins": [{"group": "top", "animated": true}])"),
            "s.json:3:41: an animated pin needs a source with \"animated\": true");
  Shape shape;
  shape.divisions = {24, 12, 1};
  const Geometry ball = makeSphere(shape);
  writeRising(ball);
  const Body soft = body(R"("source": {"file": "a.abc", "animated": true}, "tets": {"edge": 0.3},
    "pins": [{"region": {"shape": "box", "transform": {"translate": [0, 0.7, 0]}}, "animated": true}])");
  EXPECT_EQ(soft.motion, nullptr);
  ASSERT_EQ(soft.pins.size(), 1u);
  EXPECT_FALSE(soft.pins[0].animated);
  ASSERT_NE(soft.pins[0].to, nullptr);
  std::vector<Vec3f> points;
  ASSERT_TRUE(soft.pins[0].to->motion->positionsAt(2, points).ok());
  EXPECT_NEAR(points[0].y, ball.points[0].y + 1, 1e-6f);
}

TEST_F(Soft, AlembicCarriesTetrahedraInAnAttribute) {
  Geometry mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  mesh.face_counts = {3}, mesh.face_indices = {0, 2, 1};
  Attribute list;
  list.name = "tets", list.owner = AttributeOwner::detail, list.type = AttributeType::i32;
  list.width = 8;  // one value of eight numbers for the whole mesh
  list.ints = {0, 1, 2, 3, 1, 2, 3, 4};
  mesh.attributes.push_back(list);
  writeRising(mesh);
  const Body soft = body(R"("source": {"file": "a.abc"}, "tets": {"list": "tets"})");
  EXPECT_EQ(soft.tets.tets.size(), 2u);
  EXPECT_EQ(soft.geometry.face_counts.size(), 6u);
}

TEST_F(Soft, BrokenTetrahedraAreFoundWhereverTheyComeFrom) {
  SceneLoad loaded = load(scene(kBeam));
  ASSERT_TRUE(loaded.ok());
  const auto first = [&](auto damage) {
    Scene broken = loaded.scene;
    damage(broken.bodies[0]);
    const std::vector<Finding> findings = validateScene(broken);
    return findings.empty() ? std::string() : findings[0].sentence;
  };
  EXPECT_EQ(first([](Body&) {}), "");
  EXPECT_EQ(first([](Body& b) { std::swap(b.tets.tets[7][0], b.tets.tets[7][1]); }),
            "body \"jelly\" has a tetrahedron 7 that is inside out");
  EXPECT_EQ(first([](Body& b) { b.tets.tets[7][0] = b.tets.tets[7][1]; }),
            "body \"jelly\" has a tetrahedron 7 without volume");
  EXPECT_EQ(first([](Body& b) { b.tets.tets[7][0] = 99; }),
            "body \"jelly\" has a tetrahedron 7 with a corner that is none of its 99 points");
  EXPECT_EQ(first([](Body& b) { b.embedding.pop_back(); }),
            "body \"jelly\" has 90 points, but 89 of them go with its tetrahedra");
  EXPECT_EQ(first([](Body& b) { b.embedding[3].tet = 240; }),
            "body \"jelly\" has point 3 in tetrahedron 240, which is not there");
}

}  // namespace repose
