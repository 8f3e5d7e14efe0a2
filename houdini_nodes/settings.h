// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Parameters of a node as the text of a scene writes them.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "houdini_nodes/cook.h"

namespace repose::nodes {

using Json = nlohmann::ordered_json;

// Adds the rows of a group that differ from their defaults; a value outside its range is an error of the
// result.
void addSettings(const Parms& parms, std::string_view group, Json& object, CookResult& result);
// A value as the text of a scene has it.
Json jsonValue(const ParamRow& row, const ParamValue& value);
// A float with its own digits, so that the text gives back the same bits.
Json exact(float value);
Json exact(Vec3f value);
// Letters, digits and underscores; else an error of the result.
bool checkName(const std::string& name, CookResult& result);

}  // namespace repose::nodes
