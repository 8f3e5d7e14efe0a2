// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "model/topology.h"

#include <algorithm>
#include <tuple>

namespace repose {

namespace {

float triangleArea(const Geometry& g, int a, int b, int c) {
  return 0.5f * length(cross(g.points[b] - g.points[a], g.points[c] - g.points[a]));
}

// Sides that lie on the same two points become one edge, which carries the area of all of them.
void mergeEdges(std::vector<MeshEdge>& edges) {
  std::stable_sort(edges.begin(), edges.end(), [](const MeshEdge& p, const MeshEdge& q) {
    return std::tie(p.a, p.b) < std::tie(q.a, q.b);
  });
  std::size_t kept = 0;
  for (const MeshEdge& e : edges) {
    if (kept > 0 && edges[kept - 1].a == e.a && edges[kept - 1].b == e.b)
      edges[kept - 1].area += e.area;
    else
      edges[kept++] = e;
  }
  edges.resize(kept);
}

MeshEdge makeEdge(int a, int b, float area) { return {std::min(a, b), std::max(a, b), area}; }

// Colours the points so that the ends of a quad's sides differ, as far as the mesh allows. Quads are then cut
// between points of one colour: the cuts of neighbours alternate, and no direction of the cloth is softer
// than another.
std::vector<bool> alternatePoints(const Geometry& g) {
  std::vector<std::vector<int>> neighbours(g.points.size());
  int first = 0;
  for (const std::int32_t n : g.face_counts) {
    for (int k = 0; k < n; ++k) {
      const int a = g.face_indices[first + k], b = g.face_indices[first + (k + 1) % n];
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
    }
    first += n;
  }
  std::vector<bool> colour(g.points.size()), seen(g.points.size());
  std::vector<int> queue;
  for (std::size_t seed = 0; seed < g.points.size(); ++seed) {
    if (seen[seed]) continue;
    seen[seed] = true;
    queue.assign(1, static_cast<int>(seed));
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const int next : neighbours[queue[head]]) {
        if (seen[next]) continue;
        seen[next] = true;
        colour[next] = !colour[queue[head]];
        queue.push_back(next);
      }
  }
  return colour;
}

// A face as a fan of triangles from its first corner; a quad from the first of the wanted colour.
void addFace(const Geometry& g, const int* face, int n, const std::vector<bool>& colour, MeshTopology& t) {
  const int turn = n == 4 && colour[face[0]] ? 1 : 0;
  std::vector<int> corner(n);
  for (int k = 0; k < n; ++k) corner[k] = face[(k + turn) % n];
  for (int k = 1; k + 1 < n; ++k)
    t.triangles.push_back(
        {corner[0], corner[k], corner[k + 1], triangleArea(g, corner[0], corner[k], corner[k + 1])});
  const auto area = [&](int k) { return t.triangles[t.triangles.size() - (n - 2) + k].area; };
  if (n == 4) {
    const float quad = area(0) + area(1);
    for (int k = 0; k < 4; ++k) t.edges.push_back(makeEdge(corner[k], corner[(k + 1) % 4], 0.5f * quad));
    t.diagonals.push_back(makeEdge(corner[0], corner[2], quad));
    t.diagonals.push_back(makeEdge(corner[1], corner[3], quad));
    return;
  }
  for (int k = 0; k < n - 2; ++k) {
    t.edges.push_back(makeEdge(corner[0], corner[k + 1], area(k)));
    t.edges.push_back(makeEdge(corner[k + 1], corner[k + 2], area(k)));
    t.edges.push_back(makeEdge(corner[k + 2], corner[0], area(k)));
  }
}

void addHinges(MeshTopology& t) {
  struct Side {
    int a, b, opposite;
    float area;
  };
  std::vector<Side> sides;
  sides.reserve(t.triangles.size() * 3);
  for (const MeshTriangle& f : t.triangles) {
    const int p[3] = {f.a, f.b, f.c};
    for (int k = 0; k < 3; ++k) {
      const int a = p[k], b = p[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), p[(k + 2) % 3], f.area});
    }
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& p, const Side& q) { return std::tie(p.a, p.b) < std::tie(q.a, q.b); });
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b) ++end;
    if (end - i == 2 && sides[i].opposite != sides[i + 1].opposite)
      t.hinges.push_back({sides[i].opposite, sides[i + 1].opposite, sides[i].a, sides[i].b,
                          sides[i].area + sides[i + 1].area});
    i = end;
  }
}

// Neighbours of a point that lie straight across it: no face has both, and at most four edges meet there.
void addAcross(const Geometry& g, MeshTopology& t) {
  const std::size_t n = g.points.size();
  std::vector<std::vector<int>> neighbours(n), faces(n);
  int first = 0;
  for (std::size_t f = 0; f < g.face_counts.size(); first += g.face_counts[f++])
    for (int k = 0; k < g.face_counts[f]; ++k)
      faces[g.face_indices[first + k]].push_back(static_cast<int>(f));
  for (const MeshEdge& e : t.edges) {
    neighbours[e.a].push_back(e.b);
    neighbours[e.b].push_back(e.a);
  }
  const auto shareFace = [&](int p, int q) {
    return std::find_first_of(faces[p].begin(), faces[p].end(), faces[q].begin(), faces[q].end()) !=
           faces[p].end();
  };
  for (std::size_t m = 0; m < n; ++m) {
    const std::vector<int>& around = neighbours[m];
    if (around.size() > 4) continue;
    for (std::size_t i = 0; i < around.size(); ++i)
      for (std::size_t j = i + 1; j < around.size(); ++j)
        if (!shareFace(around[i], around[j]))
          t.across.push_back(
              {std::min(around[i], around[j]), std::max(around[i], around[j]), static_cast<int>(m)});
  }
}

}  // namespace

MeshTopology buildTopology(const Geometry& geometry) {
  MeshTopology t;
  const std::vector<bool> colour = alternatePoints(geometry);
  int first = 0;
  for (const std::int32_t n : geometry.face_counts) {
    if (n >= 3) addFace(geometry, geometry.face_indices.data() + first, n, colour, t);
    first += n;
  }
  mergeEdges(t.edges);
  mergeEdges(t.diagonals);
  addHinges(t);
  addAcross(geometry, t);
  return t;
}

}  // namespace repose
