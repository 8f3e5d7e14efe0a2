// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "standin/rop.h"

#include <cstdlib>

namespace {
constexpr fpreal kFps = 24;
}

CH_LocalVariable* ROP_Node::myVariableList = nullptr;

// The rows that every output node has.
PRM_Template* ROP_Node::getROPbaseTemplate() {
  static PRM_Template rows[] = {{"execute", "button", {"0"}}, {"trange", "ordinal", {"0"}},
                                {"f1", "float", {"1"}},       {"f2", "float", {"240"}},
                                {"f3", "float", {"1"}},       {"", "", {}}};
  return rows;
}

fpreal ROP_Node::evalFloat(const char* name, int component, fpreal time) const {
  return std::strtod(raw(name, time, component).c_str(), nullptr);
}
exint ROP_Node::evalInt(const char* name, int component, fpreal time) const {
  return static_cast<exint>(evalFloat(name, component, time));
}
SOP_Node* ROP_Node::getSOPNode(const char* path, int) const {
  const auto at = scene.find(path);
  return at == scene.end() ? nullptr : at->second;
}

ROP_RENDER_CODE ROP_Node::standinRender(int first, int last, int step) {
  UT_Interrupt boss;
  errors.clear();
  if (!startRender((last - first) / step + 1, (first - 1) / kFps, (last - 1) / kFps)) return ROP_ABORT_RENDER;
  ROP_RENDER_CODE code = ROP_CONTINUE_RENDER;
  for (int frame = first; frame <= last && code == ROP_CONTINUE_RENDER; frame += step)
    code = renderFrame((frame - 1) / kFps, &boss);
  return endRender() == ROP_CONTINUE_RENDER ? code : ROP_ABORT_RENDER;
}
