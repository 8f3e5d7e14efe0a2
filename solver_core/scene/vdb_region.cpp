// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetRebuild.h>

#include <new>

#include "scene/region.h"

namespace repose {

namespace {

class VdbRegion final : public Region {
 public:
  VdbRegion(openvdb::FloatGrid::Ptr grid, Vec3f scale) : grid_(std::move(grid)), scale_(scale) {
    const openvdb::CoordBBox voxels = grid_->evalActiveVoxelBoundingBox();
    const openvdb::BBoxd box = grid_->transform().indexToWorld(voxels);
    for (const openvdb::Vec3d& p : {box.min(), box.max()})
      bounds_.add(Vec3f{static_cast<float>(p.x()) * scale_.x, static_cast<float>(p.y()) * scale_.y,
                        static_cast<float>(p.z()) * scale_.z});
  }

  Bounds bounds() const override { return bounds_; }
  bool holds(Vec3f centre, float radius) const override {
    const openvdb::Vec3d p(centre.x / scale_.x, centre.y / scale_.y, centre.z / scale_.z);
    const float distance =
        openvdb::tools::BoxSampler::sample(grid_->constTree(), grid_->transform().worldToIndex(p));
    return -distance * std::min({scale_.x, scale_.y, scale_.z}) >= radius && distance < 0;
  }

 private:
  openvdb::FloatGrid::Ptr grid_;
  Vec3f scale_;
  Bounds bounds_;
};

}  // namespace

Result<std::unique_ptr<Region>> readVdbRegion(const std::string& path, Vec3f scale, float radius) {
  try {
    openvdb::initialize();
    openvdb::io::File file(path);
    file.open(false);
    const openvdb::GridPtrVecPtr grids = file.getGrids();
    if (grids->empty()) return badInput(path + " has no grids");
    const openvdb::GridBase::Ptr first = grids->front();
    openvdb::FloatGrid::Ptr grid = openvdb::gridPtrCast<openvdb::FloatGrid>(first);
    if (!grid || grid->getGridClass() != openvdb::GRID_LEVEL_SET)
      return badInput(
          fmt::format("{}: its grid \"{}\" is not a level set of floats", path, first->getName()));
    if (grid->empty()) return badInput(fmt::format("{}: its grid \"{}\" is empty", path, grid->getName()));
    const float voxel = static_cast<float>(grid->voxelSize().x());
    // A level set knows distances only near its surface: it must reach as deep as the largest grain.
    const float needed = radius / std::min({scale.x, scale.y, scale.z}) + voxel;
    if (needed > grid->background())
      grid = openvdb::tools::levelSetRebuild(*grid, 0.0f, openvdb::LEVEL_SET_HALF_WIDTH, needed / voxel + 1);
    return std::unique_ptr<Region>(std::make_unique<VdbRegion>(grid, scale));
  } catch (const std::bad_alloc&) {
    throw;  // told apart by the reader of the scene
  } catch (const std::exception& problem) {
    return badInput(fmt::format("{} cannot be read as a VDB file: {}", path, problem.what()));
  }
}

}  // namespace repose
