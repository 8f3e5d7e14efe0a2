// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Joints of scene files and of assemblies, and what is refused.
#include <algorithm>
#include <array>
#include <cmath>

#include "scene_files.h"

namespace repose {

namespace {

class Joints : public SceneFiles {
 protected:
  // Two boxes, a wall of three, a cloth, grains and two colliders; `joint` is the inside of the only joint
  // (line 8, column 14).
  static std::string scene(const std::string& joint) {
    return R"({"bodies": [{"name": "door", "kind": "rigid", "source": {"shape": "box"}},
{"name": "frame", "kind": "rigid", "source": {"shape": "box"}, "transform": {"translate": [3, 0, 0]}},
{"name": "wall", "kind": "rigid", "source": {"shape": "box"}, "copies": {"count": [3, 1, 1]}, "transform": {"translate": [0, 5, 0]}},
{"name": "flag", "kind": "cloth", "source": {"shape": "grid", "divisions": [2, 2]}, "transform": {"translate": [0, 9, 0]}},
{"name": "sand", "kind": "grain", "source": {"fill": {"shape": "box"}}, "radius": 0.2, "transform": {"translate": [0, 20, 0]}}],
"colliders": [{"name": "floor", "shape": "plane", "transform": {"translate": [0, -9, 0]}},
{"name": "lift", "shape": "plane", "transform": {"translate": [0, -9, 0]}, "translate": [[1, [0, 0, 0]], [9, [0, 1, 0]]]}],
"joints": [{)" +
           joint + "}]}";
  }
  std::vector<Joint> joints(const std::string& joint, const std::vector<std::string>& sets = {}) const {
    const SceneLoad loaded = load(scene(joint), sets);
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    EXPECT_TRUE(loaded.warnings.empty()) << testing::PrintToString(loaded.warnings);
    return loaded.scene.joints;
  }
  std::string refusal(const std::string& joint) const { return onlyError(scene(joint)); }
  // The scene whose bodies are the one assembly `source`.
  SceneLoad assembly(const std::string& source, const std::string& rest = "") const {
    SceneLoad loaded =
        load(R"({"bodies": [{"name": "thing", "kind": "rigid", "source": )" + source + rest + "}]}");
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    EXPECT_TRUE(loaded.warnings.empty()) << testing::PrintToString(loaded.warnings);
    return loaded;
  }
};

float lowest(const Body& body) {
  float y = 1e9f;
  for (const RigidPiece& piece : body.pieces)
    for (const Vec3f p : body.shapes[piece.shape].geometry.points) y = std::min(y, piece.place.world(p).y);
  return y;
}

}  // namespace

TEST_F(Joints, AHinge) {
  const std::vector<Joint> all = joints(
      R"("name": "hinge", "kind": "hinge", "a": "door", "b": "frame", "at": [1, 2, 3], "axis": [0, 2, 0], "limited": true, "lower": -10, "upper": 90, "motor": "velocity", "motortarget": [[1, 0], [24, 90]], "motorforce": 50)",
      {"hinge.breakforce=400"});
  ASSERT_EQ(all.size(), 1u);
  const Joint& hinge = all[0];
  EXPECT_EQ(hinge.kind, Joint::Kind::hinge);
  EXPECT_EQ(hinge.a.body, 0);
  EXPECT_EQ(hinge.b.body, 1);
  EXPECT_EQ(hinge.frame.origin, (Vec3f{1, 2, 3}));
  EXPECT_EQ(hinge.frame.axis[0], (Vec3f{0, 1, 0}));
  EXPECT_NEAR(dot(cross(hinge.frame.axis[0], hinge.frame.axis[1]), hinge.frame.axis[2]), 1, 1e-6);
  EXPECT_TRUE(hinge.params.base.limited);
  EXPECT_EQ(hinge.params.at(1).upper, 90);
  EXPECT_EQ(hinge.params.at(24).motortarget, 90);
  EXPECT_EQ(hinge.params.base.breakforce, 400);
}

TEST_F(Joints, EndsByName) {
  const auto ends = [&](const char* a, const char* b) {
    const std::vector<Joint> all = joints(std::string(R"("kind": "spherical", "at": [0, 0, 0], "a": ")") + a +
                                          R"(", "b": ")" + b + "\"");
    if (all.empty()) return std::array<int, 4>{};
    return std::array<int, 4>{all[0].a.body, all[0].a.piece, all[0].b.body, all[0].b.piece};
  };
  EXPECT_EQ(ends("door", "world"), (std::array<int, 4>{0, 0, -1, 0}));
  EXPECT_EQ(ends("floor", "door"), (std::array<int, 4>{-1, 0, 0, 0}));  // a still collider is the world
  EXPECT_EQ(ends("door", "wall/wall_0002"), (std::array<int, 4>{0, 0, 2, 1}));
  EXPECT_EQ(ends("wall/0001", "wall/0003"), (std::array<int, 4>{2, 0, 2, 2}));
}

TEST_F(Joints, AFixedJointNeedsNoPlace) {
  const std::vector<Joint> all = joints(R"("kind": "fixed", "a": "world", "b": "frame")");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "joint_0001");
  EXPECT_EQ(all[0].frame.origin, (Vec3f{3, 0, 0}));
}

