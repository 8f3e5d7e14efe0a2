// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Constraint primitives, ours and those of Vellum and RBD: made by a node, and read into the text of a scene.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include "base/axis_search.h"
#include "houdini_nodes/assembly.h"
#include "houdini_nodes/attributes.h"
#include "houdini_nodes/rigid_parts.h"
#include "params/text.h"

namespace repose::nodes {

namespace {

// ---- reading ----

class ConstraintReader {
 public:
  ConstraintReader(const NodeGeometry& constraints, const NodeGeometry& geometry, Assembly& assembly)
      : constraints_(constraints), geometry_(geometry), assembly_(assembly) {}

  void read() {
    const NodeAttribute *types = text("type"), *networks = text("constraint_type");
    if (constraints_.primitives.empty()) return;
    if (!types && !networks)
      return assembly_.fail(
          "the constraints have no primitive attribute type (string), as repose::constraints and Vellum "
          "write it, nor "
          "constraint_type, as RBD does");
    for (std::size_t f = 0; f < constraints_.primitives.size() && assembly_.ok(); ++f) {
      const std::string type = types ? types->text(f) : "joint";
      if (type == "stitch" || type == "distance")
        addStitch(f);
      else if (type == "pin")
        addPin(f);
      else if (type == "joint" || (networks && type.empty()))
        addJoint(f, networks ? networks->text(f) : "");
      else
        skipped_.insert(type);
    }
    if (!skipped_.empty())
      assembly_.warnings.push_back(
          fmt::format("constraints of the type {} are left out: bodies make their own of their parameters",
                      joinText({skipped_.begin(), skipped_.end()})));
    for (auto& [key, stitch] : stitches_) assembly_.scene["stitches"].push_back(std::move(stitch));
    if (!pins_.empty()) mark();
  }

 private:
  const NodeAttribute* text(const char* name) const {
    const NodeAttribute* a = constraints_.find(Owner::primitive, name);
    return a && a->isText() ? a : nullptr;
  }
  double number(const char* name, std::size_t f, double otherwise) const {
    const NodeAttribute* a = constraints_.find(Owner::primitive, name);
    return a && !a->isText() ? a->number(f * static_cast<std::size_t>(a->width)) : otherwise;
  }

  // The body of a corner and its number there; nothing after a report.
  bool place(std::size_t f, int corner, const Part*& part, int& local) {
    if (match_.empty()) {
      Result<std::vector<int>> found = matchPoints(constraints_, geometry_, "the constraints have");
      if (!found) return assembly_.fail(found.status().message()), false;
      match_ = std::move(*found);
    }
    if (owner_.empty()) {
      owner_.assign(geometry_.points.size(), {-1, 0});
      for (std::size_t b = 0; b < assembly_.bodies.size(); ++b)
        for (std::size_t k = 0; k < assembly_.bodies[b].points.size(); ++k)
          owner_[assembly_.bodies[b].points[k]] = {static_cast<int>(b), static_cast<int>(k)};
    }
    const int own = constraints_.corners[constraints_.primitives[f].first + corner], p = match_[own];
    if (p < 0 || owner_[p].first < 0) {
      assembly_.fail(fmt::format("constraint primitive {} is at point {}, which is of no body", f, own));
      return false;
    }
    part = &assembly_.bodies[owner_[p].first], local = owner_[p].second;
    return true;
  }

  bool hasCorners(std::size_t f, int count, const char* type) {
    if (constraints_.primitives[f].count == count) return true;
    assembly_.fail(fmt::format("constraint primitive {} of the type {} has {} points, but must have {}", f,
                               type, constraints_.primitives[f].count, count));
    return false;
  }

