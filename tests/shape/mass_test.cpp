// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Mass, centre and inertia against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "shape/convex.h"

namespace repose {

namespace {

constexpr double kPi = 3.14159265358979323846;

void expectMass(const MassProperties& mass, double volume, Vec3f centre, std::array<double, 6> inertia,
                double slack = 1e-6) {
  EXPECT_NEAR(mass.volume, volume, slack * std::abs(volume));
  double size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, std::abs(inertia[k]));
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(mass.centre[k], centre[k], 1e-5) << k;
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(mass.inertia[k], inertia[k], slack * size) << k;
}

}  // namespace

TEST(Mass, ClosedForms) {
  expectMass(massOf(makeSphere(2)), 4.0 / 3 * kPi * 8, {}, {53.6165, 53.6165, 53.6165, 0, 0, 0}, 1e-5);
  const double box = 1.0 * 2 * 3;
  expectMass(massOf(makeBox({1, 2, 3})), box, {}, {box * 13 / 12, box * 10 / 12, box * 5 / 12, 0, 0, 0});
  const double r = 0.5, h = 2, cylinder = kPi * r * r * h, across = cylinder * (3 * r * r + h * h) / 12;
  expectMass(massOf(makeCylinder(0.5f, 2)), cylinder, {}, {across, cylinder * r * r / 2, across, 0, 0, 0});
  // a capsule without a straight part is a ball, a long one nearly a rod
  const MassProperties ball = massOf(makeCapsule(2, 0));
  expectMass(ball, 4.0 / 3 * kPi * 8, {}, {53.6165, 53.6165, 53.6165, 0, 0, 0}, 1e-5);
  const double ends = 4.0 / 3 * kPi * r * r * r, half_ball = ends / 2;
  const double end = 2 * (half_ball * r * r * (0.4 - 9.0 / 64) + half_ball * std::pow(h / 2 + 3 * r / 8, 2));
  expectMass(massOf(makeCapsule(0.5f, 2)), cylinder + ends, {},
             {across + end, cylinder * r * r / 2 + ends * 0.4 * r * r, across + end, 0, 0, 0});
}

TEST(Mass, HullOfABoxIsTheBox) {
  const Convex box = makeBox({1, 2, 3});
  Convex hull = *makeHull(box.hull->corners);
  Convex placed = box;
  placed.place = hull.place = poseOf({4, 5, 6}, normalized({0.1f, 0.4f, -0.3f, 0.8f}));
  const MassProperties a = massOf(placed), b = massOf(hull);
  expectMass(b, a.volume, {4, 5, 6}, a.inertia, 1e-5);
}

TEST(Mass, Tetrahedron) {
  // 0 and the unit points: V = 1/6, centre 1/4, integral of x^2 = 1/60, of x y = 1/120
  const std::vector<Vec3f> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::array<int, 3>> faces{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const double v = 1.0 / 6, xx = 1.0 / 60 - v / 16, xy = 1.0 / 120 - v / 16;
  expectMass(massOf(points, faces), v, {0.25f, 0.25f, 0.25f}, {2 * xx, 2 * xx, 2 * xx, -xy, -xy, -xy});
  std::vector<std::array<int, 3>> turned = faces;
  for (auto& t : turned) std::swap(t[1], t[2]);
  EXPECT_NEAR(massOf(points, turned).volume, -v, 1e-9);
}

TEST(Mass, FarMeshesKeepTheirInertia) {
  Convex box = makeBox({1, 1, 1});
  std::vector<Vec3f> points;
  for (const Vec3f p : box.hull->corners) points.push_back(p + Vec3f{1024, -2048, 512});
  const MassProperties mass = massOf(*makeHull(points));
  EXPECT_NEAR(mass.volume, 1, 1e-6);
  EXPECT_NEAR(mass.inertia[0], 1.0 / 6, 1e-6);
}

TEST(Mass, PartsAddUp) {
  Convex left = makeBox({1, 1, 1}), right = left;
  left.place.origin = {-0.5f, 3, 0}, right.place.origin = {0.5f, 3, 0};
  Convex whole = makeBox({2, 1, 1});
  whole.place.origin = {0, 3, 0};
  const MassProperties sum = massOf(left) + massOf(right);
  expectMass(sum, 2, {0, 3, 0}, massOf(whole).inertia);
}

TEST(Mass, PrincipalAxesFindATurnedBox) {
  Convex box = makeBox({1, 2, 3});
  const Quat turns[] = {{0, 0, 0, 1}, normalized({0.3f, -0.2f, 0.5f, 0.7f}), normalized({1, 1, 0, 0.2f})};
  for (const Quat turn : turns) {
    box.place = poseOf({1, 2, 3}, turn);
    std::array<double, 3> moments;
    const Pose axes = principalAxes(massOf(box), moments);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(axes.origin[k], box.place.origin[k], 1e-6f);
    EXPECT_NEAR(dot(cross(axes.axis[0], axes.axis[1]), axes.axis[2]), 1, 1e-5f);
    const double known[3] = {6.0 * 13 / 12, 6.0 * 10 / 12, 6.0 * 5 / 12};
    for (int k = 0; k < 3; ++k) {
      // each axis is one of the box's, with its moment
      int which = 0;
      for (int i = 1; i < 3; ++i)
        if (std::abs(dot(axes.axis[k], box.place.axis[i])) >
            std::abs(dot(axes.axis[k], box.place.axis[which])))
          which = i;
      EXPECT_NEAR(std::abs(dot(axes.axis[k], box.place.axis[which])), 1, 1e-5f);
      EXPECT_NEAR(moments[k], known[which], 1e-5);
    }
  }
}

}  // namespace repose
