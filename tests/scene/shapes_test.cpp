// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace repose {

namespace {

constexpr double kPi = 3.14159265358979323846;

struct Measures {
  int euler = 0;         // points - edges + faces
  int border_edges = 0;  // edges of one face
  double area = 0, volume = 0;
  bool consistent = true;  // no directed edge twice: neighbours are wound alike
};

Measures measure(const Geometry& g) {
  Measures m;
  std::set<std::pair<int, int>> directed;
  std::size_t first = 0;
  for (const std::int32_t count : g.face_counts) {
    for (int k = 0; k < count; ++k) {
      const int a = g.face_indices[first + k], b = g.face_indices[first + (k + 1) % count];
      m.consistent &= directed.insert({a, b}).second;
      if (k < 1 || k + 1 >= count) continue;
      const Vec3f o = g.points[g.face_indices[first]], p = g.points[a], q = g.points[b];
      m.area += 0.5 * length(cross(p - o, q - o));
      m.volume += dot(o, cross(p, q)) / 6.0;  // positive when seen counter-clockwise from outside
    }
    first += static_cast<std::size_t>(count);
  }
  int edges = 0;
  for (const auto& [a, b] : directed) {
    const bool twin = directed.count({b, a}) > 0;
    edges += !twin || a < b;
    m.border_edges += !twin;
  }
  m.euler = static_cast<int>(g.points.size()) - edges + static_cast<int>(g.face_counts.size());
  return m;
}

const ShapeRow& rowOf(std::string_view name) {
  for (const ShapeRow& row : kShapes)
    if (row.name == name) return row;
  return kShapes[0];
}

Shape fine(std::string_view name, int a, int b, int c = 1) {
  Shape shape;
  shape.divisions = rowOf(name).default_divisions;
  shape.divisions = {a, b, c};
  return shape;
}

std::size_t groupSize(const Geometry& g, const char* name) {
  const PointGroup* group = g.findGroup(name);
  return group ? group->points.size() : 0;
}

}  // namespace

TEST(Shapes, EulerCharacteristicAndBorders) {
  const std::pair<const char*, int> closed[] = {
      {"sphere", 2}, {"box", 2}, {"capsule", 2}, {"cone", 2}, {"torus", 0}};
  const std::pair<const char*, int> open[] = {{"grid", 1}, {"disk", 1}, {"tube", 0}};
  for (const bool triangles : {false, true}) {
    for (const auto& [name, euler] : closed) {
      Shape shape = fine(name, 7, 5, 3);
      shape.triangles = triangles;
      const Measures m = measure(rowOf(name).make(shape));
      EXPECT_EQ(m.euler, euler) << name;
      EXPECT_EQ(m.border_edges, 0) << name;
      EXPECT_TRUE(m.consistent) << name;
      EXPECT_GT(m.volume, 0) << name;  // outward
    }
    for (const auto& [name, euler] : open) {
      Shape shape = fine(name, 7, 5);
      shape.triangles = triangles;
      const Measures m = measure(rowOf(name).make(shape));
      EXPECT_EQ(m.euler, euler) << name;
      EXPECT_GT(m.border_edges, 0) << name;
      EXPECT_TRUE(m.consistent) << name;
    }
  }
}

TEST(Shapes, FlatAreasAreExact) {
  Shape grid = fine("grid", 6, 4);
  grid.size = {1.5f, 2, 0};
  EXPECT_NEAR(measure(makeGrid(grid)).area, 3.0, 1e-5);
  Shape box = fine("box", 2, 3, 4);
  box.size = {1, 2, 3};
  EXPECT_NEAR(measure(makeBox(box)).area, 22.0, 1e-5);
  EXPECT_NEAR(measure(makeBox(box)).volume, 6.0, 1e-5);
  // Regular polygons: a prism of n sides and a disk of n sectors.
  const int n = 9;
  Shape tube = fine("tube", n, 4);
  tube.radius = 0.7f, tube.height = 1.3f;
  EXPECT_NEAR(measure(makeTube(tube)).area, n * 2 * 0.7 * std::sin(kPi / n) * 1.3, 1e-5);
  EXPECT_NEAR(measure(makeDisk(tube)).area, 0.5 * n * 0.7 * 0.7 * std::sin(2 * kPi / n), 1e-5);
}

