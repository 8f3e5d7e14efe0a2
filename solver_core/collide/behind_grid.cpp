// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/behind_grid.h"

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

constexpr float kCells = 48;  // along the longest side

}  // namespace

void BehindGrid::build(const TriangleSurface& surface, const std::vector<Vec3f>& points, bool turned) {
  const Bounds box = surface.bounds();
  const Vec3f extent = box.hi - box.lo;
  size_ = std::max({extent.x, extent.y, extent.z}) / kCells;
  low_ = box.lo - Vec3f{size_, size_, size_} * 0.5f;
  for (int k = 0; k < 3; ++k) count_[k] = static_cast<int>(extent[k] / size_) + 2;
  outside_ = turned ? Cell::behind : Cell::front;
  cells_.assign(index(0, 0, count_[2]), Cell::unknown);
  for (const std::array<int, 3>& t : surface.triangles()) cross(points[t[0]], points[t[1]], points[t[2]]);

  for (int z = 0; z < count_[2]; ++z)
    for (int y = 0; y < count_[1]; ++y)
      for (int x = 0; x < count_[0]; ++x) {
        Cell& cell = cells_[index(x, y, z)];
        if (cell == Cell::crossed) continue;
        // Two cells without surface that share a side are on one side of it.
        const auto take = [&](Cell beside) {
          if (cell == Cell::unknown && beside != Cell::crossed) cell = beside;
        };
        take(x ? cells_[index(x - 1, y, z)] : outside_);
        take(y ? cells_[index(x, y - 1, z)] : outside_);
        take(z ? cells_[index(x, y, z - 1)] : outside_);
        if (cell != Cell::unknown) continue;
        const Vec3f centre = low_ + Vec3f{x + 0.5f, y + 0.5f, z + 0.5f} * size_;
        cell = surface.nearest(centre).gap < 0 ? Cell::behind : Cell::front;
      }
}

// Marks the cells that may meet the triangle: those of its box that its plane goes through.
void BehindGrid::cross(Vec3f a, Vec3f b, Vec3f c) {
  Bounds box;
  for (const Vec3f p : {a, b, c}) box.add(p);
  int first[3], last[3];
  for (int k = 0; k < 3; ++k) {
    first[k] = std::clamp(static_cast<int>((box.lo[k] - low_[k]) / size_ - 0.01f), 0, count_[k] - 1);
    last[k] = std::clamp(static_cast<int>((box.hi[k] - low_[k]) / size_ + 0.01f), 0, count_[k] - 1);
  }
  const Vec3f normal = repose::cross(b - a, c - a);
  const float thick = 0.51f * size_ * (std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z));
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        const Vec3f centre = low_ + Vec3f{x + 0.5f, y + 0.5f, z + 0.5f} * size_;
        if (std::abs(dot(normal, centre - a)) <= thick) cells_[index(x, y, z)] = Cell::crossed;
      }
}

BehindGrid::Cell BehindGrid::at(Vec3f p) const {
  int cell[3];
  for (int k = 0; k < 3; ++k) {
    const float along = (p[k] - low_[k]) / size_;
    if (!(along >= 0 && along < static_cast<float>(count_[k]))) return outside_;
    cell[k] = static_cast<int>(along);
  }
  return cells_[index(cell[0], cell[1], cell[2])];
}

}  // namespace repose
