// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "params/presets.h"
#include "params/text.h"
#include "scene/read_grains.h"
#include "scene/read_params.h"
#include "scene/read_pins.h"
#include "scene/read_rigid.h"
#include "scene/read_soft.h"
#include "scene/read_transform.h"

namespace repose {

namespace {

const std::vector<std::string> kBodyKinds = {"cloth", "grain", "rigid", "soft"};  // as BodyKind
// Keys of one kind that are no parameters.
const std::vector<std::string> kClothKeys = {"pins", "attachments", "cuts", "rest"},
                               kGrainKeys = {"emitters"}, kSoftKeys = {"pins", "attachments", "tets"};

// In the order of BodyKind.
const std::vector<std::string>& keysOf(std::size_t kind) {
  const std::vector<std::string>* all[] = {&kClothKeys, &kGrainKeys, &kRigidKeys, &kSoftKeys};
  return *all[kind];
}

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
  const auto has = [](std::size_t k, const std::string& key) {
    const std::vector<std::string>& keys = keysOf(k);
    return findParam(kBodyKinds[k], key) || std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  const auto own = static_cast<std::size_t>(kind);
  for (const JsonMember& member : object.node().members)
    for (std::size_t other = 0; other < kBodyKinds.size() && !has(own, member.key); ++other) {
      if (!has(other, member.key)) continue;
      problems.error(member.place, fmt::format("\"{}\" is a key of {} bodies, but this one is of kind {}",
                                               member.key, kBodyKinds[other], kBodyKinds[own]));
      object.find(member.key);
      break;
    }
}

// The preset that a body names; a wrong name is reported where all parameters are read.
Preset namedPreset(ObjectReader& object) {
  const JsonNode* node = object.find("preset");
  if (!node || node->type != JsonNode::Type::string) return Preset::none;
  const Result<ParamValue> choice = parseChoice(*findParam(kGroupOf<ClothParams>, "preset"), node->text);
  return choice.ok() ? static_cast<Preset>((*choice)[0]) : Preset::none;
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
  readPins(object, body, context);
  readCuts(object, body, context.problems);
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
  } else if (body.kind == BodyKind::soft) {
    readSoftBody(object, body, context);
  } else {
    readClothBody(object, body, context);
  }
  rejectOtherKinds(object, body.kind, context.problems);
  object.rejectUnknown();
  return body;
}

}  // namespace repose
