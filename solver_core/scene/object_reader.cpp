// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "params/text.h"

namespace repose {

namespace {

using Type = JsonNode::Type;

std::string describeRule(const NumberRule& rule) {
  const std::string kind =
      rule.count == 1 ? (rule.whole ? "a whole number" : "a number")
                      : fmt::format("a list of {} {}numbers, each", rule.count, rule.whole ? "whole " : "");
  return fmt::format("{} from {} to {}", kind, rule.least, rule.greatest);
}

bool obeys(const JsonNode& node, const NumberRule& rule) {
  if (node.type != Type::number || node.number < rule.least || node.number > rule.greatest) return false;
  return !rule.whole || node.number == std::floor(node.number);
}

}  // namespace

void Problems::errorAt(std::string_view where, std::string_view sentence) {
  placeless_.push_back(fmt::format("{}: {}", where, sentence));
}

void Problems::append(Messages& messages, std::vector<std::string>& out) const {
  std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.line, a.first.column) < std::tie(b.first.line, b.first.column);
  });
  for (const auto& [place, sentence] : messages)
    out.push_back(fmt::format("{}:{}:{}: {}", file_, place.line, place.column, sentence));
}

void Problems::moveTo(SceneLoad& load) {
  append(errors_, load.errors);
  append(warnings_, load.warnings);
  load.errors.insert(load.errors.end(), placeless_.begin(), placeless_.end());
}

std::string describeValue(const JsonNode& node) {
  switch (node.type) {
    case Type::boolean:
      return node.boolean ? "true" : "false";
    case Type::number:
      return fmt::format("{}", node.number);
    case Type::string:
      return fmt::format("\"{}\"", node.text);
    case Type::array:
      return fmt::format("a list of {}", node.items.size());
    case Type::null:
    case Type::object:
      break;
  }
  return jsonTypeName(node.type);
}

bool readNumbers(const JsonNode& node, std::string_view name, const NumberRule& rule, double* out,
                 Problems& problems) {
  const bool list = rule.count > 1;
  if (list != (node.type == Type::array) || (list && static_cast<int>(node.items.size()) != rule.count)) {
    problems.error(node.place,
                   fmt::format("{} is {}, but must be {}", name, describeValue(node), describeRule(rule)));
    return false;
  }
  for (int k = 0; k < rule.count; ++k) {
    const JsonNode& item = list ? node.items[k] : node;
    if (!obeys(item, rule)) {
      const std::string which = list ? fmt::format("{}[{}]", name, k) : std::string(name);
      problems.error(item.place, fmt::format("{} is {}, but must be {}", which, describeValue(item),
                                             describeRule({1, rule.whole, rule.least, rule.greatest})));
      return false;
    }
    out[k] = item.number;
  }
  return true;
}

bool readFrameSpan(const JsonNode& node, std::string_view name, bool whole, double frames[2],
                   Problems& problems) {
  if (!readNumbers(node, name, {2, whole, -1e6, 1e6}, frames, problems)) return false;
  if (frames[0] > frames[1])
    problems.error(node.place, fmt::format("the first of the {} must not be after the last", name));
  return frames[0] <= frames[1];
}

bool readVector(const JsonNode& node, std::string_view name, Vec3f& out, Problems& problems) {
  double numbers[3];
  if (!readNumbers(node, name, {3}, numbers, problems)) return false;
  for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(numbers[k]);
  return true;
}

bool expectType(const JsonNode& node, std::string_view name, Type type, Problems& problems) {
  if (node.type == type) return true;
  problems.error(node.place,
                 fmt::format("{} is {}, but must be {}", name, describeValue(node), jsonTypeName(type)));
  return false;
}

bool readText(const JsonNode& node, std::string_view name, std::string& out, Problems& problems) {
  if (!expectType(node, name, Type::string, problems)) return false;
  out = node.text;
  return true;
}

bool readFlag(const JsonNode& node, std::string_view name, bool& out, Problems& problems) {
  if (!expectType(node, name, Type::boolean, problems)) return false;
  out = node.boolean;
  return true;
}

int readName(const JsonNode& node, std::string_view name, const std::vector<std::string>& names,
             Problems& problems) {
  std::string text;
  if (!readText(node, name, text, problems)) return -1;
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  problems.error(node.place, fmt::format("{} is \"{}\", but must be one of {}{}", name, text, joinText(names),
                                         didYouMean(text, names)));
  return -1;
}

ObjectReader::ObjectReader(const JsonNode& node, std::string what, Problems& problems)
    : node_(node), what_(std::move(what)), problems_(problems) {
  expectType(node, what_, Type::object, problems);
}

bool ObjectReader::has(std::string_view key) const {
  return std::any_of(node_.members.begin(), node_.members.end(),
                     [&](const JsonMember& member) { return member.key == key; });
}

const JsonNode* ObjectReader::find(std::string_view key) {
  known_.emplace_back(key);
  for (const JsonMember& member : node_.members)
    if (member.key == key) return &member.value;
  return nullptr;
}

const JsonNode* ObjectReader::require(std::string_view key) {
  const JsonNode* value = find(key);
  if (!value && node_.type == Type::object)
    problems_.error(node_.place, fmt::format("{} has no \"{}\"", what_, key));
  return value;
}

void ObjectReader::vector(std::string_view key, Vec3f& out) {
  if (const JsonNode* value = find(key)) readVector(*value, key, out, problems_);
}

void ObjectReader::flag(std::string_view key, bool& out) {
  if (const JsonNode* value = find(key)) readFlag(*value, key, out, problems_);
}

void ObjectReader::number(std::string_view key, double least, double greatest, float& out) {
  double value;
  const JsonNode* node = find(key);
  if (node && readNumbers(*node, key, {1, false, least, greatest}, &value, problems_))
    out = static_cast<float>(value);
}

void ObjectReader::rejectUnknown() const {
  for (const JsonMember& member : node_.members)
    if (std::find(known_.begin(), known_.end(), member.key) == known_.end())
      problems_.error(member.place, fmt::format("{} has no key \"{}\"{}", what_, member.key,
                                                didYouMean(member.key, known_)));
}

}  // namespace repose
