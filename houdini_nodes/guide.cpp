// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/guide.h"

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/settings.h"

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

}  // namespace

NodeGeometry thicknessGuide(const NodeGeometry& geometry) {
  NodeGeometry guide;
  guide.replaceTopology();
  const NodeAttribute *bodies = geometry.find(Owner::point, kBody),
                      *dead = geometry.find(Owner::point, "dead");
  const PointNumbers sizes(geometry, "pscale");
  std::string body;
  float thickness = 0;
  std::vector<Vec3f> places;
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
  guide.writePoints(std::move(places));
  return guide;
}

}  // namespace repose::nodes
