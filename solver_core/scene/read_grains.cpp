// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_grains.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "params/text.h"
#include "scene/fill.h"
#include "scene/read_abc.h"
#include "scene/read_body.h"
#include "scene/read_obj.h"
#include "scene/read_transform.h"

namespace repose {

namespace {

using Type = JsonNode::Type;

constexpr double kLeastLength = 1e-6, kGreatestLength = 1e6;  // [m]
const std::vector<std::string> kShapeNames(std::begin(kVolumeNames), std::end(kVolumeNames));
const std::vector<std::string> kPackingNames = {"hexagonal", "lattice", "random"};

void readSeed(ObjectReader& object, std::uint32_t& seed, Problems& problems) {
  double number;
  const JsonNode* node = object.find("seed");
  if (node && readNumbers(*node, "seed", {1, true, 0, 4294967295.0}, &number, problems))
    seed = static_cast<std::uint32_t>(number);
}

Emitter readEmitter(const JsonNode& node, Problems& problems) {
  Emitter emitter;
  ObjectReader object(node, "an emitter", problems);
  readVolume(object, emitter.volume, problems);
  if (const JsonNode* placing = object.find("transform"))
    emitter.volume.place = readTransform(*placing, problems);
  if (object.require("rate")) object.number("rate", 0, 1e7, emitter.rate);
  object.vector("velocity", emitter.velocity);
  object.number("spread", 0, 100, emitter.spread);
  double frames[2];
  if (const JsonNode* list = object.find("frames"))
    if (readFrameSpan(*list, "frames", false, frames, problems))
      emitter.first_frame = frames[0], emitter.last_frame = frames[1];
  readSeed(object, emitter.seed, problems);
  object.rejectUnknown();
  return emitter;
}

// The path of a file that exists; "" after a report.
std::string readPath(const JsonNode& node, const std::vector<std::string>& extensions,
                     const SceneContext& context) {
  std::string name;
  if (!readText(node, "file", name, context.problems)) return "";
  const std::string extension = std::filesystem::path(name).extension().string();
  if (std::find(extensions.begin(), extensions.end(), extension) == extensions.end()) {
    context.problems.error(
        node.place, fmt::format("file is \"{}\", but must end in one of {}", name, joinText(extensions)));
    return "";
  }
  std::string path = context.resolve(name);
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  context.problems.error(node.place, fmt::format("the file {} does not exist", path));
  return "";
}

// The region of a fill in the frame of the placement; null after a report.
std::unique_ptr<Region> readRegion(const JsonNode& node, const Placement& placement, float radius,
                                   const SceneContext& context) {
  Problems& problems = context.problems;
  ObjectReader object(node, "a fill", problems);
  if (node.type != Type::object) return nullptr;
  Mat4d scaling;
  for (int k = 0; k < 3; ++k) scaling.m[k][k] = placement.scale[k];
  const JsonNode* file = object.find("file");
  const JsonNode* host = object.find("host");
  if (!!file + !!host + object.has("shape") != 1) {
    problems.error(node.place, "a fill must have either \"shape\" or \"file\"");
    return nullptr;
  }
  if (!file && !host) {
    Volume volume;
    const bool good = readVolume(object, volume, problems);
    object.rejectUnknown();
    volume.place = scaling;
    return good ? makeVolumeRegion(volume) : nullptr;
  }
  const std::string path = file ? readPath(*file, {".obj", ".abc", ".vdb"}, context) : "";
  if (file && path.empty()) return nullptr;
  Result<std::unique_ptr<Region>> region = badInput("");
  if (std::filesystem::path(path).extension() == ".vdb") {
    object.rejectUnknown();
    region = readVdbRegion(path, placement.scale, radius);
  } else {
    const std::optional<Source> mesh = readSource(node, scaling, context);
    if (!mesh) return nullptr;
    region = makeMeshRegion(mesh->geometry);
  }
  if (region.ok()) return std::move(*region);
  problems.error((file ? file : host)->place, region.status().message());
  return nullptr;
}

void readFill(ObjectReader& object, const JsonNode& node, const Placement& placement, Body& body,
              const SceneContext& context) {
  Fill fill;
  Problems& problems = context.problems;
  if (const JsonNode* packing = object.find("packing"))
    if (const int index = readName(*packing, "packing", kPackingNames, problems); index >= 0)
      fill.packing = static_cast<Packing>(index);
  object.number("jitter", 0, 10, fill.jitter);
  readSeed(object, fill.seed, problems);
  double most;
  const JsonNode* count = object.find("count");
  if (count && readNumbers(*count, "count", {1, true, 1, static_cast<double>(kMostGrains)}, &most, problems))
    fill.most = static_cast<std::size_t>(most);
  object.rejectUnknown();
  const RadiusLaw law(body.grain.base);
  if (!law.good()) return;  // its own finding
  const std::unique_ptr<Region> region = readRegion(node, placement, law.greatest(), context);
  if (!region) return;
  Result<FilledGrains> grains = fillRegion(*region, fill, law);
  if (!grains.ok()) return problems.error(node.place, grains.status().message());
  body.geometry.points = std::move(grains->centres);
  for (Vec3f& p : body.geometry.points) p = placement.toWorld(p);
  body.radii = std::move(grains->radii);
}

// The points of a file; an error without a sentence after a report.
Result<Geometry> readPointFile(ObjectReader& object, const JsonNode& file, const SceneContext& context) {
  Problems& problems = context.problems;
  AbcSourceOptions options;
  options.first_frame = context.scene.first_frame;
  options.fps = context.scene.world.base.fps;
  const JsonNode* chosen = object.find("object");
  if (chosen && !readText(*chosen, "object", options.object, problems)) return badInput("");
  object.rejectUnknown();
  const std::string path = readPath(file, {".obj", ".abc"}, context);
  if (path.empty()) return badInput("");
  const bool alembic = std::filesystem::path(path).extension() == ".abc";
  if (chosen && !alembic) return badInput("only an .abc file has an \"object\"");
  return alembic ? readAbcPoints(path, options) : readObjPoints(path);
}

// The points of a mesh in memory, whatever faces it has.
Result<Geometry> readHostPoints(ObjectReader& object, const JsonNode& name, const SceneContext& context) {
  object.rejectUnknown();
  const HostMesh* mesh = findHostMesh(name, context);
  if (!mesh) return badInput("");
  Geometry points = mesh->geometry;
  points.face_counts.clear(), points.face_indices.clear();
  const auto of_faces = [](const Attribute& a) {
    return a.owner == AttributeOwner::face || a.owner == AttributeOwner::corner;
  };
  points.attributes.erase(std::remove_if(points.attributes.begin(), points.attributes.end(), of_faces),
                          points.attributes.end());
  return points;
}

void readPoints(ObjectReader& object, const JsonNode* file, const JsonNode* host, const Mat4d& transform,
                Body& body, const SceneContext& context) {
  std::uint32_t seed = 0;
  readSeed(object, seed, context.problems);
  Result<Geometry> points =
      file ? readPointFile(object, *file, context) : readHostPoints(object, *host, context);
  if (!points.ok()) {
    if (!points.status().message().empty())
      context.problems.error((file ? file : host)->place, points.status().message());
    return;
  }
  body.geometry = std::move(*points);
  placeGeometry(body.geometry, transform);

  const std::size_t count = body.geometry.points.size();
  const Attribute* sizes = body.geometry.find(AttributeOwner::point, "pscale");
  if (sizes && sizes->type == AttributeType::f32 && sizes->floats.size() == count) {
    const float scale = Placement(transform).leastScale();
    for (const float radius : sizes->floats) body.radii.push_back(radius * scale);
    return;
  }
  const RadiusLaw law(body.grain.base);
  for (std::size_t k = 0; k < count; ++k) {
    Random random(seed, k);
    body.radii.push_back(law.draw(random));
  }
}

}  // namespace

bool readVolume(ObjectReader& object, Volume& volume, Problems& problems) {
  const JsonNode* name = object.require("shape");
  const int index = name ? readName(*name, "shape", kShapeNames, problems) : -1;
  if (index < 0) return false;
  volume.shape = static_cast<Volume::Shape>(index);
  using Shape = Volume::Shape;
  if (volume.shape == Shape::box) {
    double size[3];
    const JsonNode* node = object.find("size");
    if (node && !readNumbers(*node, "size", {3, false, kLeastLength, kGreatestLength}, size, problems))
      return false;
    for (int k = 0; node && k < 3; ++k) volume.size[k] = static_cast<float>(size[k]);
    return true;
  }
  object.number("radius", kLeastLength, kGreatestLength, volume.radius);
  if (volume.shape == Shape::torus)
    object.number("tuberadius", kLeastLength, volume.radius, volume.tuberadius);
  if (volume.shape != Shape::torus && volume.shape != Shape::sphere)
    object.number("height", kLeastLength, kGreatestLength, volume.height);
  return true;
}

void readGrainBody(ObjectReader& object, Body& body, const SceneContext& context) {
  object.vector("velocity", body.velocity);
  const JsonNode* emitters = object.find("emitters");
  if (emitters && expectType(*emitters, "emitters", Type::array, context.problems))
    for (const JsonNode& node : emitters->items) body.emitters.push_back(readEmitter(node, context.problems));
  object.find("transform"), object.find("source");  // read when the parameters are known
  if (!object.has("source") && body.emitters.empty())
    context.problems.error(object.node().place, "a grain body must have a \"source\" or \"emitters\"");
}

void readGrainSource(const JsonNode& node, Body& body, const SceneContext& context) {
  Problems reported("");  // all but the source has been read before
  ObjectReader object(node, "a body", reported);
  Mat4d transform;
  if (const JsonNode* placing = object.find("transform"))
    transform = readTransform(*placing, context.problems);
  const JsonNode* source_node = object.find("source");
  if (!source_node) return;
  ObjectReader source(*source_node, "a source", context.problems);
  if (source_node->type != Type::object) return;
  const JsonNode* fill = source.find("fill");
  const JsonNode* file = source.find("file");
  const JsonNode* host = source.find("host");
  if (!!fill + !!file + !!host != 1)
    return context.problems.error(source_node->place,
                                  "a source of grains must have either \"fill\" or \"file\"");
  if (fill)
    readFill(source, *fill, Placement(transform), body, context);
  else
    readPoints(source, file, host, transform, body, context);
}

Sink readSink(const JsonNode& node, const Scene& scene, Problems& problems) {
  Sink sink;
  ObjectReader object(node, "a sink", problems);
  const JsonNode* plane = object.find("plane");
  const JsonNode* age = object.find("age");
  if (node.type == Type::object && !!plane + !!age + object.has("shape") != 1)
    problems.error(node.place, "a sink must have one of \"shape\", \"plane\" and \"age\"");
  if (plane) {
    sink.kind = Sink::Kind::plane;
    ObjectReader inner(*plane, "a plane", problems);
    inner.vector("point", sink.point);
    inner.vector("normal", sink.normal);
    if (sink.normal == Vec3f{}) problems.error(plane->place, "the normal of a plane has no length");
    inner.rejectUnknown();
  } else if (age) {
    sink.kind = Sink::Kind::age;
    object.number("age", 0, 1e9, sink.age);
  } else if (object.has("shape")) {
    readVolume(object, sink.volume, problems);
    if (const JsonNode* placing = object.find("transform"))
      sink.volume.place = readTransform(*placing, problems);
  }
  if (const JsonNode* name = object.find("body")) {
    std::vector<std::string> names;
    for (const Body& body : scene.bodies)
      if (body.kind == BodyKind::grain) names.push_back(body.name);
    if (const int index = readName(*name, "body", names, problems); index >= 0) sink.body = names[index];
  }
  object.rejectUnknown();
  return sink;
}

}  // namespace repose
