// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Which parts of the box around a closed surface are behind it: coarse cells, so that most spheres that touch
// nothing need no search for the nearest triangle.
#pragma once
#include <cstdint>
#include <vector>

#include "collide/triangle_surface.h"

namespace repose {

class BehindGrid {
 public:
  enum class Cell : std::uint8_t { unknown, crossed, front, behind };

  // As the surface stands now.
  void build(const TriangleSurface& surface, const std::vector<Vec3f>& points, bool turned);
  // crossed: the surface goes through the cell, both are possible.
  Cell at(Vec3f p) const;

 private:
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * count_[1] + y) * count_[0] + x;
  }
  void cross(Vec3f a, Vec3f b, Vec3f c);

  Vec3f low_;
  float size_ = 1;
  int count_[3] = {0, 0, 0};
  Cell outside_ = Cell::front;  // of the grid
  std::vector<Cell> cells_;
};

}  // namespace repose
