// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/table_parms.h"

#include <UT/UT_StringHolder.h>
#include <UT/UT_Vector3.h>

#include <map>
#include <memory>

#include "houdini_sop/dialogs.h"

namespace repose::houdini {

namespace {

using nodes::OwnParameter;
using nodes::OwnType;

// Asks the host for one parameter after another.
class Evaluator {
 public:
  Evaluator(const SOP_NodeParms::LoadParms& from, nodes::Parms& to) : from_(from), to_(to) {}

  void take(const ParamRow& row) {
    const std::string name(row.name);
    if (row.type == ParamType::vec3) return takeVector(name);
    if (row.type == ParamType::real) return to_.setNumbers(name, eval<fpreal64>(name));
    to_.setNumbers(name, static_cast<double>(eval<int64>(name)));
  }

  void take(const OwnParameter& own) {
    if (own.type == OwnType::text || own.type == OwnType::file || own.type == OwnType::node)
      return to_.setText(own.name, eval<UT_StringHolder>(own.name).c_str());
    if (own.type == OwnType::vec3) return takeVector(own.name);
    if (own.type == OwnType::real) return to_.setNumbers(own.name, eval<fpreal64>(own.name));
    const int64 number = eval<int64>(own.name);
    to_.setNumbers(own.name, static_cast<double>(number));
    if (own.type == OwnType::choice && number >= 0 && number < static_cast<int64>(own.choices.size()))
      to_.setText(own.name, own.choices[static_cast<std::size_t>(number)]);
  }

 private:
  template <class T>
  T eval(const std::string& name) const {
    T value{};
    from_.graph()->evalOpParm(value, from_.nodeIdx(), name.c_str(), from_.context().getTime(),
                              from_.depnode());
    return value;
  }
  void takeVector(const std::string& name) {
    const auto v = eval<UT_Vector3D>(name);
    to_.setNumbers(name, v.x(), v.y(), v.z());
  }

  const SOP_NodeParms::LoadParms& from_;
  nodes::Parms& to_;
};

}  // namespace

void TableParms::loadFromOpSubclass(const LoadParms& loadparms) {
  Evaluator evaluator(loadparms, values);
  for (const OwnParameter& own : values.row().own) evaluator.take(own);
  for (const std::string& group : values.row().groups)
    for (const ParamRow& row : kParamRows)
      if (row.group == group) evaluator.take(row);
}

PRM_Template* templatesOf(const nodes::NodeRow& row) {
  static std::map<std::string, std::unique_ptr<PRM_TemplateBuilder>> made;
  std::unique_ptr<PRM_TemplateBuilder>& builder = made[row.type];
  if (!builder) builder = std::make_unique<PRM_TemplateBuilder>(row.type.c_str(), dialogScript(row.type));
  return builder->templates();
}

}  // namespace repose::houdini
