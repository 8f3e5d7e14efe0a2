// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/rigid_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "scene/read_transform.h"
#include "scene/rigid_shape.h"

namespace repose {

namespace {

constexpr double kMostCopies = 1e6, kGreatestLength = 1e6;
constexpr double kDegree = 3.14159265358979323846 / 180;
const std::vector<std::string> kPatterns = {"grid", "wall", "cards"};

Pose turned(Vec3f at, Vec3f degrees) { return poseOf(composeTransform(at, degrees, {1, 1, 1})); }

// Uniform over all rotations: a point on the sphere of quaternions.
Pose anyTurn(Random& random) {
  double q[4], square = 0;
  do {
    square = 0;
    for (double& x : q) x = random.between(-1, 1), square += x * x;
  } while (square > 1 || square < 1e-6);
  return poseOf({}, normalized({static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
                                static_cast<float>(q[3])}));
}

struct Pattern {
  int count[3] = {1, 1, 1};
  Vec3f spacing;
  float jitter = 0;       // share of the spacing
  float turn = 0;         // greatest angle about y [degrees]
  bool turn_any = false;  // to any direction
  Vec3f rotate;           // of each copy [degrees]
  std::uint32_t seed = 0;
};

// Columns are centred, layers go up from the place of the body.
RigidLayout gridOf(const Pattern& pattern) {
  RigidLayout layout;
  const Pose own = turned({}, pattern.rotate);
  std::uint64_t stream = 0;
  for (int j = 0; j < pattern.count[1]; ++j)
    for (int k = 0; k < pattern.count[2]; ++k)
      for (int i = 0; i < pattern.count[0]; ++i) {
        Random random(pattern.seed, stream++);
        Vec3f at{static_cast<float>(i) - 0.5f * static_cast<float>(pattern.count[0] - 1),
                 static_cast<float>(j),
                 static_cast<float>(k) - 0.5f * static_cast<float>(pattern.count[2] - 1)};
        for (int c = 0; c < 3; ++c)
          at[c] =
              (at[c] + pattern.jitter * static_cast<float>(random.between(-0.5, 0.5))) * pattern.spacing[c];
        RigidCopy copy;
        if (pattern.turn_any)
          copy.place = anyTurn(random);
        else if (pattern.turn > 0)
          copy.place = turned({}, {0, static_cast<float>(random.between(-pattern.turn, pattern.turn)), 0});
        copy.place = copy.place * own;
        copy.place.origin = at;
        layout.copies.push_back(copy);
      }
  return layout;
}

// Running bond: every other row begins and ends with a half brick, so that all rows are as long.
RigidLayout wallOf(int columns, int rows, Vec3f size, float gap) {
  const float pitch = size.x + gap, half = 0.5f * (size.x - gap);
  RigidLayout layout{{}, true, half};
  const float left = -0.5f * (static_cast<float>(columns) * pitch - gap);
  for (int j = 0; j < rows; ++j) {
    const bool shifted = j % 2 == 1;
    const auto add = [&](float x, bool is_half) {
      RigidCopy copy;
      copy.place.origin = {x, static_cast<float>(j) * size.y, 0};
      copy.half = is_half;
      layout.copies.push_back(copy);
    };
    if (shifted) add(left + 0.5f * half, true);
    for (int i = 0; i < columns - (shifted ? 1 : 0); ++i)
      add(left + (shifted ? half + gap : 0) + 0.5f * size.x + static_cast<float>(i) * pitch, false);
    if (shifted) add(-left - 0.5f * half, true);
  }
  return layout;
}

// Tents of two cards that lean against each other, and flat cards from tip to tip. A card is size.x thick and
// size.y long; all edges touch exactly.
RigidLayout cardsOf(int levels, float lean, Vec3f size) {
  RigidLayout layout{{}, true, 0};
  const double a = lean * kDegree, c = size.y, t = size.x;
  const auto reach = static_cast<float>(0.5 * (t * std::cos(a) + c * std::sin(a)));  // half its width
  const auto height = static_cast<float>(c * std::cos(a) + t * std::sin(a));
  const auto add = [&](Vec3f at, float degrees) {
    RigidCopy copy;
    copy.place = turned(at, {0, 0, degrees});
    layout.copies.push_back(copy);
  };
  float floor = 0;
  for (int level = 0; level < levels; ++level) {
    const int tents = levels - level;
    for (int k = 0; k < tents; ++k) {
      const float x = (static_cast<float>(k) - 0.5f * static_cast<float>(tents - 1)) * size.y;
      add({x - reach, floor + 0.5f * height, 0}, -lean);
      add({x + reach, floor + 0.5f * height, 0}, lean);
    }
    for (int k = 0; k + 1 < tents; ++k)
      add({(static_cast<float>(k) - 0.5f * static_cast<float>(tents - 2)) * size.y,
           floor + height + 0.5f * size.x, 0},
          90);
    floor += height + size.x;
  }
  return layout;
}

bool readCounts(ObjectReader& object, Pattern& pattern, Problems& problems) {
  const JsonNode* node = object.require("count");
  double count[3];
  if (!node || !readNumbers(*node, "count", {3, true, 1, kMostCopies}, count, problems)) return false;
  if (count[0] * count[1] * count[2] > kMostCopies) {
    problems.error(node->place, fmt::format("count makes {} copies, but at most {} are possible",
                                            count[0] * count[1] * count[2], kMostCopies));
    return false;
  }
  for (int k = 0; k < 3; ++k) pattern.count[k] = static_cast<int>(count[k]);
  return true;
}

void readTurn(const JsonNode& node, Pattern& pattern, Problems& problems) {
  double angle;
  if (node.type == JsonNode::Type::string)
    pattern.turn_any = readName(node, "turn", {"random"}, problems) == 0;
  else if (readNumbers(node, "turn", {1, false, 0, 180}, &angle, problems))
    pattern.turn = static_cast<float>(angle);
}

RigidLayout readGrid(ObjectReader& object, Vec3f size, Problems& problems) {
  Pattern pattern;
  const bool good = readCounts(object, pattern, problems);
  pattern.spacing = size;
  double spacing[3];
  if (const JsonNode* node = object.find("spacing");
      node && readNumbers(*node, "spacing", {3, false, 0, kGreatestLength}, spacing, problems))
    for (int k = 0; k < 3; ++k) pattern.spacing[k] = static_cast<float>(spacing[k]);
  object.number("jitter", 0, 10, pattern.jitter);
  if (const JsonNode* turn = object.find("turn")) readTurn(*turn, pattern, problems);
  object.vector("rotate", pattern.rotate);
  double seed;
  if (const JsonNode* node = object.find("seed");
      node && readNumbers(*node, "seed", {1, true, 0, 4294967295.0}, &seed, problems))
    pattern.seed = static_cast<std::uint32_t>(seed);
  return good ? gridOf(pattern) : RigidLayout();
}

RigidLayout readWall(ObjectReader& object, Vec3f size, Problems& problems) {
  const JsonNode* node = object.require("count");
  double count[2];
  const bool good = node && readNumbers(*node, "count", {2, true, 1, 1000}, count, problems);
  float gap = 0;
  object.number("gap", 0, 0.9 * size.x, gap);
  if (!good) return {};
  return wallOf(static_cast<int>(count[0]), static_cast<int>(count[1]), size, gap);
}

RigidLayout readCards(ObjectReader& object, Vec3f size, Problems& problems) {
  double levels = 3;
  float lean = 15;
  const JsonNode* node = object.find("levels");
  const bool good = !node || readNumbers(*node, "levels", {1, true, 1, 100}, &levels, problems);
  // Beyond 28 degrees neighbouring tents would meet.
  object.number("lean", 1, 28, lean);
  return good ? cardsOf(static_cast<int>(levels), lean, size) : RigidLayout();
}

}  // namespace

RigidLayout readCopies(const JsonNode& node, Vec3f size, Problems& problems) {
  ObjectReader object(node, "copies", problems);
  if (node.type != JsonNode::Type::object) return {};
  const JsonNode* name = object.find("pattern");
  const int pattern = name ? readName(*name, "pattern", kPatterns, problems) : 0;
  if (pattern < 0) return {};
  RigidLayout layout = pattern == 0   ? readGrid(object, size, problems)
                       : pattern == 1 ? readWall(object, size, problems)
                                      : readCards(object, size, problems);
  object.rejectUnknown();
  return layout;
}

Vec3f readSpin(const JsonNode& node, Problems& problems) {
  Vec3f degrees;
  readVector(node, "spin", degrees, problems);
  return degrees * static_cast<float>(kDegree);
}

RigidLayout readPlaces(const JsonNode& node, Problems& problems) {
  RigidLayout layout;
  if (!expectType(node, "places", JsonNode::Type::array, problems)) return layout;
  if (node.items.empty()) problems.error(node.place, "places is an empty list");
  for (const JsonNode& item : node.items) {
    RigidCopy copy;
    ObjectReader object(item, "a place", problems);
    Vec3f translate, rotate;
    object.vector("translate", translate);
    object.vector("rotate", rotate);
    copy.place = turned(translate, rotate);
    if (const JsonNode* name = object.find("name")) readText(*name, "name", copy.name, problems);
    Vec3f velocity;
    if (const JsonNode* own = object.find("velocity"))
      if (readVector(*own, "velocity", velocity, problems)) copy.velocity = velocity;
    if (const JsonNode* own = object.find("spin")) copy.spin = readSpin(*own, problems);
    object.rejectUnknown();
    layout.copies.push_back(std::move(copy));
  }
  return layout;
}

}  // namespace repose
