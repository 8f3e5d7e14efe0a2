// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Convex solids: what rigid bodies are made of where they touch.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/pose.h"
#include "base/status.h"

namespace repose {

// A polyhedron. Faces are flat, their corners counter-clockwise from outside.
struct Hull {
  std::vector<Vec3f> corners;
  std::vector<int> face_first, face_corners;  // those of face f are [face_first[f], face_first[f + 1])
  std::vector<Vec3f> normals;                 // of each face, outwards
  std::vector<float> offsets;                 // of each face: normal . x on it [m]
  struct Edge {
    int a, b;         // corners, a before b in the left face
    int left, right;  // faces
  };
  std::vector<Edge> edges;

  int faces() const { return static_cast<int>(normals.size()); }
};
inline constexpr int kMostCorners = 64;  // of any hull
// Makes the edges from the faces.
void linkEdges(Hull& hull);

// Round solids have their axis along y.
struct Convex {
  enum class Kind { sphere, capsule, cylinder, box, hull } kind = Kind::sphere;
  float radius = 0;  // sphere, capsule, cylinder [m]
  Vec3f half;        // of a box half its size; y of capsule and cylinder: half the straight part [m]
  std::shared_ptr<const Hull> hull;  // of boxes and hulls
  Pose place;                        // in the space of its body

  // Farthest point from the origin of the body [m].
  float reach() const;
  // Where it ends along a direction of its own space.
  Vec3f support(Vec3f direction) const;
};

Convex makeSphere(float radius);
Convex makeCapsule(float radius, float straight);  // whole length of the straight part
Convex makeCylinder(float radius, float height);
Convex makeBox(Vec3f size);
// The hull of any points with at most `most_corners` (4 to kMostCorners) of them, the farthest ones. Fails
// with bad_input when they lie in a plane, on a line or at one point, or are not finite; the message says
// what they are ("lies in a plane").
Result<Convex> makeHull(const std::vector<Vec3f>& points, int most_corners = kMostCorners);

// Volume, centre and inertia of solids of density 1.
struct MassProperties {
  double volume = 0;                // [m^3]
  std::array<double, 3> centre{};   // [m]
  std::array<double, 6> inertia{};  // about the centre: xx yy zz xy xz yz [m^5]; off the diagonal - integral
};
MassProperties massOf(const Convex& convex);  // in the space of the body
// Of a closed mesh, its faces cut into fans; a negative volume is that of one inside out.
MassProperties massOf(const std::vector<Vec3f>& points, const std::vector<std::array<int, 3>>& triangles);
MassProperties operator+(const MassProperties& a, const MassProperties& b);  // parts that do not overlap
// Axes of inertia at the centre, right handed, and the moments about them [m^5].
Pose principalAxes(const MassProperties& mass, std::array<double, 3>& moments);

}  // namespace repose
