// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "params/presets.h"
#include "params/text.h"
#include "scene/read_grains.h"
#include "scene/read_params.h"
#include "scene/read_rigid.h"
#include "scene/read_transform.h"
#include "scene/select_points.h"

namespace repose {

namespace {

const std::vector<std::string> kBodyKinds = {"cloth", "grain", "rigid"};  // as BodyKind
// Keys of one kind that are no parameters.
const std::vector<std::string> kClothKeys = {"pins", "attachments", "rest"}, kGrainKeys = {"emitters"};

void readKind(ObjectReader& object, Body& body, Problems& problems) {
  const JsonNode* node = object.require("kind");
  std::string kind;
  if (!node || !readText(*node, "kind", kind, problems)) return;
  const auto found = std::find(kBodyKinds.begin(), kBodyKinds.end(), kind);
  if (found == kBodyKinds.end())
    problems.error(node->place, fmt::format("kind is \"{}\", but this version has only {}{}", kind,
                                            joinText(kBodyKinds), didYouMean(kind, kBodyKinds)));
  else
    body.kind = static_cast<BodyKind>(found - kBodyKinds.begin());
}

// Keys that a body of another kind would have.
void rejectOtherKinds(ObjectReader& object, BodyKind kind, Problems& problems) {
  const std::string_view own = kBodyKinds[static_cast<int>(kind)];
  for (const JsonMember& member : object.node().members)
    for (const std::string& other : kBodyKinds) {
      if (other == own || findParam(own, member.key)) continue;
      if (own == "rigid" && std::find(kRigidKeys.begin(), kRigidKeys.end(), member.key) != kRigidKeys.end())
        continue;
      const std::vector<std::string>& keys = other == "cloth"   ? kClothKeys
                                             : other == "grain" ? kGrainKeys
                                                                : kRigidKeys;
      if (!findParam(other, member.key) && std::find(keys.begin(), keys.end(), member.key) == keys.end())
        continue;
      problems.error(member.place, fmt::format("\"{}\" is a key of {} bodies, but this one is of kind {}",
                                               member.key, other, own));
      object.find(member.key);
      break;
    }
}

// Without geometry (its own error is reported) only the text is checked.
void readPinned(ObjectReader& object, const char* what, const Body& body, Pin& pin, Problems& problems) {
  const JsonNode& node = object.node();
  const JsonNode* group = object.find("group");
  const JsonNode* points = object.find("points");
  if (node.type == JsonNode::Type::object && !group == !points)
    problems.error(node.place, fmt::format("{} must have either \"group\" or \"points\"", what));
  if (group) readGroup(*group, "group", body.geometry, pin.name, pin.points, problems);
  if (points) {
    pin.name = "points";
    readPoints(*points, body.geometry, pin.points, problems);
  }
}

Pin readPin(const JsonNode& node, const Body& body, Problems& problems) {
  Pin pin;
  ObjectReader object(node, "a pin", problems);
  readPinned(object, "a pin", body, pin, problems);
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

// The preset that a body names; a wrong name is reported where all parameters are read.
Preset namedPreset(ObjectReader& object) {
  const JsonNode* node = object.find("preset");
  if (!node || node->type != JsonNode::Type::string) return Preset::none;
  const Result<ParamValue> choice = parseChoice(*findParam(kGroupOf<ClothParams>, "preset"), node->text);
  return choice.ok() ? static_cast<Preset>((*choice)[0]) : Preset::none;
}

// {"source": ..., "transform": ...}: a mesh beside that of the body.
std::optional<Source> readPlacedSource(const JsonNode& node, const char* what, const SceneContext& context) {
  ObjectReader object(node, what, context.problems);
  Mat4d transform;
  if (const JsonNode* placing = object.find("transform"))
    transform = readTransform(*placing, context.problems);
  const JsonNode* source = object.require("source");
  object.rejectUnknown();
  return source ? readSource(*source, transform, context) : std::nullopt;
}

Pin readAttachment(const JsonNode& node, const Body& body, const SceneContext& context) {
  Pin pin;
  ObjectReader object(node, "an attachment", context.problems);
  readPinned(object, "an attachment", body, pin, context.problems);
  if (const JsonNode* to = object.require("to"))
    if (std::optional<Source> mesh = readPlacedSource(*to, "to", context)) {
      if (mesh->geometry.face_counts.empty())
        context.problems.error(to->place, "the mesh that an attachment follows has no faces");
      else
        pin.to = std::make_shared<AnchorMesh>(AnchorMesh{std::move(mesh->geometry), mesh->motion});
    }
  object.rejectUnknown();
  return pin;
}

void readRest(const JsonNode& node, Body& body, const SceneContext& context) {
  std::optional<Source> rest = readPlacedSource(node, "rest", context);
  const Geometry& source = body.geometry;
  if (!rest || source.points.empty()) return;
  if (rest->geometry.points.size() != source.points.size())
    context.problems.error(node.place, fmt::format("the rest shape has {} points, but the source has {}",
                                                   rest->geometry.points.size(), source.points.size()));
  else if (rest->geometry.face_counts != source.face_counts ||
           rest->geometry.face_indices != source.face_indices)
    context.problems.error(node.place, "the faces of the rest shape are not those of the source");
  else
    body.rest_points = std::move(rest->geometry.points), body.rest_motion = rest->motion;
}

// Each item of an optional list.
template <class Visit>
void eachItem(ObjectReader& object, const char* key, Problems& problems, const Visit& visit) {
  const JsonNode* list = object.find(key);
  if (list && expectType(*list, key, JsonNode::Type::array, problems))
    for (const JsonNode& item : list->items) visit(item);
}

void readClothBody(ObjectReader& object, Body& body, const SceneContext& context) {
  Problems& problems = context.problems;
  Mat4d transform;
  if (const JsonNode* placing = object.find("transform")) transform = readTransform(*placing, problems);
  if (const JsonNode* source_node = object.require("source"))
    if (std::optional<Source> source = readSource(*source_node, transform, context)) {
      body.geometry = std::move(source->geometry);
      body.motion = source->motion;
    }
  object.vector("velocity", body.velocity);
  readCloth(object, std::nullopt, body.cloth, problems);
  if (const JsonNode* rest = object.find("rest")) readRest(*rest, body, context);
  eachItem(object, "pins", problems,
           [&](const JsonNode& pin) { body.pins.push_back(readPin(pin, body, problems)); });
  eachItem(object, "attachments", problems,
           [&](const JsonNode& pin) { body.pins.push_back(readAttachment(pin, body, context)); });
}

}  // namespace

void readOwnName(ObjectReader& object, std::string& name, Problems& problems) {
  const JsonNode* node = object.require("name");
  if (!node || !readText(*node, "name", name, problems)) return;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), allowed))
    problems.error(node->place,
                   fmt::format("name is \"{}\", but must consist of letters, digits and underscores", name));
  for (std::string_view taken : {kGroupOf<WorldParams>, kGroupOf<SolverParams>})
    if (name == taken)
      problems.error(node->place,
                     fmt::format("name is \"{}\", which is the name of a parameter group", taken));
}

void readCloth(ObjectReader& object, std::optional<Preset> preset, Keyed<ClothParams>& cloth,
               Problems& problems) {
  cloth = {};
  applyPreset(preset ? *preset : namedPreset(object), cloth.base);
  readParams(object, cloth, problems);
}

Body readBody(const JsonNode& node, std::vector<Joint>& joints, const SceneContext& context) {
  Body body;
  ObjectReader object(node, "a body", context.problems);
  readOwnName(object, body.name, context.problems);
  readKind(object, body, context.problems);
  if (body.kind == BodyKind::grain) {
    readParams(object, body.grain, context.problems);
    readGrainBody(object, body, context);
  } else if (body.kind == BodyKind::rigid) {
    readRigidBody(object, body, joints, context);
  } else {
    readClothBody(object, body, context);
  }
  rejectOtherKinds(object, body.kind, context.problems);
  object.rejectUnknown();
  return body;
}

}  // namespace repose
