// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Edges, triangles and hinges of a polygon mesh, in an order that depends on the mesh alone.
#pragma once
#include <array>
#include <vector>

#include "scene/geometry.h"

namespace repose {

struct MeshEdge {
  int a, b;    // a < b
  float area;  // [m^2] of cloth that this edge carries: half of each quad, all of each triangle beside it
};

struct MeshTriangle {
  int a, b, c;
  float area;  // [m^2]
};

// Two triangles over one edge: opposite points o1, o2, edge e1 e2.
struct MeshHinge {
  int o1, o2, e1, e2;
  float area;  // [m^2] of both
};

struct MeshTopology {
  std::vector<MeshEdge> edges;      // sides of faces, and the fan inside faces with more than four corners
  std::vector<MeshEdge> diagonals;  // both of each quad; area of the quad
  std::vector<std::array<int, 3>> across;  // second neighbours of quads: two points and the one between them
  std::vector<MeshTriangle> triangles;
  std::vector<MeshHinge> hinges;  // edges with exactly two triangles
};

MeshTopology buildTopology(const Geometry& geometry);

}  // namespace repose
