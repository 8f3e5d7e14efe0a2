// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Meshes made by formula, centred at the origin, y up [m]. Faces are quads (triangles at poles), each mesh
// has an indexed corner attribute "uv" and point groups. What a shape takes and names is in kShapes.
#pragma once
#include <array>
#include <string_view>

#include "scene/geometry.h"

namespace repose {

enum class Plane { xz, xy, yz };
inline constexpr std::string_view kPlaneNames[] = {"xz", "xy", "yz"};

struct Shape {
  Vec3f size{1, 1, 1};                    // grid: width and height; box
  std::array<int, 3> divisions{1, 1, 1};  // cells
  float radius = 0.5f;                    // torus: of the ring
  float tuberadius = 0.2f;                // torus: of the tube
  float height = 1;                       // of a capsule that of the straight part
  Plane plane = Plane::xz;                // grid: the normal is +y, +z or +x
  bool triangles = false;                 // split quads, diagonals alternating
};

// One row a shape: the keys it reads and the function that makes it.
struct ShapeRow {
  std::string_view name;
  int sizes, divisions;  // how many numbers of `size` and `divisions`
  bool radius, tuberadius, height, plane;
  std::array<int, 3> default_divisions, least_divisions;
  Geometry (*make)(const Shape&);
};

Geometry makeGrid(const Shape& shape);    // left right bottom top corners corner00 corner10 corner01 corner11
Geometry makeDisk(const Shape& shape);    // rim centre
Geometry makeTube(const Shape& shape);    // bottom top; open at both ends
Geometry makeSphere(const Shape& shape);  // bottom top: the poles
Geometry makeCapsule(const Shape& shape);   // bottom top: the poles
Geometry makeCone(const Shape& shape);      // base tip
Geometry makeCylinder(const Shape& shape);  // bottom top: the ends
Geometry makeTorus(const Shape& shape);     // inner outer: the two equators
Geometry makeBox(const Shape& shape);       // left right bottom top back front

// Round shapes: divisions are columns around the axis, then rows along the profile.
inline constexpr ShapeRow kShapes[] = {
    {"grid", 2, 2, false, false, false, true, {10, 10, 1}, {1, 1, 1}, makeGrid},
    {"disk", 0, 2, true, false, false, false, {24, 8, 1}, {3, 1, 1}, makeDisk},
    {"tube", 0, 2, true, false, true, false, {24, 8, 1}, {3, 1, 1}, makeTube},
    {"sphere", 0, 2, true, false, false, false, {24, 12, 1}, {3, 2, 1}, makeSphere},
    {"box", 3, 3, false, false, false, false, {4, 4, 4}, {1, 1, 1}, makeBox},
    {"torus", 0, 2, true, true, false, false, {32, 16, 1}, {3, 3, 1}, makeTorus},
    {"capsule", 0, 2, true, false, true, false, {24, 16, 1}, {3, 3, 1}, makeCapsule},
    {"cone", 0, 2, true, false, true, false, {24, 8, 1}, {3, 1, 1}, makeCone},
    {"cylinder", 0, 2, true, false, true, false, {24, 4, 1}, {3, 1, 1}, makeCylinder},
};

// What a mesh by formula was made of.
struct FormulaShape {
  const ShapeRow* row;  // of kShapes
  Shape shape;
};

}  // namespace repose
