// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/concave.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/triangle.h"
#include "base/vectors.h"
#include "collide/convex_pairs.h"

namespace repose {

namespace {

using Triangles = std::vector<std::array<int, 3>>;

constexpr float kMargin = 3;   // voxels around the mesh
constexpr float kAcross = 48;  // voxels along the longest side, unless walls are thin
constexpr double kChosenCells = 1 << 22, kMostCells = 1 << 27;
constexpr float kNear = 1;         // voxels around a triangle whose nodes look at it first
constexpr float kSharp = 0.95f;    // cosine between faces below which their edge is one
constexpr float kFaceSpacing = 2;  // of samples on faces, on edges it is 1 [voxels]

struct Side {
  int a, b, face;
};

// One place for each cell of space.
class Sparse {
 public:
  explicit Sparse(float cell) : inv_(1 / cell) {}
  bool take(Vec3f p) {
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k)
      key = key << 21 |
            (static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(p[k] * inv_))) & 0x1fffff);
    return taken_.insert(key).second;
  }

 private:
  float inv_;
  std::unordered_set<std::uint64_t> taken_;
};

}  // namespace

// Outward normals of faces, edges and corners; those of corners weighed by angles.
struct Concave::SurfaceNormals {
  std::vector<Vec3f> face, corner;
  std::vector<std::array<Vec3f, 3>> edge;  // of each triangle: from corner k to the next
  std::vector<Side> sides;                 // two of each edge, one after another

  SurfaceNormals(const std::vector<Vec3f>& points, const Triangles& triangles)
      : corner(points.size()), edge(triangles.size()) {
    for (std::size_t f = 0; f < triangles.size(); ++f) {
      const auto& t = triangles[f];
      const Vec3f normal = unit(cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]));
      face.push_back(normal);
      for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        const Vec3f to = unit(points[b] - points[a]), from = unit(points[t[(k + 2) % 3]] - points[a]);
        corner[a] += normal * std::acos(std::clamp(dot(to, from), -1.0f, 1.0f));
        sides.push_back({std::min(a, b), std::max(a, b), static_cast<int>(f)});
      }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& l, const Side& r) {
      return l.a != r.a ? l.a < r.a : l.b != r.b ? l.b < r.b : l.face < r.face;
    });
    for (std::size_t s = 0; s + 1 < sides.size(); s += 2)
      for (const int f : {sides[s].face, sides[s + 1].face})
        for (int k = 0; k < 3; ++k) {
          const int a = triangles[f][k], b = triangles[f][(k + 1) % 3];
          if (std::min(a, b) == sides[s].a && std::max(a, b) == sides[s].b)
            edge[f][k] = face[sides[s].face] + face[sides[s + 1].face];
        }
  }
  bool sharp(std::size_t side) const {
    return dot(face[sides[side].face], face[sides[side + 1].face]) < kSharp;
  }
  // Of what a place on a triangle belongs to.
  Vec3f at(const std::array<int, 3>& triangle, int f, Shares s) const {
    const float share[3] = {s.a, s.b, s.c};
    for (int k = 0; k < 3; ++k)
      if (share[k] == 1) return corner[triangle[k]];
    for (int k = 0; k < 3; ++k)
      if (share[(k + 2) % 3] == 0) return edge[f][k];
    return face[f];
  }
};

Result<std::unique_ptr<Concave>> Concave::make(const std::vector<Vec3f>& points, const Triangles& triangles,
                                               float voxel, float wall) {
  auto made = std::make_unique<Concave>();
  Bounds box;
  for (const Vec3f p : points) box.add(p);
  const Vec3f size = box.hi - box.lo;
  const double volume = static_cast<double>(size.x) * size.y * size.z;
  const auto enough = [&](double cells) { return static_cast<float>(std::cbrt(volume / cells)); };
  made->voxel_ = voxel > 0 ? voxel
                           : std::max(std::min(std::max({size.x, size.y, size.z}) / kAcross, wall),
                                      enough(kChosenCells));
  double cells = 1;
  for (int k = 0; k < 3; ++k) {
    const double along = std::ceil(static_cast<double>(size[k]) / made->voxel_) + 2 * kMargin + 1;
    cells *= along;
    made->nodes_[k] = static_cast<int>(std::min(along, 1e6));
    made->low_[k] = box.lo[k] - kMargin * made->voxel_;
  }
  if (cells > kMostCells)
    return badInput(fmt::format("has a voxel of {:.3g} m, which makes {:.3g} cells; {:.2g} m would do",
                                made->voxel_, cells, enough(kChosenCells)));
  const SurfaceNormals normals(points, triangles);
  made->fillGrid(points, triangles, normals);
  made->takeSamples(points, triangles, normals);
  made->orderSamples();
  return made;
}