  // Threads of one kind between two bodies are one stitch.
  void addStitch(std::size_t f) {
    const Part *a, *b;
    int p, q;
    if (!hasCorners(f, 2, "stitch") || !place(f, 0, a, p) || !place(f, 1, b, q)) return;
    const auto rest = static_cast<float>(number("restlength", f, 0)),
               stiffness = static_cast<float>(number("stiffness", f, 1e10));
    Json& stitch = stitches_[{a->name, b->name, rest, stiffness}];
    if (stitch.is_null())
      stitch = {{"a", a->name}, {"b", b->name}, {"restlength", exact(rest)}, {"stiffness", exact(stiffness)}};
    stitch["points"].push_back({p, q});
  }

  void addPin(std::size_t f) {
    const Part* part;
    int local;
    if (!hasCorners(f, 1, "pin") || !place(f, 0, part, local)) return;
    pins_[part->name][lineOf(f)].insert(local);
  }

  // The direction that a pin slides in; nothing: it holds.
  std::array<float, 3> lineOf(std::size_t f) {
    const NodeAttribute* line = constraints_.find(Owner::primitive, "line");
    std::array<float, 3> along{};
    if (line && (line->isText() || line->width != 3))
      assembly_.fail("the primitive attribute line of the constraints must be numbers (float) of width 3");
    for (std::size_t k = 0; line && assembly_.ok() && k < 3; ++k)
      along[k] = static_cast<float>(line->number(3 * f + k));
    return along;
  }

  void mark() {
    for (Part& part : assembly_.bodies) {
      const auto found = pins_.find(part.name);
      if (found == pins_.end()) continue;
      for (const auto& [line, points] : found->second) {
        Json pin = {{"points", std::vector<int>(points.begin(), points.end())}};
        if (line != std::array<float, 3>{}) pin["line"] = exact(Vec3f{line[0], line[1], line[2]});
        part.settings["pins"].push_back(std::move(pin));
      }
    }
  }

  // What a joint holds at a corner: a piece, the nearest point of a body that is not rigid, or the world
  // where there is no name; nothing after a report.
  std::optional<Json> endAt(std::size_t f, int corner) {
    const NodeAttribute* names = constraints_.find(Owner::point, "name");
    const int point = constraints_.corners[constraints_.primitives[f].first + corner];
    const std::string name = names ? names->text(point) : "";
    if (name.empty()) return "world";
    for (const Part& body : assembly_.bodies) {
      if (body.kind != "rigid" && body.name == name)
        return Json{{"body", name}, {"points", {nearestOf(body, constraints_.points[point])}}};
      for (const std::string& piece : body.pieces)
        if (piece == pieceName(name)) return body.pieces.size() == 1 ? body.name : body.name + "/" + piece;
    }
    assembly_.fail(
        fmt::format("constraint primitive {} holds \"{}\" (point attribute name), but no body or rigid piece "
                    "has that name",
                    f, name));
    return std::nullopt;
  }

  static std::size_t nearestOf(const Part& body, Vec3f place) {
    const auto nearer = [&](Vec3f p, Vec3f q) {
      return dot(p - place, p - place) < dot(q - place, q - place);
    };
    const std::vector<Vec3f>& points = body.mesh.points;
    return static_cast<std::size_t>(std::min_element(points.begin(), points.end(), nearer) - points.begin());
  }

  // Of hinges and sliders, and of ball joints that have limits.
  bool needsAxis(std::size_t f, const std::string& kind) const {
    const bool limited = number("coneangle", f, 180) < 180 || number("twistangle", f, 180) < 180;
    return kind == "hinge" || kind == "slider" || (kind == "spherical" && limited);
  }

