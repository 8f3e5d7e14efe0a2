// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/triangle_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "base/median_split.h"

namespace repose {

namespace {

constexpr int kLeafTriangles = 4;
constexpr int kMostSpots = 16;       // candidates for the touches of one sphere
constexpr float kOneWay = 0.99f;     // cosine above which two touches have one direction
constexpr float kSmooth = 0.94f;     // cosine of the angle between triangles of one smooth part
constexpr float kFlat = 0.9998f;     // cosine of the angle between triangles that are one plane
constexpr float kSeam = 0.1f;        // share of the reach by which triangles are larger for fast spheres
constexpr float kSlope = 1e-4f;      // cosine that counts as level: what rounding does
constexpr float kOnSurface = 1e-5f;  // distance over coordinates at which the direction is only rounding

Vec3f unit(Vec3f v) {
  const float size = length(v);
  return size > 0 ? v * (1 / size) : Vec3f{};
}

float distance2(const Bounds& box, Vec3f p) {
  float sum = 0;
  for (int k = 0; k < 3; ++k) {
    const float d = std::max({box.lo[k] - p[k], p[k] - box.hi[k], 0.0f});
    sum += d * d;
  }
  return sum;
}

// Angle at a corner between two unit sides, in double: weights need no more than that.
double angleBetween(Vec3f a, Vec3f b) {
  return std::acos(std::clamp(static_cast<double>(dot(a, b)), -1.0, 1.0));
}

}  // namespace

TriangleSurface::TriangleSurface(TriangleList triangles, const std::vector<Vec3f>& points, Kind kind,
                                 bool turned)
    : triangles_(std::move(triangles)), kind_(kind), turned_(turned) {
  points_ = points;
  link(points);
  build(points);
}

// Neighbours, rings and smooth parts, which do not change when points move.
void TriangleSurface::link(const std::vector<Vec3f>& points) {
  const auto count = static_cast<int>(triangles_.size());
  struct Side {
    int low, high, triangle, corner;
  };
  std::vector<Side> sides;
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(triangles_[t][k], triangles_[t][(k + 1) % 3]);
      sides.push_back({low, high, t, k});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle, a.corner) < std::tie(b.low, b.high, b.triangle, b.corner);
  });
  across_.assign(count, {-1, -1, -1});
  rim_.assign(points.size(), false);
  std::vector<std::array<int, 2>> edges;
  for (std::size_t k = 0; k < sides.size();) {
    std::size_t end = k + 1;
    while (end < sides.size() && sides[end].low == sides[k].low && sides[end].high == sides[k].high) ++end;
    if (end - k == 2) {
      across_[sides[k].triangle][sides[k].corner] = sides[k + 1].triangle;
      across_[sides[k + 1].triangle][sides[k + 1].corner] = sides[k].triangle;
    }
    if (end - k == 1) rim_[sides[k].low] = rim_[sides[k].high] = true;
    edges.push_back({sides[k].low, sides[k].high});
    k = end;
  }
  ring_start_.assign(points.size() + 1, 0);
  for (const auto& edge : edges) ++ring_start_[edge[0] + 1], ++ring_start_[edge[1] + 1];
  std::partial_sum(ring_start_.begin(), ring_start_.end(), ring_start_.begin());
  ring_.resize(edges.size() * 2);
  std::vector<int> next(ring_start_.begin(), ring_start_.end() - 1);
  for (const auto& edge : edges) ring_[next[edge[0]]++] = edge[1], ring_[next[edge[1]]++] = edge[0];

  findNormals();
  smooth_.assign(count, -1);
  std::vector<int> open;
  for (int seed = 0; seed < count; ++seed) {
    if (smooth_[seed] >= 0) continue;
    smooth_[seed] = smooth_parts_;
    open.assign(1, seed);
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      for (const int other : across_[t])
        if (other >= 0 && smooth_[other] < 0 && dot(normals_[t], normals_[other]) > kSmooth) {
          smooth_[other] = smooth_parts_;
          open.push_back(other);
        }
    }
    ++smooth_parts_;
  }
}

void TriangleSurface::findNormals() {
  normals_.resize(triangles_.size());
  point_normals_.assign(points_.size(), {});
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const std::array<int, 3>& corner = triangles_[t];
    Vec3f side[3];
    for (int k = 0; k < 3; ++k) side[k] = unit(points_[corner[(k + 1) % 3]] - points_[corner[k]]);
    normals_[t] = unit(cross(side[0], -side[2]));
    for (int k = 0; k < 3; ++k)
      point_normals_[corner[k]] +=
          normals_[t] * static_cast<float>(angleBetween(side[k], -side[(k + 2) % 3]));
  }
  for (Vec3f& normal : point_normals_) normal = unit(normal);
}

