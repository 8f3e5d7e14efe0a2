// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Convex hulls by quickhull (Barber, Dobkin and Huhdanpaa 1996): triangles first, those in one plane then
// become one face. Always the farthest point of all comes next, so that a hull of few corners is the best of
// its kind and the order of work follows from the points alone.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/vec3d.h"
#include "shape/convex.h"

namespace repose {

namespace {

// Shares of the extent: what counts as one plane, and what is too thin for a solid.
constexpr double kOnePlane = 2e-6, kThin = 1e-5;
constexpr double kRounding = 1.5e-7;  // of a coordinate

Vec3d unit(Vec3d a) {
  const double size = length(a);
  return size > 0 ? a * (1 / size) : a;
}

struct Triangle {
  int corner[3] = {};
  int across[3] = {-1, -1, -1};  // beyond the side from corner k to the next
  Vec3d normal;
  double offset = 0;
  std::vector<int> above;  // points that see it and no earlier triangle
  int farthest = -1;
  double distance = 0;
  bool alive = true;
};

class Builder {
 public:
  explicit Builder(std::vector<Vec3d> points, double slack) : points_(std::move(points)), slack_(slack) {}

  // Empty, or what the points are instead of a solid.
  std::string build(double thin, int most_corners) {
    int first[4] = {};
    if (std::string flat = simplex(thin, first); !flat.empty()) return flat;
    start(first);
    for (int corners = 4; corners < most_corners; ++corners) {
      int best = -1;
      for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)
        if (triangles_[t].alive && triangles_[t].farthest >= 0 &&
            (best < 0 || triangles_[t].distance > triangles_[best].distance))
          best = t;
      if (best < 0) break;
      insert(triangles_[best].farthest, best);
    }
    return {};
  }
  Hull hull(Vec3d origin) const;

 private:
  std::vector<std::vector<int>> faceRings() const;
  double above(const Triangle& t, int p) const { return dot(t.normal, points_[p]) - t.offset; }

  // Four points far from each other.
  std::string simplex(double thin, int (&first)[4]) const {
    const int count = static_cast<int>(points_.size());
    const auto farthest = [&](auto measure, double& most) {
      int best = 0;
      most = -1;
      for (int p = 0; p < count; ++p)
        if (const double d = measure(points_[p]); d > most) most = d, best = p;
      return best;
    };
    double most;
    const Vec3d any = points_[0];
    first[0] = farthest([&](Vec3d p) { return length(p - any); }, most);
    const Vec3d a = points_[first[0]];
    first[1] = farthest([&](Vec3d p) { return length(p - a); }, most);
    if (most <= thin) return "is a single point";
    const Vec3d line = unit(points_[first[1]] - a);
    first[2] = farthest([&](Vec3d p) { return length(cross(line, p - a)); }, most);
    if (most <= thin) return "lies on a line";
    const Vec3d normal = unit(cross(line, points_[first[2]] - a));
    first[3] = farthest([&](Vec3d p) { return std::abs(dot(normal, p - a)); }, most);
    if (most <= thin) return "lies in a plane";
    if (dot(normal, points_[first[3]] - a) > 0) std::swap(first[1], first[2]);
    return {};
  }

  int add(int a, int b, int c) {
    Triangle t;
    t.corner[0] = a, t.corner[1] = b, t.corner[2] = c;
    t.normal = unit(cross(points_[b] - points_[a], points_[c] - points_[a]));
    t.offset = dot(t.normal, (points_[a] + points_[b] + points_[c]) * (1.0 / 3));
    triangles_.push_back(std::move(t));
    return static_cast<int>(triangles_.size()) - 1;
  }
  void give(int p, int from) {
    int best = -1;
    double most = slack_;
    for (int t = from; t < static_cast<int>(triangles_.size()); ++t)
      if (const double d = above(triangles_[t], p); d > most) most = d, best = t;
    if (best < 0) return;
    Triangle& t = triangles_[best];
    t.above.push_back(p);
    if (most > t.distance) t.distance = most, t.farthest = p;
  }
  void start(const int (&c)[4]) {
    const int faces[4][3] = {{c[0], c[1], c[2]}, {c[0], c[3], c[1]}, {c[1], c[3], c[2]}, {c[2], c[3], c[0]}};
    for (const auto& f : faces) add(f[0], f[1], f[2]);
    for (int t = 0; t < 4; ++t)
      for (int k = 0; k < 3; ++k)
        for (int other = 0; other < 4; ++other)
          for (int j = 0; j < 3; ++j)
            if (triangles_[other].corner[j] == triangles_[t].corner[(k + 1) % 3] &&
                triangles_[other].corner[(j + 1) % 3] == triangles_[t].corner[k])
              triangles_[t].across[k] = other;
    for (int p = 0; p < static_cast<int>(points_.size()); ++p)
      if (p != c[0] && p != c[1] && p != c[2] && p != c[3]) give(p, 0);
  }

