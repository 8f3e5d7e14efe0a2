// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_dop/option_parms.h"

namespace repose::houdini {

namespace {

using nodes::OwnType;

double plainNumber(const SIM_Options& options, const char* name, bool toggle, bool real) {
  if (toggle) return options.getOptionB(name) ? 1 : 0;
  return real ? options.getOptionF(name) : static_cast<double>(options.getOptionI(name));
}

}  // namespace

nodes::Parms optionParms(const SIM_Options& options, const nodes::NodeRow& row) {
  nodes::Parms parms(row);
  for (const nodes::OwnParameter& own : row.own)
    if (own.type == OwnType::toggle || own.type == OwnType::integer || own.type == OwnType::real)
      parms.setNumbers(own.name, plainNumber(options, own.name.c_str(), own.type == OwnType::toggle,
                                             own.type == OwnType::real));
  for (const std::string& group : row.groups)
    for (const ParamRow& param : kParamRows) {
      if (param.group != group) continue;
      const std::string name(param.name);
      if (param.type == ParamType::vec3) {
        const UT_Vector3D v = options.getOptionV3(name.c_str());
        parms.setNumbers(name, v.x(), v.y(), v.z());
      } else {
        parms.setNumbers(name, plainNumber(options, name.c_str(), param.type == ParamType::boolean,
                                           param.type == ParamType::real));
      }
    }
  return parms;
}

}  // namespace repose::houdini
