// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "params/text.h"
#include "scene/read_abc.h"
#include "scene/read_blob.h"
#include "scene/read_obj.h"
#include "scene/read_transform.h"
#include "scene/shapes.h"

namespace repose {

namespace {

constexpr double kLeastLength = 1e-6, kGreatestLength = 1e6;  // [m]
constexpr double kMostDivisions = 20000, kMostCells = 5e7;

std::vector<std::string> shapeNames() {
  std::vector<std::string> names;
  for (const ShapeRow& row : kShapes) names.emplace_back(row.name);
  return names;
}

bool readDivisions(const JsonNode& node, const ShapeRow& row, Shape& shape, Problems& problems) {
  double numbers[3];
  if (!readNumbers(node, "divisions", {row.divisions, true, 1, kMostDivisions}, numbers, problems))
    return false;
  double cells = 1;
  for (int k = 0; k < row.divisions; ++k) {
    if (numbers[k] < row.least_divisions[k]) {
      problems.error(node.items[k].place, fmt::format("divisions[{}] of a {} is {}, but must be at least {}",
                                                      k, row.name, numbers[k], row.least_divisions[k]));
      return false;
    }
    shape.divisions[k] = static_cast<int>(numbers[k]);
    cells *= numbers[k];
  }
  if (cells <= kMostCells) return true;
  problems.error(node.place,
                 fmt::format("divisions make {} cells, but at most {} are possible", cells, kMostCells));
  return false;
}

bool readSize(const JsonNode& node, const ShapeRow& row, Shape& shape, Problems& problems) {
  double numbers[3];
  if (!readNumbers(node, "size", {row.sizes, false, kLeastLength, kGreatestLength}, numbers, problems))
    return false;
  for (int k = 0; k < row.sizes; ++k) shape.size[k] = static_cast<float>(numbers[k]);
  return true;
}

std::optional<FormulaShape> readShape(ObjectReader& object, const JsonNode& name, Problems& problems) {
  const int index = readName(name, "shape", shapeNames(), problems);
  if (index < 0) return std::nullopt;
  const ShapeRow& row = kShapes[index];
  Shape shape;
  shape.divisions = row.default_divisions;
  bool good = true;
  if (row.sizes)
    if (const JsonNode* node = object.find("size")) good &= readSize(*node, row, shape, problems);
  if (const JsonNode* node = object.find("divisions")) good &= readDivisions(*node, row, shape, problems);
  if (row.radius) object.number("radius", kLeastLength, kGreatestLength, shape.radius);
  if (row.tuberadius) object.number("tuberadius", kLeastLength, shape.radius, shape.tuberadius);
  if (row.height) object.number("height", kLeastLength, kGreatestLength, shape.height);
  if (row.plane)
    if (const JsonNode* node = object.find("plane")) {
      const int plane = readName(*node, "plane", {std::begin(kPlaneNames), std::end(kPlaneNames)}, problems);
      good &= plane >= 0;
      shape.plane = static_cast<Plane>(std::max(plane, 0));
    }
  object.flag("triangles", shape.triangles);
  object.rejectUnknown();
  if (!good) return std::nullopt;
  return FormulaShape{&row, shape};
}

std::optional<Source> readFile(ObjectReader& object, const JsonNode& file, const Mat4d& transform,
                               const SceneContext& context) {
  AbcSourceOptions options;
  options.first_frame = context.scene.first_frame;
  options.fps = context.scene.world.base.fps;
  options.transform = transform;
  std::string name;
  bool good = readText(file, "file", name, context.problems);
  const std::string extension = std::filesystem::path(name).extension().string();
  if (good && extension != ".obj" && extension != ".abc") {
    context.problems.error(file.place, fmt::format("file is \"{}\", but must end in .obj or .abc", name));
    good = false;
  }
  if (extension == ".abc") {
    if (const JsonNode* node = object.find("object"))
      good &= readText(*node, "object", options.object, context.problems);
    object.flag("animated", options.animated);
  }
  object.rejectUnknown();
  if (!good) return std::nullopt;

  const std::string path = context.resolve(name);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    context.problems.error(file.place, fmt::format("the file {} does not exist", path));
    return std::nullopt;
  }
  const auto give = [&](const Status& status, Source source) -> std::optional<Source> {
    if (status.ok()) return source;
    context.problems.error(file.place, status.message());
    return std::nullopt;
  };
  if (extension == ".obj") {
    Result<Geometry> mesh = readObj(path);
    return give(mesh.status(), mesh.ok() ? Source{std::move(*mesh), nullptr} : Source{});
  }
  Result<AbcSource> mesh = readAbcSource(path, options);
  return give(mesh.status(), mesh.ok() ? Source{std::move(mesh->geometry), mesh->motion} : Source{});
}

// The motion of a host, which knows nothing of where the body is placed.
class PlacedMotion : public Motion {
 public:
  PlacedMotion(std::shared_ptr<Motion> motion, const Mat4d& transform)
      : motion_(std::move(motion)), transform_(transform) {}

