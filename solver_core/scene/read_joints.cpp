// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "params/text.h"
#include "scene/read_body.h"
#include "scene/read_params.h"
#include "scene/rigid_assembly.h"
#include "scene/select_points.h"

namespace repose {

namespace {

using Kind = Joint::Kind;
using Type = JsonNode::Type;

// As Joint::Kind; a spring is a distance joint that gives way.
const std::vector<std::string> kJointKinds = {"fixed", "spherical", "hinge", "slider", "distance", "spring"};
constexpr int kSpring = 5;

// One side as the file names it: the world, a collider, a rigid piece, or points of cloth, of a soft body or
// grains.
struct End {
  int body = -1;
  int piece = 0;
  std::vector<std::int32_t> points;
  int collider = -1;

  std::size_t count() const { return points.empty() ? 1 : points.size(); }
  JointEnd of(std::size_t k) const {
    return {body, points.empty() ? piece : points[std::min(k, points.size() - 1)], collider};
  }
};

class EndReader {
 public:
  EndReader(const Scene& scene, Problems& problems) : scene_(scene), problems_(problems) {}

  std::optional<End> read(ObjectReader& object, const char* key) {
    const JsonNode* node = object.require(key);
    if (!node) return std::nullopt;
    if (node->type == Type::object) return readPointsOf(*node, key);
    std::string name;
    if (!readText(*node, key, name, problems_)) return std::nullopt;
    return byName(*node, key, name);
  }

 private:
  std::nullopt_t fail(const JsonNode& node, std::string sentence) {
    problems_.error(node.place, std::move(sentence));
    return std::nullopt;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all = {"world"};
    for (const Body& body : scene_.bodies) all.push_back(body.name);
    for (const Collider& collider : scene_.colliders) all.push_back(collider.name);
    return all;
  }

  std::optional<End> byName(const JsonNode& node, const char* key, const std::string& name) {
    if (name == "world") return End{};
    for (std::size_t c = 0; c < scene_.colliders.size(); ++c) {
      if (scene_.colliders[c].name != name) continue;
      if (scene_.colliders[c].motion)
        return fail(
            node,
            fmt::format("{} is the collider \"{}\", which changes its shape: pin points of cloth to its "
                        "mesh with \"to\", or join rigid bodies to one that only moves",
                        key, name));
      return End{-1, 0, {}, static_cast<int>(c)};
    }
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string body_name = name.substr(0, slash);
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
      if (scene_.bodies[b].name == body_name)
        return pieceOf(node, key, static_cast<int>(b), name.substr(std::min(slash + 1, name.size())));
    return fail(node, fmt::format("{} is \"{}\", but there is no body or collider of that name{}", key, name,
                                  didYouMean(body_name, names())));
  }

  std::optional<End> pieceOf(const JsonNode& node, const char* key, int b, const std::string& piece) {
    const Body& body = scene_.bodies[b];
    if (body.kind == BodyKind::grain)
      return fail(node,
                  fmt::format("{} is \"{}\", which is grains: name some of them, as {{\"body\": \"{}\", "
                              "\"points\": [0, 1]}}",
                              key, body.name, body.name));
    if (body.kind != BodyKind::rigid)
      return fail(
          node, fmt::format("{} is the {} \"{}\": name points of it, as {{\"body\": \"{}\", "
                            "\"group\": \"corners\"}}",
                            key, body.kind == BodyKind::cloth ? "cloth" : "soft body", body.name, body.name));
    if (body.pieces.empty()) return std::nullopt;  // its own message
    if (piece.empty()) {
      if (body.pieces.size() == 1) return End{b, 0, {}};
      return fail(node, fmt::format("{} is \"{}\", which has {} pieces: name one, as \"{}/{}\"", key,
                                    body.name, body.pieces.size(), body.name, body.pieces[0].name));
    }
    std::vector<std::string> names;
    for (std::size_t k = 0; k < body.pieces.size(); ++k) {
      const std::string& own = body.pieces[k].name;
      if (own == piece || own == body.name + "_" + piece) return End{b, static_cast<int>(k), {}};
      names.push_back(own);
    }
    return fail(node, fmt::format("{} is \"{}/{}\", but body \"{}\" has no such piece{}", key, body.name,
                                  piece, body.name, didYouMean(piece, names)));
  }

