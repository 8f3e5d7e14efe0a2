// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "params/text.h"
#include "scene/read_params.h"

namespace repose {

namespace {

const std::vector<std::string> kBodyKinds = {"cloth"};

Mat4d rotation(int axis, double degrees) {
  Mat4d m;
  const double angle = degrees * 3.14159265358979323846 / 180;
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  m.m[a][a] = m.m[b][b] = std::cos(angle);
  m.m[a][b] = -std::sin(angle);
  m.m[b][a] = std::sin(angle);
  return m;
}

// Scale first, then rotations about x, y and z, then the translation.
Mat4d composeTransform(Vec3f translate, Vec3f rotate, const double (&scale)[3]) {
  Mat4d scaling, moving;
  for (int k = 0; k < 3; ++k) {
    scaling.m[k][k] = scale[k];
    moving.m[k][3] = translate[k];
  }
  return moving * rotation(2, rotate.z) * rotation(1, rotate.y) * rotation(0, rotate.x) * scaling;
}

Mat4d readTransform(const JsonNode& node, Problems& problems) {
  ObjectReader object(node, "a transform", problems);
  Vec3f translate, rotate;
  double scale[3] = {1, 1, 1};
  object.vector("translate", translate);
  object.vector("rotate", rotate);
  if (const JsonNode* factor = object.find("scale")) {
    // Mirrors would turn the faces inside out.
    const bool list = factor->type == JsonNode::Type::array;
    const bool good = readNumbers(*factor, "scale", {list ? 3 : 1, false, 1e-6, 1e6}, scale, problems);
    if (good && !list) scale[1] = scale[2] = scale[0];
  }
  object.rejectUnknown();
  return composeTransform(translate, rotate, scale);
}

void readBodyName(ObjectReader& object, Body& body, Problems& problems) {
  const JsonNode* node = object.require("name");
  if (!node || !readText(*node, "name", body.name, problems)) return;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (body.name.empty() || !std::all_of(body.name.begin(), body.name.end(), allowed))
    problems.error(
        node->place,
        fmt::format("name is \"{}\", but must consist of letters, digits and underscores", body.name));
  for (std::string_view taken : {kGroupOf<WorldParams>, kGroupOf<SolverParams>})
    if (body.name == taken)
      problems.error(node->place,
                     fmt::format("name is \"{}\", which is the name of a parameter group", taken));
}

void readKind(ObjectReader& object, Problems& problems) {
  const JsonNode* node = object.require("kind");
  std::string kind;
  if (!node || !readText(*node, "kind", kind, problems)) return;
  if (std::find(kBodyKinds.begin(), kBodyKinds.end(), kind) != kBodyKinds.end()) return;
  problems.error(node->place, fmt::format("kind is \"{}\", but this version has only {}{}", kind,
                                          joinText(kBodyKinds), didYouMean(kind, kBodyKinds)));
}

// A number a point can select points, as Houdini exports its groups.
bool isSelection(const Attribute& attribute) {
  return attribute.owner == AttributeOwner::point && attribute.width == 1 &&
         attribute.type != AttributeType::string && attribute.indices.empty();
}

std::vector<std::string> selectionNames(const Geometry& geometry) {
  std::vector<std::string> names;
  for (const PointGroup& group : geometry.groups) names.push_back(group.name);
  for (const Attribute& attribute : geometry.attributes)
    if (isSelection(attribute)) names.push_back(attribute.name);
  return names;
}

// The points of a group, or those at which an attribute of that name is above one half.
bool selectPoints(const Geometry& geometry, const std::string& name, std::vector<std::int32_t>& points) {
  if (const PointGroup* group = geometry.findGroup(name)) {
    points = group->points;
    return true;
  }
  const Attribute* attribute = geometry.find(AttributeOwner::point, name);
  if (!attribute || !isSelection(*attribute)) return false;
  for (std::size_t p = 0; p < attribute->floats.size(); ++p)
    if (attribute->floats[p] > 0.5f) points.push_back(static_cast<std::int32_t>(p));
  for (std::size_t p = 0; p < attribute->ints.size(); ++p)
    if (attribute->ints[p] > 0) points.push_back(static_cast<std::int32_t>(p));
  return true;
}

void readPinGroup(const JsonNode& node, const Geometry& geometry, Pin& pin, Problems& problems) {
  if (!readText(node, "group", pin.name, problems) || geometry.points.empty()) return;
  if (!selectPoints(geometry, pin.name, pin.points)) {
    const std::vector<std::string> names = selectionNames(geometry);
    const std::string there =
        names.empty() ? "the source has no groups" : "its groups are " + joinText(names);
    problems.error(node.place, fmt::format("the source has no group \"{}\"; {}{}", pin.name, there,
                                           didYouMean(pin.name, names)));
  } else if (pin.points.empty()) {
    problems.error(node.place, fmt::format("the group \"{}\" has no points", pin.name));
  }
}

void readPinPoints(const JsonNode& node, const Geometry& geometry, Pin& pin, Problems& problems) {
  pin.name = "points";
  if (!expectType(node, "points", JsonNode::Type::array, problems)) return;
  const double last = geometry.points.empty() ? 1e9 : static_cast<double>(geometry.points.size()) - 1;
  for (const JsonNode& item : node.items) {
    double index;
    if (readNumbers(item, "a point", {1, true, 0, last}, &index, problems))
      pin.points.push_back(static_cast<std::int32_t>(index));
  }
  if (node.items.empty()) problems.error(node.place, "points is an empty list");
  std::sort(pin.points.begin(), pin.points.end());
  pin.points.erase(std::unique(pin.points.begin(), pin.points.end()), pin.points.end());
}

// Without geometry (its own error is reported) only the text is checked.
Pin readPin(const JsonNode& node, const Body& body, Problems& problems) {
  Pin pin;
  ObjectReader object(node, "a pin", problems);
  const JsonNode* group = object.find("group");
  const JsonNode* points = object.find("points");
  if (node.type == JsonNode::Type::object && !group == !points)
    problems.error(node.place, "a pin must have either \"group\" or \"points\"");
  if (group) readPinGroup(*group, body.geometry, pin, problems);
  if (points) readPinPoints(*points, body.geometry, pin, problems);
  const JsonNode* translate = object.find("translate");
  if (translate) readVectorKeys(*translate, "translate", pin.translate, problems);
  object.flag("animated", pin.animated);
  if (pin.animated && translate)
    problems.error(translate->place, "a pin has either \"animated\" or \"translate\", not both");
  if (pin.animated && !body.motion && !body.geometry.points.empty())
    problems.error(node.place, "an animated pin needs a source with \"animated\": true");
  object.rejectUnknown();
  return pin;
}

}  // namespace

Body readBody(const JsonNode& node, const SceneContext& context) {
  Body body;
  Problems& problems = context.problems;
  ObjectReader object(node, "a body", problems);
  readBodyName(object, body, problems);
  readKind(object, problems);
  Mat4d transform;
  if (const JsonNode* placing = object.find("transform")) transform = readTransform(*placing, problems);
  if (const JsonNode* source_node = object.require("source"))
    if (std::optional<Source> source = readSource(*source_node, transform, context)) {
      body.geometry = std::move(source->geometry);
      body.motion = source->motion;
    }
  object.vector("velocity", body.velocity);
  readParams(object, body.cloth, problems);
  if (const JsonNode* pins = object.find("pins"))
    if (expectType(*pins, "pins", JsonNode::Type::array, problems))
      for (const JsonNode& pin : pins->items) body.pins.push_back(readPin(pin, body, problems));
  object.rejectUnknown();
  return body;
}

}  // namespace repose
