// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <new>

#include "cache/abc_archive.h"

namespace repose {
namespace {

constexpr double kFrameTolerance = 1e-3;
constexpr double kDefaultFps = 24;

AbcKind kindOf(const std::string& metadata) {
  const std::string schema = metadataValue(metadata, "schema");
  if (schema == kXformSchema) return AbcKind::xform;
  if (schema == kMeshSchema || schema == "AbcGeom_SubD_v1") return AbcKind::mesh;
  if (schema == kPointsSchema) return AbcKind::points;
  if (schema == kCurvesSchema) return AbcKind::curves;
  return AbcKind::other;
}

std::string lastName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

const char* abcKindName(AbcKind kind) {
  constexpr const char* kNames[] = {"xform", "mesh", "points", "curves", "other"};
  return kNames[static_cast<int>(kind)];
}

Result<std::unique_ptr<AbcReader>> AbcReader::open(const std::string& path) {
  auto archive = AbcArchive::open(path);
  if (!archive.ok()) return archive.status();
  std::unique_ptr<AbcReader> reader(new AbcReader(std::move(*archive)));
  try {
    reader->describe();
  } catch (const std::bad_alloc&) {
    return Status(Code::memory, "There is not enough memory to read the Alembic file '" + path + "'.");
  }
  return reader;
}

AbcReader::AbcReader(std::unique_ptr<AbcArchive> archive) : archive_(std::move(archive)) {}
AbcReader::~AbcReader() = default;
const std::string& AbcReader::path() const { return archive_->path(); }

// The top object of the archive is left out of objects(): node k is object k - 1.
void AbcReader::describe() {
  const std::vector<AbcNode>& nodes = archive_->nodes();
  std::map<std::string, int> by_path;
  for (std::size_t k = 1; k < nodes.size(); ++k) by_path[nodes[k].path] = static_cast<int>(k) - 1;
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const int object = static_cast<int>(k) - 1;
    int source = object;
    const AbcProperty* instance = archive_->find(archive_->top(static_cast<int>(k)), ".instanceSource");
    if (instance && instance->scalar && instance->pod == Pod::string && instance->samples > 0) {
      AbcSample sample;
      std::vector<std::string> target;
      if (archive_->locate(*instance, 0, sample).ok() &&
          archive_->readStrings(*instance, sample, target).ok() && !target.empty())
        if (const auto found = by_path.find(target[0]); found != by_path.end()) source = found->second;
    }
    sources_.push_back(source);
  }
  for (std::size_t k = 1; k < nodes.size(); ++k) describeObject(static_cast<int>(k));
  describeTime();
}

const AbcProperty* AbcReader::schema(int object) const {
  const int node = sources_[static_cast<std::size_t>(object)] + 1;
  const AbcProperty* top = archive_->top(node);
  const bool xform = kindOf(archive_->nodes()[static_cast<std::size_t>(node)].metadata) == AbcKind::xform;
  const AbcProperty* compound = archive_->find(top, xform ? ".xform" : ".geom");
  return compound && compound->compound ? compound : nullptr;
}

void AbcReader::describeObject(int node) {
  const AbcNode& n = archive_->nodes()[static_cast<std::size_t>(node)];
  const int number = node - 1, source = sources_[static_cast<std::size_t>(number)];
  AbcObject object;
  object.path = n.path;
  object.parent = n.parent - 1;
  object.kind = kindOf(archive_->nodes()[static_cast<std::size_t>(source) + 1].metadata);
  // Only shapes are followed through instances; what is below an instanced Xform is not repeated.
  if (source != number && object.kind == AbcKind::xform) object.kind = AbcKind::other;
  std::vector<const char*> names, fixed;
  switch (object.kind) {
    case AbcKind::xform:
      names = {".inherits", ".vals"};
      break;
    case AbcKind::mesh:
      names = {"P"}, fixed = {".faceIndices", ".faceCounts"};
      break;
    case AbcKind::points:
      names = {"P"}, fixed = {".pointIds"};
      break;
    case AbcKind::curves:
      names = {"P"}, fixed = {"nVertices"};
      break;
    case AbcKind::other:
      break;
  }
  const AbcProperty* compound = object.kind == AbcKind::other ? nullptr : schema(number);
  const auto note = [&](const char* name, bool topology) {
    const AbcProperty* property = archive_->find(compound, name);
    if (!property || property->compound) return;
    if (static_cast<int>(property->samples) > object.samples) {
      object.samples = static_cast<int>(property->samples);
      object.time_sampling = property->time_sampling;
    }
    object.moves |= !property->constant();
    if (topology) object.constant_topology &= property->constant();
  };
  for (const char* name : names) note(name, false);
  for (const char* name : fixed) note(name, true);
  if (object.parent >= 0) object.moves |= objects_[static_cast<std::size_t>(object.parent)].moves;
  objects_.push_back(object);
}

void AbcReader::describeTime() {
  const std::string& metadata = archive_->metadata();
  info_.application = metadataValue(metadata, "_ai_Application");
  info_.description = metadataValue(metadata, "_ai_Description");
  info_.date = metadataValue(metadata, "_ai_DateWritten");
  info_.fps = std::strtod(metadataValue(metadata, "_ai_DCC_FPS").c_str(), nullptr);

  double begin = 0, end = 0;
  bool found = false;
  for (const AbcObject& object : objects_) {
    // Sampling 0 is for constants, unless an archive knows no other.
    if (object.samples == 0 || (object.time_sampling == 0 && object.samples == 1)) continue;
    const AbcSampling& sampling = archive_->samplings()[static_cast<std::size_t>(object.time_sampling)];
    const double last = sampling.time(static_cast<std::uint32_t>(object.samples - 1));
    begin = found ? std::min(begin, sampling.time(0)) : sampling.time(0);
    end = found ? std::max(end, last) : last;
    found = true;
    info_.animated |= object.samples > 1;
    if (!(info_.fps > 0) && !sampling.acyclic() && object.time_sampling != 0)
      info_.fps = std::round(1 / sampling.time_per_cycle);
  }
  if (!(info_.fps > 0) || !std::isfinite(info_.fps)) info_.fps = kDefaultFps;
  info_.first_frame = begin * info_.fps;
  info_.last_frame = end * info_.fps;
  const double frames =
      std::floor(info_.last_frame + kFrameTolerance) - std::ceil(info_.first_frame - kFrameTolerance) + 1;
  const double least = found ? 1 : 0;  // also of rates that make no number of it
  info_.frames = static_cast<int>(frames > least ? std::min(frames, 1e9) : least);
}

int AbcReader::find(const std::string& name) const {
  const int count = static_cast<int>(objects_.size());
  for (int k = 0; k < count; ++k)
    if (objects_[static_cast<std::size_t>(k)].path == name) return k;
  for (int k = 0; k < count; ++k) {
    const AbcObject& object = objects_[static_cast<std::size_t>(k)];
    if (lastName(object.path) != name) continue;
    if (object.kind != AbcKind::xform) return k;
    for (int child = k + 1; child < count; ++child) {
      const AbcObject& below = objects_[static_cast<std::size_t>(child)];
      if (below.parent == k && below.kind != AbcKind::xform && below.kind != AbcKind::other) return child;
    }
    return k;
  }
  return -1;
}

int AbcReader::firstMesh() const {
  for (std::size_t k = 0; k < objects_.size(); ++k)
    if (objects_[k].kind == AbcKind::mesh) return static_cast<int>(k);
  return -1;
}

double AbcReader::time(int object, int sample) const {
  const AbcObject& o = objects_[static_cast<std::size_t>(object)];
  const std::size_t sampling = static_cast<std::size_t>(o.time_sampling);
  return archive_->samplings()[sampling].time(static_cast<std::uint32_t>(std::max(sample, 0)));
}

int AbcReader::sampleAt(int object, double seconds) const {
  const AbcObject& o = objects_[static_cast<std::size_t>(object)];
  return archive_->samplings()[static_cast<std::size_t>(o.time_sampling)].sampleAt(seconds, o.samples);
}

// Properties of one object may have fewer samples than it, and even another sampling.
int AbcReader::sampleOf(const AbcProperty& property, int object, int sample) const {
  const int count = static_cast<int>(property.samples);
  if (property.time_sampling == objects_[static_cast<std::size_t>(object)].time_sampling || count < 2)
    return std::clamp(sample, 0, std::max(count - 1, 0));
  return archive_->samplings()[static_cast<std::size_t>(property.time_sampling)].sampleAt(
      time(object, sample), count);
}

Status AbcReader::fail(int object, const Status& problem) const {
  const std::string& name = objects_[static_cast<std::size_t>(object)].path;
  return {problem.code(), "The object '" + name + "' of the Alembic file '" + path() +
                              "' cannot be read: " + problem.message() + "."};
}

}  // namespace repose