  Status positionsAt(double frame, std::vector<Vec3f>& points) override {
    Status status = motion_->positionsAt(frame, points);
    for (Vec3f& p : points) p = transformPoint(transform_, p);
    return status;
  }

 private:
  std::shared_ptr<Motion> motion_;
  Mat4d transform_;
};

std::optional<Source> readHost(ObjectReader& object, const JsonNode& name, const Mat4d& transform,
                               const SceneContext& context) {
  object.rejectUnknown();
  const HostMesh* mesh = findHostMesh(name, context);
  if (!mesh) return std::nullopt;
  Source source{mesh->geometry, nullptr};
  if (mesh->motion) source.motion = std::make_shared<PlacedMotion>(mesh->motion, transform);
  return source;
}

}  // namespace

std::string SceneContext::resolve(const std::string& path) const {
  const std::string file = (std::filesystem::path(folder) / path).lexically_normal().string();
  return roots.allow(file) ? file : "";
}

const HostMesh* findHostMesh(const JsonNode& name, const SceneContext& context) {
  std::string wanted;
  if (!readText(name, "host", wanted, context.problems)) return nullptr;
  if (const auto found = context.host.find(wanted); found != context.host.end()) return &found->second;
  std::vector<std::string> known;
  for (const auto& [mesh, geometry] : context.host) known.push_back(mesh);
  context.problems.error(
      name.place,
      known.empty()
          ? fmt::format("host is \"{}\", but nobody has handed over a mesh; name a \"file\"", wanted)
          : fmt::format("host is \"{}\", but the meshes handed over are {}{}", wanted, joinText(known),
                        didYouMean(wanted, known)));
  return nullptr;
}

std::optional<Source> readSource(const JsonNode& node, const Mat4d& transform, const SceneContext& context) {
  ObjectReader object(node, "a source", context.problems);
  if (node.type != JsonNode::Type::object) return std::nullopt;
  const JsonNode* shape = object.find("shape");
  const JsonNode* file = object.find("file");
  const JsonNode* blob = object.find("blob");
  const JsonNode* host = object.find("host");
  if (!!shape + !!file + !!blob + !!host != 1) {
    context.problems.error(node.place, "a source must have one of \"shape\", \"file\" and \"blob\"");
    return std::nullopt;
  }
  std::optional<Source> source;
  if (file) {
    source = readFile(object, *file, transform, context);
  } else if (host) {
    source = readHost(object, *host, transform, context);
  } else if (blob) {
    if (std::optional<Geometry> mesh = readBlob(object, *blob, context.problems))
      source = Source{std::move(*mesh), nullptr};
  } else if (std::optional<FormulaShape> formula = readShape(object, *shape, context.problems)) {
    source = Source{formula->row->make(formula->shape), nullptr, std::make_shared<FormulaShape>(*formula)};
  }
  if (source) placeGeometry(source->geometry, transform);
  return source;
}

std::optional<Source> readPlacedSource(const JsonNode& node, const char* what, const SceneContext& context) {
  ObjectReader object(node, what, context.problems);
  Mat4d transform;
  if (const JsonNode* placing = object.find("transform"))
    transform = readTransform(*placing, context.problems);
  const JsonNode* source = object.require("source");
  object.rejectUnknown();
  return source ? readSource(*source, transform, context) : std::nullopt;
}

}  // namespace repose
