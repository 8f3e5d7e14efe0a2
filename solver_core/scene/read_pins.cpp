// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_pins.h"

#include <fmt/format.h>

#include "scene/read_grains.h"
#include "scene/read_params.h"
#include "scene/read_transform.h"
#include "scene/select_points.h"
#include "scene/volume.h"

namespace repose {

namespace {

// The points inside a volume of the world at the start.
void readRegion(const JsonNode& node, const Geometry& geometry, std::vector<std::int32_t>& points,
                Problems& problems) {
  ObjectReader object(node, "a region", problems);
  Volume volume;
  const bool good = readVolume(object, volume, problems);
  if (const JsonNode* placing = object.find("transform")) volume.place = readTransform(*placing, problems);
  object.rejectUnknown();
  if (!good || geometry.points.empty()) return;
  const PlacedVolume region(volume);
  for (std::size_t p = 0; p < geometry.points.size(); ++p)
    if (region.contains(geometry.points[p])) points.push_back(static_cast<std::int32_t>(p));
  if (points.empty()) problems.error(node.place, "the region holds no point of the body");
}

// Without geometry (its own error is reported) only the text is checked.
void readPinned(ObjectReader& object, const char* what, const Geometry& geometry, Pin& pin,
                Problems& problems) {
  const JsonNode& node = object.node();
  const JsonNode* group = object.find("group");
  const JsonNode* points = object.find("points");
  const JsonNode* region = object.find("region");
  if (node.type == JsonNode::Type::object && !!group + !!points + !!region != 1)
    problems.error(node.place, fmt::format("{} must have one of \"group\", \"points\" and \"region\"", what));
  if (group) readGroup(*group, "group", geometry, pin.name, pin.points, problems);
  if (points) {
    pin.name = "points";
    readPoints(*points, geometry, pin.points, problems);
  }
  if (region) {
    pin.name = "region";
    readRegion(*region, geometry, pin.points, problems);
  }
}

// The direction in which points may slide.
void readLine(const JsonNode& node, Vec3f& line, Problems& problems) {
  Vec3f along;
  if (!readVector(node, "line", along, problems)) return;
  const float size = length(along);
  if (size > 0 && isFinite(along * (1 / size)))
    line = along * (1 / size);
  else
    problems.error(node.place, "\"line\" must be the direction of a line, as [1, 0, 0]");
}

Pin readPin(const JsonNode& node, const Body& body, Problems& problems) {
  Pin pin;
  ObjectReader object(node, "a pin", problems);
  readPinned(object, "a pin", body.simulated(), pin, problems);
  const JsonNode* translate = object.find("translate");
  if (translate) readVectorKeys(*translate, "translate", pin.translate, problems);
  object.flag("animated", pin.animated);
  if (const JsonNode* line = object.find("line")) readLine(*line, pin.line, problems);
  if (pin.animated && translate)
    problems.error(translate->place, "a pin has either \"animated\" or \"translate\", not both");
  if (pin.animated && !body.motion && !body.geometry.points.empty())
    problems.error(node.place, "an animated pin needs a source with \"animated\": true");
  object.rejectUnknown();
  return pin;
}

Pin readAttachment(const JsonNode& node, const Body& body, const SceneContext& context) {
  Pin pin;
  ObjectReader object(node, "an attachment", context.problems);
  readPinned(object, "an attachment", body.simulated(), pin, context.problems);
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

Cut readCut(const JsonNode& node, const Body& body, Problems& problems) {
  Pin chosen;
  Cut cut;
  ObjectReader object(node, "a cut", problems);
  readPinned(object, "a cut", body.geometry, chosen, problems);
  cut.points = chosen.points;
  double frames[2];
  if (const JsonNode* list = object.require("frames"))
    if (readFrameSpan(*list, "frames", false, frames, problems))
      cut.first_frame = frames[0], cut.last_frame = frames[1];
  object.rejectUnknown();
  return cut;
}

// Each item of an optional list.
template <class Visit>
void eachItem(ObjectReader& object, const char* key, Problems& problems, const Visit& visit) {
  const JsonNode* list = object.find(key);
  if (list && expectType(*list, key, JsonNode::Type::array, problems))
    for (const JsonNode& item : list->items) visit(item);
}

}  // namespace

void readPins(ObjectReader& object, Body& body, const SceneContext& context) {
  eachItem(object, "pins", context.problems,
           [&](const JsonNode& pin) { body.pins.push_back(readPin(pin, body, context.problems)); });
  eachItem(object, "attachments", context.problems,
           [&](const JsonNode& pin) { body.pins.push_back(readAttachment(pin, body, context)); });
}

void readCuts(ObjectReader& object, Body& body, Problems& problems) {
  eachItem(object, "cuts", problems,
           [&](const JsonNode& cut) { body.cuts.push_back(readCut(cut, body, problems)); });
}

}  // namespace repose
