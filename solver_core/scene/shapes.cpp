// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/shapes.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <unordered_map>

namespace repose {

namespace {

constexpr double kPi = 3.14159265358979323846;

struct Corner {
  std::int32_t point;
  std::uint32_t uv;
};

// Corners that are one point (at a pole) count once.
void addFace(Geometry& geometry, std::initializer_list<Corner> corners) {
  std::vector<std::int32_t>& points = geometry.face_indices;
  const std::size_t first = points.size();
  for (const Corner& corner : corners) {
    const std::size_t count = points.size() - first;
    if (count && (points.back() == corner.point || points[first] == corner.point)) continue;
    points.push_back(corner.point);
    geometry.attributes.front().indices.push_back(corner.uv);
  }
  geometry.face_counts.push_back(static_cast<std::int32_t>(points.size() - first));
}

struct UvRect {
  float u = 0, v = 0, width = 1, height = 1;
};

// Adds one rectangle of cells, of which point(i, j) is the point of lattice node i, j. Its normal is du x dv.
template <class PointOf>
void addPatch(Geometry& geometry, int nu, int nv, bool triangles, PointOf point, UvRect rect = {}) {
  if (geometry.attributes.empty()) {
    Attribute uv;
    uv.name = "uv";
    uv.owner = AttributeOwner::corner;
    uv.width = 2;
    geometry.attributes.push_back(uv);
  }
  std::vector<float>& uvs = geometry.attributes.front().floats;
  const auto first_uv = static_cast<std::uint32_t>(uvs.size() / 2);
  for (int j = 0; j <= nv; ++j)
    for (int i = 0; i <= nu; ++i) {
      uvs.push_back(rect.u + rect.width * static_cast<float>(i) / static_cast<float>(nu));
      uvs.push_back(rect.v + rect.height * static_cast<float>(j) / static_cast<float>(nv));
    }
  const auto corner = [&](int i, int j) {
    return Corner{point(i, j), first_uv + static_cast<std::uint32_t>(j * (nu + 1) + i)};
  };
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) {
      const Corner a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
      const bool whole = !triangles || a.point == b.point || c.point == d.point;
      if (whole) {
        addFace(geometry, {a, b, c, d});
      } else if ((i + j) % 2 == 0) {
        addFace(geometry, {a, b, c}), addFace(geometry, {a, c, d});
      } else {
        addFace(geometry, {a, b, d}), addFace(geometry, {b, c, d});
      }
    }
}

template <class Choose>
void addGroup(Geometry& geometry, const char* name, Choose choose) {
  PointGroup group{name, {}};
  for (std::size_t p = 0; p < geometry.points.size(); ++p)
    if (choose(static_cast<int>(p))) group.points.push_back(static_cast<std::int32_t>(p));
  geometry.groups.push_back(std::move(group));
}

struct ProfilePoint {
  double radius, y;
};

ProfilePoint onCircle(double radius, double angle, double y) {
  return {radius * std::cos(angle), y + radius * std::sin(angle)};
}

// The profile turned about the y axis, from below to above on the outer side. Profile points on the axis are
// one point each. first_of[r] is the first point of row r, with one more entry for the end.
Geometry revolve(const std::vector<ProfilePoint>& profile, int columns, bool triangles,
                 std::vector<int>& first_of) {
  Geometry geometry;
  const int rows = static_cast<int>(profile.size()) - 1;
  first_of.clear();
  for (const ProfilePoint& p : profile) {
    first_of.push_back(static_cast<int>(geometry.points.size()));
    for (int i = 0; i < (p.radius == 0 ? 1 : columns); ++i) {
      const double angle = 2 * kPi * i / columns;
      geometry.points.push_back({static_cast<float>(p.radius * std::cos(angle)), static_cast<float>(p.y),
                                 static_cast<float>(-p.radius * std::sin(angle))});
    }
  }
  first_of.push_back(static_cast<int>(geometry.points.size()));
  addPatch(geometry, columns, rows, triangles,
           [&](int i, int j) { return first_of[j] + i % (first_of[j + 1] - first_of[j]); });
  return geometry;
}

// The groups "first" and "last" of a turned shape: its first and last row.
void addEndGroups(Geometry& geometry, const std::vector<int>& first_of, const char* first, const char* last) {
  addGroup(geometry, first, [&](int p) { return p < first_of[1]; });
  addGroup(geometry, last, [&](int p) { return p >= first_of[first_of.size() - 2]; });
}

// A half circle from the south to the north pole; the poles lie exactly on the axis.
void addArc(std::vector<ProfilePoint>& profile, double radius, double y, double from, double to, int cells) {
  for (int j = 0; j <= cells; ++j) {
    ProfilePoint p = onCircle(radius, from + (to - from) * j / cells, y);
    if (std::abs(p.radius) < 1e-9 * radius) p.radius = 0;
    profile.push_back(p);
  }
}

}  // namespace

