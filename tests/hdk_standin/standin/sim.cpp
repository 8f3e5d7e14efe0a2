// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "standin/sim.h"

#include <sstream>

std::map<std::string, SIM_DataFactory>& SIM_DataFactory::all() {
  static std::map<std::string, SIM_DataFactory> factories;
  return factories;
}

void SIM_OptionsUser::standinSet(const PRM_Template* templates,
                                 const std::map<std::string, std::string>& values) {
  for (; !templates->name.empty(); ++templates) {
    SIM_Options::Option& option = options_.options[templates->name];
    const std::string& type = templates->type;
    option.type = type == "toggle"                         ? 'B'
                  : type == "integer" || type == "ordinal" ? 'I'
                  : type == "vector"                       ? 'V'
                  : type == "float"                        ? 'F'
                                                           : 'S';
    std::string text;
    for (const std::string& value : templates->values) text += value + " ";
    if (const auto given = values.find(templates->name); given != values.end()) text = given->second;
    option.text = text;
    std::istringstream words(text);
    for (double& number : option.numbers) words >> number;
  }
  for (const auto& [name, value] : values) options_.options.at(name);
}
