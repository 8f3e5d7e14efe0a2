// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Signed distance fields: level sets of VDB files, and meshes turned into them. A field has one normal at
// each place, so a sphere in a sharp corner touches one wall at a time.
#include <fmt/format.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetRebuild.h>
#include <openvdb/tools/MeshToVolume.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include "collide/obstacle_kinds.h"
#include "collide/rigid_motion.h"
#include "scene/volume.h"

namespace repose {

namespace {

using Grid = openvdb::FloatGrid;

constexpr float kLeastBand = 3, kGreatestBand = 250;  // outside the surface [voxels]
constexpr float kAllInside = 1e6f;                    // a band that fills whatever is inside [voxels]
constexpr float kBandEnd = 0.999f;                    // share of the background that is no distance any more
constexpr float kOneWay = 0.99f;                      // cosine above which two touches have one direction

// From voxels into the space of the grid, for column vectors.
Mat4d gridSpace(const Grid& grid) {
  const openvdb::math::Mat4d map = grid.transform().baseMap()->getAffineMap()->getMat4();
  Mat4d place;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) place.m[i][j] = map(j, i);
  return place;
}

float bandVoxels(float reach, float voxel) {
  return std::clamp(std::ceil(reach / voxel) + 2, kLeastBand, kGreatestBand);
}

class Field final : public RigidObstacle {
 public:
  // near: exact in a narrow band, or null; wide: further outside and everywhere inside. Both have one space,
  // `space` puts it into the world; values are multiplied by `scale`.
  Field(const Collider& collider, Grid::ConstPtr near, Grid::ConstPtr wide, const Mat4d& space, float scale)
      : RigidObstacle(collider, unscaled(space)),
        near_(std::move(near)),
        wide_(std::move(wide)),
        voxel_(scaleOf(space).x),
        scale_(scale),
        inside_(collider.inside) {
    const openvdb::CoordBBox box = wide_->evalActiveVoxelBoundingBox();
    for (int k = 0; k < 3; ++k) {
      box_.lo[k] = static_cast<float>(box.min()[k] - 1) * voxel_;
      box_.hi[k] = static_cast<float>(box.max()[k] + 1) * voxel_;
    }
  }

  int touch(Vec3f centre, Vec3f motion, float reach, Touch* touches) const override {
    const Reader reader(*this);
    const Pose& pose = motion_.pose();
    const Vec3f p = pose.local(centre), way = motion_.localMotion(centre, motion);
    const Sample here = reader.at(p);
    int count = 0;
    const auto add = [&](float gap, Vec3f local_normal) {
      const Vec3f normal = pose.worldVector(local_normal);
      touches[count] = {normal, gap, motion_.velocity(centre - normal * gap), count};
      ++count;
    };
    if (here.distance < reach) add(here.distance, here.normal);
    const float room = std::max(here.distance - reach, 0.5f * reach);
    Vec3f hit;
    if (dot(way, way) <= room * room ||
        !traceMotion([&](Vec3f at) { return reader.at(at).distance; }, p, way, reach, hit))
      return count;
    const Sample there = reader.at(hit);
    if (!count || dot(there.normal, here.normal) < kOneWay)
      add(there.distance + dot(p - hit, there.normal), there.normal);
    return count;
  }
  Bounds bounds() const override { return inside_ ? endlessBounds() : motion_.bounds(box_); }

 private:
  struct Sample {
    float distance;
    Vec3f normal;
  };

  // The accessors remember where they were: each call of touch() has its own.
  class Reader {
   public:
    explicit Reader(const Field& field)
        : field_(field),
          near_((field.near_ ? field.near_ : field.wide_)->tree()),
          wide_(field.wide_->tree()) {}

    Sample at(Vec3f p) const {
      float value;
      Vec3f slope;
      const float per_voxel = 1 / field_.voxel_;
      if (!field_.near_ || !blend(near_, field_.near_->background(), p * per_voxel, value, slope))
        if (!blend(wide_, field_.wide_->background(), p * per_voxel, value, slope) && field_.inside_ &&
            value > 0)
          // outside a container, where nothing is known but the way back
          slope = p - (field_.box_.lo + field_.box_.hi) * 0.5f;
      const float size = length(slope);
      const float side = field_.inside_ ? -1.0f : 1.0f;
      const Vec3f normal = size > 0 ? slope * (side / size) : Vec3f{0, side, 0};
      return {value * field_.scale_ * side, normal};
    }

   private:
    using Accessor = Grid::ConstUnsafeAccessor;