TEST_F(Joints, SpringsAreDistanceJointsThatGiveWay) {
  const std::vector<Joint> all = joints(
      R"("kind": "spring", "a": "door", "b": "frame", "at": [0, 0, 0], "at_b": [3, 0, 0], "compliance": 0.01, "restlength": 2)");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kind, Joint::Kind::distance);
  EXPECT_EQ(all[0].other, (Vec3f{3, 0, 0}));
  EXPECT_EQ(all[0].params.base.compliance, 0.01f);
}

TEST_F(Joints, OneForEachPointOfACloth) {
  const std::vector<Joint> all =
      joints(R"("name": "seam", "kind": "fixed", "a": {"body": "flag", "group": "left"}, "b": "door")");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].name, "seam_0002");
  EXPECT_EQ(all[1].kind, Joint::Kind::spherical);
  EXPECT_EQ(all[1].a.piece, 3);  // the middle of the left side of 3 x 3 points
  EXPECT_EQ(all[1].frame.origin, (Vec3f{-0.5f, 9, 0}));
  EXPECT_EQ(all[1].other, all[1].frame.origin);
  const std::vector<Joint> rope =
      joints(R"("kind": "distance", "b": {"body": "flag", "points": [4]}, "a": "door", "at": [0, 0.5, 0])");
  ASSERT_EQ(rope.size(), 1u);
  EXPECT_EQ(rope[0].frame.origin, (Vec3f{0, 0.5f, 0}));
  EXPECT_EQ(rope[0].other, (Vec3f{0, 9, 0}));
}

TEST_F(Joints, HoldWhatCollidersCarry) {
  const std::vector<Joint> all = joints(R"("kind": "spherical", "a": "door", "b": "lift", "at": [0, 1, 0])");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].b.body, -1);
  EXPECT_GE(all[0].b.collider, 0);
  EXPECT_EQ(all[0].a.collider, -1);
}