  std::optional<End> readPointsOf(const JsonNode& node, const char* key) {
    ObjectReader object(node, key, problems_);
    const JsonNode* name = object.require("body");
    const JsonNode* group = object.find("group");
    const JsonNode* points = object.find("points");
    object.rejectUnknown();
    std::vector<std::string> names;
    for (const Body& body : scene_.bodies) names.push_back(body.name);
    const int b = name ? readName(*name, "body", names, problems_) : -1;
    if (b < 0) return std::nullopt;
    const Body& body = scene_.bodies[b];
    if (body.kind == BodyKind::rigid)
      return fail(
          *name, fmt::format("body is \"{}\", but a rigid body has no points to hold: name it, or one of its "
                             "pieces",
                             body.name));
    if (body.kind == BodyKind::grain && group)
      return fail(*group, "grains have no groups: name some by their numbers, as \"points\": [0, 1]");
    if (!group == !points) return fail(node, fmt::format("{} must have either \"group\" or \"points\"", key));
    if (body.simulated().points.empty()) {
      if (body.emitters.empty()) return std::nullopt;  // its source was refused, and that was said
      return fail(*name, fmt::format("body \"{}\" has no grains to hold at the first frame", body.name));
    }
    End end{b, 0, {}};
    std::string group_name;
    if (group) readGroup(*group, "group", body.simulated(), group_name, end.points, problems_);
    if (points) readPoints(*points, body.simulated(), end.points, problems_);
    if (end.points.empty()) return std::nullopt;
    return end;
  }

  const Scene& scene_;
  Problems& problems_;
};

// What a kind of joint needs beside its ends.
class JointReader {
 public:
  JointReader(const JsonNode& node, Scene& scene, Problems& problems)
      : node_(node), object_(node, "a joint", problems), scene_(scene), problems_(problems) {}

  void read() {
    Joint joint;
    if (object_.has("name"))
      readOwnName(object_, joint.name, problems_);
    else
      joint.name = fmt::format("joint_{:04}", scene_.joints.size() + 1);
    EndReader ends(scene_, problems_);
    const std::optional<End> a = ends.read(object_, "a"), b = ends.read(object_, "b");
    const JsonNode* kind_node = object_.require("kind");
    const int kind = kind_node ? readName(*kind_node, "kind", kJointKinds, problems_) : -1;
    readParams(object_, joint.params, problems_);
    const JsonNode* at = object_.find("at");
    const JsonNode* axis = object_.find("axis");
    const JsonNode* at_b = object_.find("at_b");
    bool good = a && b && kind >= 0;
    Vec3f place, direction{1, 0, 0};
    if (at) good &= readVector(*at, "at", place, problems_);
    if (axis) good &= readVector(*axis, "axis", direction, problems_);
    if (at_b) good &= readVector(*at_b, "at_b", joint.other, problems_);
    object_.rejectUnknown();
    if (axis && direction == Vec3f{}) return problems_.error(axis->place, "axis has no length");
    if (!good) return;
    joint.kind = kind == kSpring ? Kind::distance : static_cast<Kind>(kind);
    if (!fits(*a, *b, joint, kind)) return;
    for (std::size_t k = 0; k < std::max(a->count(), b->count()); ++k) {
      Joint one = joint;
      one.a = a->of(k), one.b = b->of(k);
      const bool cloth = !a->points.empty() || !b->points.empty();
      if (cloth) {
        if (k > 0 || a->count() + b->count() > 2) one.name = fmt::format("{}_{:04}", joint.name, k + 1);
        placeAtPoint(one, !a->points.empty(), place);
      } else {
        if (!at) place = origin(one.a.body < 0 ? one.b : one.a);
        one.frame = frameAlong(place, direction);
        if (joint.kind != Kind::distance) one.other = place;
      }
      scene_.joints.push_back(std::move(one));
    }
  }

