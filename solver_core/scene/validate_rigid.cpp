// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is wrong with the rigid bodies and joints of a scene.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/sphere_grid.h"
#include "scene/mesh_check.h"
#include "scene/read_joints.h"
#include "scene/rigid_shape.h"
#include "scene/tally.h"
#include "scene/validate.h"

namespace repose {

namespace {

using Kind = Joint::Kind;

constexpr float kFarthest = 1e9f;        // from the origin [m], as scene files allow
constexpr double kGreatestRatio = 1e6;   // of masses, and of the moments of one piece
constexpr float kJump = 5, kSpin = 180;  // of an animated body in one frame [m], [degrees]
constexpr float kSameAxis = 1e-3f;       // sine of the angle between two axes that count as one

bool isGood(const Pose& pose) {
  bool good = isFinite(pose.origin);
  for (int k = 0; k < 3; ++k)
    good = good && isFinite(pose.axis[k]) && std::abs(length(pose.axis[k]) - 1) < 1e-3f;
  return good && dot(cross(pose.axis[0], pose.axis[1]), pose.axis[2]) > 0.99f;
}

// Whether a point of the space of the body is inside a solid.
bool contains(const Convex& convex, Vec3f at) {
  const Vec3f p = convex.place.local(at);
  const float h = convex.half.y;
  switch (convex.kind) {
    case Convex::Kind::sphere:
      return length(p) < convex.radius;
    case Convex::Kind::capsule:
      return length(p - Vec3f{0, std::clamp(p.y, -h, h), 0}) < convex.radius;
    case Convex::Kind::cylinder:
      return std::abs(p.y) < h && p.x * p.x + p.z * p.z < convex.radius * convex.radius;
    case Convex::Kind::box:
      return std::abs(p.x) < convex.half.x && std::abs(p.y) < h && std::abs(p.z) < convex.half.z;
    case Convex::Kind::hull:
      break;
  }
  for (int f = 0; f < convex.hull->faces(); ++f)
    if (dot(convex.hull->normals[f], p) >= convex.hull->offsets[f]) return false;
  return true;
}

class RigidChecker {
 public:
  RigidChecker(const Scene& scene, std::vector<Finding>& findings) : scene_(scene), findings_(findings) {}

  void check() {
    for (int b = 0; b < bodies(); ++b)
      if (body(b).kind == BodyKind::rigid) checkBody(b);
    for (int j = 0; j < static_cast<int>(scene_.joints.size()); ++j) checkJoint(j);
    if (!good_) return;
    checkMasses();
    checkPairs();
    checkRoom();
  }

 private:
  int bodies() const { return static_cast<int>(scene_.bodies.size()); }
  const Body& body(int b) const { return scene_.bodies[b]; }
  const Joint& joint(int j) const { return scene_.joints[j]; }
  const RigidPiece& pieceOf(const JointEnd& end) const { return body(end.body).pieces[end.piece]; }

  void report(Finding::About about, int index, bool error, std::string sentence) {
    findings_.push_back({about, index, error, std::move(sentence)});
    good_ = good_ && !error;
  }
  bool error(int b, std::string_view sentence) {
    report(Finding::About::body, b, true, fmt::format("body \"{}\" {}", body(b).name, sentence));
    return false;
  }
  void warn(int b, std::string_view sentence) {
    report(Finding::About::body, b, false, fmt::format("body \"{}\" {}", body(b).name, sentence));
  }
  void errorAt(int j, std::string_view sentence) {
    report(Finding::About::joint, j, true, fmt::format("joint \"{}\" {}", joint(j).name, sentence));
  }
  void warnAt(int j, std::string_view sentence) {
    report(Finding::About::joint, j, false, fmt::format("joint \"{}\" {}", joint(j).name, sentence));
  }

  void checkBody(int b) {
    std::vector<MassProperties>& masses = masses_.emplace_back();
    body_of_.push_back(b);
    const Body& rigid = body(b);
    if (rigid.pieces.empty()) return void(error(b, "has no pieces"));
    for (std::size_t s = 0; s < rigid.shapes.size(); ++s) {
      masses.emplace_back();
      if (checkShape(b, static_cast<int>(s))) masses.back() = massOf(rigid.shapes[s]);
    }
    Tally lost, wild, twice;
    std::map<std::string, std::size_t> known;
    for (std::size_t k = 0; k < rigid.pieces.size(); ++k) {
      const RigidPiece& piece = rigid.pieces[k];
      if (piece.shape < 0 || static_cast<std::size_t>(piece.shape) >= rigid.shapes.size())
        lost.add(fmt::format("has a piece \"{}\" of shape {}, but only {} shapes", piece.name, piece.shape,
                             rigid.shapes.size()));
      if (!isGood(piece.place) || !isFinite(piece.velocity) || !isFinite(piece.spin) ||
          length(piece.place.origin) > kFarthest)
        wild.add(fmt::format("has a piece \"{}\" whose place or motion is not finite, or too far away",
                             piece.name));
      if (piece.name.empty() || !known.try_emplace(piece.name, k).second)
        twice.add(fmt::format("has two pieces of the name \"{}\"", piece.name));
    }
    for (const Tally* tally : {&lost, &wild, &twice})
      if (!tally->empty()) error(b, tally->sentence());
    if (good_) checkInertia(b, masses);
    checkKeys(b);
  }

