// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_stitches.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/axis_search.h"
#include "scene/select_points.h"

namespace repose {

namespace {

using Type = JsonNode::Type;

int readBodyName(ObjectReader& object, const char* key, const Scene& scene, Problems& problems) {
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) names.push_back(body.name);
  const JsonNode* node = object.require(key);
  const int body = node ? readName(*node, key, names, problems) : -1;
  if (body < 0 || scene.bodies[body].kind == BodyKind::cloth) return body;
  problems.error(node->place, fmt::format("{} is \"{}\", but only bodies of kind cloth can be stitched", key,
                                          scene.bodies[body].name));
  return -1;
}

// The two bodies of a stitch, whose pairs are collected.
class Pairs {
 public:
  Pairs(const Scene& scene, Stitch& stitch)
      : a_(scene.bodies[stitch.a].geometry),
        b_(scene.bodies[stitch.b].geometry),
        same_(stitch.a == stitch.b),
        pairs_(stitch.pairs) {}

  void readPoints(const JsonNode& node, Problems& problems) {
    if (!expectType(node, "points", Type::array, problems)) return;
    if (node.items.empty()) problems.error(node.place, "points is an empty list");
    for (const JsonNode& item : node.items) {
      if (item.type != Type::array || item.items.size() != 2) {
        problems.error(item.place,
                       fmt::format("a pair of points is {}, but must be a list of 2", describeValue(item)));
        continue;
      }
      const int p = readPoint(item.items[0], a_, problems), q = readPoint(item.items[1], b_, problems);
      if (p >= 0 && q >= 0) add(p, q, item.place, problems);
    }
  }

  void readGroups(const JsonNode& node, Problems& problems) {
    if (node.type != Type::array || node.items.size() != 2)
      return problems.error(node.place,
                            fmt::format("groups is {}, but must be a list of 2", describeValue(node)));
    std::string name;
    std::vector<std::int32_t> of_a, of_b;
    readGroup(node.items[0], "a group", a_, name, of_a, problems);
    readGroup(node.items[1], "a group", b_, name, of_b, problems);
    if (of_a.empty() || of_b.empty()) return;
    if (of_a.size() == of_b.size()) {
      for (std::size_t k = 0; k < of_a.size(); ++k) add(of_a[k], of_b[k], node.place, problems);
      return;
    }
    std::vector<Vec3f> places;
    for (const std::int32_t q : of_b) places.push_back(b_.points[q]);
    const AxisSearch search(places);
    for (const std::int32_t p : of_a)
      add(p, of_b[nearestOf(search, places, a_.points[p])], node.place, problems);
  }

  // Every point of a to the nearest of b within the distance; within one body, of those that share no face
  // with it.
  void readDistance(const JsonNode& node, Problems& problems) {
    double distance;
    if (!readNumbers(node, "distance", {1, false, 0, 1e6}, &distance, problems)) return;
    if (a_.points.empty() || b_.points.empty()) return;
    if (same_) findNeighbours();
    const AxisSearch search(b_.points);
    std::vector<int> chosen(a_.points.size(), -1);
    const float too_far = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < a_.points.size(); ++k) {
      const int p = static_cast<int>(k);
      const int q = search.nearest(a_.points[k], static_cast<float>(distance), [&](int other) {
        const Vec3f d = b_.points[other] - a_.points[k];
        return same_ && areNeighbours(p, other) ? too_far : dot(d, d);
      });
      chosen[k] = q;
      const bool known = same_ && q >= 0 && chosen[q] == p;  // both ends may choose each other
      if (q >= 0 && !known) pairs_.push_back({p, q});
    }
    if (pairs_.empty())
      problems.error(node.place, fmt::format("no two points to stitch are within {} m", distance));
  }

 private:
  void add(int p, int q, TextPlace place, Problems& problems) {
    if (same_ && p == q)
      problems.error(place, fmt::format("a stitch joins point {} to itself", p));
    else
      pairs_.push_back({p, q});
  }

  static int nearestOf(const AxisSearch& search, const std::vector<Vec3f>& places, Vec3f at) {
    return search.nearest(at, std::numeric_limits<float>::max(),
                          [&](int k) { return dot(places[k] - at, places[k] - at); });
  }

  void findNeighbours() {
    std::size_t first = 0;
    for (const std::int32_t count : a_.face_counts) {
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
          neighbours_.push_back({a_.face_indices[first + i], a_.face_indices[first + j]});
      first += count;
    }
    std::sort(neighbours_.begin(), neighbours_.end());
  }
  bool areNeighbours(int p, int q) const {
    return std::binary_search(neighbours_.begin(), neighbours_.end(), std::array<int, 2>{p, q});
  }

  const Geometry &a_, &b_;
  bool same_;
  std::vector<std::array<int, 2>>& pairs_;
  std::vector<std::array<int, 2>> neighbours_;  // points of one face, each with itself
};

void readClosing(const JsonNode& node, Stitch& stitch, Problems& problems) {
  double frames[2];
  if (!readFrameSpan(node, "closeframes", false, frames, problems)) return;
  stitch.closes = true;
  stitch.close_first = frames[0], stitch.close_last = frames[1];
}

}  // namespace

Stitch readStitch(const JsonNode& node, const Scene& scene, Problems& problems) {
  Stitch stitch;
  ObjectReader object(node, "a stitch", problems);
  const int a = readBodyName(object, "a", scene, problems), b = readBodyName(object, "b", scene, problems);
  object.number("restlength", 0, 1e6, stitch.restlength);
  object.number("stiffness", 1e-3, 1e12, stitch.stiffness);
  if (const JsonNode* frames = object.find("closeframes")) readClosing(*frames, stitch, problems);
  const JsonNode* points = object.find("points");
  const JsonNode* groups = object.find("groups");
  const JsonNode* distance = object.find("distance");
  object.rejectUnknown();
  if (!!points + !!groups + !!distance != 1 && node.type == Type::object)
    problems.error(node.place, "a stitch must have one of \"points\", \"groups\" and \"distance\"");
  else if (a >= 0 && b >= 0) {
    stitch.a = a, stitch.b = b;
    Pairs pairs(scene, stitch);
    if (points) pairs.readPoints(*points, problems);
    if (groups) pairs.readGroups(*groups, problems);
    if (distance) pairs.readDistance(*distance, problems);
  }
  return stitch;
}

}  // namespace repose
