// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The parameter table as text for each reader. Each form is one loop over groups and rows.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "params/params.h"
#include "params/text.h"

namespace repose {

namespace {

ParamValue defaultOf(const ParamRow& row) { return {row.value[0], row.value[1], row.value[2]}; }

std::string defaultText(const ParamRow& row) { return formatParam(row, defaultOf(row)); }

template <class Visit>
void forRows(const ParamGroup& group, Visit visit) {
  for (const ParamRow& row : kParamRows)
    if (row.group == group.name) visit(row);
}

std::string describeFlags(const ParamRow& row) {
  std::vector<std::string> words;
  if (row.flags & kAnimatable) words.emplace_back("keys");
  if (row.flags & kPerPoint) words.emplace_back("per point");
  return joinText(words);
}

const char* typeName(ParamType type) {
  switch (type) {
    case ParamType::boolean:
      return "boolean";
    case ParamType::integer:
      return "integer";
    case ParamType::real:
      return "real";
    case ParamType::vec3:
      return "vec3";
    case ParamType::choice:
      break;
  }
  return "choice";
}

// With the digits of the float, not those of its double.
nlohmann::ordered_json jsonNumber(double value) {
  return nlohmann::ordered_json::parse(fmt::format("{}", static_cast<float>(value)));
}

// A number, an array of three, a boolean or the name of the choice: as a scene file writes it.
nlohmann::ordered_json jsonDefault(const ParamRow& row) {
  switch (row.type) {
    case ParamType::boolean:
      return row.value[0] != 0;
    case ParamType::integer:
    case ParamType::real:
      return jsonNumber(row.value[0]);
    case ParamType::vec3:
      return {jsonNumber(row.value[0]), jsonNumber(row.value[1]), jsonNumber(row.value[2])};
    case ParamType::choice:
      break;
  }
  return defaultText(row);
}

// Quotes and backslashes escaped, in quotes.
std::string inQuotes(std::string_view text) {
  std::string out = "\"";
  for (char c : text) (out += c == '"' || c == '\\' ? "\\" : "") += c;
  return out + '"';
}

// Vertical bars would end a table cell.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) (out += c == '|' ? "\\" : "") += c;
  return out;
}

std::string dialogMenu(const ParamRow& row) {
  std::string menu = "        menu    {\n";
  for (const std::string& choice : paramChoices(row)) {
    std::string label = choice;
    for (char& c : label)
      if (c == '_') c = ' ';
    menu += fmt::format("            {} {}\n", inQuotes(choice), inQuotes(label));
  }
  return menu + "        }\n";
}

std::string dialogParm(const ParamRow& row) {
  static constexpr const char* kDialogTypes[] = {"toggle", "integer", "float", "vector", "ordinal"};
  std::string defaults;
  for (int k = 0; k < paramWidth(row); ++k)
    defaults += fmt::format("\"{}\" ", static_cast<float>(row.value[k]));
  std::string text = "    parm {\n";
  const auto line = [&](const char* key, std::string_view value) {
    text += fmt::format("        {:<7} {}\n", key, value);
  };
  line("name", inQuotes(row.name));
  line("label", inQuotes(row.label));
  line("type", kDialogTypes[static_cast<int>(row.type)]);
  if (row.type == ParamType::vec3) line("size", "3");
  line("default", "{ " + defaults + "}");
  if (row.type == ParamType::choice)
    text += dialogMenu(row);
  else if (row.type != ParamType::boolean)
    line("range",
         fmt::format("{{ {}! {}! }}", static_cast<float>(row.least), static_cast<float>(row.greatest)));
  line("help",
       inQuotes(row.unit.empty() ? std::string(row.help) : fmt::format("{} [{}]", row.help, row.unit)));
  return text + "    }\n";
}

}  // namespace

std::string paramsText() {
  std::string text;
  for (const ParamGroup& group : kParamGroups) {
    text += fmt::format("{}{}: {}\n\n", text.empty() ? "" : "\n", group.name, group.help);
    forRows(group, [&](const ParamRow& row) {
      const std::string unit = row.unit.empty() ? "" : fmt::format(" {}", row.unit);
      const std::string flags = row.flags ? fmt::format(" ({})", describeFlags(row)) : "";
      text += fmt::format("  {} = {}{}{}\n", row.name, defaultText(row), unit, flags);
      text += wrapText(row.help, 6, 100);
      text += wrapText(fmt::format("Takes {}.", describeRange(row)), 6, 100);
    });
  }
  return text;
}

std::string paramsJson() {
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  for (const ParamRow& row : kParamRows) {
    nlohmann::ordered_json entry = {{"group", row.group}, {"name", row.name}, {"type", typeName(row.type)}};
    entry["default"] = jsonDefault(row);
    if (row.type == ParamType::choice)
      entry["choices"] = paramChoices(row);
    else if (row.type != ParamType::boolean)
      entry["range"] = {jsonNumber(row.least), jsonNumber(row.greatest)};
    entry["unit"] = row.unit;
    entry["label"] = row.label;
    entry["help"] = row.help;
    entry["animatable"] = (row.flags & kAnimatable) != 0;
    entry["per_point"] = (row.flags & kPerPoint) != 0;
    table.push_back(std::move(entry));
  }
  return table.dump(2) + "\n";
}

std::string paramsMarkdown() {
  std::string text =
      "# Parameters\n\n"
      "Made by `repose params --markdown > docs/params.md` from `solver_core/params/params.def`.\n\n"
      "*keys*: the value may be a list of `[frame, value]` keys, with straight lines between them.\n"
      "*per point*: a point attribute of the same name on the source multiplies the value at each point.\n";
  for (const ParamGroup& group : kParamGroups) {
    text += fmt::format("\n## {}\n\n{}\n\n", group.label, group.help);
    text += "| name | default | unit | takes | | meaning |\n|---|---|---|---|---|---|\n";
    forRows(group, [&](const ParamRow& row) {
      text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row.name, defaultText(row), row.unit,
                          describeRange(row), describeFlags(row), cell(row.help));
    });
  }
  return text;
}

std::string paramsDialogScript() {
  std::string text = "{\n";
  for (const ParamGroup& group : kParamGroups) {
    text += fmt::format("group {{\n    name    {}\n    label   {}\n", inQuotes(group.name),
                        inQuotes(group.label));
    text += "    grouptag { \"group_type\" \"simple\" }\n";
    forRows(group, [&](const ParamRow& row) { text += dialogParm(row); });
    text += "}\n";
  }
  return text + "}\n";
}

}  // namespace repose
