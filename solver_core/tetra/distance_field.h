// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Signed distances to a closed surface on a grid, made by OpenVDB, which this header does not name.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "base/vec3d.h"
#include "scene/geometry.h"

namespace repose {

class DistanceField {
 public:
  // `band`: distances up to so many voxels are true, beyond only their sign is. What no way from outside
  // reaches is inside, so surfaces may cross themselves.
  DistanceField(const std::vector<Vec3f>& points, const std::vector<std::array<int, 3>>& triangles,
                double voxel, double band);
  ~DistanceField();
  DistanceField(DistanceField&&) noexcept;
  // Metres, below 0 inside; trilinear.
  double at(Vec3d place) const;
  double volume() const;  // inside [m^3]; what is thinner than a voxel counts for more

 private:
  struct Grid;
  std::unique_ptr<Grid> grid_;
};

// The zero surface of values that are below 0 inside, x fastest at the corners of a grid, `voxel` metres
// apart from `origin`; quads, counter-clockwise seen from outside.
Geometry surfaceOfValues(Vec3d origin, double voxel, const std::array<int, 3>& count,
                         const std::vector<float>& values);

// The same of function(place), within a box.
template <class Function>
Geometry surfaceOfFunction(const Bounds& box, double voxel, const Function& function) {
  const Vec3d origin = {box.lo.x - 2 * voxel, box.lo.y - 2 * voxel, box.lo.z - 2 * voxel};
  std::array<int, 3> count{};
  for (int k = 0; k < 3; ++k) count[k] = static_cast<int>((box.hi[k] - box.lo[k]) / voxel) + 6;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(count[0]) * count[1] * count[2]);
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i)
        values.push_back(static_cast<float>(
            function(Vec3d{origin.x + i * voxel, origin.y + j * voxel, origin.z + k * voxel})));
  return surfaceOfValues(origin, voxel, count, values);
}

}  // namespace repose