void TriangleSurface::build(const std::vector<Vec3f>& points) {
  std::vector<Vec3f> centres;
  for (const std::array<int, 3>& t : triangles_)
    centres.push_back((points[t[0]] + points[t[1]] + points[t[2]]) * (1.0f / 3));
  order_.resize(triangles_.size());
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(triangles_.size());
  addNode(centres, 0, static_cast<int>(order_.size()));
}

int TriangleSurface::addNode(const std::vector<Vec3f>& centres, int first, int count) {
  const auto index = static_cast<int>(nodes_.size());
  nodes_.push_back({{}, -1, first, count});
  if (count <= kLeafTriangles) return index;
  const int half = medianSplit(order_, centres, first, count);
  addNode(centres, first, half);
  const int right = addNode(centres, first + half, count - half);
  nodes_[index].right = right;
  return index;
}

void TriangleSurface::place(const std::vector<Vec3f>& points, const std::vector<Vec3f>* shifts) {
  points_ = points;
  moving_ = shifts != nullptr;
  corners_.resize(order_.size());
  corner_shifts_.resize(moving_ ? order_.size() : 0);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const std::array<int, 3>& t = triangles_[order_[k]];
    corners_[k] = {points_[t[0]], points_[t[1]], points_[t[2]]};
    if (shifts) corner_shifts_[k] = {(*shifts)[t[0]], (*shifts)[t[1]], (*shifts)[t[2]]};
  }
  findNormals();
  refit();
}

// Children come after their parents.
void TriangleSurface::refit() {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    node.box = {};
    if (node.right >= 0) {
      node.box.add(nodes_[n + 1].box);
      node.box.add(nodes_[node.right].box);
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      const Corners& at = corners_[k];
      for (const Vec3f p : {at.a, at.b, at.c}) node.box.add(p);
      if (!moving_) continue;
      const Corners& shift = corner_shifts_[k];
      for (const Vec3f p : {at.a + shift.a, at.b + shift.b, at.c + shift.c}) node.box.add(p);
    }
  }
}

TriangleSurface::Nearest TriangleSurface::nearestOn(const Corners& t, Vec3f p) {
  const Vec3f ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
  const float d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {{1, 0, 0}, t.a, 1};
  const Vec3f bp = p - t.b;
  const float d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {{0, 1, 0}, t.b, 2};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const float v = d1 / (d1 - d3);
    return {{1 - v, v, 0}, t.a + ab * v, 4};
  }
  const Vec3f cp = p - t.c;
  const float d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {{0, 0, 1}, t.c, 3};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const float w = d2 / (d2 - d6);
    return {{1 - w, 0, w}, t.a + ac * w, 6};
  }
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const float w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {{0, 1 - w, w}, t.b + (t.c - t.b) * w, 5};
  }
  const float scale = 1 / (va + vb + vc), v = vb * scale, w = vc * scale;
  return {{1 - v - w, v, w}, t.a + ab * v + ac * w, 0};
}

Vec3f TriangleSurface::pseudoNormal(int triangle, int region) const {
  if (region == 0) return normals_[triangle];
  if (region <= 3) return point_normals_[triangles_[triangle][region - 1]];
  const int other = across_[triangle][region - 4];
  return other < 0 ? normals_[triangle] : unit(normals_[triangle] + normals_[other]);
}

// Points first, then faces, then sides.
int TriangleSurface::partOf(int triangle, int region) const {
  const auto points = static_cast<int>(points_.size());
  if (region == 0) return points + 4 * triangle;
  if (region <= 3) return triangles_[triangle][region - 1];
  const int other = across_[triangle][region - 4];
  if (other < 0 || other > triangle) return points + 4 * triangle + region - 3;
  int side = 0;
  while (across_[other][side] != triangle) ++side;
  return points + 4 * other + side + 1;
}

bool TriangleSurface::onRim(int triangle, int region) const {
  if (region == 0) return false;
  return region <= 3 ? rim_[triangles_[triangle][region - 1]] : across_[triangle][region - 4] < 0;
}

