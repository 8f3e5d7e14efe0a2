// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/cache_source.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <set>

#include "base/nearest.h"
#include "render/draw_pieces.h"

namespace repose {
namespace {

constexpr double kFrameRounding = 1e-3;  // frames; times in files are rounded
constexpr double kLargestFrame = 1e8, kMostFrames = 1e6;
constexpr float kDefaultGrain = 0.3f;    // radius of points without widths, of their mean distance
constexpr float kDefaultCurve = 0.003f;  // radius of curves without widths, of the scene's size
constexpr float kSmallestSize = 1e-3f;   // [m]

double elementLength(const Attribute& attribute, std::size_t element) {
  const std::size_t value = attribute.indices.empty() ? element : attribute.indices[element];
  const std::size_t width = static_cast<std::size_t>(attribute.width);
  const auto component = [&](std::size_t k) {
    const std::size_t at = value * width + k;
    return attribute.type == AttributeType::f32 ? static_cast<double>(attribute.floats[at])
                                                : static_cast<double>(attribute.ints[at]);
  };
  if (width == 1) return component(0);
  double square = 0;
  for (std::size_t k = 0; k < width; ++k) square += component(k) * component(k);
  return std::sqrt(square);
}

// True for an attribute with a number, or a vector of numbers, for each of `count` points.
bool isDrawable(const Attribute& attribute, std::size_t count) {
  if (attribute.owner != AttributeOwner::point || attribute.width < 1) return false;
  const std::size_t numbers = attribute.type == AttributeType::f32   ? attribute.floats.size()
                              : attribute.type == AttributeType::i32 ? attribute.ints.size()
                                                                     : 0;
  const std::size_t values = numbers / static_cast<std::size_t>(attribute.width);
  if (attribute.indices.empty()) return values == count;
  const auto inside = [&](std::uint32_t index) { return index < values; };
  return attribute.indices.size() == count &&
         std::all_of(attribute.indices.begin(), attribute.indices.end(), inside);
}

// One number a point, or nothing when the object has no such attribute.
std::vector<float> valuesOf(const std::string& name, const std::vector<Attribute>& attributes,
                            const std::vector<Vec3f>& velocities, std::size_t count) {
  std::vector<float> values;
  if (name.empty()) return values;
  if (name == "speed" && velocities.size() == count) {
    for (Vec3f v : velocities) values.push_back(length(v));
    return values;
  }
  for (const Attribute& attribute : attributes) {
    const bool named = attribute.name == name || (name == "speed" && attribute.name == "v");
    if (!named || !isDrawable(attribute, count)) continue;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(elementLength(attribute, i)));
    break;
  }
  return values;
}

std::vector<float> radiiOf(const std::vector<float>& widths, std::size_t count, float default_radius) {
  std::vector<float> radii(count, widths.size() == 1 ? widths[0] / 2 : default_radius);
  if (widths.size() == count)
    for (std::size_t i = 0; i < count; ++i) radii[i] = widths[i] / 2;
  return radii;
}

// Curves whose counts do not add up to their points would be read past the end.
void trimCounts(std::vector<std::int32_t>& counts, std::size_t points) {
  std::size_t sum = 0, whole = 0;
  while (whole < counts.size() && counts[whole] >= 0 &&
         sum + static_cast<std::size_t>(counts[whole]) <= points) {
    sum += static_cast<std::size_t>(counts[whole++]);
  }
  counts.resize(whole);
}

}  // namespace

Result<std::unique_ptr<CacheSource>> CacheSource::open(const std::string& path, const std::string& attribute,
                                                       const Scene* scene) {
  auto reader = AbcReader::open(path);
  if (!reader) return reader.status();
  std::unique_ptr<CacheSource> source(new CacheSource(std::move(*reader), attribute, scene));
  if (Status status = source->listFrames(); !status) return status;
  if (Status status = source->readPieces(); !status) return status;
  if (Status status = source->countIds(); !status) return status;
  if (Status status = source->chooseDefaultRadii(); !status) return status;
  if (Status status = source->checkAttribute(); !status) return status;
  return source;
}

Status CacheSource::listFrames() {
  const AbcInfo& info = reader_->info();
  if (!(std::abs(info.first_frame) < kLargestFrame && info.last_frame - info.first_frame < kMostFrames)) {
    return badInput(fmt::format("{}: the frames from {} to {} are too many to draw; {} is the limit.",
                                reader_->path(), info.first_frame, info.last_frame, kMostFrames));
  }
  const int first = static_cast<int>(std::ceil(info.first_frame - kFrameRounding));
  const int last = static_cast<int>(std::floor(info.last_frame + kFrameRounding));
  for (int frame = first; frame <= std::max(first, last); ++frame) frames_.push_back(frame);
  return {};
}

