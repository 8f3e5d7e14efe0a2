// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/triangle.h"
#include "scene/region.h"

namespace repose {

namespace {

// The ray that counts crossings runs along x, slightly askew, so that it misses the edges of meshes by
// formula.
constexpr double kSlopeY = 0.0123456789, kSlopeZ = 0.0098765432;
constexpr int kLeafTriangles = 4;

struct Triangle {
  Vec3f corner[3];
  Bounds bounds() const {
    Bounds b;
    for (const Vec3f& p : corner) b.add(p);
    return b;
  }
  Vec3f middle() const { return corner[0] + corner[1] + corner[2]; }  // times 3
};

float squareDistance(const Bounds& b, Vec3f p) {
  float sum = 0;
  for (int k = 0; k < 3; ++k) {
    const float d = std::max({b.lo[k] - p[k], 0.0f, p[k] - b.hi[k]});
    sum += d * d;
  }
  return sum;
}

// +1 or -1 when the ray from p crosses the triangle, by its side; else 0. The rays of neighbouring triangles
// agree on their common edge, as the products of its ends are the same.
int crossing(const Triangle& t, Vec3f p) {
  double x[3], y[3], z[3], share[3];
  for (int k = 0; k < 3; ++k) {
    x[k] = static_cast<double>(t.corner[k].x) - p.x;
    y[k] = static_cast<double>(t.corner[k].y) - p.y - kSlopeY * x[k];
    z[k] = static_cast<double>(t.corner[k].z) - p.z - kSlopeZ * x[k];
  }
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    share[k] = y[a] * z[b] - z[a] * y[b];
  }
  const bool side = share[0] > 0;
  if (side != (share[1] > 0) || side != (share[2] > 0)) return 0;
  const double at = share[0] * x[0] + share[1] * x[1] + share[2] * x[2];
  if (side ? at <= 0 : at >= 0) return 0;  // behind p
  return side ? 1 : -1;
}

class MeshRegion final : public Region {
 public:
  explicit MeshRegion(std::vector<Triangle> triangles) : triangles_(std::move(triangles)) {
    build(0, static_cast<int>(triangles_.size()));
  }

  Bounds bounds() const override { return nodes_[0].bounds; }

  bool holds(Vec3f centre, float radius) const override {
    const float square = radius * radius;
    const bool cut = any([&](const Bounds& b) { return squareDistance(b, centre) < square; },
                         [&](const Triangle& t) {
                           const Vec3f* c = t.corner;
                           const Vec3f away =
                               centre - mix(nearestOnTriangle(centre, c[0], c[1], c[2]), c[0], c[1], c[2]);
                           return dot(away, away) < square;
                         });
    return !cut && turns(centre) != 0;
  }

 private:
  struct Node {
    Bounds bounds;
    int first, last;  // triangles
    int other;        // second child, the first comes next; 0 for a leaf
  };

  void build(int first, int last) {
    const std::size_t node = nodes_.size();
    nodes_.push_back({{}, first, last, 0});
    Bounds middles;
    for (int k = first; k < last; ++k) {
      nodes_[node].bounds.add(triangles_[k].bounds());
      middles.add(triangles_[k].middle());
    }
    if (last - first <= kLeafTriangles) return;
    const Vec3f size = middles.hi - middles.lo;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int half = (first + last) / 2;
    std::nth_element(
        triangles_.begin() + first, triangles_.begin() + half, triangles_.begin() + last,
        [axis](const Triangle& a, const Triangle& b) { return a.middle()[axis] < b.middle()[axis]; });
    build(first, half);
    nodes_[node].other = static_cast<int>(nodes_.size());
    build(half, last);
  }

  // Whether a triangle in a box that passes does.
  template <class Enter, class Test>
  bool any(const Enter& enter, const Test& test) const {
    std::array<int, 64> stack;
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const int n = stack[--depth];
      const Node& node = nodes_[n];
      if (!enter(node.bounds)) continue;
      if (node.other) {
        stack[depth++] = node.other, stack[depth++] = n + 1;
        continue;
      }
      for (int k = node.first; k < node.last; ++k)
        if (test(triangles_[k])) return true;
    }
    return false;
  }

