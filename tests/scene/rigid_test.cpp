// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies of scene files: their solids, pieces, copies and assemblies, and what is refused.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cache/abc_writer.h"
#include "scene/mesh_pieces.h"
#include "scene/rigid_shape.h"
#include "scene/shapes.h"
#include "scene/validate.h"
#include "scene_files.h"

namespace repose {

namespace {

// Two tetrahedra, each an object of its own.
constexpr const char* kTwo = R"(o left
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
o right
v 5 0 0
v 7 0 0
v 5 2 0
v 5 0 2
f 5 7 6
f 5 6 8
f 6 7 8
f 5 8 7
)";

class Rigid : public SceneFiles {
 protected:
  // `inside` is the third line of the file, within the only body.
  static std::string scene(const std::string& inside) {
    return "{\"bodies\": [{\"name\": \"crate\",\n\"kind\": \"rigid\",\n" + inside + "}]}";
  }
  Body body(const std::string& inside) const {
    SceneLoad loaded = load(scene(inside));
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    return loaded.scene.bodies.empty() ? Body() : loaded.scene.bodies[0];
  }
  std::string refusal(const std::string& inside) const { return onlyError(scene(inside)); }
  std::vector<std::string> warnings(const std::string& inside) const {
    const SceneLoad loaded = load(scene(inside));
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    return shortened(loaded.warnings);
  }
  static Bounds boundsOf(const Body& body, std::size_t piece) {
    Bounds bounds;
    for (const Vec3f p : body.shapes[body.pieces[piece].shape].geometry.points)
      bounds.add(body.pieces[piece].place.world(p));
    return bounds;
  }
  static std::vector<std::string> namesOf(const Body& body) {
    std::vector<std::string> names;
    for (const RigidPiece& piece : body.pieces) names.push_back(piece.name);
    return names;
  }
};

}  // namespace

TEST_F(Rigid, ABoxKeepsItsSolidUnderAnyScale) {
  const Body crate = body(
      R"("source": {"shape": "box", "size": [1, 2, 3]}, "transform": {"translate": [4, 5, 6], "rotate": [0, 90, 0], "scale": [2, 1, 1]}, "velocity": [1, 0, 0], "spin": [0, 180, 0])");
  ASSERT_EQ(crate.pieces.size(), 1u);
  EXPECT_EQ(crate.pieces[0].name, "crate");
  EXPECT_EQ(crate.pieces[0].velocity, (Vec3f{1, 0, 0}));
  EXPECT_NEAR(crate.pieces[0].spin.y, 3.14159265f, 1e-6f);
  const RigidShape& shape = crate.shapes[0];
  ASSERT_EQ(shape.parts.size(), 1u);
  EXPECT_EQ(shape.parts[0].kind, Convex::Kind::box);
  EXPECT_EQ(shape.parts[0].half, (Vec3f{1, 1, 1.5f}));
  EXPECT_EQ(shape.geometry.points.size(), 8u);
  EXPECT_NEAR(massOf(shape).volume, 12, 1e-5);
  const Bounds bounds = boundsOf(crate, 0);  // a quarter turn: 3 along x, 2 along z
  EXPECT_NEAR(bounds.lo.x, 2.5f, 1e-5f);
  EXPECT_NEAR(bounds.hi.z, 7, 1e-5f);
}

TEST_F(Rigid, SolidsByFormula) {
  const auto kind = [&](const std::string& source, const std::string& rest = "") {
    return body("\"source\": " + source + rest).shapes[0].parts[0].kind;
  };
  EXPECT_EQ(kind(R"({"shape": "sphere", "radius": 2})"), Convex::Kind::sphere);
  EXPECT_EQ(kind(R"({"shape": "capsule"})"), Convex::Kind::capsule);
  EXPECT_EQ(kind(R"({"shape": "cylinder"})"), Convex::Kind::cylinder);
  EXPECT_EQ(kind(R"({"shape": "cone"})"), Convex::Kind::hull);
  EXPECT_EQ(kind(R"({"shape": "torus"})"), Convex::Kind::hull);
  EXPECT_EQ(kind(R"({"shape": "box"})", R"(, "collision": "hull")"), Convex::Kind::hull);
  // an egg is no sphere, a cylinder with a scale along its axis still one
  EXPECT_EQ(kind(R"({"shape": "sphere"})", R"(, "transform": {"scale": [1, 2, 1]})"), Convex::Kind::hull);
  EXPECT_EQ(kind(R"({"shape": "cylinder"})", R"(, "transform": {"scale": [2, 3, 2]})"),
            Convex::Kind::cylinder);
}

