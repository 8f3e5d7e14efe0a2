// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The shapes of an archive being read (alembic.md 4, and 7 point 10).
#include <algorithm>
#include <new>
#include <numeric>

#include "cache/abc_archive.h"
#include "cache/abc_params.h"
#include "cache/abc_reader.h"
#include "cache/abc_winding.h"

namespace repose {
namespace {

std::string counted(const char* what, std::size_t is, std::size_t needed) {
  return "it has " + std::to_string(is) + " " + what + " where " + std::to_string(needed) + " are needed";
}

bool isIdentity(const Mat4d& m) {
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      if (m.m[r][c] != (r == c ? 1 : 0)) return false;
  return true;
}

std::vector<float> flat(const std::vector<Vec3f>& vectors) {
  std::vector<float> floats;
  floats.reserve(3 * vectors.size());
  for (const Vec3f& v : vectors) floats.insert(floats.end(), {v.x, v.y, v.z});
  return floats;
}

// Normals turn with the object.
void turnNormals(const Mat4d& world, Attribute& normals) {
  for (std::size_t k = 0; k + 3 <= normals.floats.size(); k += 3) {
    Vec3f n = transformVector(world, {normals.floats[k], normals.floats[k + 1], normals.floats[k + 2]});
    if (const float size = length(n); size > 0) n = n * (1 / size);
    for (int c = 0; c < 3; ++c) normals.floats[k + static_cast<std::size_t>(c)] = n[c];
  }
}

void restoreWinding(Geometry& mesh) {
  reverseCorners(mesh.face_counts, 1, mesh.face_indices);
  for (Attribute& a : mesh.attributes) {
    if (a.owner != AttributeOwner::corner) continue;
    const auto width = static_cast<std::size_t>(a.width);
    if (!a.indices.empty()) {
      reverseCorners(mesh.face_counts, 1, a.indices);
    } else if (a.type == AttributeType::f32) {
      reverseCorners(mesh.face_counts, width, a.floats);
    } else if (a.type == AttributeType::i32) {
      reverseCorners(mesh.face_counts, width, a.ints);
    } else {
      reverseCorners(mesh.face_counts, width, a.strings);
    }
  }
}

}  // namespace

// What every reading function shares: the failure becomes a sentence, and no exception leaves.
template <class T, class F>
Result<T> AbcReader::guarded(int object, F&& work) const {
  T value{};
  Status status;
  try {
    status = work(value);
  } catch (const std::bad_alloc&) {
    status = {Code::memory, "there is not enough memory"};
  }
  if (!status.ok()) return fail(object, status);
  return value;
}

Status AbcReader::check(int object, int sample, AbcKind kind) const {
  const AbcObject& o = objects_[static_cast<std::size_t>(object)];
  if (o.kind != kind) return badInput(std::string("it is not of the kind ") + abcKindName(kind));
  if (!schema(object)) return badInput("its schema is missing");
  if (sample < 0 || sample >= o.samples)
    return badInput("sample " + std::to_string(sample) + " of " + std::to_string(o.samples) +
                    " was asked for");
  return {};
}

Status AbcReader::readVectors(const char* name, int object, int sample, bool required,
                              std::vector<Vec3f>& out) const {
  const AbcProperty* property = archive_->find(schema(object), name);
  out.clear();
  if (!property || property->samples == 0)
    return required ? badInput(std::string("its property '") + name + "' is missing") : Status();
  if (!property->is(Pod::f32, 3) || property->scalar)
    return badInput(std::string("its property '") + name + "' does not hold vectors");
  const int index = sampleOf(*property, object, sample);
  AbcSample located;
  if (Status s =
          archive_->locate(*property, property->storedIndex(static_cast<std::uint32_t>(index)), located);
      !s.ok())
    return s;
  out.resize(located.elements);
  return archive_->read(*property, located, out.data());
}

Status AbcReader::readInts(const char* name, int object, int sample, std::vector<std::int32_t>& out) const {
  const AbcProperty* property = archive_->find(schema(object), name);
  if (!property || !property->is(Pod::i32, 1) || property->scalar || property->samples == 0)
    return badInput(std::string("its property '") + name + "' is missing");
  return readIntegers(*archive_, *property, static_cast<std::uint32_t>(sampleOf(*property, object, sample)),
                      out);
}

Status AbcReader::readPositions(int object, int sample, const Mat4d& world, std::vector<Vec3f>& out) const {
  if (Status s = readVectors("P", object, sample, true, out); !s.ok()) return s;
  if (!isIdentity(world))
    for (Vec3f& p : out) p = transformPoint(world, p);
  return {};
}

Status AbcReader::readVelocities(int object, int sample, const Mat4d& world, std::size_t points,
                                 std::vector<Vec3f>& out) const {
  if (Status s = readVectors(".velocities", object, sample, false, out); !s.ok()) return s;
  if (!out.empty() && out.size() != points) return badInput(counted("velocities", out.size(), points));
  if (!isIdentity(world))
    for (Vec3f& v : out) v = transformVector(world, v);
  return {};
}

Status AbcReader::readTopology(int object, int sample, Geometry& mesh) const {
  if (Status s = readInts(".faceCounts", object, sample, mesh.face_counts); !s.ok()) return s;
  if (Status s = readInts(".faceIndices", object, sample, mesh.face_indices); !s.ok()) return s;
  std::size_t corners = 0;
  for (const std::int32_t count : mesh.face_counts) {
    if (count < 0) return badInput("a face has " + std::to_string(count) + " corners");
    corners += static_cast<std::size_t>(count);
  }
  if (corners != mesh.face_indices.size())
    return badInput(counted("face indices", mesh.face_indices.size(), corners));
  for (const std::int32_t index : mesh.face_indices)
    if (index < 0 || static_cast<std::size_t>(index) >= mesh.points.size())
      return badInput("a face uses point " + std::to_string(index) + " of " +
                      std::to_string(mesh.points.size()));
  return {};
}

Status AbcReader::readAttributes(int object, int sample, const ElementCounts& counts,
                                 std::vector<Attribute>& out) const {
  const AbcProperty* geom = schema(object);
  std::vector<const AbcProperty*> parameters = {archive_->find(geom, "uv"), archive_->find(geom, "N")};
  if (const AbcProperty* more = archive_->find(geom, ".arbGeomParams"); more && more->compound)
    for (const int child : more->children)
      parameters.push_back(&archive_->properties()[static_cast<std::size_t>(child)]);
  for (const AbcProperty* parameter : parameters) {
    if (!parameter) continue;
    const AbcProperty* values = parameter->compound ? archive_->find(parameter, ".vals") : parameter;
    if (!values || values->compound) continue;
    const auto index = static_cast<std::uint32_t>(sampleOf(*values, object, sample));
    Attribute attribute;
    bool fits = false;
    if (Status s = readParameter(*archive_, *parameter, index, counts, attribute, fits); !s.ok()) return s;
    if (fits) out.push_back(std::move(attribute));
  }
  return {};
}

Status AbcReader::readMesh(int object, int sample, double seconds, Geometry& mesh) const {
  if (Status s = check(object, sample, AbcKind::mesh); !s.ok()) return s;
  Mat4d world;
  std::vector<Vec3f> velocities;
  if (Status s = worldMatrix(object, seconds, world); !s.ok()) return s;
  if (Status s = readPositions(object, sample, world, mesh.points); !s.ok()) return s;
  if (Status s = readTopology(object, sample, mesh); !s.ok()) return s;
  const ElementCounts counts = {mesh.points.size(), mesh.face_counts.size(), mesh.face_indices.size()};
  if (Status s = readAttributes(object, sample, counts, mesh.attributes); !s.ok()) return s;
  if (Status s = readVelocities(object, sample, world, mesh.points.size(), velocities); !s.ok()) return s;
  for (Attribute& a : mesh.attributes)
    if (a.name == "N" && a.type == AttributeType::f32 && a.width == 3 && !isIdentity(world))
      turnNormals(world, a);
  restoreWinding(mesh);
  if (!velocities.empty()) {
    Attribute v;
    v.name = "v";
    v.width = 3;
    v.interpretation = "vector";
    v.floats = flat(velocities);
    mesh.attributes.push_back(std::move(v));
  }
  return {};
}

Status AbcReader::readWidths(const char* name, int object, int sample, std::size_t points,
                             std::vector<float>& out) const {
  const AbcProperty* widths = archive_->find(schema(object), name);
  if (!widths) return {};
  Attribute attribute;
  bool fits = false;
  const AbcProperty* values = widths->compound ? archive_->find(widths, ".vals") : widths;
  if (!values || !values->is(Pod::f32, 1)) return {};
  const auto index = static_cast<std::uint32_t>(sampleOf(*values, object, sample));
  if (Status s = readParameter(*archive_, *widths, index, {points, 0, 0}, attribute, fits); !s.ok()) return s;
  if (!fits) return {};
  if (attribute.indices.empty()) {
    out = std::move(attribute.floats);
  } else {
    for (const std::uint32_t k : attribute.indices) out.push_back(attribute.floats[k]);
  }
  return {};
}

Status AbcReader::readPoints(int object, int sample, AbcPoints& points) const {
  if (Status s = check(object, sample, AbcKind::points); !s.ok()) return s;
  Mat4d world;
  if (Status s = worldMatrix(object, time(object, sample), world); !s.ok()) return s;
  if (Status s = readPositions(object, sample, world, points.positions); !s.ok()) return s;
  const std::size_t count = points.positions.size();
  if (Status s = readVelocities(object, sample, world, count, points.velocities); !s.ok()) return s;
  const AbcProperty* ids = archive_->find(schema(object), ".pointIds");
  if (ids && ids->is(Pod::u64, 1) && !ids->scalar && ids->samples > 0) {
    AbcSample located;
    const auto index = static_cast<std::uint32_t>(sampleOf(*ids, object, sample));
    if (Status s = archive_->locate(*ids, ids->storedIndex(index), located); !s.ok()) return s;
    if (located.elements != 0 && located.elements != count)
      return badInput(counted("point ids", located.elements, count));
    points.ids.resize(located.elements);
    if (Status s = archive_->read(*ids, located, points.ids.data()); !s.ok()) return s;
  }
  if (Status s = readWidths(".widths", object, sample, count, points.widths); !s.ok()) return s;
  return readAttributes(object, sample, {count, 0, 0}, points.attributes);
}

Status AbcReader::readCurves(int object, int sample, AbcCurves& curves) const {
  if (Status s = check(object, sample, AbcKind::curves); !s.ok()) return s;
  Mat4d world;
  if (Status s = worldMatrix(object, time(object, sample), world); !s.ok()) return s;
  if (Status s = readPositions(object, sample, world, curves.positions); !s.ok()) return s;
  const std::size_t count = curves.positions.size();
  if (Status s = readVelocities(object, sample, world, count, curves.velocities); !s.ok()) return s;
  if (Status s = readInts("nVertices", object, sample, curves.counts); !s.ok()) return s;
  std::size_t sum = 0;
  for (const std::int32_t n : curves.counts) {
    if (n < 0) return badInput("a curve has " + std::to_string(n) + " points");
    sum += static_cast<std::size_t>(n);
  }
  if (sum != count) return badInput(counted("points", count, sum));
  if (Status s = readWidths("width", object, sample, count, curves.widths); !s.ok()) return s;
  return readAttributes(object, sample, {count, curves.counts.size(), count}, curves.attributes);
}

Result<Geometry> AbcReader::mesh(int object, int sample) const {
  return guarded<Geometry>(object,
                           [&](Geometry& g) { return readMesh(object, sample, time(object, sample), g); });
}

Result<Geometry> AbcReader::meshAt(int object, double seconds) const {
  return guarded<Geometry>(
      object, [&](Geometry& g) { return readMesh(object, sampleAt(object, seconds), seconds, g); });
}

Result<AbcPoints> AbcReader::points(int object, int sample) const {
  return guarded<AbcPoints>(object, [&](AbcPoints& p) { return readPoints(object, sample, p); });
}

Result<AbcCurves> AbcReader::curves(int object, int sample) const {
  return guarded<AbcCurves>(object, [&](AbcCurves& c) { return readCurves(object, sample, c); });
}

Result<Mat4d> AbcReader::xform(int object, int sample) const {
  return guarded<Mat4d>(object, [&](Mat4d& m) { return worldMatrix(object, time(object, sample), m); });
}

Status AbcReader::positions(int object, int sample, std::vector<Vec3f>& out) const {
  const auto done = guarded<bool>(object, [&](bool&) {
    Mat4d world;
    Status s = check(object, sample, objects_[static_cast<std::size_t>(object)].kind);
    if (s.ok()) s = worldMatrix(object, time(object, sample), world);
    return s.ok() ? readPositions(object, sample, world, out) : s;
  });
  return done.status();
}

Status AbcReader::positionsAt(int object, double seconds, std::vector<Vec3f>& out) const {
  const auto done = guarded<bool>(object, [&](bool&) {
    Mat4d world;
    const int sample = sampleAt(object, seconds);
    Status s = check(object, sample, objects_[static_cast<std::size_t>(object)].kind);
    if (s.ok()) s = worldMatrix(object, seconds, world);
    if (s.ok()) s = readPositions(object, sample, world, out);
    if (!s.ok()) return s;
    const double begin = time(object, sample), end = time(object, sample + 1);
    if (sample + 1 >= objects_[static_cast<std::size_t>(object)].samples || seconds <= begin) return s;
    std::vector<Vec3f> next;
    if (s = readPositions(object, sample + 1, world, next); !s.ok() || next.size() != out.size()) return s;
    const auto weight = static_cast<float>(std::min((seconds - begin) / (end - begin), 1.0));
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = out[k] + weight * (next[k] - out[k]);
    return s;
  });
  return done.status();
}

}  // namespace repose
