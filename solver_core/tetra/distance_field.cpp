// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/distance_field.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <algorithm>
#include <limits>

namespace repose {

namespace {

// Triangles in voxels from the middle of the first point's voxel, so that size and place do not matter.
struct VoxelMesh {
  const std::vector<Vec3f>& points;
  const std::vector<std::array<int, 3>>& triangles;
  Vec3d origin;
  double voxel;
  std::size_t polygonCount() const { return triangles.size(); }
  std::size_t pointCount() const { return points.size(); }
  static std::size_t vertexCount(std::size_t) { return 3; }
  void getIndexSpacePoint(std::size_t face, std::size_t corner, openvdb::Vec3d& at) const {
    const Vec3f p = points[triangles[face][corner]];
    at = {(p.x - origin.x) / voxel, (p.y - origin.y) / voxel, (p.z - origin.z) / voxel};
  }
};

}  // namespace

struct DistanceField::Grid {
  openvdb::FloatGrid::Ptr grid;
  Vec3d origin;
  double voxel;
};

DistanceField::DistanceField(const std::vector<Vec3f>& points,
                             const std::vector<std::array<int, 3>>& triangles, double voxel, double band) {
  openvdb::initialize();
  const Vec3f first = points[0];
  const VoxelMesh mesh{points, triangles, {first.x, first.y, first.z}, voxel};
  const auto width = static_cast<float>(band);
  const auto unit = openvdb::math::Transform::createLinearTransform(1.0);
  grid_ = std::make_unique<Grid>(
      Grid{openvdb::tools::meshToVolume<openvdb::FloatGrid>(mesh, *unit, width, width), mesh.origin, voxel});
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the pointer of OpenVDB counts who holds it

DistanceField::~DistanceField() = default;
DistanceField::DistanceField(DistanceField&&) noexcept = default;

double DistanceField::at(Vec3d place) const {
  const openvdb::Vec3d in_voxels((place.x - grid_->origin.x) / grid_->voxel,
                                 (place.y - grid_->origin.y) / grid_->voxel,
                                 (place.z - grid_->origin.z) / grid_->voxel);
  return grid_->voxel * openvdb::tools::BoxSampler::sample(grid_->grid->tree(), in_voxels);
}

double DistanceField::volume() const {
  double voxels = 0;
  for (auto value = grid_->grid->tree().cbeginValueAll(); value;
       ++value)  // a voxel is cut by about its distance
    voxels += static_cast<double>(value.getVoxelCount()) * std::clamp(0.5 - *value, 0.0, 1.0);
  return voxels * grid_->voxel * grid_->voxel * grid_->voxel;
}

Geometry surfaceOfValues(Vec3d origin, double voxel, const std::array<int, 3>& count,
                         const std::vector<float>& values) {
  openvdb::initialize();
  const auto grid = openvdb::FloatGrid::create(std::numeric_limits<float>::max());
  auto accessor = grid->getAccessor();
  std::size_t at = 0;
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i) accessor.setValue({i, j, k}, values[at++]);
  grid->setGridClass(openvdb::GRID_LEVEL_SET);
  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec4I> quads;
  openvdb::tools::volumeToMesh(*grid, points, quads);
  Geometry mesh;
  for (const openvdb::Vec3s& p : points)
    mesh.points.push_back({static_cast<float>(origin.x + voxel * p[0]),
                           static_cast<float>(origin.y + voxel * p[1]),
                           static_cast<float>(origin.z + voxel * p[2])});
  mesh.face_counts.assign(quads.size(), 4);
  for (const openvdb::Vec4I& quad : quads)
    for (int k = 3; k >= 0; --k) mesh.face_indices.push_back(static_cast<std::int32_t>(quad[k]));
  return mesh;
}

}  // namespace repose