  struct Side {
    int a, b, beyond;
  };
  // Sides between what the point sees and what it does not, in their order around it.
  void horizon(int p, int t, int entry, std::vector<Side>& sides, std::vector<int>& orphans) {
    triangles_[t].alive = false;
    orphans.insert(orphans.end(), triangles_[t].above.begin(), triangles_[t].above.end());
    for (int i = 0; i < 3; ++i) {
      const int k = (entry + i) % 3, other = triangles_[t].across[k];
      if (!triangles_[other].alive) continue;
      const int a = triangles_[t].corner[k], b = triangles_[t].corner[(k + 1) % 3];
      if (above(triangles_[other], p) > slack_) {
        int back = 0;
        while (triangles_[other].across[back] != t || triangles_[other].corner[back] != b) ++back;
        horizon(p, other, back, sides, orphans);
      } else {
        sides.push_back({a, b, other});
      }
    }
  }
  void insert(int p, int seen) {
    std::vector<Side> sides;
    std::vector<int> orphans;
    horizon(p, seen, 0, sides, orphans);
    const int from = static_cast<int>(triangles_.size()), count = static_cast<int>(sides.size());
    for (const Side& side : sides) add(side.a, side.b, p);
    for (int k = 0; k < count; ++k) {
      Triangle& t = triangles_[from + k];
      t.across[0] = sides[k].beyond;
      t.across[1] = from + (k + 1) % count;
      t.across[2] = from + (k + count - 1) % count;
      Triangle& beyond = triangles_[sides[k].beyond];
      for (int j = 0; j < 3; ++j)
        if (beyond.corner[j] == sides[k].b && beyond.corner[(j + 1) % 3] == sides[k].a)
          beyond.across[j] = from + k;
    }
    for (const int q : orphans)
      if (q != p) give(q, from);
  }