  // How often the surface winds around p.
  int turns(Vec3f p) const {
    int sum = 0;
    any(
        [&](const Bounds& b) {
          const double near = static_cast<double>(b.lo.x) - p.x, far = static_cast<double>(b.hi.x) - p.x;
          return far >= 0 && b.lo.y - p.y <= kSlopeY * far && b.hi.y - p.y >= kSlopeY * near &&
                 b.lo.z - p.z <= kSlopeZ * far && b.hi.z - p.z >= kSlopeZ * near;
        },
        [&](const Triangle& t) {
          sum += crossing(t, p);
          return false;
        });
    return sum;
  }

  std::vector<Triangle> triangles_;  // in the order of the leaves
  std::vector<Node> nodes_;
};

// Each side of a face has one that runs the other way.
Status checkClosed(const Geometry& mesh) {
  struct Side {
    std::int32_t a, b;
    bool operator<(const Side& o) const { return a != o.a ? a < o.a : b < o.b; }
  };
  std::vector<Side> sides;
  std::size_t first = 0;
  for (const std::int32_t count : mesh.face_counts) {
    for (int k = 0; k < count; ++k)
      sides.push_back({mesh.face_indices[first + k], mesh.face_indices[first + (k + 1) % count]});
    first += static_cast<std::size_t>(count);
  }
  std::sort(sides.begin(), sides.end());
  std::size_t alone = 0;
  Side example{}, twice{-1, 0};
  const auto count = [&](Side s) {
    const auto range = std::equal_range(sides.begin(), sides.end(), s);
    return range.second - range.first;
  };
  for (const Side& side : sides) {
    const auto here = count(side), back = count({side.b, side.a});
    if (here == back) continue;
    if (here + back > 1 && twice.a < 0) twice = side;
    if (here + back == 1 && alone++ == 0) example = side;
  }
  if (alone > 0)
    return badInput(
        fmt::format("the mesh is open: {} of its edges have only one face, as that from point {} to {}; "
                    "only a closed one can be filled",
                    alone, example.a, example.b));
  if (twice.a >= 0)
    return badInput(
        fmt::format("the faces at the edge from point {} to {} do not turn the same way, so that the mesh "
                    "has no inside",
                    twice.a, twice.b));
  return {};
}

class VolumeRegion final : public Region {
 public:
  explicit VolumeRegion(const Volume& volume) : volume_(volume) {}
  Bounds bounds() const override { return volume_.bounds(); }
  bool holds(Vec3f centre, float radius) const override {
    return volume_.depth(centre) >= radius * (1 - 1e-5f);  // grains may touch the walls, in spite of rounding
  }

 private:
  PlacedVolume volume_;
};

}  // namespace

std::unique_ptr<Region> makeVolumeRegion(const Volume& volume) {
  return std::make_unique<VolumeRegion>(volume);
}

Result<std::unique_ptr<Region>> makeMeshRegion(const Geometry& mesh) {
  if (mesh.face_counts.empty()) return badInput("the mesh has no faces, so that it cannot be filled");
  const Status closed = checkClosed(mesh);
  if (!closed) return closed;
  std::vector<Triangle> triangles;
  std::size_t first = 0;
  for (const std::int32_t count : mesh.face_counts) {
    const std::int32_t* corner = mesh.face_indices.data() + first;
    for (int k = 2; k < count; ++k)
      triangles.push_back({{mesh.points[corner[0]], mesh.points[corner[k - 1]], mesh.points[corner[k]]}});
    first += static_cast<std::size_t>(count);
  }
  return std::unique_ptr<Region>(std::make_unique<MeshRegion>(std::move(triangles)));
}

}  // namespace repose
