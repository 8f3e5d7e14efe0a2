// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Networks of joints as the example scripts write them: a line for each, names of pieces or bodies at its
// ends.
#include <gtest/gtest.h>

#include "houdini_nodes/assembly.h"
#include "houdini_nodes/object_world.h"
#include "scene/host_mesh.h"
#include "tests/houdini/node_shapes.h"

namespace repose::nodes {

namespace {

NodeGeometry configured(const char* type, const std::string& name, const NodeGeometry& geometry) {
  Parms parms = parmsOf(type);
  parms.setText("name", name);
  return cook(parms, {&geometry}).geometry;
}

// A sheet and a crate below its middle.
NodeGeometry bodies() {
  return joined(configured("repose::configure_cloth", "flag", sheet(4, {0, 1, 0})),
                configured("repose::configure_rigid", "box", crate(0.4f, {0, 0.5f, 0})));
}

// One joint between what these names are of, at a place.
NodeGeometry joint(const std::string& kind, const std::string& a, const std::string& b, Vec3f at,
                   float cone = 180) {
  NodeGeometry network;
  network.writePoints({at, at});
  network.addPrimitive(PrimitiveKind::curve, {0, 1});
  network.write(Owner::point, "name", 1, std::vector<std::string>{a, b});
  network.write(Owner::primitive, "type", 1, std::vector<std::string>{"joint"});
  network.write(Owner::primitive, "jointkind", 1, std::vector<std::string>{kind});
  network.write(Owner::primitive, "axis", 3, std::vector<float>{0, 0, 1});
  network.write(Owner::primitive, "coneangle", 1, std::vector<float>{cone});
  return network;
}

Json jointOf(const NodeGeometry& lines) {
  const NodeGeometry geometry = bodies();
  const Parms parms = parmsOf("repose::solver");
  WorldInput input;
  input.geometry = &geometry, input.constraints = &lines, input.parms = &parms;
  const Assembly assembly = assemble(input);
  EXPECT_TRUE(assembly.ok()) << (assembly.errors.empty() ? "" : assembly.errors[0]);
  if (!assembly.ok()) return {};
  HostMeshes meshes;
  for (const Part& part : assembly.bodies) meshes[part.name].geometry = part.mesh;
  const std::string text = assembly.text(1, 2, [](const Part& part) { return Json{{"host", part.name}}; });
  const SceneLoad load = loadSceneText(text, "scene", meshes);  // and it is a scene that can be run
  EXPECT_TRUE(load.ok()) << (load.errors.empty() ? "" : load.errors[0]);
  return assembly.scene["joints"][0];
}

}  // namespace

TEST(NodeJoints, HoldAPieceToTheWorld) {
  const Json found = jointOf(joint("hinge", "", "box", {0.2f, 0.5f, 0}));
  EXPECT_EQ(found["a"], "world");
  EXPECT_EQ(found["b"], "box");
  EXPECT_EQ(found["axis"], Json({0.0, 0.0, 1.0}));
  EXPECT_TRUE(found.contains("at"));
}

TEST(NodeJoints, HoldThePointOfAClothThatIsNearest) {
  const Json found = jointOf(joint("fixed", "flag", "box", {0.51f, 1.01f, -0.49f}));
  const NodeGeometry cloth = sheet(4, {0, 1, 0});
  const std::size_t point = found["a"]["points"][0];
  EXPECT_EQ(found["a"]["body"], "flag");
  EXPECT_LT(length(cloth.points[point] - Vec3f{0.5f, 1, -0.5f}), 1e-6f);
  EXPECT_FALSE(found.contains("at")) << "it is where the point is";
}

TEST(NodeJoints, BallsHaveAnAxisWhereTheyHaveLimits) {
  EXPECT_FALSE(jointOf(joint("spherical", "", "box", {0, 0.7f, 0})).contains("axis"));
  EXPECT_EQ(jointOf(joint("spherical", "", "box", {0, 0.7f, 0}, 30))["axis"], Json({0.0, 0.0, 1.0}));
}

TEST(NodeJoints, AnEndThatNothingHasIsNamed) {
  const NodeGeometry geometry = bodies(), lines = joint("fixed", "falg", "box", {0, 1, 0});
  const Parms parms = parmsOf("repose::solver");
  WorldInput input;
  input.geometry = &geometry, input.constraints = &lines, input.parms = &parms;
  const Assembly assembly = assemble(input);
  ASSERT_FALSE(assembly.ok());
  EXPECT_NE(assembly.errors[0].find("holds \"falg\""), std::string::npos) << assembly.errors[0];
}

}  // namespace repose::nodes
