// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Two polyhedra: the faces of both and the pairs of edges that make a face of their Minkowski difference,
// found by the crossing arcs of their normals (Gregorius 2013).
#include <cmath>

#include "collide/convex_pairs.h"

namespace repose {

namespace {

constexpr int kMostFaces = 2 * kMostCorners - 4, kMostEdges = 3 * kMostCorners - 6;
constexpr float kParallel = 1e-5f;  // as for boxes
constexpr float kBias = 2e-3f, kBiasDepth = 0.03f;
constexpr float kExact = 1e-3f;

enum class Axis : std::uint32_t { none, face_a, face_b, edges };

PairHint hintOf(Axis axis, int i, int j = 0) {
  return static_cast<std::uint32_t>(axis) << 16 | static_cast<std::uint32_t>(i) << 8 |
         static_cast<std::uint32_t>(j);
}

// Least height of the corners over a plane.
float leastAbove(const Core& core, Vec3f n, float offset) {
  float least = dot(n, core.corner[0]);
  for (int k = 1; k < core.corners; ++k) least = std::min(least, dot(n, core.corner[k]));
  return least - offset;
}

// Normals and directions of the edges of b, component after component, so that four pairs are tested at once.
struct EdgeRows {
  int count;
  float lx[kMostEdges], ly[kMostEdges], lz[kMostEdges];
  float rx[kMostEdges], ry[kMostEdges], rz[kMostEdges];
  float dx[kMostEdges], dy[kMostEdges], dz[kMostEdges];
  float crosses[kMostEdges];
};

void fillRows(const Core& b, EdgeRows& rows) {
  const Hull& hull = *b.hull;
  rows.count = static_cast<int>(hull.edges.size());
  for (int e = 0; e < rows.count; ++e) {
    const Hull::Edge& edge = hull.edges[e];
    const Vec3f l = b.pose.worldVector(hull.normals[edge.left]),
                r = b.pose.worldVector(hull.normals[edge.right]);
    const Vec3f d = b.corner[edge.b] - b.corner[edge.a];
    rows.lx[e] = l.x, rows.ly[e] = l.y, rows.lz[e] = l.z;
    rows.rx[e] = r.x, rows.ry[e] = r.y, rows.rz[e] = r.z;
    rows.dx[e] = d.x, rows.dy[e] = d.y, rows.dz[e] = d.z;
  }
}

// crosses[e] > 0 where the arc between l and r of a crosses the turned arc of edge e.
void findCrossings(EdgeRows& rows, Vec3f l, Vec3f r, Vec3f d) {
  for (int e = 0; e < rows.count; ++e) {
    const float left = rows.lx[e] * d.x + rows.ly[e] * d.y + rows.lz[e] * d.z;
    const float right = rows.rx[e] * d.x + rows.ry[e] * d.y + rows.rz[e] * d.z;
    const float from = l.x * rows.dx[e] + l.y * rows.dy[e] + l.z * rows.dz[e];
    const float to = r.x * rows.dx[e] + r.y * rows.dy[e] + r.z * rows.dz[e];
    const float one = -left * right, other = -from * to, same = -left * to;
    rows.crosses[e] = std::min(std::min(one, other), same);
  }
}

// The pair's normal out of a; false where the edges are parallel.
bool edgeNormal(const Core& a, const Core& b, int i, int j, Vec3f& n) {
  const Hull::Edge &ea = a.hull->edges[i], &eb = b.hull->edges[j];
  const Vec3f da = a.corner[ea.b] - a.corner[ea.a], db = b.corner[eb.b] - b.corner[eb.a];
  n = cross(da, db);
  const float size2 = dot(n, n);
  if (size2 <= kParallel * dot(da, da) * dot(db, db)) return false;
  n = n * (1 / std::sqrt(size2));
  const Vec3f out = a.pose.worldVector(a.hull->normals[ea.left] + a.hull->normals[ea.right]);
  if (dot(n, out) < 0) n = -n;
  return true;
}

// Nearest places of the lines through two edges; whether both are between the ends.
bool nearestOnEdges(const Core& a, const Core& b, int i, int j, Vec3f& on_a, Vec3f& on_b) {
  const Hull::Edge &ea = a.hull->edges[i], &eb = b.hull->edges[j];
  const Vec3f pa = a.corner[ea.a], da = a.corner[ea.b] - pa, pb = b.corner[eb.a], db = b.corner[eb.b] - pb;
  const Vec3f d = pb - pa;
  const float aa = dot(da, da), bb = dot(db, db), ab = dot(da, db), under = 1 / (aa * bb - ab * ab);
  const float x = (dot(d, da) * bb - dot(d, db) * ab) * under,
              y = (dot(d, da) * ab - dot(d, db) * aa) * under;
  on_a = pa + da * std::clamp(x, 0.0f, 1.0f);
  on_b = pb + db * std::clamp(y, 0.0f, 1.0f);
  return x >= 0 && x <= 1 && y >= 0 && y <= 1;
}

float hintSeparation(const Core& a, const Core& b, PairHint hint) {
  const int i = static_cast<int>(hint >> 8 & 0xff), j = static_cast<int>(hint & 0xff);
  const auto axis = static_cast<Axis>(hint >> 16);
  Vec3f n;
  if (axis == Axis::face_a && i < a.hull->faces())
    return separation(a, b, -a.pose.worldVector(a.hull->normals[i]));
  if (axis == Axis::face_b && i < b.hull->faces())
    return separation(a, b, b.pose.worldVector(b.hull->normals[i]));
  if (axis == Axis::edges && i < static_cast<int>(a.hull->edges.size()) &&
      j < static_cast<int>(b.hull->edges.size()) && edgeNormal(a, b, i, j, n))
    return separation(a, b, -n);
  return -std::numeric_limits<float>::max();
}

// Cores that are apart by more than rounding.
bool apart(const Core& a, const Core& b, float reach, Manifold& out) {
  Vec3f on_a, on_b;
  const float distance = coreDistance(a, b, on_a, on_b);
  if (distance > reach || distance <= 0) return false;
  return clipCores(a, b, (on_a - on_b) * (1 / distance), on_a, on_b, reach, out);
}

// Two edges that cross; where they overlap they touch even when they pass each other.
bool touchEdges(const Core& a, const Core& b, int edge_a, int edge_b, bool overlap, float reach,
                Manifold& out) {
  Vec3f n, on_a, on_b;
  edgeNormal(a, b, edge_a, edge_b, n);
  const bool exact = nearestOnEdges(a, b, edge_a, edge_b, on_a, on_b);
  if (!exact && !overlap) return apart(a, b, reach, out);
  const float gap = dot(n, on_b - on_a);
  if (gap > reach) return false;
  out.normal = -n;
  out.count = 1;
  out.point[0] = {on_a, on_b, gap, 1u << 31 | hintOf(Axis::none, edge_a, edge_b)};
  return true;
}

}  // namespace

bool collideHulls(const Convex& a_solid, const Convex& b_solid, const Pose& to, float reach, PairHint& hint,
                  Manifold& out) {
  Core a, b;
  makeCore(a_solid, {}, a);
  makeCore(b_solid, to, b);
  if (hint && hintSeparation(a, b, hint) > reach) return false;

  const float lowest = -std::numeric_limits<float>::max();
  float best_a = lowest, best_b = lowest, best_edge = lowest;
  int face_a = 0, face_b = 0, edge_a = 0, edge_b = 0;
  for (int f = 0; f < a.hull->faces(); ++f) {
    const float s = leastAbove(b, a.hull->normals[f], a.hull->offsets[f]);
    if (s > reach) return hint = hintOf(Axis::face_a, f), false;
    if (s > best_a) best_a = s, face_a = f;
  }
  for (int f = 0; f < b.hull->faces(); ++f) {
    const Vec3f n = b.pose.worldVector(b.hull->normals[f]);
    const float s = leastAbove(a, n, b.hull->offsets[f] + dot(n, to.origin));
    if (s > reach) return hint = hintOf(Axis::face_b, f), false;
    if (s > best_b) best_b = s, face_b = f;
  }
  EdgeRows rows;
  fillRows(b, rows);
  const int edges_a = static_cast<int>(a.hull->edges.size());
  for (int i = 0; i < edges_a; ++i) {
    const Hull::Edge& edge = a.hull->edges[i];
    findCrossings(rows, a.hull->normals[edge.left], a.hull->normals[edge.right],
                  a.corner[edge.b] - a.corner[edge.a]);
    for (int j = 0; j < rows.count; ++j) {
      Vec3f n;
      if (!(rows.crosses[j] > 0) || !edgeNormal(a, b, i, j, n)) continue;
      const float s = dot(n, b.corner[b.hull->edges[j].a] - a.corner[edge.a]);
      if (s > reach) return hint = hintOf(Axis::edges, i, j), false;
      if (s > best_edge) best_edge = s, edge_a = i, edge_b = j;
    }
  }
  hint = 0;

  const float size = std::min(a.size, b.size), slack = kExact * size;
  const auto better = [&](float than) { return than + kBias * size + kBiasDepth * std::abs(than); };
  const float best_face = std::max(best_a, best_b);
  if (best_edge > better(best_face)) {
    return touchEdges(a, b, edge_a, edge_b, best_edge <= slack, reach, out);
  }
  const bool of_b = best_b > better(best_a);
  const float best = of_b ? best_b : best_a;
  const Vec3f n = of_b ? b.pose.worldVector(b.hull->normals[face_b]) : -a.hull->normals[face_a];
  // the corner that is deepest under the face
  const Vec3f corner = of_b ? a.support(-n) : b.support(n);
  const Vec3f on_a = of_b ? corner : corner + n * best, on_b = of_b ? corner - n * best : corner;
  const bool touching = clipCores(a, b, n, on_a, on_b, reach, out);
  if (best <= slack) return touching;
  float deepest = std::numeric_limits<float>::max();
  for (int k = 0; k < out.count; ++k)
    if (out.point[k].feature >> 29 == 0 || out.point[k].feature >> 29 == 2)
      deepest = std::min(deepest, out.point[k].gap);
  return deepest <= best + slack ? touching : apart(a, b, reach, out);
}

}  // namespace repose