// No triangle beside the place is nearer: every way along the surface leads away from the centre.
bool TriangleSurface::isMinimum(int triangle, int region, Vec3f away) const {
  if (region == 0) return true;
  const std::array<int, 3>& corner = triangles_[triangle];
  const auto levelOrDown = [&](Vec3f along) {
    const float climb = dot(away, along);
    return climb <= 0 || climb * climb <= kSlope * kSlope * dot(away, away) * dot(along, along);
  };
  if (region <= 3) {
    const int p = corner[region - 1];
    for (int k = ring_start_[p]; k < ring_start_[p + 1]; ++k)
      if (!levelOrDown(points_[ring_[k]] - points_[p])) return false;
    return true;
  }
  const int side = region - 4, other = across_[triangle][side];
  if (other < 0) return true;
  const int a = corner[side], b = corner[(side + 1) % 3];
  for (const int p : triangles_[other])
    if (p != a && p != b) {
      // across the side, in the plane of the other triangle
      const Vec3f edge = unit(points_[b] - points_[a]), out = points_[p] - points_[a];
      return levelOrDown(out - edge * dot(edge, out));
    }
  return true;
}

TriangleSurface::Spot TriangleSurface::spotAt(int triangle, const Nearest& nearest, Vec3f centre) const {
  Spot spot;
  const Vec3f away = centre - nearest.point;
  const Vec3f upright = pseudoNormal(triangle, nearest.region);
  spot.distance2 = dot(away, away);
  spot.part = partOf(triangle, nearest.region);
  spot.touch.triangle = triangle;
  spot.touch.feature = smooth_[triangle];
  spot.touch.weights = nearest.weights;
  const float side = dot(away, upright), distance = std::sqrt(spot.distance2);
  const float rounding = kOnSurface * (std::abs(centre.x) + std::abs(centre.y) + std::abs(centre.z));
  const int other = nearest.region > 3 ? across_[triangle][nearest.region - 4] : -1;
  const bool flat = nearest.region == 0 || (other >= 0 && dot(normals_[triangle], normals_[other]) > kFlat);
  if (flat || distance <= rounding) {
    spot.touch.normal = upright, spot.touch.gap = side;
  } else {
    const float sign = side < 0 ? -1.0f : 1.0f;
    spot.touch.normal = away * (sign / distance), spot.touch.gap = sign * distance;
  }
  if (kind_ == Kind::open ? spot.touch.gap < 0 : turned_)
    spot.touch.normal = -spot.touch.normal, spot.touch.gap = -spot.touch.gap;
  return spot;
}

// Whether the way of a sphere leads through a triangle that itself goes to its place at the end of the step.
bool TriangleSurface::crossing(int leaf, Vec3f centre, Vec3f motion, float reach, Spot& spot) const {
  const Corners& at = corners_[leaf];
  const int triangle = order_[leaf];
  const Corners still{};
  const Corners& shift = moving_ ? corner_shifts_[leaf] : still;
  Vec3f normal = normals_[triangle];
  Vec3f end_normal =
      moving_ ? unit(cross(at.b + shift.b - at.a - shift.a, at.c + shift.c - at.a - shift.a)) : normal;
  float start = dot(centre - at.a, normal), end = dot(centre + motion - at.a - shift.a, end_normal);
  if (kind_ == Kind::open ? start < 0 : turned_) {
    normal = -normal, end_normal = -end_normal;
    start = -start, end = -end;
  }
  if (start < 0 || end >= start || end >= reach) return false;
  // the centre over the triangle when the sphere touches its plane, or when the centre is in it
  for (const float height : {std::min(start, reach), 0.0f}) {
    if (end > height) continue;
    const float t = (start - height) / (start - end);
    const Corners then{at.a + shift.a * t, at.b + shift.b * t, at.c + shift.c * t};
    const Nearest below = nearestOn(then, centre + motion * t);
    const Vec3f beside = centre + motion * t - below.point;
    const float room = kSeam * reach;  // so that no way leads between two triangles
    if (below.region != 0 && dot(beside, beside) > height * height + room * room) continue;
    spot.distance2 = start * start;
    spot.part = partOf(triangle, 0);
    spot.touch = {normal, start, smooth_[triangle], triangle, below.weights};
    return true;
  }
  return false;
}

NearTriangle TriangleSurface::nearTriangle(int leaf) const {
  const Corners& at = corners_[leaf];
  NearTriangle near{};
  near.index = order_[leaf];
  near.corner[0] = at.a, near.corner[1] = at.b, near.corner[2] = at.c;
  const Vec3f normal = normals_[near.index];
  near.normal = turned_ ? -normal : normal;
  near.both_sides = kind_ == Kind::open;
  for (int k = 0; k < 3; ++k) {
    const int other = across_[near.index][k];
    near.ridge[k] = other < 0;
    if (other < 0 || dot(normal, normals_[other]) > kFlat) continue;
    const int a = triangles_[near.index][k], b = triangles_[near.index][(k + 1) % 3];
    for (const int p : triangles_[other])
      if (p != a && p != b)
        near.ridge[k] = near.both_sides || dot(near.normal, points_[p] - near.corner[k]) < 0;
  }
  return near;
}

