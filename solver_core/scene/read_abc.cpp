// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_abc.h"

#include <fmt/format.h>

#include <algorithm>

#include "cache/abc_reader.h"
#include "params/text.h"

namespace repose {

namespace {

// Follows the samples of a mesh of constant topology.
class AbcMotion : public Motion {
 public:
  AbcMotion(std::unique_ptr<AbcReader> reader, int object, const AbcSourceOptions& options,
            std::size_t points)
      : reader_(std::move(reader)),
        object_(object),
        fps_(options.fps),
        transform_(options.transform),
        points_(points) {}

  Status positionsAt(double frame, std::vector<Vec3f>& points) override {
    if (Status status = reader_->positionsAt(object_, frame / fps_, points); !status.ok()) return status;
    if (points.size() != points_)
      return badInput(fmt::format("{}: {} has {} points at frame {}, but {} at the start", reader_->path(),
                                  reader_->objects()[object_].path, points.size(), frame, points_));
    for (Vec3f& p : points) p = transformPoint(transform_, p);
    return {};
  }

 private:
  std::unique_ptr<AbcReader> reader_;
  int object_;
  double fps_;
  Mat4d transform_;
  std::size_t points_;
};

// The object of that name, or the only one, among those of the kinds; `what` names one in messages ("mesh").
Result<int> findObject(const AbcReader& reader, const std::string& name, const std::vector<AbcKind>& kinds,
                       const char* what, const char* several) {
  const auto fits = [&](const AbcObject& object) {
    return std::find(kinds.begin(), kinds.end(), object.kind) != kinds.end();
  };
  std::vector<std::string> paths;
  int only = -1;
  for (std::size_t k = 0; k < reader.objects().size(); ++k)
    if (fits(reader.objects()[k])) paths.push_back(reader.objects()[k].path), only = static_cast<int>(k);
  if (paths.empty()) return badInput(fmt::format("{} has no {}", reader.path(), what));
  if (name.empty()) {
    if (paths.size() == 1) return only;
    return badInput(fmt::format("{} has {} {}; choose one with \"object\": {}", reader.path(), paths.size(),
                                several, joinText(paths)));
  }
  const int found = reader.find(name);
  if (found >= 0 && fits(reader.objects()[found])) return found;
  return badInput(
      fmt::format("{} has no {} \"{}\"; its {} are {}", reader.path(), what, name, several, joinText(paths)));
}

// Points as geometry, with their widths as the attribute "pscale" unless there is one.
Geometry pointGeometry(AbcPoints points) {
  Geometry geometry;
  geometry.points = std::move(points.positions);
  geometry.attributes = std::move(points.attributes);
  const std::size_t count = geometry.points.size(), widths = points.widths.size();
  if (points.velocities.size() == count && count > 0 && !geometry.find(AttributeOwner::point, "v")) {
    Attribute v;
    v.name = "v", v.width = 3, v.interpretation = "vector";
    for (const Vec3f own : points.velocities) v.floats.insert(v.floats.end(), {own.x, own.y, own.z});
    geometry.attributes.push_back(std::move(v));
  }
  if ((widths != 1 && widths != count) || geometry.find(AttributeOwner::point, "pscale")) return geometry;
  Attribute radii;
  radii.name = "pscale";
  for (std::size_t k = 0; k < count; ++k) radii.floats.push_back(points.widths[widths == 1 ? 0 : k] / 2);
  geometry.attributes.push_back(std::move(radii));
  return geometry;
}

}  // namespace

Result<AbcSource> readAbcSource(const std::string& path, const AbcSourceOptions& options) {
  Result<std::unique_ptr<AbcReader>> reader = AbcReader::open(path);
  if (!reader.ok()) return reader.status();
  const Result<int> object = findObject(**reader, options.object, {AbcKind::mesh}, "mesh", "meshes");
  if (!object.ok()) return object.status();
  if (options.animated && !(*reader)->objects()[*object].constant_topology)
    return badInput(
        fmt::format("{}: the faces of {} change over time, so that it cannot be an animated source", path,
                    (*reader)->objects()[*object].path));

  const double seconds = options.first_frame / options.fps;
  Result<Geometry> geometry = (*reader)->meshAt(*object, seconds);
  if (!geometry.ok()) return geometry.status();
  if (geometry->points.empty())
    return badInput(fmt::format("{}: {} has no points", path, (*reader)->objects()[*object].path));
  AbcSource source{std::move(*geometry), nullptr};
  if (options.animated) {
    // Between two samples meshAt has the earlier one; the motion starts at the blended place.
    if (Status status = (*reader)->positionsAt(*object, seconds, source.geometry.points); !status.ok())
      return status;
    source.motion =
        std::make_shared<AbcMotion>(std::move(*reader), *object, options, source.geometry.points.size());
  }
  return source;
}

Result<std::vector<MeshPiece>> readAbcMeshes(const std::string& path, const AbcSourceOptions& options) {
  Result<std::unique_ptr<AbcReader>> reader = AbcReader::open(path);
  if (!reader.ok()) return reader.status();
  std::vector<MeshPiece> meshes;
  const std::vector<AbcObject>& objects = (*reader)->objects();
  for (std::size_t k = 0; k < objects.size(); ++k) {
    if (objects[k].kind != AbcKind::mesh) continue;
    Result<Geometry> geometry = (*reader)->meshAt(static_cast<int>(k), options.first_frame / options.fps);
    if (!geometry.ok()) return geometry.status();
    if (geometry->points.empty()) continue;
    // "/wall/brick/brickShape" is the brick
    const int parent = objects[k].parent;
    const std::string& named =
        parent >= 0 && objects[parent].kind == AbcKind::xform ? objects[parent].path : objects[k].path;
    meshes.push_back({named.substr(named.rfind('/') + 1), std::move(*geometry)});
  }
  if (meshes.empty()) return badInput(fmt::format("{} has no mesh with points", path));
  return meshes;
}

Result<Geometry> readAbcPoints(const std::string& path, const AbcSourceOptions& options) {
  Result<std::unique_ptr<AbcReader>> reader = AbcReader::open(path);
  if (!reader.ok()) return reader.status();
  const Result<int> object =
      findObject(**reader, options.object, {AbcKind::points, AbcKind::mesh}, "points", "points and meshes");
  if (!object.ok()) return object.status();
  const double seconds = options.first_frame / options.fps;
  Geometry geometry;
  if ((*reader)->objects()[*object].kind == AbcKind::mesh) {
    Result<Geometry> mesh = (*reader)->meshAt(*object, seconds);
    if (!mesh.ok()) return mesh.status();
    geometry.points = std::move(mesh->points);
    for (Attribute& attribute : mesh->attributes)
      if (attribute.owner == AttributeOwner::point) geometry.attributes.push_back(std::move(attribute));
  } else {
    Result<AbcPoints> points = (*reader)->points(*object, (*reader)->sampleAt(*object, seconds));
    if (!points.ok()) return points.status();
    geometry = pointGeometry(std::move(*points));
  }
  if (geometry.points.empty())
    return badInput(fmt::format("{}: {} has no points", path, (*reader)->objects()[*object].path));
  return geometry;
}

}  // namespace repose
