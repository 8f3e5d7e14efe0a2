// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies of scene files: their tetrahedra, pins and parameters, and what is refused.
#include <algorithm>

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
