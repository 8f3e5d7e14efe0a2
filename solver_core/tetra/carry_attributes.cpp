// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "base/box_tree.h"
#include "base/triangle.h"
#include "tetra/fill_surface.h"

namespace repose {

namespace {

struct PlaceOnSurface {
  std::array<int, 3> corner;
  Shares share;
};

class SurfaceSearch {
 public:
  explicit SurfaceSearch(const Geometry& surface)
      : points_(surface.points), triangles_(fans(surface)), tree_(boxes()) {}

  PlaceOnSurface nearest(Vec3f p) const {
    const auto shares = [&](int t) {
      const auto& [a, b, c] = triangles_[t];
      return nearestOnTriangle({}, points_[a] - p, points_[b] - p, points_[c] - p);
    };
    const int t = tree_.nearest(p, std::numeric_limits<float>::max(), [&](int k) {
      const auto& [a, b, c] = triangles_[k];
      const Vec3f away = mix(shares(k), points_[a] - p, points_[b] - p, points_[c] - p);
      return dot(away, away);
    });
    return {triangles_[t], shares(t)};
  }

 private:
  static std::vector<std::array<int, 3>> fans(const Geometry& surface) {
    std::vector<std::array<int, 3>> all;
    std::size_t first = 0;
    for (const std::int32_t count : surface.face_counts) {
      const std::int32_t* at = surface.face_indices.data() + first;
      for (std::int32_t k = 2; k < count; ++k) all.push_back({at[0], at[k - 1], at[k]});
      first += static_cast<std::size_t>(count);
    }
    return all;
  }
  std::vector<Bounds> boxes() const {
    std::vector<Bounds> all(triangles_.size());
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (const int p : triangles_[t]) all[t].add(points_[p]);
    return all;
  }

  const std::vector<Vec3f>& points_;
  std::vector<std::array<int, 3>> triangles_;
  BoxTree tree_;
};

// Only to points of their surface: far inside, the nearest place on it says little.
void carryGroup(const PointGroup& group, std::size_t surface_points, const std::vector<PlaceOnSurface>& at,
                const std::vector<int>& nearest_to, TetMesh& mesh) {
  std::vector<float> member(surface_points, 0);
  for (const int p : group.points) member[p] = 1;
  std::vector<bool> chosen(at.size(), false);
  for (const int p : mesh.geometry.face_indices) {
    const auto& [c, s] = at[p];
    chosen[p] = member[c[0]] * s.a + member[c[1]] * s.b + member[c[2]] * s.c > 0.5f;
  }
  for (const int p : group.points) chosen[nearest_to[p]] = true;  // so that no group comes out empty
  PointGroup carried{group.name, {}};
  for (std::size_t p = 0; p < chosen.size(); ++p)
    if (chosen[p]) carried.points.push_back(static_cast<std::int32_t>(p));
  mesh.geometry.groups.push_back(std::move(carried));
}

void carryAttribute(const Attribute& from, const std::vector<PlaceOnSurface>& at, TetMesh& mesh) {
  Attribute carried;
  carried.name = from.name, carried.width = from.width, carried.interpretation = from.interpretation;
  const auto value = [&](int point, int k) {
    const std::size_t index = from.indices.empty() ? static_cast<std::size_t>(point) : from.indices[point];
    const std::size_t i = index * static_cast<std::size_t>(from.width) + static_cast<std::size_t>(k);
    return from.type == AttributeType::f32 ? from.floats[i] : static_cast<float>(from.ints[i]);
  };
  for (const auto& [c, s] : at)
    for (int k = 0; k < from.width; ++k)
      carried.floats.push_back(value(c[0], k) * s.a + value(c[1], k) * s.b + value(c[2], k) * s.c);
  for (Attribute& own : mesh.geometry.attributes)
    if (own.name == from.name && own.floats.size() == carried.floats.size()) {
      for (std::size_t k = 0; k < own.floats.size(); ++k) own.floats[k] *= carried.floats[k];
      return;
    }
  mesh.geometry.attributes.push_back(std::move(carried));
}

// Whether it has one value for each point.
bool isWhole(const Attribute& a, std::size_t points) {
  if (a.owner != AttributeOwner::point || a.type == AttributeType::string || a.width < 1) return false;
  if (a.name == "pointmass") return false;  // what one point weighs says nothing of others
  const std::size_t values = a.type == AttributeType::f32 ? a.floats.size() : a.ints.size();
  const std::size_t count = values / static_cast<std::size_t>(a.width);
  if (a.indices.empty()) return count == points;
  return a.indices.size() == points &&
         std::all_of(a.indices.begin(), a.indices.end(), [&](std::uint32_t i) { return i < count; });
}

}  // namespace

void carryAttributes(const Geometry& surface, TetMesh& mesh) {
  const bool attributes = std::any_of(surface.attributes.begin(), surface.attributes.end(),
                                      [&](const Attribute& a) { return isWhole(a, surface.points.size()); });
  if (surface.groups.empty() && !attributes) return;
  const SurfaceSearch search(surface);
  std::vector<PlaceOnSurface> at;
  for (const Vec3f p : mesh.geometry.points) at.push_back(search.nearest(p));

  std::vector<int> nearest_to;  // point of the tetrahedra, for each point of the surface
  if (!surface.groups.empty()) {
    std::vector<Bounds> boxes(mesh.geometry.points.size());
    for (std::size_t p = 0; p < boxes.size(); ++p) boxes[p].add(mesh.geometry.points[p]);
    const BoxTree tree(boxes);
    for (const Vec3f p : surface.points)
      nearest_to.push_back(tree.nearest(p, std::numeric_limits<float>::max(), [&](int k) {
        const Vec3f away = mesh.geometry.points[k] - p;
        return dot(away, away);
      }));
  }
  for (const PointGroup& group : surface.groups)
    carryGroup(group, surface.points.size(), at, nearest_to, mesh);
  for (const Attribute& attribute : surface.attributes)
    if (isWhole(attribute, surface.points.size())) carryAttribute(attribute, at, mesh);
}

}  // namespace repose