Result<RenderScene> CacheSource::load(int frame, std::size_t& lost) const {
  RenderScene scene;
  const double seconds = (frame + kFrameRounding) / reader_->info().fps;
  for (int object = 0; object < static_cast<int>(reader_->objects().size()); ++object)
    if (Status status = addObject(object, seconds, scene); !status) return status;
  lost = removeUnplaced(scene);
  return scene;
}

Status CacheSource::addObject(int object, double seconds, RenderScene& scene) const {
  const AbcObject& described = reader_->objects()[static_cast<std::size_t>(object)];
  const std::size_t number = scene.meshes.size() + scene.spheres.size() + scene.curves.size();
  if (described.samples == 0) return {};
  const int sample = reader_->sampleAt(object, seconds);
  switch (described.kind) {
    case AbcKind::mesh:
      return addMesh(object, seconds, paletteColor(number), scene);
    case AbcKind::points: {
      auto points = reader_->points(object, sample);
      if (!points) return points.status();
      addPoints(object, std::move(*points), scene);
      return {};
    }
    case AbcKind::curves: {
      auto curves = reader_->curves(object, sample);
      if (!curves) return curves.status();
      const std::size_t count = curves->positions.size();
      trimCounts(curves->counts, count);
      scene.curves.push_back({std::move(curves->positions), std::move(curves->counts),
                              radiiOf(curves->widths, count, default_curve_radius_),
                              valuesOf(attribute_, curves->attributes, curves->velocities, count),
                              paletteColor(number)});
      return {};
    }
    case AbcKind::xform:
    case AbcKind::other:
      return {};
  }
  return {};
}

Status CacheSource::addMesh(int object, double seconds, Color color, RenderScene& scene) const {
  if (isPiece(object)) {
    scene.meshes.push_back(moved_[static_cast<std::size_t>(object)]);
    return reader_->positionsAt(object, seconds, scene.meshes.back().points);
  }
  auto mesh = reader_->meshAt(object, seconds);
  if (!mesh) return mesh.status();
  const std::size_t count = mesh->points.size();
  scene.meshes.push_back({std::move(mesh->points), triangulate(mesh->face_counts, mesh->face_indices, count),
                          valuesOf(attribute_, mesh->attributes, {}, count), color});
  return {};
}

// A mesh that only its Xform moves is a rigid piece.
bool CacheSource::isPiece(int object) const {
  const AbcObject& mesh = reader_->objects()[static_cast<std::size_t>(object)];
  if (mesh.kind != AbcKind::mesh || mesh.samples != 1 || mesh.parent < 0) return false;
  const AbcObject& above = reader_->objects()[static_cast<std::size_t>(mesh.parent)];
  return mesh.time_sampling == 0 && above.kind == AbcKind::xform && above.time_sampling != 0;
}

// Of thousands of pieces only the places are read frame by frame.
Status CacheSource::readPieces() {
  moved_.resize(reader_->objects().size());
  for (int object = 0; object < static_cast<int>(moved_.size()); ++object) {
    if (!isPiece(object)) continue;
    const AbcObject& above = reader_->objects()[static_cast<std::size_t>(
        reader_->objects()[static_cast<std::size_t>(object)].parent)];
    const auto mesh = reader_->mesh(object, 0);
    if (!mesh) return mesh.status();
    RenderMesh& piece = moved_[static_cast<std::size_t>(object)];
    piece.triangles = triangulate(mesh->face_counts, mesh->face_indices, mesh->points.size());
    piece.values = valuesOf(attribute_, mesh->attributes, {}, mesh->points.size());
    piece.color = pieceColor(above.path.substr(above.path.rfind('/') + 1));
  }
  return {};
}

void CacheSource::addPoints(int object, AbcPoints points, RenderScene& scene) const {
  if (areHits(points)) return;
  const std::size_t count = points.positions.size();
  std::vector<float> values = valuesOf(attribute_, points.attributes, points.velocities, count);
  if (arePieces(points)) return addPieces(points, values, scene_, default_grain_radius_, scene);
  RenderSpheres spheres{std::move(points.positions), radiiOf(points.widths, count, default_grain_radius_),
                        std::move(values), sandColor(scene.spheres.size())};
  if (spheres.values.empty() && points.ids.size() == count)
    for (const std::uint64_t id : points.ids)
      spheres.tones.push_back(sandTone(id, id_counts_[static_cast<std::size_t>(object)]));
  scene.spheres.push_back(std::move(spheres));
}

