// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// THE table of nodes: what each is called, what goes in and out, and which parameters it shows. Dialog
// scripts, help pages, the glue and the layer below it all come from these rows. Knows no host.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "params/params.h"

namespace repose::nodes {

enum class NodeContext { sop, dop, rop };
enum class OwnType { toggle, integer, real, vec3, choice, text, file, node };

// A parameter that is a matter of the node alone; all others are rows of params.def.
struct OwnParameter {
  std::string name, label, help;
  OwnType type;
  std::string
      value;  // default, as a dialog script writes it; an expression such as $FF too; three numbers of a vec3
  double least = 0, greatest = 0;         // of numbers, inclusive
  std::vector<std::string> choices = {};  // a choice is told by its name
  bool hidden = false;
};

struct NodeSlot {
  std::string name, label, help;
  bool required = false;
};

struct NodeRow {
  NodeContext context;
  std::string type;  // "repose::solver"
  std::string label, help;
  std::vector<NodeSlot> inputs, outputs;
  std::vector<std::string> groups;  // of params.def, all of whose rows it shows
  std::vector<OwnParameter> own;
};

const std::vector<NodeRow>& nodeTable();
// The row, or null.
const NodeRow* findNode(std::string_view type);
// The whole table for programs: own rows as they are, those of params.def as `repose params --json` has them.
std::string nodesJson();

}  // namespace repose::nodes
