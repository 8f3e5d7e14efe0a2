// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Output nodes of the stand-in: frames come in any order the farm likes, SOPs are found by path.
#pragma once
#include "standin/nodes.h"

enum ROP_RENDER_CODE { ROP_ABORT_RENDER, ROP_CONTINUE_RENDER, ROP_RETRY_RENDER };
constexpr int ROP_MESSAGE = 0;

class OP_VariablePair {
 public:
  explicit OP_VariablePair(CH_LocalVariable*) {}
};

class UT_String {
 public:
  const char* c_str() const { return text.c_str(); }
  bool isstring() const { return !text.empty(); }
  std::string text;
};

class ROP_Node : public OP_Node {
 public:
  ROP_Node(OP_Network* net, const char* name, OP_Operator* op) : OP_Node(net, name, op) {}
  static PRM_Template* getROPbaseTemplate();
  static CH_LocalVariable* myVariableList;

  fpreal evalFloat(const char* name, int component, fpreal time) const;
  exint evalInt(const char* name, int component, fpreal time) const;
  void evalString(UT_String& value, const char* name, int, fpreal time) const {
    value.text = raw(name, time);
  }
  SOP_Node* getSOPNode(const char* path, int = 0) const;
  void initSimulationOPs() { ++simulations_begun; }
  void addError(int, const char* text) { errors.push_back(text); }
  void addWarning(int, const char* text) { warnings.push_back(text); }

  // ---- of the stand-in alone ----
  std::map<std::string, SOP_Node*> scene;
  int simulations_begun = 0;
  ROP_RENDER_CODE standinRender(int first, int last, int step = 1);

 protected:
  virtual int startRender(int nframes, fpreal tstart, fpreal tend) = 0;
  virtual ROP_RENDER_CODE renderFrame(fpreal time, UT_Interrupt* boss) = 0;
  virtual ROP_RENDER_CODE endRender() = 0;
};
