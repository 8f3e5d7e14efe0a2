// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The step node: the state goes in and out as a detail attribute.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/cook.h"
#include "houdini_nodes/world.h"

namespace repose::nodes {

namespace {

// Bytes as 32-bit numbers, which hosts can keep; the first is how many bytes there are.
std::vector<std::int32_t> toNumbers(const std::string& bytes) {
  std::vector<std::int32_t> numbers(2 + (bytes.size() + 3) / 4, 0);
  const auto size = static_cast<std::uint64_t>(bytes.size());
  std::memcpy(numbers.data(), &size, sizeof size);
  std::memcpy(numbers.data() + 2, bytes.data(), bytes.size());
  return numbers;
}

// Empty when there is none; something that is no state when it is damaged.
std::string toBytes(const NodeGeometry& geometry) {
  const NodeAttribute* attribute = geometry.find(Owner::detail, kState);
  if (!attribute || attribute->size() == 0) return "";
  const auto* numbers = std::get_if<std::vector<std::int32_t>>(&attribute->values);
  std::uint64_t size = 0;
  if (!numbers || numbers->size() < 2) return "damaged";
  std::memcpy(&size, numbers->data(), sizeof size);
  if (size > (numbers->size() - 2) * 4) return "damaged";
  return std::string(reinterpret_cast<const char*>(numbers->data() + 2), size);
}

}  // namespace

CookResult cookSolver(const CookInput& input) {
  CookResult result;
  result.geometry = input.at(0)->without(Owner::detail, kState);
  WorldStep step;
  step.input = {input.at(0), input.at(1), input.at(2), input.at(3), input.parms, input.frame};
  step.parts = std::max(1, static_cast<int>(std::lround(input.parms->number("stepsperframe"))));
  step.control = input.control;
  step.memory = input.memory;
  std::string state = toBytes(*input.at(0));
  stepWorld(step, state, result);
  if (result.ok()) result.geometry.write(Owner::detail, kState, 1, toNumbers(state)).array = true;
  return result;
}

}  // namespace repose::nodes
