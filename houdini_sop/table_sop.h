// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A SOP by its row of the table. A node is a struct with its type's name:
//
//   struct SOP_ReposeCollider { static constexpr const char* kType = "repose::collider"; };
#pragma once
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <SOP/SOP_Node.h>
#include <SOP/SOP_NodeVerb.h>

#include "houdini_sop/detail_reader.h"
#include "houdini_sop/table_parms.h"

namespace repose::houdini {

// What a node keeps to be faster; the host drops it when it likes.
class TableCache : public SOP_NodeCache {
 public:
  std::unique_ptr<nodes::NodeMemory> memory;
  std::vector<DetailReader> inputs;  // empty without memory
};

// Reads the inputs, cooks, and writes what has changed, or the errors.
void cookTable(const SOP_NodeVerb::CookParms& cookparms);

template <class Node>
class TableVerb : public SOP_NodeVerb {
 public:
  SOP_NodeParms* allocParms() const override { return new TableParms(*nodes::findNode(Node::kType)); }
  SOP_NodeCache* allocCache() const override { return new TableCache; }
  UT_StringHolder name() const override { return Node::kType; }
  CookMode cookMode(const SOP_NodeParms*) const override { return COOK_DUPLICATE; }
  void cook(const CookParms& cookparms) const override { cookTable(cookparms); }
};

template <class Node>
class TableSop : public SOP_Node {
 public:
  static OP_Node* make(OP_Network* network, const char* name, OP_Operator* op) {
    return new TableSop(network, name, op);
  }
  const SOP_NodeVerb* cookVerb() const override {
    static const SOP_NodeVerb::Register<TableVerb<Node>> verb;
    return verb.get();
  }

 protected:
  TableSop(OP_Network* network, const char* name, OP_Operator* op) : SOP_Node(network, name, op) {
    mySopFlags.setManagesDataIDs(true);
  }
  OP_ERROR cookMySop(OP_Context& context) override { return cookMyselfAsVerb(context); }
};

void addToTable(const nodes::NodeRow& row, OP_Constructor construct, OP_OperatorTable* table);

template <class Node>
void addSop(OP_OperatorTable* table) {
  addToTable(*nodes::findNode(Node::kType), TableSop<Node>::make, table);
}

}  // namespace repose::houdini
