// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Level sets, made and kept by OpenVDB, which this header does not name: it takes minutes to compile.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "scene/geometry.h"
#include "scene/scene.h"

namespace repose {

class LevelSet {
 public:
  struct Grid;  // vdb/grid.h
  explicit LevelSet(std::shared_ptr<Grid> grid) : grid_(std::move(grid)) {}
  const Grid& grid() const { return *grid_; }

 private:
  std::shared_ptr<Grid> grid_;
};

// A skin around spheres of these widths (diameters) [m]. A lone sphere keeps its size. The same for any
// number of threads (0: all). Fails with bad_input when the voxels are too coarse or too fine for the mean
// sphere.
Result<LevelSet> skinOfGrains(const std::vector<Vec3f>& centres, const std::vector<float>& widths,
                              const GrainSkin& skin, int threads);

// Its zero surface as quads, counter-clockwise seen from outside [m].
Geometry meshOf(const LevelSet& level_set, int threads);

// PATH appears when it is complete; until then it is PATH.tmp.<pid>.
Status writeVdb(const LevelSet& level_set, const std::string& path);
// The first level set in a file.
Result<LevelSet> readVdb(const std::string& path);

struct VdbGridSummary {
  std::string name, type, kind;  // "surface", "float", "level set"
  std::uint64_t active_voxels = 0;
  float voxel = 0;  // [m]
  Bounds bounds;    // of the active voxels [m]
};
struct VdbSummary {
  std::uint64_t bytes = 0;  // of the file
  std::vector<VdbGridSummary> grids;
};
Result<VdbSummary> summarizeVdb(const std::string& path);

}  // namespace repose
