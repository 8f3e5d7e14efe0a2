// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What each node does: geometry and parameters in, geometry or errors out. Knows no host; no exception leaves
// it.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "houdini_nodes/node_geometry.h"
#include "houdini_nodes/node_table.h"

namespace repose::nodes {

// Values of the parameters of a node, by name; those that are not set have the default of the table.
class Parms {
 public:
  explicit Parms(const NodeRow& row);
  void setNumbers(const std::string& name, double x, double y = 0, double z = 0) {
    values_[name].numbers = {x, y, z};
  }
  void setText(const std::string& name, std::string text) { values_[name].text = std::move(text); }

  const NodeRow& row() const { return *row_; }
  double number(const std::string& name) const { return values_.at(name).numbers[0]; }
  bool on(const std::string& name) const { return number(name) != 0; }
  const ParamValue& numbers(const std::string& name) const { return values_.at(name).numbers; }
  const std::string& text(const std::string& name) const { return values_.at(name).text; }

 private:
  struct Value {
    ParamValue numbers{};  // of a choice of params.def its number
    std::string text;      // also the name of an own choice
  };
  const NodeRow* row_;
  std::map<std::string, Value> values_;
};

// What a host lends to a cook.
class CookControl {
 public:
  virtual ~CookControl() = default;
  // Asked on the thread of the cook; `share` of the work is done.
  virtual bool interrupted(double /*share*/) { return false; }
};

// What a node may keep from cook to cook to be faster. Never needed for the result.
class NodeMemory {
 public:
  virtual ~NodeMemory() = default;
};

// What the host knows to be as the memory of the node was left.
struct AsLeft {
  bool state = false;   // and the geometry of the first input lacks it
  bool points = false;  // P and v of that input
};

struct CookInput {
  std::vector<const NodeGeometry*> geometry;  // of each input of the table; null: not wired
  const Parms* parms = nullptr;
  double frame = 1;
  CookControl* control = nullptr;
  std::unique_ptr<NodeMemory>* memory = nullptr;  // null: none is kept
  AsLeft left = {};                               // only with memory

  const NodeGeometry* at(std::size_t k) const { return k < geometry.size() ? geometry[k] : nullptr; }
};

struct CookResult {
  NodeGeometry geometry;
  std::vector<std::string> errors, warnings;
  bool interrupted = false;  // nothing of the geometry may be used
  bool ok() const { return errors.empty() && !interrupted; }

  CookResult& fail(std::string sentence) {
    errors.push_back(std::move(sentence));
    return *this;
  }
};

// The SOP of that row of the table.
CookResult cookNode(const CookInput& input);

// ---- one function a node; cookNode() calls them ----
CookResult cookConfigure(const CookInput& input);
CookResult cookCollider(const CookInput& input);
CookResult cookConstraints(const CookInput& input);
CookResult cookSolver(const CookInput& input);
CookResult cookExportJob(const CookInput& input);
CookResult cookCache(const CookInput& input);

}  // namespace repose::nodes
