// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_params.h"

#include <fmt/format.h>

namespace repose {

namespace {

using Type = JsonNode::Type;

bool isKeyList(const JsonNode& node) {
  return node.type == Type::array && !node.items.empty() && node.items[0].type == Type::array;
}

// Calls readValue(node) for the value of each [frame, value] pair; it returns the value, or nothing after a
// report.
template <class ReadValue>
bool readKeys(const JsonNode& node, std::string_view name, Keys<Vec3f>& keys, Problems& problems,
              ReadValue readValue) {
  for (const JsonNode& pair : node.items) {
    if (pair.type != Type::array || pair.items.size() != 2) {
      problems.error(pair.place,
                     fmt::format("a key of {} is {}, but must be [frame, value]", name, describeValue(pair)));
      return false;
    }
    double frame;
    if (!readNumbers(pair.items[0], fmt::format("the frame of a key of {}", name), {}, &frame, problems))
      return false;
    if (!keys.empty() && frame <= keys.keys.back().frame) {
      problems.error(pair.items[0].place,
                     fmt::format("frame {} of {} comes after frame {}, but the frames of keys must ascend",
                                 frame, name, keys.keys.back().frame));
      return false;
    }
    const std::optional<Vec3f> value = readValue(pair.items[1]);
    if (!value) return false;
    keys.keys.push_back({frame, *value});
  }
  return true;
}

// The numbers of a value as they stand; range and wholeness are the row's own check.
std::optional<ParamValue> plainValue(const ParamRow& row, const JsonNode& node) {
  if (row.type == ParamType::boolean && node.type == Type::boolean)
    return ParamValue{node.boolean ? 1.0 : 0.0};
  if (row.type == ParamType::boolean || row.type == ParamType::choice) return std::nullopt;
  const bool list = row.type == ParamType::vec3;
  if (list && (node.type != Type::array || node.items.size() != 3)) return std::nullopt;
  ParamValue value{};
  for (int k = 0; k < paramWidth(row); ++k) {
    const JsonNode& item = list ? node.items[k] : node;
    if (item.type != Type::number) return std::nullopt;
    value[k] = item.number;
  }
  return value;
}

std::optional<ParamValue> readValue(const ParamRow& row, const JsonNode& node, Problems& problems) {
  if (row.type == ParamType::choice && node.type == Type::string) {
    const Result<ParamValue> choice = parseChoice(row, node.text);
    if (choice.ok()) return *choice;
    problems.error(node.place, choice.status().message());
    return std::nullopt;
  }
  const std::optional<ParamValue> value = plainValue(row, node);
  if (!value) {
    problems.error(node.place, fmt::format("{} is {}, but must be {}", row.name, describeValue(node),
                                           describeRange(row)));
    return std::nullopt;
  }
  const Status status = checkParam(row, *value);
  if (status.ok()) return value;
  problems.error(node.place, status.message());
  return std::nullopt;
}

Vec3f toVec3(const ParamValue& value) {
  return {static_cast<float>(value[0]), static_cast<float>(value[1]), static_cast<float>(value[2])};
}

}  // namespace

std::optional<ParamSetting> readParam(const ParamRow& row, const JsonNode& node, Problems& problems) {
  ParamSetting setting{};
  if (!isKeyList(node)) {
    const std::optional<ParamValue> value = readValue(row, node, problems);
    if (!value) return std::nullopt;
    setting.value = *value;
    return setting;
  }
  if (!(row.flags & kAnimatable)) {
    problems.error(node.place,
                   fmt::format("{} cannot have keys; it must be {}", row.name, describeRange(row)));
    return std::nullopt;
  }
  const auto keyValue = [&](const JsonNode& item) -> std::optional<Vec3f> {
    const std::optional<ParamValue> value = readValue(row, item, problems);
    if (!value) return std::nullopt;
    return toVec3(*value);
  };
  if (!readKeys(node, row.name, setting.keys, problems, keyValue)) return std::nullopt;
  const Vec3f first = setting.keys.keys.front().value;
  setting.value = {first.x, first.y, first.z};
  return setting;
}

bool readVectorKeys(const JsonNode& node, std::string_view name, Keys<Vec3f>& keys, Problems& problems) {
  const auto vectorValue = [&](const JsonNode& item) -> std::optional<Vec3f> {
    Vec3f value;
    if (!readVector(item, name, value, problems)) return std::nullopt;
    return value;
  };
  if (isKeyList(node)) return readKeys(node, name, keys, problems, vectorValue);
  const std::optional<Vec3f> constant = vectorValue(node);
  if (constant) keys.keys = {{0, *constant}};
  return constant.has_value();
}

}  // namespace repose