TEST_F(Joints, Refusals) {
  EXPECT_EQ(refusal(R"("kind": "hinge", "a": "door", "b": "door", "at": [0, 0, 0], "axis": [0, 1, 0])"),
            "s.json:8:12: joint \"joint_0001\" joins \"door\" to itself");
  EXPECT_EQ(refusal(R"("kind": "fixed", "a": "world", "b": "floor")"),
            "s.json:8:12: joint \"joint_0001\" joins the world to itself");
  EXPECT_EQ(
      refusal(R"("kind": "fixed", "a": "dor", "b": "frame")"),
      "s.json:8:35: a is \"dor\", but there is no body or collider of that name; did you mean \"door\"?");
  EXPECT_EQ(refusal(R"("kind": "fixed", "a": "door", "b": "wall")"),
            "s.json:8:48: b is \"wall\", which has 3 pieces: name one, as \"wall/wall_0001\"");
  EXPECT_EQ(refusal(R"("kind": "fixed", "a": "door", "b": "wall/wall_0009")"),
            "s.json:8:48: b is \"wall/wall_0009\", but body \"wall\" has no such piece; did you mean "
            "\"wall_0001\"?");
  EXPECT_EQ(refusal(R"("kind": "fixed", "a": "door", "b": "flag")"),
            "s.json:8:48: b is the cloth \"flag\": name points of it, as {\"body\": \"flag\", \"group\": "
            "\"corners\"}");
  EXPECT_EQ(refusal(R"("kind": "fixed", "a": "door", "b": "sand")"),
            "s.json:8:48: b is \"sand\", which is grains: name some of them, as {\"body\": \"sand\", "
            "\"points\": [0, 1]}");
  EXPECT_EQ(refusal(R"("kind": "hing", "a": "door", "b": "frame")"),
            "s.json:8:21: kind is \"hing\", but must be one of fixed, spherical, hinge, slider, distance, "
            "spring; did you mean \"hinge\"?");
  EXPECT_EQ(refusal(R"("kind": "hinge", "a": "door", "b": "frame", "at": [0, 0, 0])"),
            "s.json:8:12: a hinge joint has no \"axis\"");
  EXPECT_EQ(refusal(R"("kind": "spherical", "a": "door", "b": "frame")"),
            "s.json:8:12: a spherical joint has no \"at\", the place on a");
  EXPECT_EQ(refusal(R"("kind": "spherical", "a": "door", "b": "frame", "at": [0, 0, 0], "coneangle": 20)"),
            "s.json:8:12: a spherical joint with a coneangle or twistangle has no \"axis\"");
  EXPECT_EQ(refusal(R"("kind": "distance", "a": "door", "b": "frame", "at": [0, 0, 0])"),
            "s.json:8:12: a distance joint has no \"at_b\", the place on b");
  EXPECT_EQ(refusal(R"("kind": "spring", "a": "door", "b": "frame", "at": [0, 0, 0], "at_b": [3, 0, 0])"),
            "s.json:8:12: a spring needs a \"compliance\" above 0: 1/k for a spring of k N/m");
  EXPECT_EQ(
      refusal(
          R"("kind": "hinge", "a": "door", "b": {"body": "flag", "group": "top"}, "at": [0, 0, 0], "axis": [0, 1, 0])"),
      "s.json:8:12: a hinge cannot hold points, which have no direction: use \"spherical\"");
  EXPECT_EQ(
      refusal(
          R"("kind": "fixed", "a": {"body": "flag", "group": "left"}, "b": {"body": "flag", "group": "top"})"),
      "s.json:8:12: joint \"joint_0001\" joins points to points: use \"stitches\"");
  EXPECT_EQ(refusal(R"("kind": "hinge", "a": "door", "b": "frame", "at": [0, 0, 0], "axis": [0, 0, 0])"),
            "s.json:8:82: axis has no length");
  EXPECT_EQ(refusal(R"("kind": "fixed", "a": "door", "b": "frame", "stifness": 3)"),
            "s.json:8:57: a joint has no key \"stifness\"");
  EXPECT_EQ(refusal(R"("name": "wall", "kind": "fixed", "a": "door", "b": "frame")"),
            "s.json:8:12: joint \"wall\" has the name of a body or collider");
  EXPECT_EQ(
      refusal(
          R"("kind": "hinge", "a": "door", "b": "frame", "at": [0, 0, 0], "axis": [0, 1, 0], "limited": true, "lower": 5, "upper": -5)"),
      "s.json:8:12: joint \"joint_0001\" has a lower limit of 5 above its upper one of -5");
}

TEST_F(Joints, WarnedOf) {
  const auto warning = [&](const std::string& joint) {
    const SceneLoad loaded = load(scene(joint));
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    EXPECT_EQ(loaded.warnings.size(), 1u) << testing::PrintToString(loaded.warnings);
    return loaded.warnings.empty() ? "" : shortened(loaded.warnings)[0];
  };
  EXPECT_EQ(
      warning(R"("kind": "fixed", "a": "door", "b": "frame"}, {"kind": "fixed", "a": "frame", "b": "door")"),
      "s.json:8:58: joint \"joint_0002\" fixes what joint \"joint_0001\" fixes already; one of them is "
      "enough");
  EXPECT_EQ(
      warning(
          R"("kind": "fixed", "a": "door", "b": "frame"}, {"kind": "slider", "a": "frame", "b": "door", "at": [0, 0, 0], "axis": [1, 0, 0], "motor": "velocity", "motorforce": 9)"),
      "s.json:8:58: joint \"joint_0002\" and joint \"joint_0001\" contradict: one holds still what the other "
      "moves");
  EXPECT_EQ(
      warning(
          R"("kind": "hinge", "a": "door", "b": "frame", "at": [0, 0, 0], "axis": [1, 0, 0]}, {"kind": "hinge", "a": "door", "b": "frame", "at": [0, 0, 0], "axis": [0, 1, 0])"),
      "s.json:8:94: joint \"joint_0002\" and joint \"joint_0001\" contradict: two hinges that are not on one "
      "line "
      "cannot turn");
  EXPECT_EQ(
      warning(R"("kind": "spherical", "a": "door", "b": "frame", "at": [0, 0, 0], "motor": "velocity")"),
      "s.json:8:12: joint \"joint_0001\" has a motor that does nothing: only hinges and sliders have one");
}