  bool checkShape(int b, int s) {
    const RigidShape& shape = body(b).shapes[s];
    const Geometry& geometry = shape.geometry;
    for (const Vec3f p : geometry.points)
      if (!isFinite(p)) return error(b, fmt::format("has a shape {} with a point that is not finite", s));
    for (const std::int32_t p : geometry.face_indices)
      if (p < 0 || static_cast<std::size_t>(p) >= geometry.points.size())
        return error(b, fmt::format("has a shape {} with a face that uses point {}, but only {} points", s, p,
                                    geometry.points.size()));
    if (!shape.parts.empty()) {
      if (!(massOf(shape).volume > 0)) return error(b, fmt::format("has a shape {} without volume", s));
      return true;
    }
    const TriangleList triangles = fanTriangles(geometry);
    if (!isClosed(triangles))
      return error(b, fmt::format("has a concave shape {} that is open, and so has no inside", s));
    const double volume = enclosedVolume(triangles, geometry.points);
    if (!(volume > 0))
      return error(b,
                   fmt::format("has a concave shape {} {}", s,
                               volume < 0 ? "that is inside out: turn its faces round" : "without volume"));
    return true;
  }

  void checkInertia(int b, const std::vector<MassProperties>& masses) {
    std::vector<double> ratios;  // of each shape
    for (const MassProperties& mass : masses) {
      std::array<double, 3> moments;
      principalAxes(mass, moments);
      const auto [least, greatest] = std::minmax_element(moments.begin(), moments.end());
      ratios.push_back(*greatest / *least);
    }
    Tally thin;
    for (const RigidPiece& piece : body(b).pieces)
      if (ratios[piece.shape] > kGreatestRatio)
        thin.add(
            fmt::format("has a piece \"{}\" that resists turning {:.3g} times more about one axis than about "
                        "another; so thin a piece may shake",
                        piece.name, ratios[piece.shape]));
    if (!thin.empty()) warn(b, thin.sentence());
  }

  void checkKeys(int b) {
    const Body& rigid = body(b);
    const bool keys = !rigid.translate.empty() || !rigid.rotate.empty();
    if (keys && !rigid.rigid.base.animated)
      warn(b, "has keys of translate or rotate that do nothing, as \"animated\" is off");
    const auto jumps = [&](const Keys<Vec3f>& way, float most, const char* what, const char* unit) {
      for (std::size_t k = 0; k < way.keys.size(); ++k)
        if (!isFinite(way.keys[k].value)) {
          error(b, fmt::format("has a {} key at frame {} that is not finite", what, way.keys[k].frame));
          return;
        }
      for (std::size_t k = 1; k < way.keys.size(); ++k) {
        const Key<Vec3f>&from = way.keys[k - 1], &to = way.keys[k];
        const double step = length(to.value - from.value) / std::max(to.frame - from.frame, 1.0);
        if (!rigid.rigid.base.animated || step <= most) continue;
        return warn(b, fmt::format("jumps: its {} changes by {:.3g} {} a frame from frame {} to {}; what it "
                                   "meets is thrown away, or passed through",
                                   what, step, unit, from.frame, to.frame));
      }
    };
    jumps(rigid.translate, kJump, "translate", "m");
    jumps(rigid.rotate, kSpin, "rotate", "degrees");
  }

  bool checkEnd(int j, const JointEnd& end) {
    if (end.body < 0) return true;
    if (end.body >= bodies()) return errorAt(j, fmt::format("has no body {}", end.body)), false;
    const Body& held = body(end.body);
    const std::size_t count =
        held.kind == BodyKind::rigid ? held.pieces.size() : held.simulated().points.size();
    if (end.piece >= 0 && static_cast<std::size_t>(end.piece) < count) return true;
    if (count > 0)  // else it has had its own message
      errorAt(j, fmt::format("holds piece {} of body \"{}\", which has {}", end.piece, held.name, count));
    else
      good_ = false;
    return false;
  }

