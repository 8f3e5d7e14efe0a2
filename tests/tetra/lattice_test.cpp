// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/lattice.h"

#include <gtest/gtest.h>

#include <vector>

namespace repose {

namespace {

using Nodes = std::array<std::int64_t, 4>;

double sixVolume(const Lattice& lattice, const Nodes& n) {
  const Vec3d o = lattice.place(n[0]);
  return dot(lattice.place(n[1]) - o, cross(lattice.place(n[2]) - o, lattice.place(n[3]) - o));
}

}  // namespace

TEST(Lattice, TetrahedraAreAllAlike) {
  const Lattice lattice({{0, 0, 0}, {1, 0.7f, 0.4f}}, 0.25);
  int tets = 0;
  lattice.forTets([&](const Nodes& n) {
    EXPECT_NEAR(sixVolume(lattice, n), 0.25 * 0.25 * 0.25 / 2, 1e-12);
    double sum = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) sum += length(lattice.place(n[i]) - lattice.place(n[j]));
    EXPECT_NEAR(sum / 6, Lattice::kMeanEdge * 0.25, 1e-12);
    EXPECT_EQ(lattice.isMiddle(n[0]) + lattice.isMiddle(n[1]), 0);
    EXPECT_EQ(lattice.isMiddle(n[2]) + lattice.isMiddle(n[3]), 2);
    ++tets;
  });
  // twelve a cube less what is missing at the rim
  EXPECT_GT(tets, 8 * lattice.cubes());
  EXPECT_LT(tets, 12 * lattice.cubes());
}

TEST(Lattice, EveryPlaceOfTheBoxIsInTheTetrahedronOfItsNumber) {
  const Lattice lattice({{-0.3f, 0, 2}, {0.5f, 0.6f, 2.4f}}, 0.21);
  std::vector<Nodes> all;
  lattice.forTets([&](const Nodes& n) { all.push_back(n); });
  for (int k = 0; k < 500; ++k) {
    const auto random = [&](int a) {
      return static_cast<std::uint32_t>(3 * k + a + 1) * 2654435761u * 0x1p-32;
    };
    const Vec3d p = {-0.3 + 0.8 * random(0), 0.6 * random(1), 2 + 0.4 * random(2)};
    const Nodes& n = all.at(static_cast<std::size_t>(lattice.tetAt(p)));
    const Vec3d o = lattice.place(n[0]) - p, a = lattice.place(n[1]) - p, b = lattice.place(n[2]) - p,
                c = lattice.place(n[3]) - p;
    for (const double side :
         {dot(a, cross(b, c)), -dot(o, cross(b, c)), dot(o, cross(a, c)), -dot(o, cross(a, b))})
      EXPECT_GE(side, -1e-12);
  }
}

}  // namespace repose
