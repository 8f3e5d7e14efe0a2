// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Stitches, attachments and rest shapes of scene files, and what is refused.
#include "scene/validate.h"
#include "scene_files.h"

namespace repose {

namespace {

using Pairs = std::vector<std::array<int, 2>>;

class Stitches : public SceneFiles {
 protected:
  // Two grids of 2 x 1 cells, b to the right of a with a gap of 0.1 m; `stitch` is the inside of the only
  // stitch (line 4, column 17).
  static std::string scene(const std::string& stitch) {
    const std::string grid = R"("kind": "cloth", "source": {"shape": "grid", "divisions": [2, 1]})";
    return "{\"bodies\": [\n{\"name\": \"a\", " + grid + "},\n{\"name\": \"b\", " + grid +
           ", \"transform\": {\"translate\": [1.1, 0, 0]}}],\n\"stitches\": [{" + stitch + "}]}";
  }
  Pairs pairs(const std::string& stitch) const {
    const SceneLoad loaded = load(scene(stitch));
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    return loaded.scene.stitches.empty() ? Pairs{} : loaded.scene.stitches[0].pairs;
  }
  std::string refusal(const std::string& stitch) const { return onlyError(scene(stitch)); }
};

}  // namespace

TEST_F(Stitches, PointsAndSettings) {
  const SceneLoad loaded = load(scene(
      R"("a": "a", "b": "b", "points": [[2, 0], [5, 3]], "restlength": 0.02, "stiffness": 500, "closeframes": [10, 30])"));
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  const Stitch& stitch = loaded.scene.stitches[0];
  EXPECT_EQ(stitch.a, 0);
  EXPECT_EQ(stitch.b, 1);
  EXPECT_EQ(stitch.pairs, (Pairs{{2, 0}, {5, 3}}));
  EXPECT_EQ(stitch.restlength, 0.02f);
  EXPECT_EQ(stitch.stiffness, 500);
  EXPECT_TRUE(stitch.closes);
  EXPECT_EQ(stitch.close_first, 10);
  EXPECT_EQ(stitch.close_last, 30);
}

TEST_F(Stitches, GroupsInOrderOrNearest) {
  EXPECT_EQ(pairs(R"("a": "a", "b": "b", "groups": ["right", "left"])"), (Pairs{{2, 0}, {5, 3}}));
  // four corners to two points: each to the nearest
  EXPECT_EQ(pairs(R"("a": "a", "b": "b", "groups": ["corners", "left"])"),
            (Pairs{{0, 0}, {2, 0}, {3, 3}, {5, 3}}));
}

TEST_F(Stitches, WithinADistance) {
  EXPECT_EQ(pairs(R"("a": "a", "b": "b", "distance": 0.11)"), (Pairs{{2, 0}, {5, 3}}));
  // within one body: neither with itself nor with neighbours, and each pair once
  EXPECT_EQ(pairs(R"("a": "a", "b": "a", "distance": 1.01)"), (Pairs{{0, 2}, {3, 5}}));
}

TEST_F(Stitches, Refusals) {
  EXPECT_EQ(refusal(R"("a": "a", "b": "c", "points": [[0, 0]])"),
            "s.json:4:30: b is \"c\", but must be one of a, b; did you mean \"a\"?");
  EXPECT_EQ(refusal(R"("a": "a", "points": [[0, 0]])"), "s.json:4:14: a stitch has no \"b\"");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b")"),
            "s.json:4:14: a stitch must have one of \"points\", \"groups\" and \"distance\"");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b", "points": [[0, 0]], "distance": 1)"),
            "s.json:4:14: a stitch must have one of \"points\", \"groups\" and \"distance\"");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b", "points": [[0, 6]])"),
            "s.json:4:50: a point is 6, but must be a whole number from 0 to 5");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b", "points": [3])"),
            "s.json:4:46: a pair of points is 3, but must be a list of 2");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b", "points": [])"), "s.json:4:45: points is an empty list");
  EXPECT_EQ(refusal(R"("a": "a", "b": "a", "points": [[1, 1]])"),
            "s.json:4:46: a stitch joins point 1 to itself");
  EXPECT_EQ(
      refusal(R"("a": "a", "b": "b", "groups": ["rigth", "left"])"),
      "s.json:4:46: the source has no group \"rigth\"; its groups are left, right, bottom, top, corners, "
      "corner00, corner10, corner01, corner11; did you mean \"right\"?");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b", "groups": "left")"),
            "s.json:4:45: groups is \"left\", but must be a list of 2");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b", "distance": 0.01)"),
            "s.json:4:47: no two points to stitch are within 0.01 m");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b", "distance": 1, "closeframes": [9, 5])"),
            "s.json:4:65: the first of the closeframes must not be after the last");
  EXPECT_EQ(refusal(R"("a": "a", "b": "b", "distance": 1, "strength": 5)"),
            "s.json:4:50: a stitch has no key \"strength\"; did you mean \"restlength\"?");
}