// From the last frame, so that a grain keeps its tone while others are still to come.
Status CacheSource::countIds() {
  id_counts_.assign(reader_->objects().size(), 0);
  for (std::size_t object = 0; object < id_counts_.size(); ++object) {
    const AbcObject& described = reader_->objects()[object];
    if (described.kind != AbcKind::points || described.samples == 0) continue;
    const auto points = reader_->points(static_cast<int>(object), described.samples - 1);
    if (!points) return points.status();
    for (const std::uint64_t id : points->ids) id_counts_[object] = std::max(id_counts_[object], id + 1);
    if (arePieces(*points)) pieces_ += points->positions.size();
  }
  return {};
}

// Chosen in the first frame and kept, so that the size of a grain does not change as a pile spreads.
Status CacheSource::chooseDefaultRadii() {
  std::size_t lost = 0, grains = pieces_;
  const auto scene = load(frames_.front(), lost);
  if (!scene) return scene.status();
  const Bounds bounds = boundsOf(*scene);
  if (bounds.empty()) return {};
  for (const RenderSpheres& spheres : scene->spheres) grains += spheres.points.size();
  const Vec3f size = bounds.hi - bounds.lo;
  const float largest = std::max({size.x, size.y, size.z, kSmallestSize});
  default_grain_radius_ =
      kDefaultGrain * largest / std::cbrt(static_cast<float>(std::max<std::size_t>(grains, 8)));
  default_curve_radius_ = kDefaultCurve * largest;
  return {};
}

Status CacheSource::checkAttribute() const {
  if (attribute_.empty()) return {};
  std::set<std::string> names;
  for (int object = 0; object < static_cast<int>(reader_->objects().size()); ++object) {
    const AbcObject& described = reader_->objects()[static_cast<std::size_t>(object)];
    if (described.samples == 0) continue;
    const auto collect = [&](const auto& shape, std::size_t count, bool has_velocities) {
      if (has_velocities) names.insert("speed");
      for (const Attribute& attribute : shape.attributes) {
        if (!isDrawable(attribute, count)) continue;
        names.insert(attribute.name);
        if (attribute.name == "v") names.insert("speed");
      }
    };
    if (described.kind == AbcKind::mesh) {
      if (const auto mesh = reader_->mesh(object, 0)) collect(*mesh, mesh->points.size(), false);
    } else if (described.kind == AbcKind::points) {
      if (const auto points = reader_->points(object, 0))
        collect(*points, points->positions.size(), !points->velocities.empty());
    } else if (described.kind == AbcKind::curves) {
      if (const auto curves = reader_->curves(object, 0))
        collect(*curves, curves->positions.size(), !curves->velocities.empty());
    }
  }
  if (names.count(attribute_)) return {};
  const std::vector<std::string> known(names.begin(), names.end());
  const std::string near = nearestName(attribute_, known);
  return badInput(fmt::format("{}: no object has the point attribute \"{}\"; {}.", reader_->path(),
                              attribute_,
                              !near.empty()   ? fmt::format("did you mean \"{}\"", near)
                              : known.empty() ? std::string("there is none to colour by")
                                              : fmt::format("there are: {}", fmt::join(known, ", "))));
}

Result<CacheExtent> CacheSource::measure() const {
  struct FrameExtent {
    Status status;
    Bounds bounds;
    ValueRange values;
    std::size_t lost = 0;
  };
  std::vector<FrameExtent> extents(frames_.size());
  tbb::parallel_for(std::size_t{0}, frames_.size(), [&](std::size_t i) {
    FrameExtent& extent = extents[i];
    const auto scene = load(frames_[i], extent.lost);
    if (!scene) {
      extent.status = scene.status();
      return;
    }
    extent.bounds = boundsOf(*scene);
    const auto add_values = [&](const auto& objects) {
      for (const auto& object : objects)
        for (float value : object.values) extent.values.add(value);
    };
    add_values(scene->meshes), add_values(scene->spheres), add_values(scene->curves);
  });
  CacheExtent all;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (!extents[i].status) return extents[i].status;
    all.bounds.add(extents[i].bounds);
    if (!extents[i].values.empty())
      all.values.add(extents[i].values.lo), all.values.add(extents[i].values.hi);
    if (extents[i].lost > 0) {
      all.warnings.push_back(fmt::format(
          "{}: frame {} has {} points that are not numbers or absurdly far away; they are left out.",
          reader_->path(), frames_[i], extents[i].lost));
    }
  }
  return all;
}

}  // namespace repose
