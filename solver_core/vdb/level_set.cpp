// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "vdb/level_set.h"

#include <fmt/format.h>
#include <openvdb/tools/LevelSetFilter.h>
#include <openvdb/tools/LevelSetUtil.h>
#include <openvdb/tools/Morphology.h>
#include <openvdb/tools/ParticlesToLevelSet.h>
#include <openvdb/tools/Prune.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tools/VolumeToMesh.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <numeric>

#include "vdb/grid.h"

namespace repose {
namespace {

constexpr float kLeastVoxels = 1.5f, kMostVoxels = 100;  // of a radius: below, a sphere falls between samples

// Spheres as OpenVDB asks for them, each larger by `growth`.
struct GrownSpheres {
  using PosType = openvdb::Vec3R;
  const std::vector<Vec3f>& centres;
  const std::vector<float>& widths;
  float growth, least_radius;

  std::size_t size() const { return centres.size(); }
  void getPos(std::size_t n, openvdb::Vec3R& pos) const {
    pos = openvdb::Vec3R(centres[n].x, centres[n].y, centres[n].z);
  }
  void getPosRad(std::size_t n, openvdb::Vec3R& pos, openvdb::Real& radius) const {
    getPos(n, pos);
    radius = std::max(widths[n] / 2 + growth, least_radius);
  }
};

// Takes the band back to a few voxels around the surface: spheres no deeper than the band leave all of the
// inside active.
void narrowBand(openvdb::FloatGrid& grid) {
  constexpr int kBand = 3;  // voxels
  const openvdb::BoolGrid::Ptr near_surface = openvdb::tools::extractIsosurfaceMask(grid, 0.0f);
  openvdb::tools::dilateActiveValues(near_surface->tree(), kBand, openvdb::tools::NN_FACE);
  grid.topologyIntersection(*near_surface);
  openvdb::tools::signedFloodFill(grid.tree());
  openvdb::tools::pruneLevelSet(grid.tree());
}

template <class Work>
auto onThreads(int threads, const Work& work) {
  return tbb::task_arena(threads > 0 ? threads : tbb::task_arena::automatic).execute(work);
}

// The exceptions of OpenVDB end here.
template <class Work>
auto guarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status(Code::memory, "the surface of the grains does not fit into memory");
  } catch (const std::exception& problem) {
    return Status(Code::unexpected,
                  fmt::format("OpenVDB failed on the surface of grains: {}", problem.what()));
  }
}

}  // namespace

Result<LevelSet> skinOfGrains(const std::vector<Vec3f>& centres, const std::vector<float>& widths,
                              const GrainSkin& skin, int threads) {
  openvdb::initialize();
  auto grid = openvdb::createLevelSet<openvdb::FloatGrid>(skin.voxel);
  grid->setName("surface");
  auto made = std::make_shared<LevelSet::Grid>();
  made->grid = grid;
  if (centres.empty()) return LevelSet(std::move(made));

  const double sum = std::accumulate(widths.begin(), widths.end(), 0.0);
  const auto mean = static_cast<float>(sum / static_cast<double>(widths.size()) / 2);
  const float growth = (skin.radiusscale - 1) * mean;
  if (mean + growth < kLeastVoxels * skin.voxel)
    return badInput(
        fmt::format("voxel is {:g} m, too coarse for a surface of grains with a mean radius of {:g} m: "
                    "at most {:g} m",
                    skin.voxel, mean, (mean + growth) / kLeastVoxels));
  if (mean > kMostVoxels * skin.voxel)
    return badInput(
        fmt::format("voxel is {:g} m, too fine for a surface of grains with a mean radius of {:g} m: "
                    "at least {:g} m",
                    skin.voxel, mean, mean / kMostVoxels));
  return guarded([&]() -> Result<LevelSet> {
    onThreads(threads, [&] {
      openvdb::tools::ParticlesToLevelSet<openvdb::FloatGrid> spheres(*grid);
      spheres.setRmax(std::numeric_limits<float>::max());
      spheres.rasterizeSpheres(GrownSpheres{centres, widths, growth, kLeastVoxels * skin.voxel});
      spheres.finalize();
      narrowBand(*grid);
      openvdb::tools::LevelSetFilter<openvdb::FloatGrid> filter(*grid);
      filter.setSpatialScheme(
          openvdb::math::FIRST_BIAS);  // the default is three times slower and looks the same
      for (int pass = 0; pass < skin.smooth; ++pass) filter.mean();
      if (growth > 0) filter.offset(growth);
    });
    return LevelSet(std::move(made));
  });
}

Geometry meshOf(const LevelSet& level_set, int threads) {
  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec4I> quads;
  onThreads(threads, [&] { openvdb::tools::volumeToMesh(*level_set.grid().grid, points, quads); });
  Geometry mesh;
  mesh.points.reserve(points.size());
  for (const openvdb::Vec3s& p : points) mesh.points.push_back({p[0], p[1], p[2]});
  mesh.face_counts.assign(quads.size(), 4);
  mesh.face_indices.reserve(4 * quads.size());
  for (const openvdb::Vec4I& quad : quads)
    for (int k = 3; k >= 0; --k) mesh.face_indices.push_back(static_cast<std::int32_t>(quad[k]));
  return mesh;
}

}  // namespace repose