  void addJoint(std::size_t f, const std::string& network) {
    if (!hasCorners(f, 2, "joint")) return;
    const std::optional<Json> a = endAt(f, 0), b = endAt(f, 1);
    if (!a || !b) return;
    const NodeAttribute* kinds = text("jointkind");
    std::string kind = kinds ? kinds->text(f) : "";
    if (kind.empty()) kind = network == "position" ? "spherical" : "fixed";
    if (network == "rotation")
      return assembly_.fail(fmt::format(
          "constraint primitive {} has the constraint_type rotation; expected position or all", f));
    const Primitive& primitive = constraints_.primitives[f];
    Json joint = {{"name", fmt::format("joint_{:04}", ++joints_)}, {"kind", kind}, {"a", *a}, {"b", *b}};
    if (a->is_string() && b->is_string())  // else it is where the point is
      joint["at"] = exact(constraints_.points[constraints_.corners[primitive.first]]);
    if (kind == "distance" || kind == "spring")
      joint["at_b"] = exact(constraints_.points[constraints_.corners[primitive.first + 1]]);
    if (needsAxis(f, kind)) {
      const NodeAttribute* axis = constraints_.find(Owner::primitive, "axis");
      const auto at = [&](std::size_t k) { return static_cast<float>(axis->number(3 * f + k)); };
      joint["axis"] = axis && axis->width == 3 ? exact(Vec3f{at(0), at(1), at(2)}) : exact(Vec3f{0, 1, 0});
    }
    for (const ParamRow& row : kParamRows) {
      const NodeAttribute* own =
          row.group == "joint" ? constraints_.find(Owner::primitive, row.name) : nullptr;
      if (!own || own->isText() || own->width != 1 || own->number(f) == row.value[0]) continue;
      if (row.type == ParamType::real)
        joint[std::string(row.name)] = exact(static_cast<float>(own->number(f)));
      if (row.type == ParamType::boolean) joint[std::string(row.name)] = own->number(f) != 0;
      if (row.type == ParamType::choice)
        joint[std::string(row.name)] = paramChoices(row)[static_cast<std::size_t>(own->number(f))];
    }
    assembly_.scene["joints"].push_back(std::move(joint));
  }

