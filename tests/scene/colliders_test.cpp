// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Colliders of scene files, and what is refused.
#include <fmt/format.h>

#include "scene_files.h"

namespace repose {

namespace {

class Colliders : public SceneFiles {
 protected:
  // `inside` is the inside of the only collider (line 2, columns from 17).
  static std::string scene(const std::string& inside) {
    return "{\"bodies\": [{\"name\": \"flag\", \"kind\": \"cloth\", \"source\": {\"shape\": \"grid\"}}],\n"
           "\"colliders\": [{" +
           inside + "}]}";
  }
  Collider only(const std::string& inside, const std::vector<std::string>& sets = {}) const {
    const SceneLoad loaded = load(scene(inside), sets);
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    EXPECT_TRUE(loaded.warnings.empty()) << testing::PrintToString(loaded.warnings);
    return loaded.scene.colliders.empty() ? Collider{} : loaded.scene.colliders[0];
  }
  std::string refusal(const std::string& inside) const { return onlyError(scene(inside)); }
  std::string warning(const std::string& inside) const {
    const SceneLoad loaded = load(scene(inside));
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    EXPECT_EQ(loaded.warnings.size(), 1u);
    return loaded.warnings.empty() ? "" : shortened(loaded.warnings)[0];
  }
};

void expectNear(Vec3f a, Vec3f b) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-6f) << "component " << k;
}

}  // namespace

TEST_F(Colliders, PlanesStandWhereTheirTransformSays) {
  const Collider floor = only(R"("name": "floor", "shape": "plane", "friction": 0.7)");
  EXPECT_EQ(floor.shape, Collider::Shape::plane);
  EXPECT_EQ(floor.params.base.friction, 0.7f);
  expectNear(floor.normal, {0, 1, 0});
  const Collider slope = only(
      R"("name": "slope", "shape": "plane", "transform": {"translate": [1, 2, 3], "rotate": [0, 0, 90], "scale": [1, 5, 2]})");
  expectNear(slope.point, {1, 2, 3});
  expectNear(slope.normal, {-1, 0, 0});
}

TEST_F(Colliders, VolumesHaveTheSizesOfSources) {
  const Collider box = only(
      R"("name": "b", "shape": "box", "size": [1, 2, 3], "inside": true, "rotate": [[1, [0, 0, 0]], [9, [0, 90, 0]]], "translate": [0, 1, 0])");
  EXPECT_EQ(box.shape, Collider::Shape::volume);
  EXPECT_EQ(box.volume.shape, Volume::Shape::box);
  EXPECT_TRUE(box.inside);
  expectNear(box.volume.size, {1, 2, 3});
  EXPECT_EQ(box.rotate.keys.size(), 2u);
  expectNear(box.translate.at(5), {0, 1, 0});
  const Collider torus = only(R"("name": "t", "shape": "torus", "radius": 2, "tuberadius": 0.4)");
  EXPECT_EQ(torus.volume.shape, Volume::Shape::torus);
  EXPECT_EQ(torus.volume.radius, 2);
  EXPECT_EQ(torus.volume.tuberadius, 0.4f);
  for (const char* round : {"cylinder", "cone", "capsule"}) {
    const Collider collider =
        only(fmt::format(R"("name": "r", "shape": "{}", "radius": 2, "height": 3)", round));
    EXPECT_EQ(collider.volume.radius, 2);
    EXPECT_EQ(collider.volume.height, 3);
  }
}

TEST_F(Colliders, HeightsAreRowsFromAbove) {
  const Collider field = only(
      R"("name": "h", "shape": "heightfield", "size": [4, 2], "heights": [[0, 1, 2], [3, 4, 5]], "transform": {"translate": [0, 1, 0]})");
  EXPECT_EQ(field.shape, Collider::Shape::heightfield);
  EXPECT_EQ(field.columns, 3);
  ASSERT_EQ(field.geometry.points.size(), 6u);
  expectNear(field.geometry.points[0], {-2, 1, -1});
  expectNear(field.geometry.points[5], {2, 6, 1});
  EXPECT_EQ(field.geometry.face_counts.size(), 2u);
  const Collider grid = only(
      R"("name": "h", "shape": "heightfield", "source": {"shape": "grid", "size": [2, 2], "divisions": [4, 3]})");
  EXPECT_EQ(grid.columns, 5);
  EXPECT_EQ(grid.geometry.points.size(), 20u);
}