TEST_F(Joints, LinksOfAChainMeetAtItsJoints) {
  const Scene scene =
      assembly(
          R"({"assembly": "chain", "links": 5, "length": 0.2, "radius": 0.03, "joints": {"breakforce": 70}})")
          .scene;
  const Body& chain = scene.bodies[0];
  ASSERT_EQ(chain.pieces.size(), 5u);
  ASSERT_EQ(scene.joints.size(), 5u);  // the first holds it to the world
  EXPECT_EQ(chain.pieces[0].name, "thing_link_0001");
  EXPECT_EQ(scene.joints[0].a.body, -1);
  for (int k = 0; k < 5; ++k) {
    const Joint& joint = scene.joints[k];
    EXPECT_EQ(joint.kind, Joint::Kind::spherical);
    EXPECT_EQ(joint.b.piece, k);
    EXPECT_NEAR(joint.frame.origin.y, -0.2f * static_cast<float>(k), 1e-6f);
    EXPECT_EQ(joint.params.base.breakforce, 70);
    EXPECT_NEAR(joint.frame.origin.y - chain.pieces[k].place.origin.y, 0.1f, 1e-6f);
  }
  EXPECT_NEAR(lowest(chain), -1, 1e-6f);
}

TEST_F(Joints, ABridgeHangsThroughAsFarAsItSays) {
  const Scene scene =
      assembly(
          R"({"assembly": "bridge", "planks": 10, "size": [0.3, 0.05, 1], "gap": 0.02, "sag": 0.4, "pivots": "spherical"})")
          .scene;
  ASSERT_EQ(scene.bodies[0].pieces.size(), 10u);
  ASSERT_EQ(scene.joints.size(), 22u);
  EXPECT_EQ(scene.joints.front().a.body, -1);
  EXPECT_EQ(scene.joints.back().b.body, -1);
  float least = 0;
  for (const Joint& joint : scene.joints) least = std::min(least, joint.frame.origin.y);
  EXPECT_NEAR(least, -0.4f, 1e-5f);
  EXPECT_NEAR(scene.joints.back().frame.origin.y, 0, 1e-5f);
  EXPECT_NEAR(scene.joints.front().frame.origin.x, -scene.joints.back().frame.origin.x, 1e-5f);
  for (std::size_t k = 2; k < scene.joints.size(); k += 2)  // planks are not stretched
    EXPECT_NEAR(length(scene.joints[k].frame.origin - scene.joints[k - 2].frame.origin), 0.32f, 1e-5f);
  EXPECT_EQ(onlyError(R"({"bodies": [{"name": "thing", "kind": "rigid",
"source": {"assembly": "bridge", "planks": 2, "size": [1, 0.1, 1], "gap": 0, "sag": 3}}]})"),
            "s.json:2:85: sag is 3, but must be a number from 0 to 0.7071067811865476");
}

TEST_F(Joints, RagdollsStandOnTheGround) {
  const Scene scene =
      assembly(
          R"({"assembly": "ragdoll", "height": 2})",
          R"(, "copies": {"count": [2, 1, 1], "spacing": [3, 1, 1]}, "transform": {"translate": [0, 1, 0]})")
          .scene;
  const Body& dolls = scene.bodies[0];
  ASSERT_EQ(dolls.pieces.size(), 26u);
  ASSERT_EQ(scene.joints.size(), 24u);
  EXPECT_EQ(dolls.shapes.size(), 13u);
  EXPECT_EQ(dolls.pieces[13].name, "thing_0002_pelvis");
  EXPECT_NEAR(dolls.pieces[13].place.origin.x - dolls.pieces[0].place.origin.x, 3, 1e-6f);
  EXPECT_NEAR(lowest(dolls), 1, 1e-5f);
  int hinges = 0;
  for (const Joint& joint : scene.joints) {
    EXPECT_EQ(joint.a.piece / 13, joint.b.piece / 13);
    hinges += joint.kind == Joint::Kind::hinge;
    for (const JointEnd& end : {joint.a, joint.b}) {  // each joint is at both of its pieces
      const RigidPiece& piece = dolls.pieces[end.piece];
      EXPECT_LT(length(joint.frame.origin - piece.place.origin),
                dolls.shapes[piece.shape].parts[0].reach() + 0.02f)
          << joint.name;
    }
  }
  EXPECT_EQ(hinges, 8);
}

}  // namespace repose
