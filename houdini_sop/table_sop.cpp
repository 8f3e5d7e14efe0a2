// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/table_sop.h"

#include <GU/GU_Detail.h>

#include "houdini_sop/bridge.h"

namespace repose::houdini {

namespace {

// Groups that the parameters name.
std::vector<std::string> groupsOf(const nodes::Parms& parms) {
  std::vector<std::string> groups;
  for (const nodes::OwnParameter& own : parms.row().own)
    if (own.name == "pingroup" || own.name == "groupa" || own.name == "groupb")
      groups.push_back(parms.text(own.name));
  return groups;
}

}  // namespace

void cookTable(const SOP_NodeVerb::CookParms& cookparms) {
  const nodes::Parms& parms = cookparms.parms<TableParms>().values;
  std::vector<nodes::NodeGeometry> geometry;
  geometry.reserve(parms.row().inputs.size());
  nodes::CookInput input;
  auto* cache = static_cast<TableCache*>(cookparms.cache());
  std::vector<DetailReader> readers;
  if (cache) readers.swap(cache->inputs);
  readers.resize(parms.row().inputs.size());
  for (std::size_t k = 0; k < readers.size(); ++k) {
    const GU_Detail* detail = cookparms.inputGeo(static_cast<exint>(k));
    if (detail)
      geometry.push_back(readers[k].read(*detail, groupsOf(parms),
                                         k == 0 && cache && cache->memory ? &input.left : nullptr));
    input.geometry.push_back(detail ? &geometry.back() : nullptr);
  }
  const std::unique_ptr<nodes::CookControl> control = hostControl();
  input.parms = &parms, input.control = control.get(), input.memory = cache ? &cache->memory : nullptr;
  for (const nodes::OwnParameter& own : parms.row().own)
    if (own.name == "frame") input.frame = parms.number("frame");
  const nodes::CookResult result = nodes::cookNode(input);
  for (const std::string& warning : result.warnings) cookparms.sopAddWarning(SOP_MESSAGE, warning.c_str());
  for (const std::string& error : result.errors) cookparms.sopAddError(SOP_MESSAGE, error.c_str());
  if (result.interrupted) cookparms.sopAddError(SOP_MESSAGE, "interrupted");
  std::string problem;
  const bool written = result.ok() && writeDetail(result.geometry, *cookparms.gdh().gdpNC(), problem);
  if (!problem.empty()) cookparms.sopAddError(SOP_MESSAGE, problem.c_str());
  if (!cache || !cache->memory || readers.empty()) return;
  if (written)
    readers[0].wrote(result.geometry, *cookparms.gdh().gdpNC());
  else if (result.ok())
    cache->memory.reset();  // it is at a state that nobody has
  cache->inputs.swap(readers);
}

void addToTable(const nodes::NodeRow& row, OP_Constructor construct, OP_OperatorTable* table) {
  static std::vector<std::vector<const char*>> labels;  // the host keeps the pointers
  labels.emplace_back();
  unsigned required = 0;
  for (const nodes::NodeSlot& input : row.inputs) {
    labels.back().push_back(input.label.c_str());
    required += input.required;
  }
  labels.back().push_back(nullptr);
  std::vector<const char*>& own = labels.back();
  table->addOperator(new OP_Operator(row.type.c_str(), row.label.c_str(), construct, templatesOf(row),
                                     required, static_cast<unsigned>(row.inputs.size()), nullptr, 0,
                                     own.data(), static_cast<int>(row.outputs.size()), "Repose"));
}

}  // namespace repose::houdini
