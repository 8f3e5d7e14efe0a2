// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_collider.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scene/read_body.h"
#include "scene/read_params.h"
#include "scene/read_transform.h"
#include "scene/volume.h"

namespace repose {

namespace {

using Shape = Collider::Shape;
using Type = JsonNode::Type;

constexpr double kLeastLength = 1e-6, kGreatestLength = 1e6;  // [m]
constexpr float kStraight = 1e-3f;  // points of a heightfield may be off their row by this share of a cell
constexpr float kSameScale = 1e-5f;

// The shapes of colliders: "plane", those of volumes, "heightfield".
std::vector<std::string> shapeNames() {
  std::vector<std::string> names = {"plane"};
  for (const std::string_view name : kVolumeNames) names.emplace_back(name);
  names.emplace_back("heightfield");
  return names;
}

void readSizes(ObjectReader& object, Volume& volume, Problems& problems) {
  using Kind = Volume::Shape;
  volume.tuberadius = 0.2f;  // as the source of a body
  if (volume.shape == Kind::box) {
    double size[3];
    const JsonNode* node = object.find("size");
    if (node && readNumbers(*node, "size", {3, false, kLeastLength, kGreatestLength}, size, problems))
      for (int k = 0; k < 3; ++k) volume.size[k] = static_cast<float>(size[k]);
    return;
  }
  object.number("radius", kLeastLength, kGreatestLength, volume.radius);
  if (volume.shape == Kind::torus)
    object.number("tuberadius", kLeastLength, volume.radius, volume.tuberadius);
  else if (volume.shape != Kind::sphere)
    object.number("height", kLeastLength, kGreatestLength, volume.height);
}

void addGridFaces(int columns, int rows, Geometry& geometry) {
  for (int j = 0; j + 1 < rows; ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int a = j * columns + i;
      geometry.face_counts.push_back(4);
      for (const int p : {a, a + columns, a + columns + 1, a + 1}) geometry.face_indices.push_back(p);
    }
}

// Rows from -z to +z, each from -x to +x, as a picture seen from above.
void readHeights(const JsonNode& heights, Vec3f size, Collider& collider, Problems& problems) {
  if (!expectType(heights, "heights", Type::array, problems)) return;
  const auto rows = static_cast<int>(heights.items.size());
  const int columns = rows ? static_cast<int>(heights.items[0].items.size()) : 0;
  if (rows < 2 || columns < 2)
    return problems.error(heights.place, "heights must be at least 2 rows of at least 2 numbers");
  std::vector<Vec3f> points;
  std::vector<double> row(columns);
  for (int j = 0; j < rows; ++j) {
    if (!readNumbers(heights.items[j], fmt::format("heights[{}]", j), {columns}, row.data(), problems))
      return;
    for (int i = 0; i < columns; ++i)
      points.push_back({(static_cast<float>(i) / static_cast<float>(columns - 1) - 0.5f) * size.x,
                        static_cast<float>(row[i]),
                        (static_cast<float>(j) / static_cast<float>(rows - 1) - 0.5f) * size.z});
  }
  collider.columns = columns;
  collider.geometry.points = std::move(points);
  addGridFaces(columns, rows, collider.geometry);
}

// Points in a row of a grid whose rows are straight along x and go along z; 0 for anything else.
int gridColumns(const std::vector<Vec3f>& points) {
  if (points.size() < 4) return 0;
  const float step = points[1].x - points[0].x, slack = kStraight * std::abs(step);
  std::size_t columns = 1;
  while (columns < points.size() && std::abs(points[columns].z - points[0].z) <= slack) ++columns;
  if (columns < 2 || columns == points.size() || points.size() % columns) return 0;
  const float stride = points[columns].z - points[0].z;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const std::size_t row = p / columns;
    const auto i = static_cast<float>(p % columns), j = static_cast<float>(row);
    if (!(std::abs(points[p].x - points[0].x - i * step) <= slack) ||
        !(std::abs(points[p].z - points[0].z - j * stride) <= kStraight * std::abs(stride)))
      return 0;
  }
  return step != 0 && stride != 0 ? static_cast<int>(columns) : 0;
}

void readHeightfield(ObjectReader& object, const Mat4d& transform, Collider& collider,
                     const SceneContext& context) {
  Problems& problems = context.problems;
  const JsonNode* heights = object.find("heights");
  const JsonNode* source = object.find("source");
  if (!heights == !source)
    return problems.error(object.node().place, "a heightfield must have either \"heights\" or \"source\"");
  if (heights) {
    double size[2] = {1, 1};
    if (const JsonNode* node = object.find("size"))
      if (!readNumbers(*node, "size", {2, false, kLeastLength, kGreatestLength}, size, problems)) return;
    readHeights(*heights, {static_cast<float>(size[0]), 0, static_cast<float>(size[1])}, collider, problems);
  } else if (std::optional<Source> mesh = readSource(*source, {}, context)) {
    collider.columns = gridColumns(mesh->geometry.points);
    if (mesh->motion) return problems.error(source->place, "a heightfield cannot be animated");
    if (!collider.columns)
      return problems.error(source->place,
                            "a heightfield needs a grid of points in straight rows along x and z");
    collider.geometry = std::move(mesh->geometry);
  }
  for (Vec3f& p : collider.geometry.points) p = transformPoint(transform, p);
}

void readMesh(ObjectReader& object, const JsonNode& source, const Mat4d& transform, Collider& collider,
              const SceneContext& context) {
  if (std::optional<Source> mesh = readSource(source, transform, context)) {
    collider.geometry = std::move(mesh->geometry);
    collider.motion = mesh->motion;
  }
  const JsonNode* voxel = object.find("voxel");
  object.number("voxel", kLeastLength, kGreatestLength, collider.voxel);
  if (voxel && collider.motion)
    context.problems.error(voxel->place,
                           "an animated mesh cannot be turned into a field: leave out \"voxel\"");
}

void readField(const JsonNode& node, Collider& collider, const SceneContext& context) {
  Problems& problems = context.problems;
  ObjectReader object(node, "a field", problems);
  const JsonNode* file = object.require("file");
  object.rejectUnknown();
  std::string name;
  if (!file || !readText(*file, "file", name, problems)) return;
  if (std::filesystem::path(name).extension() != ".vdb")
    return problems.error(file->place, fmt::format("file is \"{}\", but must end in .vdb", name));
  collider.path = context.resolve(name);
  std::error_code ignored;
  if (!std::filesystem::exists(collider.path, ignored))
    problems.error(file->place, fmt::format("the file {} does not exist", collider.path));
  const Vec3f scale = scaleOf(collider.place);
  if (std::abs(scale.x - scale.y) > kSameScale * scale.x ||
      std::abs(scale.x - scale.z) > kSameScale * scale.x)
    problems.error(node.place,
                   fmt::format("a field must have the same scale in all directions, but has {}, {}, {}",
                               scale.x, scale.y, scale.z));
}

// Reads what the kind of collider takes, which `shape`, `source` or `field` tells. False when there is no
// kind, and so no telling which keys are known.
bool readKind(ObjectReader& object, const Mat4d& transform, Collider& collider, const SceneContext& context) {
  Problems& problems = context.problems;
  const JsonNode* shape = object.find("shape");
  const JsonNode* source = object.find("source");
  const JsonNode* field = object.find("field");
  const bool heights = shape && shape->type == Type::string && shape->text == "heightfield";
  if ((shape ? 1 : 0) + (source && !heights ? 1 : 0) + (field ? 1 : 0) != 1) {
    if (object.node().type == Type::object)
      problems.error(object.node().place, "a collider must have one of \"shape\", \"source\" and \"field\"");
    return false;
  }
  if (heights) {
    collider.shape = Shape::heightfield;
    readHeightfield(object, transform, collider, context);
  } else if (field) {
    collider.shape = Shape::field;
    collider.place = transform;
    readField(*field, collider, context);
  } else if (source) {
    collider.shape = Shape::mesh;
    readMesh(object, *source, transform, collider, context);
  } else {
    const int index = readName(*shape, "shape", shapeNames(), problems);
    if (index <= 0) return index == 0;  // a plane takes nothing more
    collider.shape = Shape::volume;
    collider.volume.shape = static_cast<Volume::Shape>(index - 1);
    collider.volume.place = transform;
    readSizes(object, collider.volume, problems);
  }
  return true;
}

Vec3f unit(Vec3f v) { return v * (1 / length(v)); }

}  // namespace

Collider readCollider(const JsonNode& node, const SceneContext& context) {
  Collider collider;
  Problems& problems = context.problems;
  ObjectReader object(node, "a collider", problems);
  readOwnName(object, collider.name, problems);
  Mat4d transform;
  if (const JsonNode* placing = object.find("transform")) transform = readTransform(*placing, problems);
  collider.point = transformPoint(transform, {});
  collider.normal = unit(transformVector(transform, {0, 1, 0}));
  const bool known = readKind(object, transform, collider, context);
  object.flag("inside", collider.inside);
  if (collider.inside && (collider.shape == Shape::plane || collider.shape == Shape::heightfield))
    problems.error(node.place, fmt::format("a {} cannot be a container: it has no inside",
                                           collider.shape == Shape::plane ? "plane" : "heightfield"));
  if (const JsonNode* keys = object.find("translate"))
    readVectorKeys(*keys, "translate", collider.translate, problems);
  if (const JsonNode* keys = object.find("rotate"))
    readVectorKeys(*keys, "rotate", collider.rotate, problems);
  readParams(object, collider.params, problems);
  if (known) object.rejectUnknown();
  return collider;
}

}  // namespace repose
