// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The axis of least overlap for cores that are not both polyhedra. Every axis gives a true separation, so a
// missing one can only make solids seem deeper, never apart.
#include <cmath>

#include "collide/convex_pairs.h"

namespace repose {

namespace {

constexpr int kRimTangents = 8;  // directions of the rim that are tried, the opposite ones aside
constexpr float kArc[] = {0.1f, 0.3f, 0.5f, 0.7f, 0.9f};

struct Search {
  const Core &a, &b;
  float best = -std::numeric_limits<float>::max();
  Vec3f n;

  void keep(float s, Vec3f direction) {
    if (s > best) best = s, n = direction;
  }
  // Where solids overlap nearly as much along many axes, those tried first, of faces, win.
  void tryAxis(Vec3f direction) {
    const float size2 = dot(direction, direction);
    if (!(size2 > 1e-12f)) return;
    const Vec3f d = direction * (1 / std::sqrt(size2));
    const float s = separation(a, b, d);
    if (s > best + 1e-5f * (a.size + b.size)) best = s, n = d;
  }
  void tryBoth(Vec3f direction) { tryAxis(direction), tryAxis(-direction); }
};

// from: 1 when the core is b, whose outward directions are those of n; -1 when it is a.
void tryFaces(Search& search, const Core& core, float from) {
  if (core.hull)
    for (const Vec3f normal : core.hull->normals) search.tryAxis(core.pose.worldVector(normal) * from);
  if (core.corners == 0) search.tryBoth(core.pose.axis[1]);
  if (core.corners == 3)
    search.tryBoth(cross(unit(core.corner[1] - core.corner[0]), unit(core.corner[2] - core.corner[0])));
}

template <class Visit>
void eachEdge(const Core& core, const Visit& visit) {
  if (core.hull) {
    for (const Hull::Edge& edge : core.hull->edges) visit(unit(core.corner[edge.b] - core.corner[edge.a]));
  } else {
    const int edges = core.corners == 3 ? 3 : core.corners - 1;
    for (int k = 0; k < edges; ++k) visit(unit(core.corner[(k + 1) % core.corners] - core.corner[k]));
  }
}

// A cylinder and a polyhedron: the cylinder's side against corners, and its rim and side against the edges,
// whose normals turn from one face to the other.
void tryCylinder(Search& search, const Core& cylinder, const Core& other, float from) {
  const Vec3f axis = cylinder.pose.axis[1];
  for (int k = 0; k < other.corners; ++k) {
    const Vec3f out = other.corner[k] - cylinder.pose.origin;
    search.tryAxis((axis * dot(axis, out) - out) * from);
  }
  if (!other.hull) {
    eachEdge(other, [&](Vec3f edge) {
      search.tryBoth(cross(axis, edge));
      for (int k = 0; k < kRimTangents; ++k) {
        const float turn = 3.14159265f / kRimTangents * static_cast<float>(k);
        const Vec3f tangent = cylinder.pose.axis[0] * std::cos(turn) + cylinder.pose.axis[2] * std::sin(turn);
        search.tryBoth(cross(tangent, edge));
      }
    });
    return;
  }
  // n is outward of the polyhedron here: its most along n is at the edge
  const Hull& hull = *other.hull;
  float best = -std::numeric_limits<float>::max(), best_t = 0;
  const Hull::Edge* best_edge = nullptr;
  Vec3f left, right, at;
  const auto gapAt = [&](float t, Vec3f& n) {
    n = unit(left + (right - left) * t);
    return cylinder.least(n) - dot(n, at);
  };
  Vec3f n;
  for (const Hull::Edge& edge : hull.edges) {
    left = other.pose.worldVector(hull.normals[edge.left]),
    right = other.pose.worldVector(hull.normals[edge.right]);
    at = other.corner[edge.a];
    for (const float t : kArc)
      if (const float s = gapAt(t, n); s > best) best = s, best_t = t, best_edge = &edge;
    const float lean_left = dot(left, axis), lean_right = dot(right, axis);
    if (lean_left * lean_right < 0) {
      const float t = lean_left / (lean_left - lean_right);
      if (const float s = gapAt(t, n); s > best) best = s, best_t = t, best_edge = &edge;
    }
  }
  if (!best_edge) return;
  left = other.pose.worldVector(hull.normals[best_edge->left]);
  right = other.pose.worldVector(hull.normals[best_edge->right]);
  at = other.corner[best_edge->a];
  // golden section around the best
  float lo = std::max(best_t - 0.2f, 0.0f), hi = std::min(best_t + 0.2f, 1.0f);
  for (int round = 0; round < 20; ++round) {
    const float t1 = hi - 0.618034f * (hi - lo), t2 = lo + 0.618034f * (hi - lo);
    if (gapAt(t1, n) > gapAt(t2, n)) {
      hi = t2;
    } else {
      lo = t1;
    }
  }
  if (const float s = gapAt((lo + hi) / 2, n); s < best) gapAt(best_t, n);
  search.tryAxis(n * from);
}

void tryCylinders(Search& search) {
  const Core &a = search.a, &b = search.b;
  const Vec3f ya = a.pose.axis[1], yb = b.pose.axis[1], apart = a.pose.origin - b.pose.origin;
  search.tryBoth(cross(ya, yb));
  search.tryAxis(apart - ya * dot(ya, apart));
  search.tryAxis(apart - yb * dot(yb, apart));
  Vec3f rim_a[2 * kRimTangents], rim_b[2 * kRimTangents];
  for (int k = 0; k < 2 * kRimTangents; ++k) {
    const float turn = 3.14159265f / kRimTangents * static_cast<float>(k);
    rim_a[k] = a.pose.axis[0] * std::cos(turn) + a.pose.axis[2] * std::sin(turn);
    rim_b[k] = b.pose.axis[0] * std::cos(turn) + b.pose.axis[2] * std::sin(turn);
  }
  for (int i = 0; i < kRimTangents; ++i)
    for (int j = 0; j < kRimTangents; ++j) search.tryBoth(cross(rim_a[i], rim_b[j]));
  for (int k = 0; k < 2 * kRimTangents; ++k) search.tryAxis(rim_a[k]), search.tryAxis(rim_b[k]);
  // from there to the top: ever smaller steps to four sides
  Vec3f n = search.n;
  for (float step = 0.2f; step > 1e-4f;) {
    const Vec3f u = unit(cross(n, std::abs(n.x) < 0.7f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0})), v = cross(n, u);
    bool better = false;
    for (const Vec3f side : {u, -u, v, -v}) {
      const Vec3f d = unit(n + side * step);
      if (const float s = separation(a, b, d); s > search.best + 1e-6f * (a.size + b.size))
        search.keep(s, d), better = true;
    }
    n = search.n;
    if (!better) step *= 0.5f;
  }
}

}  // namespace

Vec3f separatingAxis(const Core& a, const Core& b, float& separation) {
  Search search{a, b, -std::numeric_limits<float>::max(), {}};
  tryFaces(search, a, -1);
  tryFaces(search, b, 1);
  if (a.corners == 0 && b.corners == 0) {
    tryCylinders(search);
  } else if (a.corners == 0) {
    tryCylinder(search, a, b, 1);
  } else if (b.corners == 0) {
    tryCylinder(search, b, a, -1);
  } else {
    eachEdge(a, [&](Vec3f ea) { eachEdge(b, [&](Vec3f eb) { search.tryBoth(cross(ea, eb)); }); });
  }
  separation = search.best;
  return search.n;
}

}  // namespace repose