  void checkJoint(int j) {
    const Joint& held = joint(j);
    const auto [known, fresh] = joint_names_.try_emplace(held.name, j);
    if (!fresh) errorAt(j, fmt::format("has the name of joint {}", known->second));
    const auto named = [&](const auto& owner) { return owner.name == held.name; };
    if (std::any_of(scene_.bodies.begin(), scene_.bodies.end(), named) ||
        std::any_of(scene_.colliders.begin(), scene_.colliders.end(), named))
      errorAt(j, "has the name of a body or collider");
    const bool a = checkEnd(j, held.a), b = checkEnd(j, held.b);
    if (!a || !b) return;
    if (held.a.body == held.b.body && (held.a.body < 0 || held.a.piece == held.b.piece))
      errorAt(j, fmt::format("joins \"{}\" to itself", endName(scene_, held.a)));
    if (!isGood(held.frame) || !isFinite(held.other)) errorAt(j, "is at a place that is not finite");
    if (!moves(held.a) && !moves(held.b)) warnAt(j, "does nothing: neither of its two sides is free to move");
    checkLimits(j);
  }

  bool moves(const JointEnd& end) const {
    return end.body >= 0 && (body(end.body).kind != BodyKind::rigid || !body(end.body).rigid.base.animated);
  }

  void checkLimits(int j) {
    const Joint& held = joint(j);
    const JointParams& params = held.params.base;
    const bool turns = held.kind == Kind::hinge || held.kind == Kind::slider;
    if (params.limited && held.params.ever([](const JointParams& p) { return p.lower > p.upper; }))
      errorAt(j,
              fmt::format("has a lower limit of {} above its upper one of {}", params.lower, params.upper));
    else if (params.limited && turns && (params.lower > 0 || params.upper < 0))
      warnAt(j, fmt::format("starts outside its limits of {} and {}: it begins at 0", params.lower,
                            params.upper));
    if (params.limited && !turns && held.kind != Kind::distance)
      warnAt(j, held.kind == Kind::spherical
                    ? "has limits that do nothing: those of a spherical joint are coneangle and twistangle"
                    : "has limits that do nothing: a fixed joint has none");
    if (params.motor != JointMotor::none && !turns)
      warnAt(j, "has a motor that does nothing: only hinges and sliders have one");
    else if (params.motor != JointMotor::none &&
             !held.params.ever([](const JointParams& p) { return p.motorforce > 0; }))
      warnAt(j, "has a motor without motorforce");
    if (held.kind != Kind::spherical && (params.coneangle < 180 || params.twistangle < 180))
      warnAt(j, "has a coneangle or twistangle that does nothing: only spherical joints have them");
    if (held.kind != Kind::distance && params.restlength >= 0)
      warnAt(j, "has a restlength that does nothing: only distance joints have one");
  }

  // Two joints of one pair of pieces that hold what the other wants to move.
  void checkPairs() {
    std::map<std::array<int, 4>, std::vector<int>> joints_of;
    for (int j = 0; j < static_cast<int>(scene_.joints.size()); ++j) {
      std::array<int, 2> a{joint(j).a.body, joint(j).a.piece}, b{joint(j).b.body, joint(j).b.piece};
      if (b < a) std::swap(a, b);
      std::vector<int>& others = joints_of[{a[0], a[1], b[0], b[1]}];
      for (const int other : others) checkTwo(other, j);
      others.push_back(j);
    }
  }

  void checkTwo(int i, int j) {
    const auto drives = [](const Joint& held) {
      return held.params.base.motor != JointMotor::none ||
             (held.kind == Kind::distance && held.params.base.restlength >= 0);
    };
    const auto hard = [](const Joint& held) { return held.params.base.compliance == 0; };
    const Joint &one = joint(i), &two = joint(j);
    if (!hard(one) || !hard(two)) return;
    if (one.kind == Kind::fixed && two.kind == Kind::fixed)
      return warnAt(j, fmt::format("fixes what joint \"{}\" fixes already; one of them is enough", one.name));
    if ((one.kind == Kind::fixed && drives(two)) || (two.kind == Kind::fixed && drives(one)))
      return warnAt(
          j, fmt::format("and joint \"{}\" contradict: one holds still what the other moves", one.name));
    if (one.kind == Kind::hinge && two.kind == Kind::hinge) {
      const Vec3f way = two.frame.origin - one.frame.origin, axis = one.frame.axis[0];
      const bool parallel = length(cross(axis, two.frame.axis[0])) < kSameAxis;
      if (!parallel || length(cross(axis, way)) > kSameAxis * std::max(length(way), 1e-6f))
        warnAt(j, fmt::format("and joint \"{}\" contradict: two hinges that are not on one line cannot turn",
                              one.name));
    }
  }