  const NodeGeometry &constraints_, &geometry_;
  Assembly& assembly_;
  std::vector<int> match_;
  std::vector<std::pair<int, int>> owner_;  // body and place of each point of the geometry
  std::map<std::tuple<std::string, std::string, float, float>, Json> stitches_;
  std::map<std::string, std::map<std::array<float, 3>, std::set<int>>> pins_;  // by body and line
  std::set<std::string> skipped_;
  int joints_ = 0;
};

// ---- making ----

// Points of a group of the geometry, all for an empty name.
std::optional<std::vector<int>> pointsOf(const NodeGeometry& geometry, const char* parameter,
                                         const std::string& name, CookResult& result) {
  std::vector<int> points;
  if (name.empty()) {
    for (std::size_t p = 0; p < geometry.points.size(); ++p) points.push_back(static_cast<int>(p));
    return points;
  }
  const PointGroup* group = geometry.findGroup(name);
  if (!group) {
    result.fail(
        fmt::format("{} is \"{}\", but the geometry has no point group of that name", parameter, name));
    return std::nullopt;
  }
  return std::vector<int>(group->points.begin(), group->points.end());
}

// Each point of a with the nearest of b that another body or piece has, within the distance.
std::vector<std::vector<int>> nearestPairs(const NodeGeometry& geometry, const std::vector<int>& a,
                                           const std::vector<int>& b, const NodeAttribute* apart,
                                           float distance) {
  std::vector<Vec3f> places;
  for (const int p : b) places.push_back(geometry.points[p]);
  const AxisSearch search(places);
  std::set<std::pair<int, int>> taken;
  std::vector<std::vector<int>> pairs;
  for (const int p : a) {
    const int k = search.nearest(geometry.points[p], distance, [&](int other) {
      const Vec3f d = places[other] - geometry.points[p];
      const bool own = b[other] == p || (apart && apart->text(b[other]) == apart->text(p));
      return own ? std::numeric_limits<float>::infinity() : dot(d, d);
    });
    if (k >= 0 && taken.insert(std::minmax(p, b[k])).second) pairs.push_back({p, b[k]});
  }
  return pairs;
}

// One joint for each pair of pieces: where their points are nearest.
std::vector<std::vector<int>> onePerPieces(const NodeGeometry& geometry, const NodeAttribute& names,
                                           const std::vector<std::vector<int>>& pairs) {
  std::map<std::pair<std::string, std::string>, std::vector<int>> nearest;
  const auto gap = [&](const std::vector<int>& pair) {
    return length(geometry.points[pair[0]] - geometry.points[pair[1]]);
  };
  for (const std::vector<int>& pair : pairs) {
    std::vector<int>& best = nearest[std::minmax(names.text(pair[0]), names.text(pair[1]))];
    if (best.empty() || gap(pair) < gap(best)) best = pair;
  }
  std::vector<std::vector<int>> all;
  for (auto& [pieces, pair] : nearest) all.push_back(pair);
  return all;
}

// The attributes of the new primitives: the type, and of joints their parameters.
void describe(const Parms& parms, std::size_t count, NodeGeometry& geometry) {
  const auto texts = [&](const std::string& text) { return std::vector<std::string>(count, text); };
  const auto numbers = [&](double number) { return std::vector<float>(count, static_cast<float>(number)); };
  const std::string& type = parms.text("type");
  geometry.write(Owner::primitive, "type", 1, texts(type));
  geometry.write(Owner::primitive, "stiffness", 1, numbers(parms.number("stiffness")));
  geometry.write(Owner::primitive, "dampingratio", 1, numbers(0));
  const ParamValue& axis = parms.numbers("axis");
  std::vector<float> axes;
  for (std::size_t k = 0; k < 3 * count; ++k) axes.push_back(static_cast<float>(axis[k % 3]));
  if (type == "pin" && parms.on("slide")) geometry.write(Owner::primitive, "line", 3, axes);
  if (type != "joint") {
    geometry.write(Owner::primitive, "restlength", 1, numbers(std::max(0.0, parms.number("restlength"))));
    return;
  }
  geometry.write(Owner::primitive, "jointkind", 1, texts(parms.text("jointkind")));
  geometry.write(Owner::primitive, "axis", 3, std::move(axes));
  for (const ParamRow& row : kParamRows)
    if (row.group == "joint")
      geometry.write(Owner::primitive, std::string(row.name), 1,
                     numbers(parms.number(std::string(row.name))));
}

}  // namespace

void addConstraints(const NodeGeometry& constraints, const NodeGeometry& geometry, Assembly& assembly) {
  ConstraintReader(constraints, geometry, assembly).read();
}

CookResult cookConstraints(const CookInput& input) {
  const Parms& parms = *input.parms;
  const NodeGeometry& given = *input.at(0);
  const std::string& type = parms.text("type");
  CookResult result;
  if (given.points.empty()) return result.fail("the geometry has no points");
  const auto a = pointsOf(given, "groupa", parms.text("groupa"), result),
             b = pointsOf(given, "groupb", parms.text("groupb"), result);
  const NodeAttribute* apart = given.find(Owner::point, type == "joint" ? "name" : kBody);
  if (type == "joint" && !apart)
    return result.fail("joints are between pieces, but there is no point attribute name (string)");
  if (!result.ok()) return result;
  std::vector<std::vector<int>> all;
  if (type == "pin")
    for (const int p : *a) all.push_back({p});
  else
    all = nearestPairs(given, *a, *b, parms.text("groupb").empty() || type == "joint" ? apart : nullptr,
                       static_cast<float>(parms.number("maxdistance")));
  if (type == "joint") all = onePerPieces(given, *apart, all);
  if (all.empty())
    result.warnings.push_back(
        fmt::format("no two points to hold are within {} m", parms.number("maxdistance")));
  NodeGeometry& out = result.geometry;
  out.replaceTopology();
  out.writePoints(given.points);
  for (const char* name : {"id", "name", kBody})
    if (const NodeAttribute* kept = given.find(Owner::point, name))
      out.write(Owner::point, name, kept->width, *kept->values);
  for (const std::vector<int>& points : all) out.addPrimitive(PrimitiveKind::curve, points);
  describe(parms, all.size(), out);
  return result;
}

}  // namespace repose::nodes