// Nodes near a triangle measure their distance from it; then each asks its neighbours for a nearer one, in
// sweeps along and against every axis (Danielsson 1980, with triangles in place of points). On which side a
// node is says the normal of the face, edge or corner that it is nearest to (Baerentzen and Aanaes 2005).
void Concave::fillGrid(const std::vector<Vec3f>& points, const Triangles& triangles,
                       const SurfaceNormals& normals) {
  const std::size_t row = static_cast<std::size_t>(nodes_[2]), sheet = row * nodes_[1];
  const std::size_t step[3] = {sheet, row, 1};
  grid_.assign(sheet * nodes_[0], 1e30f);
  std::vector<int> nearest(grid_.size(), -1);
  const auto placeOf = [&](const std::array<int, 3>& node) {
    return low_ +
           Vec3f{static_cast<float>(node[0]), static_cast<float>(node[1]), static_cast<float>(node[2])} *
               voxel_;
  };
  const auto sharesOf = [&](Vec3f p, int t) {
    return nearestOnTriangle(p, points[triangles[t][0]], points[triangles[t][1]], points[triangles[t][2]]);
  };
  const auto away = [&](Vec3f p, int t, Shares s) {
    return p - mix(s, points[triangles[t][0]], points[triangles[t][1]], points[triangles[t][2]]);
  };
  const auto offer = [&](std::size_t at, Vec3f p, int t) {
    const Vec3f d = away(p, t, sharesOf(p, t));
    if (const float d2 = dot(d, d); d2 < grid_[at]) grid_[at] = d2, nearest[at] = t;
  };
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
    Bounds box;
    for (const int p : triangles[t]) box.add((points[p] - low_) * (1 / voxel_));
    std::array<int, 3> from, to, node;
    for (int k = 0; k < 3; ++k) {
      from[k] = std::max(0, static_cast<int>(box.lo[k] - kNear));
      to[k] = std::min(nodes_[k] - 1, static_cast<int>(box.hi[k] + kNear) + 1);
    }
    for (node[0] = from[0]; node[0] <= to[0]; ++node[0])
      for (node[1] = from[1]; node[1] <= to[1]; ++node[1])
        for (node[2] = from[2]; node[2] <= to[2]; ++node[2])
          offer(node[0] * sheet + node[1] * row + node[2], placeOf(node), t);
  }
  for (int sweep = 0; sweep < 8; ++sweep) {
    std::array<int, 3> count, node;
    const auto at = [&](int k) { return sweep >> k & 1 ? nodes_[k] - 1 - count[k] : count[k]; };
    for (count[0] = 0; count[0] < nodes_[0]; ++count[0])
      for (count[1] = 0; count[1] < nodes_[1]; ++count[1])
        for (count[2] = 0; count[2] < nodes_[2]; ++count[2]) {
          for (int k = 0; k < 3; ++k) node[k] = at(k);
          const std::size_t here = node[0] * sheet + node[1] * row + node[2];
          for (int k = 0; k < 3; ++k) {
            if (count[k] == 0) continue;
            const int t = nearest[sweep >> k & 1 ? here + step[k] : here - step[k]];
            if (t >= 0 && t != nearest[here]) offer(here, placeOf(node), t);
          }
        }
  }
  std::array<int, 3> node;
  std::size_t here = 0;
  for (node[0] = 0; node[0] < nodes_[0]; ++node[0])
    for (node[1] = 0; node[1] < nodes_[1]; ++node[1])
      for (node[2] = 0; node[2] < nodes_[2]; ++node[2], ++here) {
        const int t = nearest[here];
        const Vec3f p = placeOf(node);
        const Shares s = sharesOf(p, t);
        const bool behind = dot(away(p, t, s), normals.at(triangles[t], t, s)) < 0;
        grid_[here] = std::sqrt(grid_[here]) * (behind ? -1.0f : 1.0f);
      }
}