TEST_F(Rigid, TheCylinderIsClosedAndAsLargeAsItSays) {
  const Body drum = body(
      R"("source": {"shape": "cylinder", "radius": 0.5, "height": 2, "divisions": [48, 4]}, "collision": "concave", "voxel": 0.1)");
  const RigidShape& shape = drum.shapes[0];
  EXPECT_TRUE(shape.parts.empty());
  EXPECT_EQ(shape.voxel, 0.1f);
  // a prism of 48 sides
  EXPECT_NEAR(massOf(shape).volume, 24 * 0.25 * std::sin(2 * 3.14159265358979 / 48) * 2, 1e-5);
}

TEST_F(Rigid, CollisionsOfAMesh) {
  write("two.obj", kTwo);
  const auto shape = [&](const std::string& collision) {
    return body(R"("source": {"file": "two.obj"}, "collision": ")" + collision + "\"").shapes[0];
  };
  EXPECT_EQ(shape("hull").parts.size(), 1u);
  EXPECT_GT(massOf(shape("hull")).volume, 1.6);
  EXPECT_EQ(shape("parts").parts.size(), 2u);
  EXPECT_NEAR(massOf(shape("parts")).volume, 1.0 / 6 + 8.0 / 6, 1e-5);
  EXPECT_NEAR(massOf(shape("concave")).volume, 1.0 / 6 + 8.0 / 6, 1e-5);
  EXPECT_NEAR(massOf(shape("box")).volume, 7 * 2 * 2, 1e-4);
  EXPECT_EQ(shape("box").parts[0].place.origin, (Vec3f{3.5f, 1, 1}));
  EXPECT_NEAR(shape("sphere").parts[0].radius, std::sqrt(3.5f * 3.5f + 2), 1e-5f);
}

TEST_F(Rigid, PiecesOfAFile) {
  write("two.obj", kTwo);
  const Body whole = body(R"("source": {"file": "two.obj"})");
  EXPECT_EQ(namesOf(whole), (std::vector<std::string>{"crate"}));
  const Body connected = body(R"("source": {"file": "two.obj"}, "pieces": "connected")");
  EXPECT_EQ(namesOf(connected), (std::vector<std::string>{"crate_0001", "crate_0002"}));
  const Body objects =
      body(R"("source": {"file": "two.obj"}, "pieces": "object", "transform": {"translate": [0, 10, 0]})");
  EXPECT_EQ(namesOf(objects), (std::vector<std::string>{"left", "right"}));
  for (const Body& cut : {connected, objects}) {
    ASSERT_EQ(cut.shapes.size(), 2u);
    EXPECT_EQ(cut.shapes[1].geometry.points.size(), 4u);
    EXPECT_EQ(cut.shapes[1].geometry.face_counts.size(), 4u);
  }
  const Bounds bounds = boundsOf(objects, 1);
  EXPECT_EQ(bounds.lo, (Vec3f{5, 10, 0}));
  EXPECT_EQ(bounds.hi, (Vec3f{7, 12, 2}));
  EXPECT_EQ(objects.pieces[1].place.origin, (Vec3f{6, 11, 1}));  // about its own middle
}

