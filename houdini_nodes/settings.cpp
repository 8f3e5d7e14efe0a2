// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace repose::nodes {

Json jsonValue(const ParamRow& row, const ParamValue& value) {
  switch (row.type) {
    case ParamType::boolean:
      return value[0] != 0;
    case ParamType::integer:
      return static_cast<std::int64_t>(value[0]);
    case ParamType::real:
      return exact(static_cast<float>(value[0]));
    case ParamType::vec3:
      return exact(
          Vec3f{static_cast<float>(value[0]), static_cast<float>(value[1]), static_cast<float>(value[2])});
    case ParamType::choice:
      break;
  }
  return paramChoices(row)[static_cast<std::size_t>(value[0])];
}

void addSettings(const Parms& parms, std::string_view group, Json& object, CookResult& result) {
  for (const ParamRow& row : kParamRows) {
    if (row.group != group) continue;
    const ParamValue& value = parms.numbers(std::string(row.name));
    bool same = true;
    for (int k = 0; k < paramWidth(row); ++k)
      same = same && static_cast<float>(value[k]) == static_cast<float>(row.value[k]);
    if (same) continue;
    if (const Status good = checkParam(row, value); !good)
      result.fail(good.message());
    else
      object[std::string(row.name)] = jsonValue(row, value);
  }
}

Json exact(float value) { return Json::parse(fmt::format("{}", value)); }
Json exact(Vec3f value) { return Json{exact(value.x), exact(value.y), exact(value.z)}; }

bool checkName(const std::string& name, CookResult& result) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (!name.empty() && std::all_of(name.begin(), name.end(), allowed)) return true;
  result.fail(fmt::format("name is \"{}\", but must consist of letters, digits and underscores", name));
  return false;
}

}  // namespace repose::nodes
