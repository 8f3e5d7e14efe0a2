// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The body-centred cubic lattice: cubes of one size with a node at each corner and in each middle, and four
// tetrahedra around every line from middle to middle. They are all alike, with two long edges (the side of a
// cube) and four short ones (0.866 of it).
#pragma once
#include <array>
#include <cstdint>

#include "base/types.h"
#include "base/vec3d.h"

namespace repose {

class Lattice {
 public:
  // The mean length of the edges, for cubes of side 1.
  static constexpr double kMeanEdge = (2 + 4 * 0.8660254037844386) / 6;
  static constexpr double kTetVolume = 1.0 / 12;  // for cubes of side 1

  // Cubes of this side around a box and at least one beyond, with a corner in its middle.
  Lattice(const Bounds& box, double side);

  double side() const { return side_; }
  double cubes() const { return static_cast<double>(n_[0]) * n_[1] * n_[2]; }
  std::int64_t nodeCount() const { return corners_ + middles_; }
  Vec3d place(std::int64_t node) const;
  // Corners of cubes come first, then the middles; an edge between two of one kind is long.
  bool isMiddle(std::int64_t node) const { return node >= corners_; }

  // Calls visit(nodes) for every tetrahedron, in a fixed order; two corners, then two middles, of positive
  // volume.
  template <class Visit>
  void forTets(const Visit& visit) const;
  // The number in that order of the tetrahedron around a place of the box.
  std::int64_t tetAt(Vec3d place) const;

 private:
  std::int64_t corner(int i, int j, int k) const { return (k * (n_[1] + 1LL) + j) * (n_[0] + 1LL) + i; }
  std::int64_t middle(int i, int j, int k) const {
    return corners_ + (static_cast<std::int64_t>(k) * n_[1] + j) * n_[0] + i;
  }

  std::array<int, 3> n_{};  // cubes
  Vec3d origin_;
  double side_;
  std::int64_t corners_, middles_;
};

// Between the cubes at (i, j, k) and one further along an axis: corners go around their common side.
template <class Visit>
void Lattice::forTets(const Visit& visit) const {
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::array<int, 3> at{};
    for (at[2] = 0; at[2] < n_[2] - (axis == 2); ++at[2])
      for (at[1] = 0; at[1] < n_[1] - (axis == 1); ++at[1])
        for (at[0] = 0; at[0] < n_[0] - (axis == 0); ++at[0]) {
          std::array<int, 3> next = at;
          ++next[axis];
          const std::int64_t here = middle(at[0], at[1], at[2]), there = middle(next[0], next[1], next[2]);
          std::int64_t ring[4];
          for (int q = 0; q < 4; ++q) {
            std::array<int, 3> c = next;
            c[u] += q == 1 || q == 2, c[v] += q >= 2;
            ring[q] = corner(c[0], c[1], c[2]);
          }
          for (int q = 0; q < 4; ++q)
            visit(std::array<std::int64_t, 4>{ring[q], ring[(q + 1) % 4], here, there});
        }
  }
}

}  // namespace repose