TEST_F(Rigid, PiecesOfAnAlembicFile) {
  AbcOptions options;
  options.first_frame = 1;
  auto writer = AbcWriter::create(path("two.abc"), options);
  ASSERT_TRUE(writer.ok()) << writer.status().message();
  Shape shape;
  const Geometry box = makeBox(shape);
  for (const char* name : {"lid", "pot"}) (*writer)->addMesh(name, box);
  for (int k = 0; k < 2; ++k) {
    std::vector<Vec3f> points = box.points;
    for (Vec3f& p : points) p.x += 3 * static_cast<float>(k);
    ASSERT_TRUE((*writer)->setMesh(k, 0, points).ok());
  }
  ASSERT_TRUE((*writer)->endFrame(1).ok());
  ASSERT_TRUE((*writer)->close().ok());
  const Body both = body(R"("source": {"file": "two.abc"}, "pieces": "object", "transform": {"scale": 2})");
  EXPECT_EQ(namesOf(both), (std::vector<std::string>{"lid", "pot"}));
  EXPECT_EQ(both.pieces[1].place.origin, (Vec3f{6, 0, 0}));
  EXPECT_NEAR(massOf(both.shapes[1]).volume, 8, 1e-5);
  const Body one = body(R"("source": {"file": "two.abc", "object": "pot"})");
  EXPECT_EQ(boundsOf(one, 0).lo, (Vec3f{2.5f, -0.5f, -0.5f}));
}

TEST(MeshPieces, ByTheNamesOfFaces) {
  Shape shape;
  Geometry box = makeBox(shape);
  Attribute name;
  name.name = "name", name.owner = AttributeOwner::face, name.type = AttributeType::string;
  name.strings = {"a", "b", "b", "a", "b", "b"};
  box.attributes.push_back(name);
  const Result<std::vector<MeshPiece>> pieces = namedPieces(box);
  ASSERT_TRUE(pieces.ok()) << pieces.status().message();
  ASSERT_EQ(pieces->size(), 2u);
  const Geometry &a = (*pieces)[0].geometry, &b = (*pieces)[1].geometry;
  EXPECT_EQ((*pieces)[1].name, "b");
  EXPECT_EQ(a.face_counts.size(), 2u);
  EXPECT_EQ(b.face_counts.size(), 4u);
  // the third corner of the second face of the first piece is that of face 3
  EXPECT_EQ(a.points[a.face_indices[6]], box.points[box.face_indices[14]]);
  const Attribute* uv = a.find(AttributeOwner::corner, "uv");
  ASSERT_TRUE(uv);
  EXPECT_EQ(uv->indices[6], box.find(AttributeOwner::corner, "uv")->indices[14]);
  EXPECT_EQ(b.find(AttributeOwner::face, "name")->strings, (std::vector<std::string>{"b", "b", "b", "b"}));
}

TEST_F(Rigid, CopiesStandSideBySide) {
  const Body stack = body(R"("source": {"shape": "box", "size": [1, 2, 3]}, "copies": {"count": [2, 3, 1]})");
  EXPECT_EQ(stack.shapes.size(), 1u);
  EXPECT_EQ(namesOf(stack), (std::vector<std::string>{"crate_0001", "crate_0002", "crate_0003", "crate_0004",
                                                      "crate_0005", "crate_0006"}));
  EXPECT_EQ(stack.pieces[0].place.origin, (Vec3f{-0.5f, 0, 0}));
  EXPECT_EQ(stack.pieces[5].place.origin, (Vec3f{0.5f, 4, 0}));
}

