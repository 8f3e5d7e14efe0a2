// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_blob.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/read_grains.h"
#include "scene/read_transform.h"
#include "scene/volume.h"
#include "tetra/distance_field.h"

namespace repose {

namespace {

constexpr double kMostVoxels = 3e7;
constexpr double kUsualVoxels = 64;  // along the longest side

struct Part {
  PlacedVolume volume;
  std::string name;
  bool carve;
};

Bounds worldBounds(const PlacedVolume& volume) {
  const Bounds own = volume.bounds();
  Bounds box;
  for (int k = 0; k < 8; ++k)
    box.add(volume.placement().toWorld(
        {k & 1 ? own.hi.x : own.lo.x, k & 2 ? own.hi.y : own.lo.y, k & 4 ? own.hi.z : own.lo.z}));
  return box;
}

// Below 0 inside.
double distanceTo(const Part& part, Vec3d at) {
  const Vec3f p = {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)};
  return -part.volume.depth(part.volume.placement().toFrame(p));
}

// The lower of two, rounded where they differ by less than `blend` (quadratic smooth minimum).
double smoothMin(double a, double b, double blend) {
  const double near = blend > 0 ? std::max(blend - std::abs(a - b), 0.0) / blend : 0;
  return std::min(a, b) - 0.25 * near * near * blend;
}

double distanceTo(const std::vector<Part>& parts, Vec3d at, double blend) {
  double d = 1e30;
  for (const Part& part : parts)
    d = part.carve ? -smoothMin(-d, distanceTo(part, at), blend) : smoothMin(d, distanceTo(part, at), blend);
  return d;
}

std::optional<Part> readPart(const JsonNode& node, Problems& problems) {
  ObjectReader object(node, "a part", problems);
  Volume volume;
  std::string name;
  bool carve = false;
  bool good = readVolume(object, volume, problems);
  if (const JsonNode* placing = object.find("transform")) volume.place = readTransform(*placing, problems);
  if (const JsonNode* text = object.find("name")) good &= readText(*text, "name", name, problems);
  object.flag("carve", carve);
  object.rejectUnknown();
  if (!good) return std::nullopt;
  return Part{PlacedVolume(volume), name, carve};
}

void addGroups(const std::vector<Part>& parts, Geometry& mesh) {
  std::vector<std::vector<std::int32_t>> points(parts.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p) {
    const Vec3f x = mesh.points[p];
    std::size_t nearest = 0;
    double least = 1e30;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const double d = distanceTo(parts[k], {x.x, x.y, x.z});
      if ((parts[k].carve ? std::abs(d) : d) < least) least = parts[k].carve ? std::abs(d) : d, nearest = k;
    }
    points[nearest].push_back(static_cast<std::int32_t>(p));
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].name.empty()) continue;
    const auto same = std::find_if(mesh.groups.begin(), mesh.groups.end(),
                                   [&](const PointGroup& g) { return g.name == parts[k].name; });
    PointGroup& group =
        same == mesh.groups.end() ? mesh.groups.emplace_back(PointGroup{parts[k].name, {}}) : *same;
    group.points.insert(group.points.end(), points[k].begin(), points[k].end());
    std::sort(group.points.begin(), group.points.end());
  }
}

}  // namespace

std::optional<Geometry> readBlob(ObjectReader& object, const JsonNode& list, Problems& problems) {
  float blend = 0, voxel = 0;
  object.number("blend", 0, 1e6, blend);
  object.number("voxel", 1e-6, 1e6, voxel);
  object.rejectUnknown();
  if (!expectType(list, "blob", JsonNode::Type::array, problems)) return std::nullopt;
  std::vector<Part> parts;
  for (const JsonNode& node : list.items)
    if (std::optional<Part> part = readPart(node, problems)) parts.push_back(std::move(*part));
  if (parts.size() != list.items.size()) return std::nullopt;
  Bounds box;
  for (const Part& part : parts)
    if (!part.carve) box.add(worldBounds(part.volume));
  if (box.empty()) {
    problems.error(list.place, "a blob needs a part that is not carved away");
    return std::nullopt;
  }
  const Vec3f wider = {blend / 4, blend / 4, blend / 4};  // a smooth union bulges by so much at most
  box.lo = box.lo - wider, box.hi = box.hi + wider;
  const Vec3f size = box.hi - box.lo;
  const double step = voxel > 0 ? voxel : std::max({size.x, size.y, size.z}) / kUsualVoxels;
  const double voxels = (size.x / step + 6) * (size.y / step + 6) * (size.z / step + 6);
  if (voxels > kMostVoxels) {
    problems.error(
        list.place,
        fmt::format("voxel is {:.3g} m, which makes {:.3g} voxels, but at most {:.3g} are possible", step,
                    voxels, kMostVoxels));
    return std::nullopt;
  }
  Geometry mesh = surfaceOfFunction(box, step, [&](Vec3d at) { return distanceTo(parts, at, blend); });
  if (mesh.face_counts.empty()) {
    problems.error(
        list.place,
        fmt::format("the blob has no surface: its parts are smaller than a voxel of {:.3g} m", step));
    return std::nullopt;
  }
  addGroups(parts, mesh);
  return mesh;
}

}  // namespace repose
