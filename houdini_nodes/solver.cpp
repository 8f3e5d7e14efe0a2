// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The step node: the state goes in and out as a detail attribute.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/cook.h"
#include "houdini_nodes/world.h"

namespace repose::nodes {

namespace {

// Empty when there is none; something that is no state when it is damaged.
std::string_view stateOf(const NodeGeometry& geometry) {
  const NodeAttribute* attribute = geometry.find(Owner::detail, kState);
  if (!attribute || attribute->size() == 0) return "";
  return attribute->isBytes() ? std::get<std::string>(*attribute->values) : std::string_view("damaged");
}

}  // namespace

CookResult cookSolver(const CookInput& input) {
  CookResult result;
  result.geometry = *input.at(0);
  WorldStep step;
  step.input = {input.at(0), input.at(1), input.at(2), input.at(3), input.parms, input.frame};
  step.parts = std::max(1, static_cast<int>(std::lround(input.parms->number("stepsperframe"))));
  step.control = input.control;
  step.memory = input.memory;
  step.left = input.left;
  std::string state;
  stepWorld(step, stateOf(*input.at(0)), state, result);
  if (result.ok()) result.geometry.write(Owner::detail, kState, 1, std::move(state));
  return result;
}

}  // namespace repose::nodes
