// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Nodes of the plugin on the stand-in: made by type, wired, cooked at frames; and a Solver SOP around the
// step node.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "standin/nodes.h"
#include "tests/houdini/node_shapes.h"

namespace repose::houdini {

constexpr double kFps = 24;

// Geometry as an artist would have it in the host: clockwise polygons.
GU_Detail toHost(const nodes::NodeGeometry& geometry);
std::string hashOf(const GU_Detail& detail);
// P and v, bit by bit.
std::string bitsOf(const GU_Detail& detail);
GU_Detail mergedDetails(const GU_Detail& a, const GU_Detail& b);
// Only these points, with their attributes and those of the detail; primitives go.
GU_Detail onlyPoints(const GU_Detail& detail, const std::vector<GA_Index>& points);
// Every point of it.
void expectAbove(const GU_Detail& detail, float height);

class Session {
 public:
  Session() { newSopOperator(&table_); }
  OP_OperatorTable& table() { return table_; }

  SOP_Node& make(const std::string& type, const std::map<std::string, std::string>& parms = {}) {
    OP_Operator* op = table_.find(type);
    if (!op) throw std::out_of_range("no node " + type);
    made_.emplace_back(static_cast<SOP_Node*>(op->construct(nullptr, type.c_str(), op)));
    for (const auto& [name, value] : parms) made_.back()->setParm(name, value);
    return *made_.back();
  }
  // What a node makes of these inputs, which may be null.
  GU_Detail cook(SOP_Node& node, std::vector<const GU_Detail*> inputs, double frame = 1) {
    node.inputs = std::move(inputs);
    const OP_ERROR error = node.standinCook((frame - 1) / kFps);
    EXPECT_LT(error, UT_ERROR_ABORT) << nodes::lines(node.errors);
    return *node.output.gdp();
  }
  GU_Detail configured(const std::string& kind, const nodes::NodeGeometry& geometry,
                       const std::map<std::string, std::string>& parms = {}) {
    const GU_Detail detail = toHost(geometry);
    return cook(make("repose::configure_" + kind, parms), {&detail});
  }

 private:
  OP_OperatorTable table_;
  std::vector<std::unique_ptr<SOP_Node>> made_;
};

// As the Solver SOP: the frame before goes into the step node, frames that were cooked are kept.
class SolverSop {
 public:
  SolverSop(Session& session, GU_Detail start,
            const std::map<std::string, std::string>& parms = {{"useground", "1"}})
      : session_(session), start_(std::move(start)), node_(session.make("repose::solver", parms)) {}

  const GU_Detail& at(int frame) {
    for (int f = static_cast<int>(kept_.size()) + 1; f <= frame; ++f) kept_.push_back(step(f));
    return kept_[static_cast<std::size_t>(frame - 1)];
  }
  // Cooks a frame again from the one before it, as after scrubbing back.
  GU_Detail again(int frame) { return step(frame); }
  SOP_Node& node() { return node_; }
  void reset() { kept_.clear(); }
  std::function<GU_Detail(int)> colliders, source;
  const GU_Detail* constraints = nullptr;
  bool forgets = false;  // the host drops the node's cache before each cook

 private:
  GU_Detail step(int frame) {
    if (forgets) node_.forget();
    const GU_Detail walls = colliders ? colliders(frame) : GU_Detail();
    const GU_Detail& before = frame == 1 ? start_ : kept_.at(static_cast<std::size_t>(frame - 2));
    const GU_Detail animated = source ? source(frame) : GU_Detail();
    return session_.cook(
        node_, {&before, constraints, colliders ? &walls : nullptr, source ? &animated : nullptr}, frame);
  }
  Session& session_;
  GU_Detail start_;
  SOP_Node& node_;
  std::vector<GU_Detail> kept_;
};

}  // namespace repose::houdini
