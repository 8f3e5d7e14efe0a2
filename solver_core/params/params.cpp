// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "params/params.h"

#include <fmt/format.h>

#include <cstring>

#include "params/text.h"

namespace repose {

namespace {

// The bytes of the row's field as T.
template <class T>
T readField(const ParamRow& row, const void* params, int k = 0) {
  T value;
  std::memcpy(&value, static_cast<const char*>(params) + row.offset + k * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void writeField(const ParamRow& row, T value, void* params, int k = 0) {
  std::memcpy(static_cast<char*>(params) + row.offset + k * sizeof(T), &value, sizeof(T));
}

bool isReal(const ParamRow& row) { return row.type == ParamType::real || row.type == ParamType::vec3; }

// Shortest digits that give the same float again.
std::string formatNumber(const ParamRow& row, double value) {
  return isReal(row) ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{:.17g}", value);
}

// In the field's own precision, so that 0.1 is not below a least value of 0.1f.
bool inRange(const ParamRow& row, double value) {
  if (isReal(row)) value = static_cast<float>(value);
  return value >= row.least && value <= row.greatest;
}

Status wrongValue(const ParamRow& row, std::string_view text) {
  return badInput(fmt::format("{} is {}, but must be {}", row.name, text, describeRange(row)));
}

}  // namespace

const ParamRow* findParam(std::string_view group, std::string_view name) {
  for (const ParamRow& row : kParamRows)
    if (row.group == group && row.name == name) return &row;
  return nullptr;
}

std::vector<const ParamRow*> findParams(std::string_view name) {
  std::vector<const ParamRow*> rows;
  for (const ParamRow& row : kParamRows)
    if (row.name == name) rows.push_back(&row);
  return rows;
}

std::vector<std::string> paramNames(std::string_view group) {
  std::vector<std::string> names;
  for (const ParamRow& row : kParamRows)
    if (row.group == group) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> paramChoices(const ParamRow& row) { return splitText(row.choices, '|'); }

ParamValue loadParam(const ParamRow& row, const void* params) {
  switch (row.type) {
    case ParamType::boolean:
      return {readField<bool>(row, params) ? 1.0 : 0.0};
    case ParamType::integer:
    case ParamType::choice:
      return {static_cast<double>(readField<int>(row, params))};
    case ParamType::real:
      return {readField<float>(row, params)};
    case ParamType::vec3:
      break;
  }
  return {readField<float>(row, params, 0), readField<float>(row, params, 1),
          readField<float>(row, params, 2)};
}

void storeParam(const ParamRow& row, const ParamValue& value, void* params) {
  switch (row.type) {
    case ParamType::boolean:
      return writeField(row, value[0] != 0, params);
    case ParamType::integer:
    case ParamType::choice:
      return writeField(row, static_cast<int>(value[0]), params);
    case ParamType::real:
    case ParamType::vec3:
      for (int k = 0; k < paramWidth(row); ++k) writeField(row, static_cast<float>(value[k]), params, k);
  }
}

Status checkParam(const ParamRow& row, const ParamValue& value) {
  for (int k = 0; k < paramWidth(row); ++k) {
    const bool whole = isReal(row) || value[k] == std::floor(value[k]);
    if (!whole || !inRange(row, value[k])) return wrongValue(row, formatParam(row, value));
  }
  return {};
}

Result<ParamValue> parseChoice(const ParamRow& row, std::string_view name) {
  const std::vector<std::string> choices = paramChoices(row);
  for (std::size_t k = 0; k < choices.size(); ++k)
    if (choices[k] == name) return ParamValue{static_cast<double>(k)};
  const Status wrong = wrongValue(row, fmt::format("\"{}\"", name));
  return badInput(wrong.message() + didYouMean(name, choices));
}

Result<ParamValue> parseParam(const ParamRow& row, std::string_view text) {
  if (row.type == ParamType::choice) return parseChoice(row, text);
  if (row.type == ParamType::boolean) {
    if (text == "on" || text == "true" || text == "1") return ParamValue{1};
    if (text == "off" || text == "false" || text == "0") return ParamValue{0};
    return wrongValue(row, fmt::format("\"{}\"", text));
  }
  const std::vector<std::string> parts = splitText(text, ',');
  ParamValue value{};
  bool readable = static_cast<int>(parts.size()) == paramWidth(row);
  for (std::size_t k = 0; readable && k < parts.size(); ++k) {
    const std::optional<double> number = parseNumber<double>(parts[k]);
    readable = number.has_value();
    value[k] = number.value_or(0);
  }
  if (!readable) return wrongValue(row, fmt::format("\"{}\"", text));
  if (Status status = checkParam(row, value); !status.ok()) return status;
  return value;
}

std::string formatParam(const ParamRow& row, const ParamValue& value) {
  switch (row.type) {
    case ParamType::boolean:
      return value[0] != 0 ? "on" : "off";
    case ParamType::choice:
      if (inRange(row, value[0])) return paramChoices(row)[static_cast<std::size_t>(value[0])];
      [[fallthrough]];
    case ParamType::integer:
    case ParamType::real:
      return formatNumber(row, value[0]);
    case ParamType::vec3:
      break;
  }
  return fmt::format("{},{},{}", formatNumber(row, value[0]), formatNumber(row, value[1]),
                     formatNumber(row, value[2]));
}

std::string describeRange(const ParamRow& row) {
  const char* kind = "";
  switch (row.type) {
    case ParamType::boolean:
      return "on or off";
    case ParamType::choice:
      return "one of " + joinText(paramChoices(row));
    case ParamType::integer:
      kind = "a whole number";
      break;
    case ParamType::real:
      kind = "a number";
      break;
    case ParamType::vec3:
      kind = "three numbers, each";
      break;
  }
  return fmt::format("{} from {} to {}", kind, formatNumber(row, row.least), formatNumber(row, row.greatest));
}

}  // namespace repose