class Attached : public SceneFiles {};

TEST_F(Attached, ToAnyMesh) {
  const SceneLoad loaded = load(cloth(
      R"("attachments": [{"group": "top", "to": {"source": {"shape": "sphere"}, "transform": {"translate": [0, 1, 0]}}}],)"));
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  const Pin& pin = loaded.scene.bodies[0].pins[0];
  EXPECT_EQ(pin.points.size(), 5u);
  ASSERT_TRUE(pin.to);
  Bounds box;
  for (const Vec3f p : pin.to->geometry.points) box.add(p);
  EXPECT_NEAR(box.hi.y, 1.5f, 1e-6f);
}

TEST_F(Attached, Refusals) {
  EXPECT_EQ(onlyError(cloth(R"("attachments": [{"group": "top"}],)")),
            "s.json:3:17: an attachment has no \"to\"");
  EXPECT_EQ(onlyError(cloth(R"("attachments": [{"to": {"source": {"shape": "sphere"}}}],)")),
            "s.json:3:17: an attachment must have one of \"group\", \"points\" and \"region\"");
  EXPECT_EQ(onlyError(cloth(R"("attachments": [{"group": "top", "to": {}}],)")),
            "s.json:3:40: to has no \"source\"");
  EXPECT_EQ(onlyError(cloth(R"("attachments": [{"points": [99], "to": {"source": {"shape": "sphere"}}}],)")),
            "s.json:3:29: a point is 99, but must be a whole number from 0 to 19");
}

class RestShapes : public SceneFiles {};

TEST_F(RestShapes, OfTheSamePointsAndFaces) {
  const SceneLoad loaded = load(
      cloth(R"("rest": {"source": {"shape": "grid", "divisions": [4, 3]}, "transform": {"scale": 0.5}},)"));
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  const Body& body = loaded.scene.bodies[0];
  ASSERT_EQ(body.rest_points.size(), body.geometry.points.size());
  EXPECT_EQ(body.rest_points[0], body.geometry.points[0] * 0.5f);
}

TEST_F(RestShapes, Refusals) {
  EXPECT_EQ(onlyError(cloth(R"("rest": {"source": {"shape": "grid", "divisions": [5, 3]}},)")),
            "s.json:3:9: the rest shape has 24 points, but the source has 20");
  EXPECT_EQ(onlyError(cloth(R"("rest": {"source": {"shape": "grid", "divisions": [3, 4]}},)")),
            "s.json:3:9: the faces of the rest shape are not those of the source");
  EXPECT_EQ(onlyError(cloth(R"("creaseangle": 20,)")),
            "s.json:2:12: body \"flag\" has a creaseangle, which needs bendmodel = dihedral");
}

class Held : public Motion {
  Status positionsAt(double, std::vector<Vec3f>&) override { return {}; }
};

TEST_F(RestShapes, CreasesNeedAStillRest) {
  Scene scene = load(cloth(R"("creaseangle": [[1, 0], [9, 20]], "bendmodel": "dihedral",)")).scene;
  EXPECT_TRUE(validateScene(scene).empty());
  scene.bodies[0].rest_motion = std::make_shared<Held>();
  const std::vector<Finding> findings = validateScene(scene);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].sentence,
            "body \"flag\" has a creaseangle and an animated rest, which cannot both say how it folds");
}

TEST_F(RestShapes, TrianglesNeedAStillRest) {
  Scene scene = load(cloth(R"("membrane": "triangles",)")).scene;
  EXPECT_TRUE(validateScene(scene).empty());
  scene.bodies[0].rest_motion = std::make_shared<Held>();
  const std::vector<Finding> findings = validateScene(scene);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].sentence,
            "body \"flag\" has an animated rest, which membrane = triangles does not follow: use membrane = "
            "springs");
}

TEST_F(RestShapes, FacesNeedAnArea) {
  Scene scene = load(cloth("")).scene;
  scene.bodies[0].rest_points = scene.bodies[0].geometry.points;
  for (Vec3f& p : scene.bodies[0].rest_points) p.z = 0;
  const std::vector<Finding> findings = validateScene(scene);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[1].sentence, "body \"flag\" has at rest a face 0 without area (and 11 more like it)");
}

TEST_F(RestShapes, TethersWithoutPinsAreWarnedOf) {
  const SceneLoad loaded = load(cloth(R"("tethers": true,)"));
  EXPECT_TRUE(loaded.ok());
  EXPECT_EQ(shortened(loaded.warnings),
            (std::vector<std::string>{"s.json:2:12: body \"flag\" has tethers, but no pins to hold them"}));
}

}  // namespace repose