  std::vector<Vec3d> points_;
  double slack_;
  std::vector<Triangle> triangles_;
};

// Normal of a polygon by the areas of its shadows (Newell).
Vec3d newell(const std::vector<Vec3d>& points, const std::vector<int>& ring) {
  Vec3d n;
  for (std::size_t k = 1; k + 1 < ring.size(); ++k)
    n = n + cross(points[ring[k]] - points[ring[0]], points[ring[k + 1]] - points[ring[0]]);
  return unit(n);
}

// Corners of each face, all around.
std::vector<std::vector<int>> Builder::faceRings() const {
  const int count = static_cast<int>(triangles_.size());
  // The largest triangles first: each takes the neighbours that lie in its plane.
  std::vector<std::pair<double, int>> order;
  for (int t = 0; t < count; ++t)
    if (triangles_[t].alive) {
      const int* c = triangles_[t].corner;
      order.push_back({-length(cross(points_[c[1]] - points_[c[0]], points_[c[2]] - points_[c[0]])), t});
    }
  std::sort(order.begin(), order.end());
  std::vector<int> face(count, -1);
  std::vector<std::vector<int>> rings;
  for (const auto& [area, seed] : order) {
    if (face[seed] >= 0) continue;
    const int id = static_cast<int>(rings.size());
    std::vector<int> members{seed};
    face[seed] = id;
    for (std::size_t k = 0; k < members.size(); ++k)
      for (const int other : triangles_[members[k]].across) {
        if (face[other] >= 0) continue;
        bool flat = true;
        for (const int c : triangles_[other].corner)
          flat = flat && std::abs(above(triangles_[seed], c)) <= 2 * slack_;
        if (flat) face[other] = id, members.push_back(other);
      }
    std::map<int, int> next;
    for (const int t : members)
      for (int k = 0; k < 3; ++k)
        if (face[triangles_[t].across[k]] != id)
          next[triangles_[t].corner[k]] = triangles_[t].corner[(k + 1) % 3];
    std::vector<int> ring;
    for (int c = next.begin()->first; ring.empty() || c != ring[0]; c = next[c]) ring.push_back(c);
    rings.push_back(std::move(ring));
  }
  return rings;
}

Hull Builder::hull(Vec3d origin) const {
  std::vector<std::vector<int>> rings = faceRings();
  // A corner between two faces only lies on a straight side: its faces meet without it.
  std::map<int, int> faces_at;
  for (const auto& ring : rings)
    for (const int c : ring) ++faces_at[c];
  Hull hull;
  std::map<int, int> number;
  for (auto& ring : rings) {
    ring.erase(std::remove_if(ring.begin(), ring.end(), [&](int c) { return faces_at[c] < 3; }), ring.end());
    if (ring.size() < 3) continue;
    const Vec3d normal = newell(points_, ring);
    hull.face_first.push_back(static_cast<int>(hull.face_corners.size()));
    hull.normals.push_back(
        {static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z)});
    for (const int c : ring) {
      const auto [at, fresh] = number.insert({c, static_cast<int>(hull.corners.size())});
      if (fresh) {
        const Vec3d p = points_[c] + origin;
        hull.corners.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
      }
      hull.face_corners.push_back(at->second);
    }
  }
  hull.face_first.push_back(static_cast<int>(hull.face_corners.size()));
  for (int f = 0; f < hull.faces(); ++f) {
    float offset = -std::numeric_limits<float>::max();
    for (int k = hull.face_first[f]; k < hull.face_first[f + 1]; ++k)
      offset = std::max(offset, dot(hull.normals[f], hull.corners[hull.face_corners[k]]));
    hull.offsets.push_back(offset);
  }
  linkEdges(hull);
  return hull;
}

// Every side has a face on either side, and no corner is above a face.
bool sound(const Hull& hull, double slack) {
  for (const Hull::Edge& edge : hull.edges)
    if (edge.right < 0) return false;
  if (static_cast<int>(hull.corners.size()) - static_cast<int>(hull.edges.size()) + hull.faces() != 2)
    return false;
  for (int f = 0; f < hull.faces(); ++f)
    for (const Vec3f c : hull.corners)
      if (dot(hull.normals[f], c) > hull.offsets[f] + 8 * slack) return false;
  return true;
}

}  // namespace

Result<Convex> makeHull(const std::vector<Vec3f>& points, int most_corners) {
  if (points.empty()) return badInput("has no points");
  Bounds box;
  float largest = 0;
  for (const Vec3f p : points) {
    if (!isFinite(p)) return badInput("has a position that is not finite");
    box.add(p);
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(p[k]));
  }
  const Vec3d lo{box.lo.x, box.lo.y, box.lo.z}, hi{box.hi.x, box.hi.y, box.hi.z};
  const Vec3d middle = (lo + hi) * 0.5;
  const double extent = length(hi - lo);
  std::vector<Vec3d> own;
  for (const Vec3f p : points) own.push_back(Vec3d{p.x, p.y, p.z} - middle);

  Convex convex;
  convex.kind = Convex::Kind::hull;
  // Where rounding makes a plane ambiguous, a wider plane is not.
  double slack = kOnePlane * extent + kRounding * largest;
  for (int attempt = 0; attempt < 6; ++attempt, slack *= 4) {
    Builder builder(own, slack);
    const double thin = std::max(kThin * extent, 4 * slack);
    if (const std::string flat = builder.build(thin, std::clamp(most_corners, 4, kMostCorners));
        !flat.empty())
      return badInput(flat);
    Hull hull = builder.hull(middle);
    if (!sound(hull, slack)) continue;
    convex.hull = std::make_shared<const Hull>(std::move(hull));
    return convex;
  }
  return badInput("has points from which no solid can be made");
}

}  // namespace repose
