// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/guide.h"

#include <cstring>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/settings.h"
#include "solve/simulation.h"

namespace repose::nodes {

namespace {

constexpr std::size_t kMostShown = 20000;

// What a point of a body without pscale touches with; 0: nothing, or nobody has said.
float thicknessOf(const NodeGeometry& geometry, const std::string& body) {
  const NodeAttribute* text = geometry.find(Owner::detail, std::string(kBody) + "_" + body);
  const Json settings = text && text->isText() ? Json::parse(text->text(0), nullptr, false) : Json();
  if (!settings.is_object()) return 0;
  const std::string kind = settings.value("kind", "");
  const ParamRow* row = findParam(kind, kind == "grain" ? "radius" : "thickness");
  return row ? settings.value(std::string(row->name), static_cast<float>(row->value[0])) : 0.0f;
}

void addThickness(const NodeGeometry& geometry, NodeGeometry& guide, std::vector<Vec3f>& places) {
  const NodeAttribute *bodies = geometry.find(Owner::point, kBody),
                      *dead = geometry.find(Owner::point, "dead");
  const PointNumbers sizes(geometry, "pscale");
  std::string body;
  float thickness = 0;
  for (std::size_t p = 0; bodies && p < geometry.points.size();
       p += 1 + geometry.points.size() / kMostShown) {
    if (dead && dead->number(p) != 0) continue;
    if (bodies->text(p) != body) body = bodies->text(p), thickness = thicknessOf(geometry, body);
    const float size = sizes && sizes.at(p) > 0 ? static_cast<float>(sizes.at(p)) : thickness;
    if (!(size > 0)) continue;
    const int first = static_cast<int>(places.size());
    for (int axis = 0; axis < 3; ++axis)
      for (const float side : {-1.0f, 1.0f}) {
        places.push_back(geometry.points[p]);
        places.back()[axis] += side * size;
      }
    for (int a = 0; a < 3; ++a) {
      const int b = first + 2 * ((a + 1) % 3), c = first + 2 * a;
      guide.addPrimitive(PrimitiveKind::curve, {c, b, c + 1, b + 1, c});
    }
  }
}

// A place, and the force there on one of the two that touch [N].
struct Push {
  Vec3f place, force;
};

std::vector<Push> pushesOf(const NodeGeometry& geometry) {
  const NodeAttribute* kept = geometry.find(Owner::detail, kContacts);
  const std::string* bytes = kept ? std::get_if<std::string>(&*kept->values) : nullptr;
  if (!bytes) return {};
  std::vector<Push> pushes(bytes->size() / sizeof(Push));
  if (!pushes.empty()) std::memcpy(pushes.data(), bytes->data(), pushes.size() * sizeof(Push));
  return pushes;
}

void keepPushes(const std::vector<Push>& pushes, NodeGeometry& geometry) {
  std::string bytes(pushes.size() * sizeof(Push), '\0');
  if (!pushes.empty()) std::memcpy(bytes.data(), pushes.data(), bytes.size());
  geometry.write(Owner::detail, kContacts, 1, std::move(bytes));
}

void addContacts(const NodeGeometry& geometry, float scale, NodeGeometry& guide, std::vector<Vec3f>& places) {
  const std::vector<Push> pushes = pushesOf(geometry);
  for (std::size_t k = 0; k < pushes.size(); k += 1 + pushes.size() / kMostShown) {
    const int first = static_cast<int>(places.size());
    places.push_back(pushes[k].place);
    places.push_back(pushes[k].place + pushes[k].force * scale);
    guide.addPrimitive(PrimitiveKind::curve, {first, first + 1});
  }
}

}  // namespace

void writeContacts(const Simulation& simulation, bool wanted, NodeGeometry& geometry) {
  if (!wanted && pushesOf(geometry).empty()) return;
  std::vector<ContactView> contacts;
  if (wanted) simulation.readContacts(contacts);
  std::vector<Push> pushes;
  for (const ContactView& contact : contacts)
    pushes.push_back({contact.place, contact.normal * contact.force});
  keepPushes(pushes, geometry);
}

void placeContacts(const Placement& by, NodeGeometry& geometry) {
  std::vector<Push> pushes = pushesOf(geometry);
  if (pushes.empty()) return;
  for (Push& push : pushes) push = {by.point(push.place), by.vector(push.force)};
  keepPushes(pushes, geometry);
}

bool showsGuide(const Parms& parms) { return parms.on("showthickness") || parms.on("showcontacts"); }

NodeGeometry guideOf(const NodeGeometry& geometry, const Parms& parms) {
  NodeGeometry guide;
  guide.replaceTopology();
  std::vector<Vec3f> places;
  if (parms.on("showthickness")) addThickness(geometry, guide, places);
  if (parms.on("showcontacts"))
    addContacts(geometry, static_cast<float>(parms.number("contactscale")), guide, places);
  guide.writePoints(std::move(places));
  return guide;
}

}  // namespace repose::nodes
