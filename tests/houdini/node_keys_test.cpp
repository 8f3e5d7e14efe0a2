// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Parameters of configure nodes that change from frame to frame: in the nodes, and as keys of a job.
#include <fstream>
#include <sstream>

#include "standin/rop.h"
#include "tests/houdini/job_run.h"
#include "tests/houdini/session.h"

namespace repose::houdini {

namespace {

using nodes::crate;
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