    // Trilinear: the value, and its slope as a direction. False where a corner is beyond the band.
    static bool blend(const Accessor& accessor, float background, Vec3f at, float& value, Vec3f& slope) {
      int cell[3];
      float t[3];
      for (int k = 0; k < 3; ++k) {
        const float low = std::floor(std::clamp(at[k], -1e9f, 1e9f));
        cell[k] = static_cast<int>(low), t[k] = at[k] - low;
      }
      float v[2][2][2];
      bool known = true;
      for (int x = 0; x < 2; ++x)
        for (int y = 0; y < 2; ++y)
          for (int z = 0; z < 2; ++z) {
            v[x][y][z] = accessor.getValue({cell[0] + x, cell[1] + y, cell[2] + z});
            known = known && std::abs(v[x][y][z]) < kBandEnd * background;
          }
      const auto mix = [](float a, float b, float s) { return a + (b - a) * s; };
      const auto face = [&](int x, float ty, float tz) {
        return mix(mix(v[x][0][0], v[x][0][1], tz), mix(v[x][1][0], v[x][1][1], tz), ty);
      };
      const float low = face(0, t[1], t[2]), high = face(1, t[1], t[2]);
      value = mix(low, high, t[0]);
      slope.x = high - low;
      slope.y = mix(face(0, 1, t[2]) - face(0, 0, t[2]), face(1, 1, t[2]) - face(1, 0, t[2]), t[0]);
      slope.z = mix(face(0, t[1], 1) - face(0, t[1], 0), face(1, t[1], 1) - face(1, t[1], 0), t[0]);
      return known;
    }

    const Field& field_;
    Accessor near_, wide_;
  };

  static Mat4d unscaled(Mat4d place) {
    const Vec3f scale = scaleOf(place);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) place.m[i][k] /= scale[k];
    return place;
  }

  Grid::ConstPtr near_, wide_;
  float voxel_, scale_;  // [m] in the world, and of the values
  bool inside_;
  Bounds box_;  // own space
};

// The first level set of a file.
Result<Grid::Ptr> readLevelSet(const std::string& path) {
  openvdb::io::File file(path);
  file.open(false);  // all of it at once
  const openvdb::GridPtrVecPtr grids = file.getGrids();
  Grid::Ptr other;
  for (const openvdb::GridBase::Ptr& base : *grids)
    if (const Grid::Ptr grid = openvdb::gridPtrCast<Grid>(base)) {
      if (grid->getGridClass() == openvdb::GRID_LEVEL_SET) return grid;
      if (!other) other = grid;
    }
  if (!other) return badInput(fmt::format("has the file {}, which has no grid of floats", path));
  return badInput(fmt::format("has the file {}, whose grid \"{}\" is not a level set but {}", path,
                              other->getName(),
                              openvdb::GridBase::gridClassToMenuName(other->getGridClass())));
}

Status checkLevelSet(const Grid& grid, const std::string& path) {
  const auto refuse = [&](std::string_view what) {
    return badInput(fmt::format("has the file {}, whose grid \"{}\" {}", path, grid.getName(), what));
  };
  if (!grid.transform().isLinear() || !grid.hasUniformVoxels())
    return refuse("has voxels that are not cubes of one size");
  float least = 0, greatest = 0;
  for (auto value = grid.cbeginValueOn(); value; ++value) {
    if (!std::isfinite(*value)) return refuse("has a value that is not finite");
    least = std::min(least, *value), greatest = std::max(greatest, *value);
  }
  if (!(grid.background() > 0) || !(least < 0) || !(greatest > 0))
    return refuse("encloses nothing: its values do not change their sign");
  return {};
}

// What the library throws becomes a sentence.
template <class Make>
ObstacleResult guarded(const std::string& what, const Make& make) {
  try {
    openvdb::initialize();
    return make();
  } catch (const std::bad_alloc&) {
    return Status(Code::memory, what + " for which there is not enough memory");
  } catch (const std::exception& problem) {
    return badInput(fmt::format("{} that cannot be used: {}", what, problem.what()));
  }
}

}  // namespace

ObstacleResult makeFileField(const Collider& collider, float reach) {
  return guarded(fmt::format("has the file {}", collider.path), [&]() -> ObstacleResult {
    const Result<Grid::Ptr> near = readLevelSet(collider.path);
    if (!near.ok()) return near.status();
    if (const Status status = checkLevelSet(**near, collider.path); !status.ok()) return status;
    const Mat4d space = collider.place * gridSpace(**near);
    const float scale = scaleOf(collider.place).x, band = bandVoxels(reach, scaleOf(space).x);
    const Grid::Ptr wide = openvdb::tools::levelSetRebuild(**near, 0.0f, band, kAllInside);
    return std::unique_ptr<Obstacle>(std::make_unique<Field>(collider, *near, wide, space, scale));
  });
}

ObstacleResult makeMeshField(const Collider& collider, float reach) {
  const Result<SurfaceTriangles> surface = surfaceTriangles(collider);
  if (!surface.ok()) return surface.status();
  if (!surface->closed) return badInput("must be closed to be turned into a field");
  return guarded("is a mesh", [&]() -> ObstacleResult {
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    for (const Vec3f p : collider.geometry.points) points.emplace_back(p.x, p.y, p.z);
    for (const auto& t : surface->triangles) triangles.emplace_back(t[0], t[1], t[2]);
    const auto transform = openvdb::math::Transform::createLinearTransform(collider.voxel);
    for (openvdb::Vec3s& p : points) p = transform->worldToIndex(p);
    const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> mesh(points, triangles);
    const Grid::Ptr grid =
        openvdb::tools::meshToVolume<Grid>(mesh, *transform, bandVoxels(reach, collider.voxel), kAllInside);
    return std::unique_ptr<Obstacle>(
        std::make_unique<Field>(collider, nullptr, grid, gridSpace(*grid), 1.0f));
  });
}

}  // namespace repose