TEST_F(Rigid, CopiesAtRandomAreTheSameEveryTime) {
  const std::string text =
      R"("source": {"shape": "box"}, "copies": {"count": [5, 5, 5], "spacing": [2, 2, 2], "jitter": 0.5, "turn": "random", "seed": )";
  const Body one = body(text + "1}"), again = body(text + "1}"), other = body(text + "2}");
  float farthest = 0;
  bool differs = false;
  for (std::size_t k = 0; k < one.pieces.size(); ++k) {
    const Pose& place = one.pieces[k].place;
    EXPECT_EQ(place.origin, again.pieces[k].place.origin);
    EXPECT_EQ(place.axis[1], again.pieces[k].place.axis[1]);
    differs = differs || place.origin != other.pieces[k].place.origin;
    EXPECT_NEAR(dot(cross(place.axis[0], place.axis[1]), place.axis[2]), 1, 1e-5);
    const Vec3f own{static_cast<float>(k % 5) * 2 - 4, static_cast<float>(k / 25) * 2,
                    static_cast<float>(k / 5 % 5) * 2 - 4};
    const Vec3f off = place.origin - own;
    farthest = std::max({farthest, std::abs(off.x), std::abs(off.y), std::abs(off.z)});
  }
  EXPECT_TRUE(differs);
  EXPECT_LE(farthest, 0.5f);
  EXPECT_GT(farthest, 0.4f);
}

TEST_F(Rigid, RowsOfAWallAreEquallyLong) {
  const Body wall = body(
      R"("source": {"shape": "box", "size": [0.4, 0.2, 0.1]}, "copies": {"pattern": "wall", "count": [3, 2], "gap": 0.02})");
  ASSERT_EQ(wall.pieces.size(), 3u + 4u);
  ASSERT_EQ(wall.shapes.size(), 2u);
  EXPECT_NEAR(wall.shapes[1].parts[0].half.x, 0.095f, 1e-6f);
  for (int row = 0; row < 2; ++row) {
    std::vector<Bounds> bricks;
    for (std::size_t k = row ? 3 : 0; k < (row ? 7u : 3u); ++k) bricks.push_back(boundsOf(wall, k));
    EXPECT_NEAR(bricks.front().lo.x, -0.62f, 1e-6f);
    EXPECT_NEAR(bricks.back().hi.x, 0.62f, 1e-6f);
    for (std::size_t k = 1; k < bricks.size(); ++k)
      EXPECT_NEAR(bricks[k].lo.x - bricks[k - 1].hi.x, 0.02f, 1e-6f);
  }
  EXPECT_EQ(wall.pieces[3].place.origin.y, 0.2f);
}

TEST_F(Rigid, CardsTouchAtTheirEdges) {
  const Body house = body(
      R"("source": {"shape": "box", "size": [0.01, 0.4, 0.3]}, "copies": {"pattern": "cards", "levels": 2, "lean": 20})");
  ASSERT_EQ(house.pieces.size(), 4u + 1u + 2u);
  const Bounds left = boundsOf(house, 0), right = boundsOf(house, 1), flat = boundsOf(house, 4),
               top = boundsOf(house, 5);
  EXPECT_NEAR(left.lo.y, 0, 1e-6f);
  EXPECT_NEAR(left.hi.x, right.lo.x, 1e-6f);
  EXPECT_NEAR(left.hi.y, flat.lo.y, 1e-6f);
  EXPECT_NEAR(flat.hi.y, top.lo.y, 1e-6f);
  EXPECT_NEAR(flat.hi.x - flat.lo.x, 0.4f, 1e-6f);
}

TEST_F(Rigid, PlacesWithNamesAndMotion) {
  const Body some = body(
      R"("source": {"shape": "sphere"}, "velocity": [1, 0, 0], "transform": {"translate": [0, 1, 0]}, "places": [{"translate": [3, 0, 0]}, {"name": "big one", "velocity": [0, 5, 0], "spin": [0, 0, 90]}])");
  EXPECT_EQ(namesOf(some), (std::vector<std::string>{"crate_0001", "big_one"}));
  EXPECT_EQ(some.pieces[0].place.origin, (Vec3f{3, 1, 0}));
  EXPECT_EQ(some.pieces[0].velocity, (Vec3f{1, 0, 0}));
  EXPECT_EQ(some.pieces[1].velocity, (Vec3f{0, 5, 0}));
  EXPECT_NEAR(some.pieces[1].spin.z, 1.5707963f, 1e-6f);
}