Geometry makeGrid(const Shape& shape) {
  Geometry geometry;
  const int nu = shape.divisions[0], nv = shape.divisions[1];
  for (int j = 0; j <= nv; ++j)
    for (int i = 0; i <= nu; ++i) {
      const float u = shape.size.x * (static_cast<float>(i) / static_cast<float>(nu) - 0.5f);
      const float v = shape.size.y * (static_cast<float>(j) / static_cast<float>(nv) - 0.5f);
      switch (shape.plane) {
        case Plane::xz:
          geometry.points.push_back({u, 0, -v});
          break;
        case Plane::xy:
          geometry.points.push_back({u, v, 0});
          break;
        case Plane::yz:
          geometry.points.push_back({0, v, -u});
          break;
      }
    }
  addPatch(geometry, nu, nv, shape.triangles, [&](int i, int j) { return j * (nu + 1) + i; });

  const auto left = [&](int p) { return p % (nu + 1) == 0; };
  const auto right = [&](int p) { return p % (nu + 1) == nu; };
  const auto bottom = [&](int p) { return p / (nu + 1) == 0; };
  const auto top = [&](int p) { return p / (nu + 1) == nv; };
  addGroup(geometry, "left", left);
  addGroup(geometry, "right", right);
  addGroup(geometry, "bottom", bottom);
  addGroup(geometry, "top", top);
  addGroup(geometry, "corners", [&](int p) { return (left(p) || right(p)) && (bottom(p) || top(p)); });
  addGroup(geometry, "corner00", [&](int p) { return left(p) && bottom(p); });
  addGroup(geometry, "corner10", [&](int p) { return right(p) && bottom(p); });
  addGroup(geometry, "corner01", [&](int p) { return left(p) && top(p); });
  addGroup(geometry, "corner11", [&](int p) { return right(p) && top(p); });
  return geometry;
}

Geometry makeDisk(const Shape& shape) {
  std::vector<ProfilePoint> profile;
  for (int j = 0; j <= shape.divisions[1]; ++j)
    profile.push_back({shape.radius * (1 - static_cast<double>(j) / shape.divisions[1]), 0});
  std::vector<int> first_of;
  Geometry geometry = revolve(profile, shape.divisions[0], shape.triangles, first_of);
  addEndGroups(geometry, first_of, "rim", "centre");
  return geometry;
}

Geometry makeTube(const Shape& shape) {
  std::vector<ProfilePoint> profile;
  for (int j = 0; j <= shape.divisions[1]; ++j)
    profile.push_back({shape.radius, shape.height * (static_cast<double>(j) / shape.divisions[1] - 0.5)});
  std::vector<int> first_of;
  Geometry geometry = revolve(profile, shape.divisions[0], shape.triangles, first_of);
  addEndGroups(geometry, first_of, "bottom", "top");
  return geometry;
}

Geometry makeSphere(const Shape& shape) {
  std::vector<ProfilePoint> profile;
  addArc(profile, shape.radius, 0, -kPi / 2, kPi / 2, shape.divisions[1]);
  std::vector<int> first_of;
  Geometry geometry = revolve(profile, shape.divisions[0], shape.triangles, first_of);
  addEndGroups(geometry, first_of, "bottom", "top");
  return geometry;
}

// The rows are shared out to the two caps and the straight part, at least one each.
Geometry makeCapsule(const Shape& shape) {
  const double cap_length = shape.radius * kPi / 2, length = 2 * cap_length + shape.height;
  const int rows = shape.divisions[1];
  const int cap = std::clamp(static_cast<int>(std::lround(rows * cap_length / length)), 1, (rows - 1) / 2);
  const int straight = rows - 2 * cap;
  std::vector<ProfilePoint> profile;
  addArc(profile, shape.radius, -shape.height / 2, -kPi / 2, 0, cap);
  for (int j = 1; j < straight; ++j)
    profile.push_back({shape.radius, shape.height * (static_cast<double>(j) / straight - 0.5)});
  addArc(profile, shape.radius, shape.height / 2, 0, kPi / 2, cap);
  std::vector<int> first_of;
  Geometry geometry = revolve(profile, shape.divisions[0], shape.triangles, first_of);
  addEndGroups(geometry, first_of, "bottom", "top");
  return geometry;
}

