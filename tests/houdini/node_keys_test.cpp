// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Parameters of configure nodes that change from frame to frame: in the nodes, and as keys of a job.
#include <fstream>
#include <sstream>

#include "houdini_nodes/object_world.h"
#include "houdini_nodes/range_writer.h"
#include "standin/rop.h"
#include "tests/houdini/job_run.h"
#include "tests/houdini/session.h"

namespace repose::houdini {

namespace {

using nodes::crate;
using nodes::NodeGeometry;
using nodes::sheet;

// One substep a frame: keys, and values that are taken at each frame, are then the same.
const std::map<std::string, std::string> kWorld = {{"wind", "4 0 1"}, {"substeps", "1"}},
                                         kFlag = {{"pingroup", "top"}, {"normaldrag", "$FF"}};

class Render {
 public:
  explicit Render(const std::map<std::string, SOP_Node*>& scene) {
    newDriverOperator(&table_);
    OP_Operator* op = table_.find("repose_rop");
    rop.reset(static_cast<ROP_Node*>(op->construct(nullptr, "rop", op)));
    rop->scene = scene;
    for (const auto& [name, value] : kWorld) rop->setParm(name, value);
  }
  std::unique_ptr<ROP_Node> rop;

 private:
  OP_OperatorTable table_;
};

std::string textOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST(NodeKeys, AParameterOfAConfigureNodeActsAtEachFrame) {
  Session session;
  const GU_Detail plain = toHost(sheet(4, {0, 1, 0}));
  SOP_Node& flag = session.make("repose::configure_cloth", kFlag);
  const GU_Detail start = session.cook(flag, {&plain}, 1);
  SolverSop held(session, start, kWorld), followed(session, start, kWorld);
  followed.source = [&](int frame) { return session.cook(flag, {&plain}, frame); };
  EXPECT_EQ(hashOf(held.at(1)), hashOf(followed.at(1)));
  EXPECT_NE(hashOf(held.at(6)), hashOf(followed.at(6)));

  Render render({{"/obj/flag", &flag}});
  flag.inputs = {&plain};
  const std::string job = temporary("keys_of_cloth.json");
  render.rop->setParm("soppath", "/obj/flag"), render.rop->setParm("file", job);
  EXPECT_EQ(render.rop->standinRender(1, 12), ROP_CONTINUE_RENDER) << nodes::lines(render.rop->errors);
  EXPECT_EQ(hashAfterRun(job), hashOf(followed.at(12)));
  EXPECT_NE(textOf(job).find("\"normaldrag\": [\n"), std::string::npos);
  EXPECT_EQ(textOf(job).find("\"tangentdrag\""), std::string::npos) << "what does not change has no keys";
}

TEST(NodeKeys, ThoseOfColliders) {
  Session session;
  const GU_Detail plain = toHost(nodes::dots(2, 0.05f)), box = toHost(crate(2, {0, -1, 0}));
  SOP_Node &sand = session.make("repose::configure_grain"),
           &wall = session.make("repose::collider", {{"friction", "$FF"}});
  const GU_Detail start = session.cook(sand, {&plain}, 1);
  SolverSop solver(session, start, kWorld);
  solver.colliders = [&](int frame) { return session.cook(wall, {&box}, frame); };
  const std::string hash = hashOf(solver.at(8));
  Render render({{"/obj/sand", &sand}, {"/obj/wall", &wall}});
  sand.inputs = {&plain}, wall.inputs = {&box};
  const std::string job = temporary("keys_of_collider.json");
  render.rop->setParm("soppath", "/obj/sand"), render.rop->setParm("colliderpath", "/obj/wall");
  render.rop->setParm("file", job);
  EXPECT_EQ(render.rop->standinRender(1, 8), ROP_CONTINUE_RENDER) << nodes::lines(render.rop->errors);
  EXPECT_EQ(hashAfterRun(job), hash);
}

// Two crates on a hinge whose motor wants another angle at each frame.
TEST(NodeKeys, ThoseOfJoints) {
  Session session;
  NodeGeometry named = nodes::joined(crate(0.4f, {0, 1, 0}), crate(0.4f, {0.45f, 1, 0}));
  std::vector<std::string> names(8, "left");
  names.resize(16, "right");
  named.write(nodes::Owner::point, "name", 1, names);
  const GU_Detail plain = toHost(named);
  SOP_Node &boxes = session.make("repose::configure_rigid", {{"pieces", "2"}}),
           &joint = session.make("repose::constraints", {{"type", "2"},
                                                         {"jointkind", "2"},
                                                         {"axis", "1 0 0"},
                                                         {"maxdistance", "0.2"},
                                                         {"motor", "2"},
                                                         {"motorforce", "1000"},
                                                         {"motortarget", "$FF"}});
  const GU_Detail start = session.cook(boxes, {&plain}, 1);
  std::vector<GU_Detail> joints;  // a constraint input of each frame
  for (int frame = 1; frame <= 10; ++frame) joints.push_back(session.cook(joint, {&start}, frame));
  SolverSop held(session, start, kWorld), followed(session, start, kWorld);
  held.constraints = joints.data();
  for (int frame = 1; frame <= 10; ++frame) {
    followed.constraints = &joints[static_cast<std::size_t>(frame - 1)];
    followed.at(frame);
  }
  EXPECT_NE(hashOf(held.at(10)), hashOf(followed.at(10)));
  Render render({{"/obj/boxes", &boxes}, {"/obj/joint", &joint}});
  boxes.inputs = {&plain}, joint.inputs = {&start};
  const std::string job = temporary("keys_of_joints.json");
  render.rop->setParm("soppath", "/obj/boxes"), render.rop->setParm("constraintpath", "/obj/joint");
  render.rop->setParm("file", job);
  EXPECT_EQ(render.rop->standinRender(1, 10), ROP_CONTINUE_RENDER) << nodes::lines(render.rop->errors);
  EXPECT_EQ(hashAfterRun(job), hashOf(followed.at(10)));
  EXPECT_NE(textOf(job).find("\"motortarget\": [\n"), std::string::npos);
}

TEST(NodeKeys, AJobRefusesJointsThatComeAndGo) {
  const NodeGeometry box = crate(0.4f, {0, 1, 0});
  nodes::Parms rigid = nodes::parmsOf("repose::configure_rigid"), rop = nodes::parmsOf("repose_rop");
  rigid.setText("name", "box");
  rop.setText("file", temporary("joints_go.json")), rop.setText("mode", "job");
  const NodeGeometry body = nodes::cook(rigid, {&box}).geometry;
  NodeGeometry network;
  network.writePoints({{0, 1, 0}, {0, 1, 0}});
  network.addPrimitive(nodes::PrimitiveKind::curve, {0, 1});
  network.write(nodes::Owner::point, "name", 1, std::vector<std::string>{"", "box"});
  network.write(nodes::Owner::primitive, "type", 1, std::vector<std::string>{"joint"});
  nodes::RangeWriter gone(rop, 1, 3), turned(rop, 1, 3);
  ASSERT_TRUE(gone.add(1, rop, body, &network, nullptr).ok());
  EXPECT_EQ(gone.add(2, rop, body, nullptr, nullptr).message(),
            "the constraints have 0 joints at frame 2, but 1 at frame 1");
  ASSERT_TRUE(turned.add(1, rop, body, &network, nullptr).ok());
  network.write(nodes::Owner::primitive, "limited", 1, std::vector<float>{1});
  EXPECT_EQ(turned.add(2, rop, body, &network, nullptr).message(),
            "\"joint_0001\": limited has another value at frame 2 than at frame 1, but cannot have keys");
}

TEST(NodeKeys, WhatCannotHaveKeysHoldsItsValue) {
  Session session;
  const GU_Detail plain = toHost(sheet(4, {0, 1, 0}));
  SOP_Node& flag = session.make("repose::configure_cloth", {{"pingroup", "top"}, {"density", "$FF"}});
  const GU_Detail start = session.cook(flag, {&plain}, 1);
  SolverSop held(session, start, kWorld), followed(session, start, kWorld);
  followed.source = [&](int frame) { return session.cook(flag, {&plain}, frame); };
  EXPECT_EQ(hashOf(held.at(6)), hashOf(followed.at(6)));
}

}  // namespace repose::houdini
