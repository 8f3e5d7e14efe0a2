// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/ROP_Repose.h"

#include <GU/GU_Detail.h>
#include <GU/GU_DetailHandle.h>
#include <SOP/SOP_Node.h>
#include <UT/UT_String.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <vector>

#include "houdini_sop/bridge.h"
#include "houdini_sop/table_parms.h"

namespace repose::houdini {

namespace {

const nodes::NodeRow& row() { return *nodes::findNode("repose_rop"); }

}  // namespace

// Rows that every ROP has are those of the host; its own may not have them twice.
OP_TemplatePair* ROP_Repose::templates() {
  static const std::set<std::string> of_the_host = {"trange", "f1", "f2", "f3"};
  static std::vector<PRM_Template> own;
  if (own.empty()) {
    for (PRM_Template* t = templatesOf(row()); t->getType() != PRM_LIST_TERMINATOR; ++t)
      if (!of_the_host.count(t->getNamePtr()->getToken())) own.push_back(*t);
    own.emplace_back();
  }
  static OP_TemplatePair own_pair(own.data());
  static OP_TemplatePair pair(ROP_Node::getROPbaseTemplate(), &own_pair);
  return &pair;
}

nodes::Parms ROP_Repose::parmsAt(fpreal time) const {
  nodes::Parms parms(row());
  for (const nodes::OwnParameter& own : row().own) {
    UT_String text;
    evalString(text, own.name.c_str(), 0, time);
    if (own.type == nodes::OwnType::choice)
      parms.setText(own.name, own.choices[static_cast<std::size_t>(evalInt(own.name.c_str(), 0, time))]);
    else if (own.type == nodes::OwnType::text || own.type == nodes::OwnType::file ||
             own.type == nodes::OwnType::node)
      parms.setText(own.name, text.c_str());
    else
      parms.setNumbers(own.name, evalFloat(own.name.c_str(), 0, time));
  }
  for (const std::string& group : row().groups)
    for (const ParamRow& param : kParamRows) {
      if (param.group != group) continue;
      const std::string name(param.name);
      const auto at = [&](int k) { return k < paramWidth(param) ? evalFloat(name.c_str(), k, time) : 0; };
      parms.setNumbers(name, at(0), at(1), at(2));
    }
  return parms;
}

int ROP_Repose::startRender(int nframes, fpreal tstart, fpreal tend) {
  const nodes::Parms parms = parmsAt(tstart);
  frame_ = static_cast<int>(std::lround(tstart * parms.number("fps"))) + 1;
  const int last = static_cast<int>(std::lround(tend * parms.number("fps"))) + 1;
  if (nframes != last - frame_ + 1)
    return report(badInput("the increment f3 must be 1: a simulation needs every frame"));
  writer_ = std::make_unique<nodes::RangeWriter>(parms, frame_, last);
  if (parms.on("initsim")) initSimulationOPs();
  return 1;
}

ROP_RENDER_CODE ROP_Repose::renderFrame(fpreal time, UT_Interrupt*) {
  std::unique_ptr<nodes::NodeGeometry> geometry, constraints, colliders;
  if (!cookPath("soppath", time, geometry) || !cookPath("constraintpath", time, constraints) ||
      !cookPath("colliderpath", time, colliders))
    return ROP_ABORT_RENDER;
  if (!geometry) return report(badInput("soppath is empty: name the SOP to write")), ROP_ABORT_RENDER;
  if (!report(writer_->add(frame_, parmsAt(time), *geometry, constraints.get(), colliders.get())))
    return ROP_ABORT_RENDER;
  ++frame_;
  if (evalInt("alfprogress", 0, time)) {
    std::printf("ALF_PROGRESS %d%%\n", static_cast<int>(100 * writer_->share()));
    std::fflush(stdout);
  }
  return ROP_CONTINUE_RENDER;
}

ROP_RENDER_CODE ROP_Repose::endRender() {
  const bool done = report(writer_->finish());
  writer_.reset();
  return done ? ROP_CONTINUE_RENDER : ROP_ABORT_RENDER;
}

bool ROP_Repose::cookPath(const char* parameter, fpreal time,
                          std::unique_ptr<nodes::NodeGeometry>& geometry) {
  UT_String path;
  evalString(path, parameter, 0, time);
  if (!path.isstring()) return true;
  OP_Context context(time);
  SOP_Node* sop = getSOPNode(path.c_str(), 1);
  const GU_DetailHandle handle = sop ? sop->getCookedGeoHandle(context) : GU_DetailHandle();
  if (handle.isNull())
    return report(badInput(std::string(parameter) + " is " + path.c_str() + ", which gives no geometry"));
  geometry = std::make_unique<nodes::NodeGeometry>(readDetail(*GU_DetailHandleAutoReadLock(handle).getGdp()));
  return true;
}

bool ROP_Repose::report(const Status& status) {
  if (!status) addError(ROP_MESSAGE, status.message().c_str());
  return status.ok();
}

}  // namespace repose::houdini