TEST_F(Colliders, Meshes) {
  const Collider mesh = only(
      R"("name": "m", "source": {"shape": "sphere"}, "voxel": 0.01, "transform": {"translate": [0, 3, 0]})");
  EXPECT_EQ(mesh.shape, Collider::Shape::mesh);
  EXPECT_EQ(mesh.voxel, 0.01f);
  expectNear(mesh.point, {0, 3, 0});
  for (const Vec3f p : mesh.geometry.points) EXPECT_GT(p.y, 2.4f);
}

TEST_F(Colliders, ParametersCanBeOverridden) {
  const std::string floor = R"("name": "floor", "shape": "plane", "friction": 0.7)";
  EXPECT_EQ(only(floor, {"floor.friction=0.2"}).params.base.friction, 0.2f);
  EXPECT_EQ(only(floor, {"collider.friction=0.3"}).params.base.friction, 0.3f);
  EXPECT_EQ(
      onlyError(scene(floor), {"flor.friction=1"}),
      "--set flor.friction=1: there is no body, joint, collider or group \"flor\"; did you mean \"floor\"?");
}

TEST_F(Colliders, Warnings) {
  EXPECT_EQ(warning(R"("name": "m", "source": {"shape": "grid"})"),
            "s.json:2:15: collider \"m\" is open: it has no inside, and stops bodies from both sides");
  write("turned.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
  EXPECT_EQ(warning(R"("name": "m", "source": {"file": "turned.obj"})"),
            "s.json:2:15: collider \"m\" is inside out, and is turned round");
  // the side of a tetrahedron is split in one of its faces, with a flat triangle in the split
  write("flat.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.5 0 0\nf 1 3 2\nf 1 5 4\nf 5 2 4\nf 1 2 5\nf 1 4 3\nf 2 3 "
        "4\n");
  EXPECT_EQ(warning(R"("name": "m", "source": {"file": "flat.obj"})"),
            "s.json:2:15: collider \"m\" has 1 triangle without area, which is left out");
}

TEST_F(Colliders, Refusals) {
  EXPECT_EQ(refusal(R"("shape": "plane")"), "s.json:2:15: a collider has no \"name\"");
  EXPECT_EQ(refusal(R"("name": "c")"),
            "s.json:2:15: a collider must have one of \"shape\", \"source\" and \"field\"");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "plane", "source": {"shape": "box"})"),
            "s.json:2:15: a collider must have one of \"shape\", \"source\" and \"field\"");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "plain")"),
            "s.json:2:38: shape is \"plain\", but must be one of plane, box, sphere, cylinder, cone, "
            "capsule, torus, "
            "heightfield; did you mean \"plane\"?");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "sphere", "radius": 0)"),
            "s.json:2:58: radius is 0, but must be a number from 1e-06 to 1000000");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "plane", "radius": 1)"),
            "s.json:2:47: a collider has no key \"radius\"");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "plane", "inside": true)"),
            "s.json:2:15: a plane cannot be a container: it has no inside");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "capsule", "transform": {"scale": [1, 2, 1]})"),
            "s.json:2:15: collider \"c\" is not possible: a capsule must have the same scale along x and y, "
            "but has 1 "
            "and 2");
  EXPECT_EQ(refusal(R"("name": "c", "source": {"shape": "grid"}, "inside": true)"),
            "s.json:2:15: collider \"c\" must be closed to keep bodies inside");
  EXPECT_EQ(refusal(R"("name": "c", "source": {"shape": "grid"}, "voxel": 0.1)"),
            "s.json:2:15: collider \"c\" must be closed to be turned into a field");
  EXPECT_EQ(refusal(R"("name": "flag", "shape": "plane")"),
            "s.json:2:15: the name \"flag\" is already that of body 0");
  EXPECT_EQ(
      refusal(R"("name": "c", "shape": "heightfield", "heights": [[0, 1], [2]])"),
      "s.json:2:73: heights[1] is a list of 1, but must be a list of 2 numbers, each from -1000000000 to "
      "1000000000");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "heightfield", "heights": [[0, 1]])"),
            "s.json:2:64: heights must be at least 2 rows of at least 2 numbers");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "heightfield", "source": {"shape": "disk"})"),
            "s.json:2:63: a heightfield needs a grid of points in straight rows along x and z");
  EXPECT_EQ(refusal(R"("name": "c", "field": {"file": "x.txt"})"),
            "s.json:2:47: file is \"x.txt\", but must end in .vdb");
  EXPECT_EQ(refusal(R"("name": "c", "field": {"file": "x.vdb"})"),
            "s.json:2:47: the file x.vdb does not exist");
  EXPECT_EQ(refusal(R"("name": "c", "shape": "plane", "friktion": 1)"),
            "s.json:2:47: a collider has no key \"friktion\"; did you mean \"friction\"?");
}

}  // namespace repose