TEST_F(Rigid, AnimatedByKeys) {
  const Body door = body(
      R"("source": {"shape": "box"}, "animated": true, "rotate": [[1, [0, 0, 0]], [25, [0, 90, 0]]], "translate": [0, 1, 0])");
  EXPECT_TRUE(door.rigid.base.animated);
  EXPECT_EQ(door.rotate.at(13).y, 45);
  EXPECT_EQ(door.translate.at(7).y, 1);
  EXPECT_EQ(warnings(R"("source": {"shape": "box"}, "rotate": [0, 90, 0])"),
            (std::vector<std::string>{
                "s.json:1:13: body \"crate\" has keys of translate or rotate that do nothing, "
                "as \"animated\" is off"}));
  EXPECT_EQ(
      warnings(
          R"("source": {"shape": "box"}, "animated": true, "translate": [[1, [0, 0, 0]], [3, [0, 30, 0]]])"),
      (std::vector<std::string>{"s.json:1:13: body \"crate\" jumps: its translate changes by 15 m a frame "
                                "from frame 1 to 3; what it "
                                "meets is thrown away, or passed through"}));
}

TEST_F(Rigid, OverridesReachThem) {
  const std::string text = scene(R"("source": {"shape": "box"})");
  EXPECT_EQ(load(text, {"crate.density=7850"}).scene.bodies[0].rigid.base.density, 7850);
  EXPECT_EQ(load(text, {"rigid.friction=0.7"}).scene.bodies[0].rigid.base.friction, 0.7f);
  EXPECT_EQ(load(text, {"spindamping=2"}).scene.bodies[0].rigid.base.spindamping, 2);
  EXPECT_EQ(onlyError(text, {"joint.breakforce=5"}), "--set joint.breakforce=5: the scene has no joints");
}

TEST_F(Rigid, Refusals) {
  write("two.obj", kTwo);
  EXPECT_EQ(refusal(R"("density": 5)"), "s.json:1:13: a body has no \"source\"");
  EXPECT_EQ(refusal(R"("source": {"shape": "box"}, "pins": [])"),
            "s.json:3:29: \"pins\" is a key of cloth bodies, but this one is of kind rigid");
  EXPECT_EQ(onlyError(cloth(R"("spin": [0, 1, 0],)")),
            "s.json:3:1: \"spin\" is a key of rigid bodies, but this one is of kind cloth");
  EXPECT_EQ(
      refusal(R"("source": {"shape": "box"}, "collision": "convex")"),
      "s.json:3:42: collision is \"convex\", but must be one of auto, hull, box, sphere, parts, concave; "
      "did you mean \"concave\"?");
  EXPECT_EQ(refusal(R"("source": {"shape": "box"}, "voxel": 0.1)"),
            "s.json:3:38: \"voxel\" is only for \"collision\": \"concave\"");
  EXPECT_EQ(refusal(R"("source": {"shape": "grid"}, "collision": "box")"),
            "s.json:3:11: body \"crate\": the source is flat, and makes no box");
  EXPECT_EQ(refusal(R"("source": {"shape": "tube"}, "collision": "concave")"),
            "s.json:3:11: body \"crate\": the source is open, but a concave body needs a closed mesh");
  EXPECT_EQ(refusal(R"("source": {"file": "two.obj"}, "pieces": "name")"),
            "s.json:3:11: the source has no attribute \"name\" at its faces or points by which to cut it");
  EXPECT_EQ(refusal(R"("source": {"shape": "box"}, "copies": {"count": [0, 1, 1]})"),
            "s.json:3:50: count[0] is 0, but must be a whole number from 1 to 1000000");
  EXPECT_EQ(refusal(R"("source": {"shape": "box"}, "copies": {"count": [1000, 1000, 1000]})"),
            "s.json:3:49: count makes 1000000000 copies, but at most 1000000 are possible");
  EXPECT_EQ(refusal(R"("source": {"shape": "sphere"}, "copies": {"pattern": "wall", "count": [3, 3]})"),
            "s.json:3:42: this pattern needs a source of shape box");
  EXPECT_EQ(refusal(R"("source": {"shape": "box"}, "places": [])"), "s.json:3:39: places is an empty list");
  EXPECT_EQ(refusal(R"("source": {"shape": "box"}, "places": [{}], "copies": {"count": [1, 1, 1]})"),
            "s.json:3:39: a body has either \"copies\" or \"places\", not both");
  EXPECT_EQ(
      refusal(
          R"("source": {"assembly": "chain", "links": 1000}, "copies": {"count": [2000, 1, 1], "spacing": [1, 1, 1]})"),
      "s.json:3:11: body \"crate\" would have 2000000 pieces, but at most 1000000 are possible");
  EXPECT_EQ(refusal(R"("source": {"assembly": "rope"})"),
            "s.json:3:24: assembly is \"rope\", but must be one of chain, bridge, ragdoll");
}