TEST(Shapes, RoundAreasAndVolumesConvergeToClosedForms) {
  Shape shape = fine("sphere", 400, 400);
  shape.radius = 0.8f, shape.height = 1.1f, shape.tuberadius = 0.25f;
  const double r = 0.8, h = 1.1, t = 0.25, tolerance = 2e-4;  // relative; (pi / 400)^2 = 6e-5
  const auto expectNear = [&](double value, double exact) { EXPECT_NEAR(value / exact, 1.0, tolerance); };
  const Measures sphere = measure(makeSphere(shape)), capsule = measure(makeCapsule(shape));
  const Measures cone = measure(makeCone(shape)), torus = measure(makeTorus(shape));
  expectNear(sphere.area, 4 * kPi * r * r);
  expectNear(sphere.volume, 4 * kPi * r * r * r / 3);
  expectNear(capsule.area, 4 * kPi * r * r + 2 * kPi * r * h);
  expectNear(capsule.volume, 4 * kPi * r * r * r / 3 + kPi * r * r * h);
  expectNear(cone.area, kPi * r * r + kPi * r * std::sqrt(r * r + h * h));
  expectNear(cone.volume, kPi * r * r * h / 3);
  expectNear(torus.area, 4 * kPi * kPi * r * t);
  expectNear(torus.volume, 2 * kPi * kPi * r * t * t);
}

TEST(Shapes, OpenShapesFaceTheirNormal) {
  const auto normalOf = [](const Geometry& g) {
    const auto point = [&](int k) { return g.points[g.face_indices[k]]; };
    return cross(point(1) - point(0), point(2) - point(0));
  };
  Shape shape = fine("grid", 3, 3);
  EXPECT_GT(normalOf(makeGrid(shape)).y, 0);
  shape.plane = Plane::xy;
  EXPECT_GT(normalOf(makeGrid(shape)).z, 0);
  shape.plane = Plane::yz;
  EXPECT_GT(normalOf(makeGrid(shape)).x, 0);
  EXPECT_GT(normalOf(makeDisk(fine("disk", 8, 3))).y, 0);
  const Geometry tube = makeTube(fine("tube", 8, 3));
  EXPECT_GT(dot(normalOf(tube), tube.points[tube.face_indices[0]]), 0);
}

TEST(Shapes, GroupsAreThePointsTheyName) {
  const Geometry grid = makeGrid(fine("grid", 6, 4));
  EXPECT_EQ(groupSize(grid, "left"), 5u);
  EXPECT_EQ(groupSize(grid, "top"), 7u);
  EXPECT_EQ(groupSize(grid, "corners"), 4u);
  const Vec3f corner = grid.points[grid.findGroup("corner11")->points[0]];
  EXPECT_EQ(corner, (Vec3f{0.5f, 0, -0.5f}));
  for (const std::int32_t p : grid.findGroup("right")->points) EXPECT_EQ(grid.points[p].x, 0.5f);

  const Geometry tube = makeTube(fine("tube", 8, 3));
  for (const std::int32_t p : tube.findGroup("top")->points) EXPECT_EQ(tube.points[p].y, 0.5f);
  EXPECT_EQ(groupSize(tube, "top"), 8u);
  EXPECT_EQ(groupSize(makeSphere(fine("sphere", 8, 6)), "top"), 1u);
  EXPECT_EQ(groupSize(makeDisk(fine("disk", 8, 3)), "rim"), 8u);
  EXPECT_EQ(groupSize(makeDisk(fine("disk", 8, 3)), "centre"), 1u);
  EXPECT_EQ(groupSize(makeBox(fine("box", 2, 3, 4)), "front"), 12u);
  EXPECT_EQ(groupSize(makeTorus(fine("torus", 8, 6)), "inner"), 8u);
  const Geometry cone = makeCone(fine("cone", 8, 4));
  EXPECT_EQ(groupSize(cone, "tip"), 1u);
  EXPECT_EQ(groupSize(cone, "base"), 1u + 2 * 8u);
  for (const std::int32_t p : cone.findGroup("base")->points) EXPECT_EQ(cone.points[p].y, -0.5f);
}

TEST(Shapes, UvCoversTheUnitSquareAndHasOneIndexACorner) {
  for (const ShapeRow& row : kShapes) {
    Shape shape;
    shape.divisions = row.default_divisions;
    const Geometry g = row.make(shape);
    const Attribute* uv = g.find(AttributeOwner::corner, "uv");
    ASSERT_NE(uv, nullptr) << row.name;
    EXPECT_EQ(uv->indices.size(), g.face_indices.size()) << row.name;
    for (const std::uint32_t index : uv->indices) ASSERT_LT(2 * index + 1, uv->floats.size()) << row.name;
    const auto [low, high] = std::minmax_element(uv->floats.begin(), uv->floats.end());
    EXPECT_FLOAT_EQ(*low, 0) << row.name;
    EXPECT_FLOAT_EQ(*high, 1) << row.name;
  }
}

TEST(Shapes, LeastDivisionsAreStillSolids) {
  for (const ShapeRow& row : kShapes) {
    Shape shape;
    shape.divisions = row.least_divisions;
    const Geometry g = row.make(shape);
    for (const std::int32_t count : g.face_counts) EXPECT_GE(count, 3) << row.name;
    EXPECT_GT(measure(g).area, 0.1) << row.name;
  }
}

}  // namespace repose