  const MassProperties& massOfPiece(std::size_t k, const RigidPiece& piece) const {
    return masses_[k][piece.shape];
  }

  void checkMasses() {
    struct Extreme {
      double mass;
      int body = -1;
      const RigidPiece* piece = nullptr;
    } least{1e300}, greatest{0};
    for (std::size_t k = 0; k < body_of_.size(); ++k) {
      const Body& rigid = body(body_of_[k]);
      if (rigid.rigid.base.animated) continue;
      for (const RigidPiece& piece : rigid.pieces) {
        const double mass = rigid.rigid.base.density * massOfPiece(k, piece).volume;
        if (mass < least.mass) least = {mass, body_of_[k], &piece};
        if (mass > greatest.mass) greatest = {mass, body_of_[k], &piece};
      }
    }
    if (greatest.piece && least.piece && greatest.mass > kGreatestRatio * least.mass)
      warn(greatest.body,
           fmt::format("has a piece \"{}\" that is {:.3g} times as heavy as piece \"{}\" of \"{}\"; such a "
                       "light piece gives way under it",
                       greatest.piece->name, greatest.mass / least.mass, least.piece->name,
                       body(least.body).name));
  }

  // Pieces whose centre of mass is inside another one, unless a joint keeps them from touching.
  void checkRoom() {
    struct Placed {
      int body;
      const RigidPiece* piece;
      Vec3f centre;
    };
    std::vector<Placed> all;
    SphereGrid grid;
    std::size_t count = 0;
    for (const int b : body_of_) count += body(b).pieces.size();
    grid.clear(count);
    std::vector<float> radii;
    for (std::size_t k = 0; k < body_of_.size(); ++k)
      for (const RigidPiece& piece : body(body_of_[k]).pieces) {
        const std::array<double, 3>& c = massOfPiece(k, piece).centre;
        const Vec3f centre{static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])};
        float reach = 0;
        for (const Convex& part : body(body_of_[k]).shapes[piece.shape].parts)
          reach = std::max(reach, part.reach());
        radii.push_back(reach + length(centre));
        all.push_back({body_of_[k], &piece, piece.place.world(centre)});
      }
    std::vector<Pair> joined;
    for (const Joint& held : scene_.joints)
      if (!held.params.base.collide && isRigid(held.a) && isRigid(held.b))
        joined.push_back(ordered(&pieceOf(held.a), &pieceOf(held.b)));
    std::sort(joined.begin(), joined.end());
    std::map<int, Tally> deep;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!(radii[k] > 0)) {  // concave: only a field knows
        grid.add({all[k].centre.x, all[k].centre.y, all[k].centre.z, 1e-9f});
        continue;
      }
      grid.overlaps(all[k].centre, radii[k], [&](int other, double) {
        const Placed &one = all[k], &two = all[other];
        if ((holds(one.body, *one.piece, two.centre) || holds(two.body, *two.piece, one.centre)) &&
            !std::binary_search(joined.begin(), joined.end(), ordered(one.piece, two.piece)))
          deep[one.body].add(
              fmt::format("has a piece \"{}\" deep inside \"{}\" of \"{}\" at the start; the "
                          "solver pushes them apart",
                          one.piece->name, two.piece->name, body(two.body).name));
        return true;
      });
      grid.add({all[k].centre.x, all[k].centre.y, all[k].centre.z, radii[k]});
    }
    for (const auto& [b, tally] : deep) warn(b, tally.sentence());
  }

  using Pair = std::pair<const RigidPiece*, const RigidPiece*>;
  static Pair ordered(const RigidPiece* a, const RigidPiece* b) {
    return std::less<>()(b, a) ? Pair{b, a} : Pair{a, b};
  }
  bool isRigid(const JointEnd& end) const { return end.body >= 0 && body(end.body).kind == BodyKind::rigid; }

  bool holds(int b, const RigidPiece& piece, Vec3f world) const {
    const Vec3f p = piece.place.local(world);
    const std::vector<Convex>& parts = body(b).shapes[piece.shape].parts;
    return std::any_of(parts.begin(), parts.end(), [&](const Convex& part) { return contains(part, p); });
  }

  const Scene& scene_;
  std::vector<Finding>& findings_;
  std::vector<int> body_of_;                         // the rigid bodies
  std::vector<std::vector<MassProperties>> masses_;  // of the shapes of each of them
  std::map<std::string, int> joint_names_;
  bool good_ = true;  // no error so far
};

}  // namespace

void validateRigid(const Scene& scene, std::vector<Finding>& findings) {
  RigidChecker(scene, findings).check();
}

}  // namespace repose