TEST_F(Rigid, FlatMeshesMakeNoHull) {
  const std::string flat = refusal(R"("source": {"shape": "grid"})");
  EXPECT_NE(flat.find("s.json:3:11: body \"crate\": the source "), std::string::npos) << flat;
  EXPECT_NE(flat.find("plane"), std::string::npos) << flat;
}

// One bad piece of many is named, and the others live on.
TEST_F(Rigid, FlatPiecesAreLeftOut) {
  write("three.obj", std::string(kTwo) + "o leaf\nv 0 9 0\nv 1 9 0\nv 0 9 1\nf 9 10 11\n");
  const std::string text = R"("source": {"file": "three.obj"}, "pieces": "object")";
  EXPECT_EQ(namesOf(body(text)), (std::vector<std::string>{"left", "right"}));
  const std::vector<std::string> said = warnings(text);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("body \"crate\": the piece \"leaf\" "), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("left out"), std::string::npos) << said[0];
}

TEST_F(Rigid, OpenMeshesAreNamed) {
  EXPECT_EQ(warnings(R"("source": {"shape": "tube"})"),
            (std::vector<std::string>{
                "s.json:3:11: body \"crate\": the source is open; it touches as the hull around it"}));
}

TEST_F(Rigid, DeepOverlapIsNamed) {
  EXPECT_TRUE(
      warnings(R"("source": {"shape": "box"}, "copies": {"count": [2, 1, 1], "spacing": [0.9, 1, 1]})")
          .empty());
  EXPECT_EQ(
      warnings(R"("source": {"shape": "box"}, "copies": {"count": [2, 1, 1], "spacing": [0.3, 1, 1]})"),
      (std::vector<std::string>{"s.json:1:13: body \"crate\" has a piece \"crate_0002\" deep inside "
                                "\"crate_0001\" of \"crate\" at the start; the solver pushes them apart"}));
}

TEST_F(Rigid, ExtremeMassesAreNamed) {
  const std::vector<std::string> thin =
      warnings(R"("source": {"shape": "box", "size": [0.0001, 1, 0.0001]})");
  ASSERT_EQ(thin.size(), 1u);
  EXPECT_NE(thin[0].find("resists turning"), std::string::npos) << thin[0];
  const SceneLoad loaded = load(
      R"({"bodies": [{"name": "ship", "kind": "rigid", "source": {"shape": "box", "size": [100, 100, 100]}},
{"name": "nut", "kind": "rigid", "source": {"shape": "box", "size": [0.1, 0.1, 0.1]}, "transform": {"translate": [0, 90, 0]}}]})");
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(
      loaded.warnings[0].find("body \"ship\" has a piece \"ship\" that is 1e+09 times as heavy as piece "
                              "\"nut\" of \"nut\""),
      std::string::npos)
      << loaded.warnings[0];
}

