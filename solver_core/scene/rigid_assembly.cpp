// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/rigid_assembly.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/read_params.h"
#include "scene/read_transform.h"
#include "scene/rigid_shape.h"
#include "scene/shapes.h"

namespace repose {

namespace {

using Kind = Joint::Kind;

constexpr double kPi = 3.14159265358979323846;
constexpr double kLeastLength = 1e-4, kGreatestLength = 1e4;  // [m]
constexpr double kMostParts = 10000;
const std::vector<std::string> kAssemblies = {"chain", "bridge", "ragdoll"};

RigidShape boxShape(Vec3f size) {
  Shape shape;
  shape.size = size;
  return {makeBox(shape), {makeBox(size)}, 0};
}
RigidShape capsuleShape(float radius, float straight) {
  Shape shape;
  shape.radius = radius, shape.height = straight, shape.divisions = {12, 9, 1};
  return {makeCapsule(shape), {makeCapsule(radius, straight)}, 0};
}

Pose at(Vec3f place, Vec3f degrees = {}) { return poseOf(composeTransform(place, degrees, {1, 1, 1})); }

int readWhole(ObjectReader& object, const char* key, double least, int otherwise, Problems& problems) {
  double number = otherwise;
  if (const JsonNode* node = object.find(key))
    readNumbers(*node, key, {1, true, least, kMostParts}, &number, problems);
  return static_cast<int>(number);
}

// Capsules from the origin downwards, each held by its neighbour.
void makeChain(ObjectReader& object, const Keyed<JointParams>& params, Assembly& assembly,
               Problems& problems) {
  const int links = readWhole(object, "links", 1, 20, problems);
  float length = 0.1f, radius = 0.02f;
  object.number("length", kLeastLength, kGreatestLength, length);
  object.number("radius", kLeastLength, 0.5 * length, radius);
  int fix = 1;
  if (const JsonNode* node = object.find("fix"))
    fix = readName(*node, "fix", {"none", "start", "end", "both"}, problems);
  assembly.shapes.push_back(capsuleShape(radius, std::max(length - 2 * radius, 1e-3f * length)));
  for (int k = 0; k <= links; ++k) {
    const Vec3f joint{0, -static_cast<float>(k) * length, 0};
    const bool held = k == 0 ? fix == 1 || fix == 3 : k < links || fix == 2 || fix == 3;
    if (held)
      assembly.links.push_back({fmt::format("joint_{:04}", k), Kind::spherical, k - 1, k < links ? k : -1,
                                frameAlong(joint, {0, -1, 0}), params});
    if (k < links)
      assembly.parts.push_back(
          {fmt::format("link_{:04}", k + 1), 0, at(joint + Vec3f{0, -0.5f * length, 0})});
  }
}

// The angle between neighbours on an arc of so many chords that hangs through by `sag`: solves
// sag = chord (1 - cos(n d / 2)) / (2 sin(d / 2)).
double arcAngle(int chords, double chord, double sag) {
  double low = 0, high = kPi / chords;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    const double through = chord * (1 - std::cos(0.5 * chords * middle)) / (2 * std::sin(0.5 * middle));
    (through < sag ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Planks along x on an arc, both ends at the height of the origin, held by the world.
void makeBridge(ObjectReader& object, const Keyed<JointParams>& params, Assembly& assembly,
                Problems& problems) {
  const int planks = readWhole(object, "planks", 1, 20, problems);
  Vec3f size{0.3f, 0.05f, 1};
  double sizes[3];
  if (const JsonNode* node = object.find("size");
      node && readNumbers(*node, "size", {3, false, kLeastLength, kGreatestLength}, sizes, problems))
    for (int k = 0; k < 3; ++k) size[k] = static_cast<float>(sizes[k]);
  float gap = 0.1f * size.x;
  object.number("gap", 0, kGreatestLength, gap);
  const double chord = static_cast<double>(size.x) + gap;
  const double most = planks > 1 ? chord / std::sin(0.5 * kPi / planks) / 2 : 0;  // a half circle
  float sag = static_cast<float>(std::min(0.05 * planks * chord, most));
  object.number("sag", 0, most, sag);
  int pivots = 0;
  if (const JsonNode* node = object.find("pivots"))
    pivots = readName(*node, "pivots", {"hinge", "spherical"}, problems);

  assembly.shapes.push_back(boxShape(size));
  const double turn = sag > 0 && planks > 1 ? arcAngle(planks, chord, sag) : 0;
  double x = 0, y = 0;
  for (int k = 0; k < planks; ++k) x += chord * std::cos(turn * (k - 0.5 * (planks - 1)));
  x *= -0.5;
  for (int k = 0; k <= planks; ++k) {
    const Vec3f joint{static_cast<float>(x), static_cast<float>(y), 0};
    const int a = k - 1, b = k < planks ? k : -1;
    const std::string name = fmt::format("joint_{:04}", k);
    if (pivots == 0) {
      assembly.links.push_back({name, Kind::hinge, a, b, frameAlong(joint, {0, 0, 1}), params});
    } else {
      for (const int side : {-1, 1}) {
        const Vec3f edge = joint + Vec3f{0, 0, 0.5f * static_cast<float>(side) * size.z};
        assembly.links.push_back({name + (side < 0 ? "_back" : "_front"), Kind::spherical, a, b,
                                  frameAlong(edge, {0, 0, 1}), params});
      }
    }
    if (k == planks) break;
    const double angle = turn * (k - 0.5 * (planks - 1));
    const double dx = chord * std::cos(angle), dy = chord * std::sin(angle);
    assembly.parts.push_back({fmt::format("plank_{:04}", k + 1), 0,
                              at({static_cast<float>(x + 0.5 * dx), static_cast<float>(y + 0.5 * dy), 0},
                                 {0, 0, static_cast<float>(angle * 180 / kPi)})});
    x += dx, y += dy;
  }
}

// Stands on the origin with its arms to the sides, facing +z; shares of its height are those of a grown-up.
class Ragdoll {
 public:
  Ragdoll(float height, const Keyed<JointParams>& params, Assembly& assembly)
      : height_(height), params_(params), assembly_(assembly) {}

  void make() {
    const int pelvis = box("pelvis", {0, 0.56f, 0}, {0.17f, 0.10f, 0.10f});
    const int chest = box("chest", {0, 0.72f, 0}, {0.18f, 0.20f, 0.11f});
    ball("waist", pelvis, chest, {0, 0.615f, 0}, {0, 1, 0}, 30, 30);
    const int head = limb("head", {0, 0.835f, 0}, {0, 0.995f, 0}, 0.055f);
    ball("neck", chest, head, {0, 0.83f, 0}, {0, 1, 0}, 40, 60);
    for (const int side : {1, -1}) {
      const auto s = static_cast<float>(side);
      const char* of = side > 0 ? "left" : "right";
      const Vec3f shoulder{0.10f * s, 0.79f, 0}, elbow{0.27f * s, 0.79f, 0}, hand{0.46f * s, 0.79f, 0};
      const int upper_arm = limb(fmt::format("{}_upper_arm", of), shoulder, elbow, 0.025f);
      const int forearm = limb(fmt::format("{}_forearm", of), elbow, hand, 0.022f);
      ball(fmt::format("{}_shoulder", of), chest, upper_arm, shoulder, {s, 0, 0}, 100, 60);
      hinge(fmt::format("{}_elbow", of), upper_arm, forearm, elbow, {0, -s, 0}, 140);  // bends forwards
      const Vec3f hip{0.055f * s, 0.53f, 0}, knee{0.055f * s, 0.285f, 0}, ankle{0.055f * s, 0.04f, 0};
      const int thigh = limb(fmt::format("{}_thigh", of), hip, knee, 0.04f);
      const int shin = limb(fmt::format("{}_shin", of), knee, ankle, 0.03f);
      const int foot = box(fmt::format("{}_foot", of), {0.055f * s, 0.02f, 0.03f}, {0.055f, 0.04f, 0.15f});
      ball(fmt::format("{}_hip", of), pelvis, thigh, hip, {0, -1, 0}, 70, 30);
      hinge(fmt::format("{}_knee", of), thigh, shin, knee, {1, 0, 0}, 140);  // bends backwards
      ball(fmt::format("{}_ankle", of), shin, foot, ankle, {0, -1, 0}, 30, 20);
    }
  }

 private:
  int add(std::string name, RigidShape shape, const Pose& place) {
    assembly_.parts.push_back({std::move(name), static_cast<int>(assembly_.shapes.size()), place});
    assembly_.shapes.push_back(std::move(shape));
    return static_cast<int>(assembly_.parts.size()) - 1;
  }
  int box(std::string name, Vec3f centre, Vec3f size) {
    return add(std::move(name), boxShape(size * height_), at(centre * height_));
  }
  // A capsule from joint to joint.
  int limb(std::string name, Vec3f from, Vec3f to, float radius) {
    const Vec3f way = to - from;
    const float straight = std::max(length(way) - 2 * radius, 0.1f * radius);
    const bool across = way.x != 0;
    return add(std::move(name), capsuleShape(radius * height_, straight * height_),
               at((from + to) * (0.5f * height_), {0, 0, across ? 90.0f : 0}));
  }
  void ball(std::string name, int a, int b, Vec3f place, Vec3f axis, float cone, float twist) {
    Keyed<JointParams> params = params_;
    params.base.coneangle = cone, params.base.twistangle = twist;
    assembly_.links.push_back(
        {std::move(name), Kind::spherical, a, b, frameAlong(place * height_, axis), params});
  }
  void hinge(std::string name, int a, int b, Vec3f place, Vec3f axis, float upper) {
    Keyed<JointParams> params = params_;
    params.base.limited = true, params.base.lower = 0, params.base.upper = upper;
    assembly_.links.push_back(
        {std::move(name), Kind::hinge, a, b, frameAlong(place * height_, axis), params});
  }

  float height_;
  const Keyed<JointParams>& params_;
  Assembly& assembly_;
};

}  // namespace

Pose frameAlong(Vec3f at, Vec3f axis) {
  Pose frame;
  frame.origin = at;
  frame.axis[0] = axis * (1 / length(axis));
  int least = 0;  // the world axis that leans least to it
  for (int k = 1; k < 3; ++k)
    if (std::abs(frame.axis[0][k]) < std::abs(frame.axis[0][least])) least = k;
  Vec3f other;
  other[least] = 1;
  const Vec3f across = cross(frame.axis[0], other);
  frame.axis[1] = across * (1 / length(across));
  frame.axis[2] = cross(frame.axis[0], frame.axis[1]);
  return frame;
}

Assembly readAssembly(const JsonNode& node, Problems& problems) {
  Assembly assembly;
  ObjectReader object(node, "an assembly", problems);
  const int index = readName(*object.require("assembly"), "assembly", kAssemblies, problems);
  if (index < 0) return assembly;
  Keyed<JointParams> params;
  if (const JsonNode* rows = object.find("joints")) {
    ObjectReader inner(*rows, "joints", problems);
    readParams(inner, params, problems);
    inner.rejectUnknown();
  }
  if (index == 0) makeChain(object, params, assembly, problems);
  if (index == 1) makeBridge(object, params, assembly, problems);
  if (index == 2) {
    float height = 1.75f;
    object.number("height", kLeastLength, kGreatestLength, height);
    Ragdoll(height, params, assembly).make();
  }
  object.rejectUnknown();
  return assembly;
}

}  // namespace repose