// The nearest spots, each part of the surface once.
struct TriangleSurface::Spots {
  Spot spot[kMostSpots];
  int count = 0;

  void insert(const Spot& fresh) {
    for (int k = 0; k < count; ++k)
      if (spot[k].part == fresh.part) return;
    const auto before = [](const Spot& a, const Spot& b) {
      return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.part < b.part);
    };
    int at = count;
    while (at > 0 && before(fresh, spot[at - 1])) --at;
    if (at == kMostSpots) return;
    const int last = std::min(count, kMostSpots - 1);
    for (int k = last; k > at; --k) spot[k] = spot[k - 1];
    spot[at] = fresh;
    count = last + 1;
  }
};

int TriangleSurface::touch(Vec3f centre, Vec3f motion, float reach, TriangleTouch* touches) const {
  const float reach2 = reach * reach;
  const bool fast = moving_ || dot(motion, motion) > 0.25f * reach2;
  Bounds way;
  if (fast) {
    way.add(centre), way.add(centre + motion);
    const Vec3f room{reach, reach, reach};
    way.lo = way.lo - room, way.hi = way.hi + room;
  }
  Spots spots;
  int stack[kStack], depth = 0;
  stack[depth++] = 0;
  while (depth) {
    const int index = stack[--depth];
    const Node& node = nodes_[index];
    if (fast ? !overlap(node.box, way) : distance2(node.box, centre) >= reach2) continue;
    if (node.right >= 0) {
      stack[depth++] = node.right, stack[depth++] = index + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      const Nearest nearest = nearestOn(corners_[k], centre);
      const Vec3f away = centre - nearest.point;
      Spot spot;
      if (dot(away, away) < reach2) {
        if (!isMinimum(order_[k], nearest.region, away)) continue;
        spot = spotAt(order_[k], nearest, centre);
        // Beside a sheet there is no behind.
        if (kind_ != Kind::sheet || spot.touch.gap >= 0 || !onRim(order_[k], nearest.region))
          spots.insert(spot);
      } else if (fast && crossing(k, centre, motion, reach, spot)) {
        spots.insert(spot);
      }
    }
  }
  return takeTouches(spots, touches);
}

int TriangleSurface::takeTouches(const Spots& spots, TriangleTouch* touches) const {
  int taken = 0;
  for (int k = 0; k < spots.count && taken < kMostTouches; ++k) {
    const TriangleTouch& touch = spots.spot[k].touch;
    // Behind the surface only the nearest way out counts; in front of it, only what faces the centre.
    if (touch.gap < 0 && k > 0) continue;
    bool fresh = true;
    int before = 0;  // of the same smooth part
    for (int j = 0; j < taken; ++j) {
      fresh = fresh && dot(touches[j].normal, touch.normal) < kOneWay;
      before += smooth_[touches[j].triangle] == smooth_[touch.triangle];
    }
    if (!fresh) continue;
    touches[taken] = touch;
    touches[taken++].feature += before * smooth_parts_;
    if (k == 0 && touch.gap < 0) break;
  }
  return taken;
}

TriangleTouch TriangleSurface::nearest(Vec3f centre) const {
  float best2 = std::numeric_limits<float>::max();
  int best = -1;
  Nearest place{};
  int stack[kStack], depth = 0;
  stack[depth++] = 0;
  while (depth) {
    const int index = stack[--depth];
    const Node& node = nodes_[index];
    if (distance2(node.box, centre) > best2) continue;
    if (node.right >= 0) {
      const bool left_first =
          distance2(nodes_[index + 1].box, centre) <= distance2(nodes_[node.right].box, centre);
      stack[depth++] = left_first ? node.right : index + 1;
      stack[depth++] = left_first ? index + 1 : node.right;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      const Nearest found = nearestOn(corners_[k], centre);
      const Vec3f away = centre - found.point;
      const float d2 = dot(away, away);
      if (d2 < best2 || (d2 == best2 && order_[k] < best)) best2 = d2, best = order_[k], place = found;
    }
  }
  return spotAt(best, place, centre).touch;
}

}  // namespace repose
