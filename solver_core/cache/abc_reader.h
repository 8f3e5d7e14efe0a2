// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Reads Alembic archives (Ogawa), ours and those of other programs. Nothing in the file is trusted
// (alembic.md 7): every failure is a Status of one sentence that names the file and the object. Reading is
// const, uses pread only and may go on in several threads, and while the file is still being written.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/types.h"
#include "scene/geometry.h"

namespace repose {

class AbcArchive;
struct AbcProperty;
struct ElementCounts;

enum class AbcKind { xform, mesh, points, curves, other };
const char* abcKindName(AbcKind kind);

struct AbcInfo {
  std::string application, description, date;
  double fps = 24;  // from _ai_DCC_FPS, else derived from the sampling, else 24
  bool animated = false;
  double first_frame = 0, last_frame = 0;  // time * fps of the first and last sample; equal if not animated
  int frames = 0;                          // whole frames from first to last
};

struct AbcObject {
  std::string path;  // "/flag/flagShape"
  AbcKind kind = AbcKind::other;
  int parent = -1;  // index in objects()
  int samples = 0;  // of the object itself (an Xform above it may have others)
  int time_sampling = 0;
  bool constant_topology = true;  // meshes and curves: counts and indices; points: ids
  bool moves = false;             // it or an Xform above it has more than one distinct sample
};

struct AbcPoints {
  std::vector<Vec3f> positions, velocities;  // velocities may be empty
  std::vector<std::uint64_t> ids;
  std::vector<float> widths;  // diameters; empty, 1 or one a point
  std::vector<Attribute> attributes;
};

struct AbcCurves {
  std::vector<Vec3f> positions, velocities;
  std::vector<std::int32_t> counts;  // points of each curve
  std::vector<float> widths;
  std::vector<Attribute> attributes;
};

class AbcReader {
 public:
  static Result<std::unique_ptr<AbcReader>> open(const std::string& path);
  ~AbcReader();
  AbcReader(const AbcReader&) = delete;
  AbcReader& operator=(const AbcReader&) = delete;

  const std::string& path() const;
  const AbcInfo& info() const { return info_; }
  const std::vector<AbcObject>& objects() const { return objects_; }
  // The object of that path ("/a/aShape"), or whose last name it is ("aShape", "a": then the shape below it);
  // -1.
  int find(const std::string& name) const;
  // The only or first mesh of the archive, or -1.
  int firstMesh() const;

  double time(int object, int sample) const;  // seconds
  // The last sample at or before that time, within 0 .. samples - 1.
  int sampleAt(int object, double seconds) const;

  // World space, faces counter-clockwise; `.velocities` is the point attribute "v".
  Result<Geometry> mesh(int object, int sample) const;
  Result<Geometry> meshAt(int object, double seconds) const;  // Xforms also at that time
  Result<AbcPoints> points(int object, int sample) const;
  Result<AbcCurves> curves(int object, int sample) const;
  Result<Mat4d> xform(int object, int sample) const;  // local to world; for shapes that of the parents

  // World positions only, into a vector that is used again. positionsAt blends the two samples around the
  // time linearly, as long as both have the same number of points.
  Status positions(int object, int sample, std::vector<Vec3f>& out) const;
  Status positionsAt(int object, double seconds, std::vector<Vec3f>& out) const;

  const AbcArchive& archive() const { return *archive_; }

 private:
  explicit AbcReader(std::unique_ptr<AbcArchive> archive);
  void describe();
  void describeObject(int node);
  void describeTime();
  Status check(int object, int sample, AbcKind kind) const;
  Status fail(int object, const Status& problem) const;
  template <class T, class F>
  Result<T> guarded(int object, F&& work) const;
  const AbcProperty* schema(int object) const;
  int sampleOf(const AbcProperty& property, int object, int sample) const;
  Status localMatrix(int object, int sample, Mat4d& matrix, bool& inherits) const;
  Status worldMatrix(int object, double seconds, Mat4d& matrix) const;
  Status readVectors(const char* name, int object, int sample, bool required, std::vector<Vec3f>& out) const;
  Status readInts(const char* name, int object, int sample, std::vector<std::int32_t>& out) const;
  Status readPositions(int object, int sample, const Mat4d& world, std::vector<Vec3f>& out) const;
  Status readMesh(int object, int sample, double seconds, Geometry& mesh) const;
  Status readPoints(int object, int sample, AbcPoints& points) const;
  Status readCurves(int object, int sample, AbcCurves& curves) const;
  Status readTopology(int object, int sample, Geometry& mesh) const;
  Status readVelocities(int object, int sample, const Mat4d& world, std::size_t points,
                        std::vector<Vec3f>& out) const;
  Status readWidths(const char* name, int object, int sample, std::size_t points,
                    std::vector<float>& out) const;
  // Those of the schema (uv, N) and all of .arbGeomParams that fit the numbers of elements.
  Status readAttributes(int object, int sample, const ElementCounts& counts,
                        std::vector<Attribute>& out) const;

  std::unique_ptr<AbcArchive> archive_;
  AbcInfo info_;
  std::vector<AbcObject> objects_;
  std::vector<int> sources_;  // by object: itself, or the object it is an instance of
};

}  // namespace repose
