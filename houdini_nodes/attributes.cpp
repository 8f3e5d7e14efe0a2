// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/attributes.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>

namespace repose::nodes {

namespace {

enum class Kind { number, whole, text };

// What artists' attributes are, by the conventions of Vellum, POPs and RBD.
constexpr struct {
  const char* name;
  Kind kind;
  int width;
} kKnown[] = {
    {"v", Kind::number, 3},        {"pscale", Kind::number, 1},    {"mass", Kind::number, 1},
    {"id", Kind::whole, 1},        {"stopped", Kind::whole, 1},    {"pintoanimation", Kind::whole, 1},
    {"friction", Kind::number, 1}, {"layer", Kind::whole, 1},      {"dynamicfriction", Kind::number, 1},
    {"orient", Kind::number, 4},   {"w", Kind::number, 3},         {"active", Kind::whole, 1},
    {"animated", Kind::whole, 1},  {"force", Kind::number, 3},     {"targetv", Kind::number, 3},
    {"pivot", Kind::number, 3},    {"airresist", Kind::number, 1}, {"name", Kind::text, 1},
    {kBody, Kind::text, 1},        {kCollider, Kind::text, 1},     {kRest, Kind::number, 3},
    {kPin, Kind::whole, 1},        {kHash, Kind::text, 1},         {"dead", Kind::whole, 1},
    {"vdbfile", Kind::text, 1},    {"torque", Kind::number, 3},
};

std::string describe(Kind kind, int width) {
  const char* what = kind == Kind::text    ? "text (string)"
                     : kind == Kind::whole ? "whole numbers (int)"
                                           : "numbers (float)";
  return width == 1 ? what : fmt::format("{} of width {}", what, width);
}

Status checkFinite(const NodeAttribute& a, const std::string& what) {
  if (const auto* floats = std::get_if<std::vector<float>>(&*a.values)) {
    bool all = true;  // no way out of the loop, so that it runs on lanes
    for (const float value : *floats) all = all & std::isfinite(value);
    if (all) return {};
  }
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!std::isfinite(a.number(k)))
      return badInput(fmt::format(
          "{}: the {} attribute {} is not finite at {} {}", what, kOwnerNames[static_cast<int>(a.owner)],
          a.name, kOwnerNames[static_cast<int>(a.owner)], k / static_cast<std::size_t>(a.width)));
  return {};
}

}  // namespace

Status checkGeometry(const NodeGeometry& geometry, const std::string& what) {
  for (std::size_t p = 0; p < geometry.points.size(); ++p)
    if (!isFinite(geometry.points[p]))
      return badInput(fmt::format("{}: P is not finite at point {}", what, p));
  for (const Packed& packed : geometry.packed)
    if (Status good =
            checkGeometry(*packed.inside, fmt::format("{}, packed primitive {}", what, packed.primitive));
        !good)
      return good;
  for (const NodeAttribute& a : geometry.attributes)
    for (const auto& known : kKnown) {
      if (a.name != known.name || (a.owner != Owner::point && a.owner != Owner::detail)) continue;
      const Kind kind = a.isText() ? Kind::text : a.isWhole() ? Kind::whole : Kind::number;
      const bool fits = kind == known.kind || (kind == Kind::whole && known.kind == Kind::number);
      if (!fits || a.width != known.width || a.isBytes())
        return badInput(fmt::format("{}: the {} attribute {} is {}, but must be {}", what,
                                    kOwnerNames[static_cast<int>(a.owner)], a.name, describe(kind, a.width),
                                    describe(known.kind, known.width)));
      if (kind == Kind::number)
        if (Status finite = checkFinite(a, what); !finite) return finite;
    }
  return {};
}

PointNumbers::PointNumbers(const NodeGeometry& geometry, const char* name)
    : attribute_(geometry.find(Owner::point, name)) {
  if (attribute_) return;
  attribute_ = geometry.find(Owner::detail, name);
  detail_ = true;
}

std::optional<double> PointNumbers::common(const std::vector<int>& points) const {
  for (const int p : points)
    if (at(p) != at(points[0])) return std::nullopt;
  return points.empty() ? std::nullopt : std::optional(at(points[0]));
}

Result<std::vector<int>> matchPoints(const NodeGeometry& from, const NodeGeometry& to, const char* has) {
  const NodeAttribute *mine = from.find(Owner::point, "id"), *other = to.find(Owner::point, "id");
  std::vector<int> match(from.points.size(), -1);
  if (mine && other) {
    std::map<std::int64_t, int> known;
    for (std::size_t p = 0; p < to.points.size(); ++p)
      known[static_cast<std::int64_t>(other->number(p))] = static_cast<int>(p);
    for (std::size_t p = 0; p < match.size(); ++p)
      if (const auto at = known.find(static_cast<std::int64_t>(mine->number(p))); at != known.end())
        match[p] = at->second;
    return match;
  }
  if (match.size() != to.points.size())
    return badInput(
        fmt::format("{} {} points, but the geometry has {}; they must be the same points, or both have the "
                    "point attribute id (int)",
                    has, match.size(), to.points.size()));
  std::iota(match.begin(), match.end(), 0);
  return match;
}

void spreadField(NodeGeometry& geometry) {
  const NodeAttribute* file = geometry.find(Owner::detail, "vdbfile");
  if (!file || !file->isText() || geometry.find(Owner::point, "vdbfile")) return;
  geometry.write(Owner::point, "vdbfile", 1, std::vector<std::string>(geometry.points.size(), file->text(0)));
}

std::vector<float> flat(const std::vector<Vec3f>& vectors) {
  static_assert(sizeof(Vec3f) == 3 * sizeof(float));
  const float* first = vectors.empty() ? nullptr : &vectors[0].x;
  return {first, first + 3 * vectors.size()};
}

}  // namespace repose::nodes