Geometry makeCone(const Shape& shape) {
  const int rows = shape.divisions[1];
  const int base_rows = std::max(1, rows / 2);
  std::vector<ProfilePoint> profile;
  for (int j = 0; j < base_rows; ++j)
    profile.push_back({shape.radius * static_cast<double>(j) / base_rows, -shape.height / 2});
  for (int j = 0; j <= rows; ++j) {
    const double t = static_cast<double>(j) / rows;
    profile.push_back({shape.radius * (1 - t), shape.height * (t - 0.5)});
  }
  std::vector<int> first_of;
  Geometry geometry = revolve(profile, shape.divisions[0], shape.triangles, first_of);
  addGroup(geometry, "base", [&](int p) { return p < first_of[static_cast<std::size_t>(base_rows) + 1]; });
  addGroup(geometry, "tip", [&](int p) { return p >= first_of[first_of.size() - 2]; });
  return geometry;
}

Geometry makeCylinder(const Shape& shape) {
  const int rows = shape.divisions[1], end_rows = std::max(1, rows / 2);
  const double half = 0.5 * shape.height;
  std::vector<ProfilePoint> profile;
  for (int j = 0; j < end_rows; ++j)
    profile.push_back({shape.radius * static_cast<double>(j) / end_rows, -half});
  for (int j = 0; j <= rows; ++j)
    profile.push_back({shape.radius, shape.height * (static_cast<double>(j) / rows - 0.5)});
  for (int j = end_rows; j-- > 0;)
    profile.push_back({shape.radius * static_cast<double>(j) / end_rows, half});
  std::vector<int> first_of;
  Geometry geometry = revolve(profile, shape.divisions[0], shape.triangles, first_of);
  const int first_side = first_of[end_rows], first_top = first_of[end_rows + rows];
  addGroup(geometry, "bottom", [&](int p) { return p < first_side + shape.divisions[0]; });
  addGroup(geometry, "top", [&](int p) { return p >= first_top; });
  return geometry;
}

Geometry makeTorus(const Shape& shape) {
  Geometry geometry;
  const int columns = shape.divisions[0], rows = shape.divisions[1];
  for (int j = 0; j < rows; ++j) {
    const ProfilePoint p = onCircle(shape.tuberadius, 2 * kPi * j / rows, 0);
    for (int i = 0; i < columns; ++i) {
      const double angle = 2 * kPi * i / columns, r = shape.radius + p.radius;
      geometry.points.push_back({static_cast<float>(r * std::cos(angle)), static_cast<float>(p.y),
                                 static_cast<float>(-r * std::sin(angle))});
    }
  }
  addPatch(geometry, columns, rows, shape.triangles,
           [&](int i, int j) { return (j % rows) * columns + i % columns; });
  addGroup(geometry, "outer", [&](int p) { return p / columns == 0; });
  addGroup(geometry, "inner", [&](int p) { return p / columns == rows / 2; });
  return geometry;
}

Geometry makeBox(const Shape& shape) {
  Geometry geometry;
  const std::array<int, 3> n = shape.divisions;
  std::unordered_map<std::int64_t, std::int32_t> point_of;  // lattice node -> point, shared along the edges
  const auto pointAt = [&](std::array<int, 3> node) {
    const std::int64_t key = (node[0] * (n[1] + 1LL) + node[1]) * (n[2] + 1LL) + node[2];
    const auto [entry, fresh] = point_of.try_emplace(key, static_cast<std::int32_t>(geometry.points.size()));
    if (fresh) {
      Vec3f p;
      for (int k = 0; k < 3; ++k)
        p[k] = shape.size[k] * (static_cast<float>(node[k]) / static_cast<float>(n[k]) - 0.5f);
      geometry.points.push_back(p);
    }
    return entry->second;
  };

  // Each side: its axis, and whether it is the far one; u and v follow in cyclic order, swapped on near
  // sides.
  for (int axis = 0; axis < 3; ++axis)
    for (int far = 0; far < 2; ++far) {
      const int u = (axis + (far ? 1 : 2)) % 3, v = (axis + (far ? 2 : 1)) % 3;
      const auto node = [&](int i, int j) {
        std::array<int, 3> at{};
        at[axis] = far ? n[axis] : 0, at[u] = i, at[v] = j;
        return pointAt(at);
      };
      const UvRect rect{static_cast<float>(axis) / 3, static_cast<float>(far) / 2, 1.0f / 3, 0.5f};
      addPatch(geometry, n[u], n[v], shape.triangles, node, rect);
    }

  static constexpr const char* kSides[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
  for (int axis = 0; axis < 3; ++axis)
    for (int far = 0; far < 2; ++far) {
      const float at = shape.size[axis] * (far ? 0.5f : -0.5f);
      addGroup(geometry, kSides[axis][far], [&](int p) { return geometry.points[p][axis] == at; });
    }
  return geometry;
}

}  // namespace repose
