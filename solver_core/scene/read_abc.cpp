// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_abc.h"

#include <fmt/format.h>

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

Result<int> findMesh(const AbcReader& reader, const std::string& name) {
  std::vector<std::string> meshes;
  for (const AbcObject& object : reader.objects())
    if (object.kind == AbcKind::mesh) meshes.push_back(object.path);
  if (meshes.empty()) return badInput(reader.path() + " has no mesh");
  if (name.empty()) {
    if (meshes.size() == 1) return reader.firstMesh();
    return badInput(fmt::format("{} has {} meshes; choose one with \"object\": {}", reader.path(),
                                meshes.size(), joinText(meshes)));
  }
  const int found = reader.find(name);
  if (found >= 0 && reader.objects()[found].kind == AbcKind::mesh) return found;
  return badInput(
      fmt::format("{} has no mesh \"{}\"; its meshes are {}", reader.path(), name, joinText(meshes)));
}

}  // namespace

Result<AbcSource> readAbcSource(const std::string& path, const AbcSourceOptions& options) {
  Result<std::unique_ptr<AbcReader>> reader = AbcReader::open(path);
  if (!reader.ok()) return reader.status();
  const Result<int> object = findMesh(**reader, options.object);
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

}  // namespace repose
