// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/cook.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "houdini_nodes/attributes.h"
#include "params/text.h"

namespace repose::nodes {

namespace {

using CookFunction = CookResult (*)(const CookInput&);

constexpr struct {
  const char* type;
  CookFunction cook;
} kFunctions[] = {
    {"repose::solver", cookSolver},
    {"repose::configure_cloth", cookConfigure},
    {"repose::configure_grain", cookConfigure},
    {"repose::configure_soft", cookConfigure},
    {"repose::configure_rigid", cookConfigure},
    {"repose::constraints", cookConstraints},
    {"repose::collider", cookCollider},
    {"repose::export_job", cookExportJob},
    {"repose::cache", cookCache},
};

}  // namespace

Parms::Parms(const NodeRow& row) : row_(&row) {
  for (const std::string& group : row.groups)
    for (const ParamRow& param : kParamRows)
      if (param.group == group)
        values_[std::string(param.name)].numbers = {param.value[0], param.value[1], param.value[2]};
  for (const OwnParameter& own : row.own) {
    Value& value = values_[own.name];
    value.text = own.value;
    const std::vector<std::string> words = splitText(own.value, ' ');
    for (std::size_t k = 0; k < std::min<std::size_t>(3, words.size()); ++k)
      value.numbers[k] = parseNumber<double>(words[k]).value_or(0);
  }
}

CookResult cookNode(const CookInput& input) {
  CookResult result;
  const NodeRow& row = input.parms->row();
  for (std::size_t k = 0; k < row.inputs.size(); ++k)
    if (row.inputs[k].required && !input.at(k))
      return result.fail(fmt::format("input {} ({}) is not wired", k + 1, row.inputs[k].label));
  try {
    for (std::size_t k = 0; k < input.geometry.size(); ++k)
      if (input.geometry[k])
        if (Status good = checkGeometry(*input.geometry[k], row.inputs[k].label); !good)
          return result.fail(good.message());
    for (const auto& function : kFunctions)
      if (row.type == function.type) return function.cook(input);
    return result.fail(fmt::format("there is no node {}", row.type));
  } catch (const std::bad_alloc&) {
    return CookResult().fail("not enough memory");
  } catch (const std::exception& problem) {
    return CookResult().fail(fmt::format("unexpected failure: {}", problem.what()));
  }
}

}  // namespace repose::nodes