// Corners, places along sharp edges, then all over the faces, where no other one is near.
void Concave::takeSamples(const std::vector<Vec3f>& points, const Triangles& triangles,
                          const SurfaceNormals& normals) {
  const std::vector<Side>& sides = normals.sides;
  Sparse edges(0.5f * voxel_), faces(0.75f * kFaceSpacing * voxel_);
  std::vector<char> sharp(points.size(), 0);
  for (std::size_t s = 0; s + 1 < sides.size(); s += 2)
    if (normals.sharp(s)) sharp[sides[s].a] = sharp[sides[s].b] = 1;
  const auto add = [&](Vec3f place, Vec3f normal, bool ridge) {
    if (ridge ? !edges.take(place) : !faces.take(place)) return;
    if (ridge) faces.take(place), ridges_.push_back(place);
    samples_.push_back({place, unit(normal)});
  };
  for (std::size_t p = 0; p < points.size(); ++p)
    if (sharp[p]) add(points[p], normals.corner[p], true);
  for (std::size_t s = 0; s + 1 < sides.size(); s += 2) {
    const Vec3f normal = normals.face[sides[s].face] + normals.face[sides[s + 1].face];
    if (!normals.sharp(s)) continue;
    const Vec3f a = points[sides[s].a], b = points[sides[s].b];
    const int parts = static_cast<int>(std::ceil(length(b - a) / voxel_));
    for (int k = 1; k < parts; ++k)
      add(a + (b - a) * (static_cast<float>(k) / static_cast<float>(parts)), normal, true);
  }
  for (std::size_t p = 0; p < points.size(); ++p)
    if (!sharp[p] && normals.corner[p] != Vec3f{}) add(points[p], normals.corner[p], false);
  for (std::size_t f = 0; f < triangles.size(); ++f) {
    const Vec3f a = points[triangles[f][0]], b = points[triangles[f][1]], c = points[triangles[f][2]];
    const float longest = std::max({length(b - a), length(c - b), length(a - c)});
    const int parts = static_cast<int>(std::ceil(longest / (kFaceSpacing * voxel_)));
    for (int i = 1; i < parts; ++i)
      for (int j = 1; i + j < parts; ++j) {
        const float share = 1 / static_cast<float>(parts);
        add(a + (b - a) * (static_cast<float>(i) * share) + (c - a) * (static_cast<float>(j) * share),
            normals.face[f], false);
      }
    if (parts > 1) add((a + b + c) * (1 / 3.0f), normals.face[f], false);
  }
}

// Neighbours stand together (Morton order), so that blocks are small.
void Concave::orderSamples() {
  const auto spread = [](std::uint32_t v) {
    std::uint64_t r = 0;
    for (int bit = 0; bit < 21; ++bit) r |= static_cast<std::uint64_t>(v >> bit & 1) << (3 * bit);
    return r;
  };
  std::vector<std::pair<std::uint64_t, int>> keys;
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const float at = (samples_[k].place[axis] - low_[axis]) / voxel_;
      key |= spread(static_cast<std::uint32_t>(std::max(at, 0.0f))) << axis;
    }
    keys.emplace_back(key, static_cast<int>(k));
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Sample> ordered;
  for (const auto& [key, k] : keys) ordered.push_back(samples_[k]);
  samples_.swap(ordered);
  for (std::size_t first = 0; first < samples_.size(); first += kBlock) {
    const std::size_t end = std::min(samples_.size(), first + kBlock);
    Bounds box;
    for (std::size_t k = first; k < end; ++k) box.add(samples_[k].place);
    const Vec3f centre = (box.lo + box.hi) * 0.5f;
    blocks_.push_back({centre.x, centre.y, centre.z, length(box.hi - centre)});
  }
}

float Concave::distance(Vec3f p, Vec3f& normal) const {
  Vec3f at = (p - low_) * (1 / voxel_);
  int cell[3];
  float t[3];
  bool outside = false;
  for (int k = 0; k < 3; ++k) {
    const float inner = std::clamp(at[k], 0.0f, static_cast<float>(nodes_[k] - 1));
    outside = outside || inner != at[k];
    at[k] = inner;
    cell[k] = std::min(static_cast<int>(inner), nodes_[k] - 2), t[k] = inner - static_cast<float>(cell[k]);
  }
  const std::size_t row = static_cast<std::size_t>(nodes_[2]), sheet = row * nodes_[1];
  const float* v = grid_.data() + cell[0] * sheet + cell[1] * row + cell[2];
  const auto mix = [](float a, float b, float s) { return a + (b - a) * s; };
  const auto face = [&](const float* at_x, float ty, float tz) {
    return mix(mix(at_x[0], at_x[1], tz), mix(at_x[row], at_x[row + 1], tz), ty);
  };
  const float *v0 = v, *v1 = v + sheet;
  const float low = face(v0, t[1], t[2]), high = face(v1, t[1], t[2]);
  float gap = mix(low, high, t[0]);
  normal = unit({high - low,
                 mix(face(v0, 1, t[2]) - face(v0, 0, t[2]), face(v1, 1, t[2]) - face(v1, 0, t[2]), t[0]),
                 mix(face(v0, t[1], 1) - face(v0, t[1], 0), face(v1, t[1], 1) - face(v1, t[1], 0), t[0])});
  if (!outside) return gap;
  // beyond the grid: from where its nearest node sees the surface
  const Vec3f away = p - (low_ + at * voxel_ - normal * gap);
  gap = length(away);
  normal = unit(away);
  return gap;
}

std::size_t Concave::bytes() const { return bytesOf(grid_, samples_, blocks_, ridges_); }

}  // namespace repose
