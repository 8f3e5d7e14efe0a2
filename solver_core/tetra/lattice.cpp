// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/lattice.h"

#include <algorithm>
#include <cmath>

namespace repose {

Lattice::Lattice(const Bounds& box, double side) : side_(side) {
  double origin[3];
  for (int k = 0; k < 3; ++k) {
    const double half = std::ceil(0.5 * (static_cast<double>(box.hi[k]) - box.lo[k]) / side) + 1;
    n_[k] = static_cast<int>(2 * half);
    origin[k] = 0.5 * (static_cast<double>(box.hi[k]) + box.lo[k]) - half * side;
  }
  origin_ = {origin[0], origin[1], origin[2]};
  corners_ = (n_[0] + 1LL) * (n_[1] + 1LL) * (n_[2] + 1LL);
  middles_ = static_cast<std::int64_t>(n_[0]) * n_[1] * n_[2];
}

Vec3d Lattice::place(std::int64_t node) const {
  const bool in_middle = isMiddle(node);
  const std::int64_t nx = n_[0] + !in_middle, ny = n_[1] + !in_middle;
  const std::int64_t at = in_middle ? node - corners_ : node;
  const std::int64_t row = at / nx, layer = at / (nx * ny);
  const double shift = in_middle ? 0.5 : 0;
  return origin_ + Vec3d{static_cast<double>(at % nx) + shift, static_cast<double>(row % ny) + shift,
                         static_cast<double>(layer) + shift} *
                       side_;
}

std::int64_t Lattice::tetAt(Vec3d place) const {
  const double in_cubes[3] = {(place.x - origin_.x) / side_, (place.y - origin_.y) / side_,
                              (place.z - origin_.z) / side_};
  std::array<int, 3> cube{};
  double from_middle[3];
  int axis = 0;
  for (int k = 0; k < 3; ++k) {
    cube[k] = std::clamp(static_cast<int>(std::floor(in_cubes[k])), 1, n_[k] - 2);
    from_middle[k] = in_cubes[k] - cube[k] - 0.5;
    if (std::abs(from_middle[k]) > std::abs(from_middle[axis])) axis = k;
  }
  if (from_middle[axis] < 0) --cube[axis];
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  // sides of the ring in the order of forTets: -v, +u, +v, -u
  const int quarter = std::abs(from_middle[v]) >= std::abs(from_middle[u]) ? (from_middle[v] < 0 ? 0 : 2)
                                                                           : (from_middle[u] > 0 ? 1 : 3);
  std::int64_t before = 0;
  for (int k = 0; k < axis; ++k) before += middles_ / n_[k] * (n_[k] - 1);
  const std::int64_t nx = n_[0] - (axis == 0), ny = n_[1] - (axis == 1);
  return 4 * (before + (cube[2] * ny + cube[1]) * nx + cube[0]) + quarter;
}

}  // namespace repose
