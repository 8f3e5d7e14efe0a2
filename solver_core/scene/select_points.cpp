// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/select_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "params/text.h"

namespace repose {

namespace {

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

}  // namespace

void readGroup(const JsonNode& node, std::string_view what, const Geometry& geometry, std::string& name,
               std::vector<std::int32_t>& points, Problems& problems) {
  if (!readText(node, what, name, problems) || geometry.points.empty()) return;
  if (!selectPoints(geometry, name, points)) {
    const std::vector<std::string> names = selectionNames(geometry);
    const std::string there =
        names.empty() ? "the source has no groups" : "its groups are " + joinText(names);
    problems.error(node.place,
                   fmt::format("the source has no group \"{}\"; {}{}", name, there, didYouMean(name, names)));
  } else if (points.empty()) {
    problems.error(node.place, fmt::format("the group \"{}\" has no points", name));
  }
}

int readPoint(const JsonNode& node, const Geometry& geometry, Problems& problems) {
  const double last = geometry.points.empty() ? 1e9 : static_cast<double>(geometry.points.size()) - 1;
  double index;
  return readNumbers(node, "a point", {1, true, 0, last}, &index, problems) ? static_cast<int>(index) : -1;
}

void readPoints(const JsonNode& node, const Geometry& geometry, std::vector<std::int32_t>& points,
                Problems& problems) {
  if (!expectType(node, "points", JsonNode::Type::array, problems)) return;
  for (const JsonNode& item : node.items)
    if (const int point = readPoint(item, geometry, problems); point >= 0) points.push_back(point);
  if (node.items.empty()) problems.error(node.place, "points is an empty list");
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
}

}  // namespace repose
