// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/host_mesh.h"

#include <gtest/gtest.h>

#include "scene/shapes.h"

namespace repose {

namespace {

// Lifts every point by a metre a frame.
class Lift : public Motion {
 public:
  explicit Lift(std::vector<Vec3f> points) : points_(std::move(points)) {}
  Status positionsAt(double frame, std::vector<Vec3f>& points) override {
    points = points_;
    for (Vec3f& p : points) p.y += static_cast<float>(frame);
    return {};
  }

 private:
  std::vector<Vec3f> points_;
};

Geometry square() {
  Geometry mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  mesh.face_counts = {3, 3};
  mesh.face_indices = {0, 2, 1, 0, 3, 2};
  Attribute radius;
  radius.name = "pscale", radius.floats = {0.1f, 0.2f, 0.1f, 0.3f};
  mesh.attributes = {radius};
  mesh.groups = {{"rim", {0, 3}}};
  return mesh;
}

SceneLoad load(const std::string& body, const HostMeshes& meshes) {
  return loadSceneText("{\"bodies\": [\n" + body + "]}", "memory", meshes);
}

}  // namespace

TEST(HostMesh, IsASourceOfCloth) {
  HostMeshes meshes;
  meshes["sheet"] = {square(), std::make_shared<Lift>(square().points)};
  const SceneLoad loaded = load(R"({"name": "c", "kind": "cloth", "source": {"host": "sheet"},
      "transform": {"translate": [0, 0, 5]}, "pins": [{"group": "rim", "animated": true}]})",
                                meshes);
  ASSERT_TRUE(loaded.ok()) << loaded.errors[0];
  const Body& body = loaded.scene.bodies[0];
  EXPECT_EQ(body.geometry.points[2], (Vec3f{1, 0, 6}));
  EXPECT_EQ(body.geometry.face_indices, square().face_indices);
  EXPECT_EQ(body.pins[0].points, (std::vector<std::int32_t>{0, 3}));
  std::vector<Vec3f> moved;
  ASSERT_TRUE(body.motion->positionsAt(2, moved).ok());
  EXPECT_EQ(moved[2], (Vec3f{1, 2, 6})) << "the transform of the body moves its animation too";
}

TEST(HostMesh, GivesItsPointsAndRadiiToGrains) {
  const SceneLoad loaded =
      load(R"({"name": "g", "kind": "grain", "source": {"host": "dots"}})", {{"dots", {square(), nullptr}}});
  ASSERT_TRUE(loaded.ok()) << loaded.errors[0];
  EXPECT_EQ(loaded.scene.bodies[0].geometry.points.size(), 4u);
  EXPECT_TRUE(loaded.scene.bodies[0].geometry.face_counts.empty());
  EXPECT_EQ(loaded.scene.bodies[0].radii, (std::vector<float>{0.1f, 0.2f, 0.1f, 0.3f}));
}

// A motion moves a rigid body where nothing else does; each other wish is refused with its sentence.
TEST(HostMesh, ThatMovesIsRefusedOfARigidBodyThatDoesNotFollow) {
  const Geometry box = makeBox(Shape());
  const HostMeshes meshes = {{"box", {box, std::make_shared<Lift>(box.points)}}};
  const auto refusal = [&](const std::string& rest) {
    const SceneLoad loaded =
        load(R"({"name": "r", "kind": "rigid", "source": {"host": "box"})" + rest + "}", meshes);
    EXPECT_EQ(loaded.errors.size(), 1u);
    return loaded.errors.empty() ? "" : loaded.errors[0];
  };
  const std::string at = "memory:2:42: ";
  EXPECT_EQ(refusal(""), at + "an animated source moves a rigid body only with \"animated\": true");
  EXPECT_EQ(refusal(R"(, "animated": false)"),
            at + "an animated source moves a rigid body only with \"animated\": true");
  for (const char* many : {R"("copies": {"count": [2, 1, 1]})", R"("places": [{"translate": [0, 1, 0]}])"})
    EXPECT_EQ(refusal(R"(, "animated": true, )" + std::string(many)),
              at + "a rigid body with an animated source has no \"copies\" or \"places\"");
  for (const char* keys : {"translate", "rotate"})
    EXPECT_EQ(
        refusal(R"(, "animated": true, ")" + std::string(keys) + R"(": [[1, [0, 0, 0]], [9, [0, 1, 0]]])"),
        at + "a rigid body has either \"translate\" and \"rotate\" keys or an animated source, not both");
  EXPECT_TRUE(
      load(R"({"name": "r", "kind": "rigid", "source": {"host": "box"}, "animated": true})", meshes).ok());
}

TEST(HostMesh, ThatIsNotThereIsNamed) {
  const std::string body = R"({"name": "c", "kind": "cloth", "source": {"host": "shet"}})";
  const SceneLoad other = load(body, {{"sheet", {square(), nullptr}}});
  ASSERT_EQ(other.errors.size(), 1u);
  EXPECT_EQ(other.errors[0],
            "memory:2:51: host is \"shet\", but the meshes handed over are sheet; did you mean \"sheet\"?");
  const SceneLoad none = load(body, {});
  ASSERT_EQ(none.errors.size(), 1u);
  EXPECT_EQ(none.errors[0],
            "memory:2:51: host is \"shet\", but nobody has handed over a mesh; name a \"file\"");
}

}  // namespace repose