TEST_F(Rigid, ScenesFromElsewhereAreChecked) {
  Scene scene = load(this->scene(R"("source": {"shape": "box"})")).scene;
  EXPECT_TRUE(validateScene(scene).empty());
  const auto only = [&](Scene wrong) {
    const std::vector<Finding> findings = validateScene(wrong);
    EXPECT_EQ(findings.size(), 1u);
    return findings.empty() ? "" : findings[0].sentence;
  };
  Scene lost = scene, wild = scene, none = scene, twice = scene, turned = scene;
  lost.bodies[0].pieces[0].shape = 3;
  EXPECT_EQ(only(lost), "body \"crate\" has a piece \"crate\" of shape 3, but only 1 shapes");
  wild.bodies[0].pieces[0].place.origin.x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(only(wild),
            "body \"crate\" has a piece \"crate\" whose place or motion is not finite, or too far away");
  none.bodies[0].pieces.clear();
  EXPECT_EQ(only(none), "body \"crate\" has no pieces");
  twice.bodies[0].pieces.push_back(twice.bodies[0].pieces[0]);
  EXPECT_EQ(only(twice), "body \"crate\" has two pieces of the name \"crate\"");
  turned.bodies[0].shapes[0].parts.clear();
  std::reverse(turned.bodies[0].shapes[0].geometry.face_indices.begin(),
               turned.bodies[0].shapes[0].geometry.face_indices.end());
  EXPECT_EQ(only(turned), "body \"crate\" has a concave shape 0 that is inside out: turn its faces round");
}

// Any damage gives a scene or messages, never a crash; the seed is fixed.
TEST_F(Rigid, MutatedScenesNeverCrash) {
  const std::string original = R"({"bodies": [
{"name": "wall", "kind": "rigid", "source": {"shape": "box"}, "copies": {"pattern": "wall", "count": [3, 2], "gap": 0.1}},
{"name": "box", "kind": "rigid", "source": {"shape": "torus"}, "collision": "parts", "copies": {"count": [2, 1, 2], "turn": 9},
 "animated": true, "translate": [[1, [0, 5, 0]], [9, [0, 6, 0]]]},
{"name": "rope", "kind": "rigid", "source": {"assembly": "bridge", "planks": 3, "sag": 0.1, "pivots": "hinge"},
 "places": [{"translate": [0, 9, 0], "spin": [0, 1, 0]}]}],
"joints": [{"kind": "hinge", "a": "wall/0001", "b": "box/box_0002", "at": [0, 0, 0], "axis": [0, 1, 0], "limited": true}]})";
  EXPECT_TRUE(load(original).ok()) << testing::PrintToString(load(original).errors);
  static constexpr std::string_view kBytes = "{}[]\",:-0123456789.e";
  std::uint32_t state = 777;
  const auto random = [&](std::size_t n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::size_t>(state >> 8) % n;
  };
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::string text = original;
    for (std::size_t edits = 1 + random(3); edits > 0; --edits) {
      const std::size_t at = random(text.size()), kind = random(3);
      if (kind == 0) text[at] = kBytes[random(kBytes.size())];
      if (kind == 1) text.erase(at, 1 + random(8));
      if (kind == 2) text.insert(at, original.substr(random(original.size()), random(30)));
    }
    refused += !load(text).ok();
  }
  EXPECT_GT(refused, 250);
}

class RigidExamples : public testing::TestWithParam<const char*> {};

TEST_P(RigidExamples, LoadWithoutAWord) {
  const SceneLoad loaded =
      loadScene(std::string(REPOSE_SOURCE_DIR "/examples_hip/") + GetParam() + ".json", {});
  EXPECT_TRUE(loaded.errors.empty()) << testing::PrintToString(loaded.errors);
  EXPECT_TRUE(loaded.warnings.empty()) << testing::PrintToString(loaded.warnings);
  ASSERT_EQ(loaded.scene.outputs.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Files, RigidExamples,
                         testing::Values("boxes", "wall_and_ball", "stack", "card_house", "ragdolls",
                                         "bridge", "boxes_on_cloth", "bodies_in_sand", "four_cloths"));

TEST(RigidExample, TwoThousandBoxes) {
  const SceneLoad loaded = loadScene(REPOSE_SOURCE_DIR "/examples_hip/boxes.json", {});
  ASSERT_EQ(loaded.scene.bodies[0].pieces.size(), 2000u);
}

}  // namespace repose