 private:
  bool refuse(std::string sentence) {
    problems_.error(node_.place, std::move(sentence));
    return false;
  }

  Vec3f origin(const JointEnd& end) const { return scene_.bodies[end.body].pieces[end.piece].place.origin; }

  bool fits(const End& a, const End& b, const Joint& joint, int kind) {
    const std::string& name = kJointKinds[kind];
    if (a.body < 0 && b.body < 0)
      return refuse(fmt::format("joint \"{}\" joins the world to itself", joint.name));
    const bool cloth = !a.points.empty() || !b.points.empty();
    if (!a.points.empty() && !b.points.empty())
      return refuse(fmt::format("joint \"{}\" joins points to points: use \"stitches\"", joint.name));
    if (!cloth && a.body == b.body && a.piece == b.piece)
      return refuse(fmt::format("joint \"{}\" joins \"{}\" to itself", joint.name, endName(scene_, a.of(0))));
    if (cloth && (joint.kind == Kind::hinge || joint.kind == Kind::slider))
      return refuse(fmt::format("a {} cannot hold points, which have no direction: use \"spherical\"", name));
    if (kind == kSpring && !joint.params.ever([](const JointParams& p) { return p.compliance > 0; }))
      return refuse("a spring needs a \"compliance\" above 0: 1/k for a spring of k N/m");
    // Points of cloth are where they are; of a distance joint the other side has to be told.
    const bool far = joint.kind == Kind::distance;
    if (far ? a.points.empty() && !object_.has("at")
            : !cloth && !object_.has("at") && joint.kind != Kind::fixed)
      return refuse(fmt::format("a {} joint has no \"at\", the place on a", name));
    if (far && b.points.empty() && !object_.has("at_b"))
      return refuse(fmt::format("a {} joint has no \"at_b\", the place on b", name));
    if (!far && object_.has("at_b"))
      return refuse(
          fmt::format("\"at_b\" is only for distance joints and springs, and this one is {}", name));
    if ((joint.kind == Kind::hinge || joint.kind == Kind::slider) && !object_.has("axis"))
      return refuse(fmt::format("a {} joint has no \"axis\"", name));
    const bool leans =
        joint.params.ever([](const JointParams& p) { return p.coneangle < 180 || p.twistangle < 180; });
    if (joint.kind == Kind::spherical && leans && !object_.has("axis"))
      return refuse("a spherical joint with a coneangle or twistangle has no \"axis\"");
    return true;
  }

  // Points are held where they are, by what is there; those of a distance joint hang on a place of the other
  // side.
  void placeAtPoint(Joint& joint, bool a_is_cloth, Vec3f at) const {
    const JointEnd& cloth = a_is_cloth ? joint.a : joint.b;
    const Vec3f point = scene_.bodies[cloth.body].simulated().points[cloth.piece];
    const bool far = joint.kind == Kind::distance;
    if (joint.kind == Kind::fixed) joint.kind = Kind::spherical;  // a point cannot turn
    joint.frame = frameAlong(a_is_cloth || !far ? point : at, {1, 0, 0});
    if (!a_is_cloth || !far) joint.other = point;
  }

  const JsonNode& node_;
  ObjectReader object_;
  Scene& scene_;
  Problems& problems_;
};

}  // namespace

void readJoints(const JsonNode& node, Scene& scene, Problems& problems) {
  JointReader(node, scene, problems).read();
}

std::string endName(const Scene& scene, const JointEnd& end) {
  if (end.body < 0) return "world";
  const Body& body = scene.bodies[end.body];
  if (body.kind != BodyKind::rigid) return fmt::format("{}/{}", body.name, end.piece);
  return body.pieces.size() == 1 ? body.name : fmt::format("{}/{}", body.name, body.pieces[end.piece].name);
}

}  // namespace repose
