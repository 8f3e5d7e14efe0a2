// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/cloth_self.h"
#include "base/vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>

namespace repose {

namespace {

constexpr float kLeastDistance = 5e-4f;  // [m] that cloth without thickness keeps
constexpr float kRestShare =
    0.5f;                        // of the distance at rest that parts of one cloth may come near each other
constexpr float kOneWay = 0.8f;  // cosine above which two contacts of a point are one
constexpr int kMostTouches = 6;  // of a point
constexpr std::uint64_t kPointSurface = std::uint64_t{1} << 62, kEdgeSurface = std::uint64_t{1} << 63;

// Whether two parts stay further apart than reach along an axis: told before anything is measured.
template <int first>
bool apart(const Vec3f x[4], const Vec3f way[4], float reach) {
  for (int k = 0; k < 3; ++k) {
    float lo[2], hi[2], way_lo[2], way_hi[2];
    for (int side = 0; side < 2; ++side) {
      const int begin = side ? first : 0, end = side ? 4 : first;
      lo[side] = hi[side] = x[begin][k], way_lo[side] = way_hi[side] = way[begin][k];
      for (int p = begin + 1; p < end; ++p) {
        lo[side] = std::min(lo[side], x[p][k]), hi[side] = std::max(hi[side], x[p][k]);
        way_lo[side] = std::min(way_lo[side], way[p][k]), way_hi[side] = std::max(way_hi[side], way[p][k]);
      }
    }
    if (lo[0] - hi[1] + std::min(way_lo[0] - way_hi[1], 0.0f) > reach) return true;
    if (lo[1] - hi[0] + std::min(way_lo[1] - way_hi[0], 0.0f) > reach) return true;
  }
  return false;
}
bool apart(Parts parts, const Vec3f x[4], const Vec3f way[4], float reach) {
  return parts == Parts::point_triangle ? apart<1>(x, way, reach) : apart<2>(x, way, reach);
}

// Points that were split, and their copies.
template <class Visit>
void eachTornPoint(const Body& body, const ModelBody& shape, const Model& model, const Visit& visit) {
  if (body.copied.empty()) return;
  const int whole = static_cast<int>(body.geometry.points.size() - body.copied.size());
  std::vector<char> split(body.geometry.points.size(), 0);
  for (const int p : body.copied) split[p] = 1;
  std::fill(split.begin() + whole, split.end(), 1);
  for (int p = shape.points.first; p < shape.points.first + shape.points.count; ++p)
    if (split[model.source[p]]) visit(p);
}

}  // namespace

ClothSelf::ClothSelf(const Scene& scene, const Model& model) {
  const int count = model.numPoints();
  rest_.resize(count), cloth_of_point_.assign(count, -1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const Range points = model.bodies[b].points, triangles = model.bodies[b].triangles;
    if (triangles.count == 0) continue;
    std::vector<std::array<int, 3>> corners;
    for (int t = triangles.first; t < triangles.first + triangles.count; ++t)
      corners.push_back({model.air.corner[t], model.air.corner[model.air.size() + t],
                         model.air.corner[2 * model.air.size() + t]});
    const std::vector<Vec3f>& rest = body.rest_points.empty() ? body.simulated().points : body.rest_points;
    for (int p = points.first; p < points.first + points.count; ++p) {
      rest_[p] = rest[model.source[p]];
      cloth_of_point_[p] = static_cast<int>(body_of_cloth_.size());
    }
    const bool meets =
        body.kind == BodyKind::soft ? body.soft.base.selfcollision : body.cloth.base.selfcollision;
    any_ = any_ || meets;
    body_of_cloth_.push_back(static_cast<int>(b));
    meets_.push_back(meets);
    tree_.add(corners, rest_);
  }
  if (!any_) return;
  numberEdges();
  measureSeams(scene, model);
  measureSolids(scene);
  inv_mass_ = model.inv_mass;
  shortest_ = std::numeric_limits<float>::infinity();
  for (const std::array<int, 2>& edge : edges_)
    shortest_ = std::min(shortest_, length(rest_[edge[0]] - rest_[edge[1]]));
  x_.resize(count), way_.resize(count), share_.resize(count);
  changed_.resize(count), tangled_.assign(count, 0);
}

// Each point and each side belongs to one triangle, which stands for it in pairs of triangles.
void ClothSelf::numberEdges() {
  struct Side {
    int low, high, triangle, corner;
  };
  std::vector<Side> sides;
  owns_.assign(tree_.size(), 0), edge_of_.resize(tree_.size());
  std::vector<char> owned(rest_.size(), 0);
  for (int t = 0; t < tree_.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = tree_.triangle(t)[k], b = tree_.triangle(t)[(k + 1) % 3];
      if (!owned[a]) owned[a] = 1, owns_[t] |= 1 << k;
      sides.push_back({std::min(a, b), std::max(a, b), t, k});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  for (const Side& side : sides) {
    if (edges_.empty() || edges_.back() != std::array<int, 2>{side.low, side.high}) {
      edges_.push_back({side.low, side.high}), faces_.push_back({side.triangle, -1});
      owns_[side.triangle] |= 8 << side.corner;
    } else {
      faces_.back()[1] = side.triangle;
    }
    edge_of_[side.triangle][side.corner] = static_cast<int>(edges_.size()) - 1;
  }
}

void ClothSelf::measureSolids(const Scene& scene) {
  constexpr double kEdges = 2.5;
  std::vector<double> sum(body_of_cloth_.size(), 0.0), count(body_of_cloth_.size(), 0.0);
  for (const std::array<int, 2>& edge : edges_) {
    const int cloth = cloth_of_point_[edge[0]];
    sum[cloth] += length(rest_[edge[0]] - rest_[edge[1]]), ++count[cloth];
  }
  solid_.resize(body_of_cloth_.size());
  for (std::size_t c = 0; c < solid_.size(); ++c)
    solid_[c] = scene.bodies[body_of_cloth_[c]].kind == BodyKind::soft && count[c] > 0
                    ? static_cast<float>(kEdges * sum[c] / count[c])
                    : 0.0f;
  for (std::size_t c = 0; c < solid_.size(); ++c) solid_meets_ = solid_meets_ || (meets_[c] && solid_[c] > 0);
}

bool ClothSelf::sameSolid(const int point[4]) const {
  const int cloth = cloth_of_point_[point[0]];
  return solid_[cloth] > 0 && cloth == cloth_of_point_[point[3]];
}

// Cloth that is sewn together, or was one before it tore, lies upon itself at the seam: near it less distance
// is kept.
void ClothSelf::measureSeams(const Scene& scene, const Model& model) {
  seam_.assign(rest_.size(), std::numeric_limits<float>::infinity());
  using Stop = std::pair<float, int>;
  std::priority_queue<Stop, std::vector<Stop>, std::greater<>> open;
  const Range stitches = model.stitches;
  for (int i = stitches.first; i < stitches.first + stitches.count; ++i)
    for (const int p : {model.distance.a[i], model.distance.b[i]})
      if (seam_[p] > 0) seam_[p] = 0, open.push({0, p});
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    eachTornPoint(scene.bodies[b], model.bodies[b], model, [&](int p) { seam_[p] = 0, open.push({0, p}); });
  while (!open.empty()) {
    const auto [way, p] = open.top();
    open.pop();
    if (way > seam_[p] || cloth_of_point_[p] < 0) continue;
    for (const int* t = tree_.ringBegin(p); t != tree_.ringEnd(p); ++t)
      for (const int q : tree_.triangle(*t))
        if (const float far = way + length(rest_[q] - rest_[p]); far < seam_[q])
          seam_[q] = far, open.push({far, q});
  }
}

// All pairs of a point and a triangle, and of two edges, that two triangles stand for.
template <class Visit>
void ClothSelf::forParts(int s, int t, bool all_edges, const Visit& visit) const {
  const auto points = [&](int from, int to) {
    const std::array<int, 3>& c = tree_.triangle(to);
    for (int k = 0; k < 3; ++k) {
      if (!(owns_[from] >> k & 1)) continue;
      const int p = tree_.triangle(from)[k];
      if (p == c[0] || p == c[1] || p == c[2]) continue;
      const int point[4] = {p, c[0], c[1], c[2]};
      visit(Parts::point_triangle, point, kPointSurface | static_cast<std::uint64_t>(to) << 1);
    }
  };
  points(s, t), points(t, s);
  for (int i = 0; i < 3; ++i) {
    if (!(owns_[s] >> (3 + i) & 1)) continue;
    for (int j = 0; j < 3; ++j) {
      if (!(owns_[t] >> (3 + j) & 1)) continue;
      int first = edge_of_[s][i], second = edge_of_[t][j];
      if (!all_edges && !(bent_[first] && bent_[second])) continue;
      if (first > second) std::swap(first, second);
      const std::array<int, 2>&a = edges_[first], &b = edges_[second];
      if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) continue;
      const int point[4] = {a[0], a[1], b[0], b[1]};
      visit(Parts::edge_edge, point,
            kEdgeSurface | static_cast<std::uint64_t>(first) << 31 | static_cast<std::uint64_t>(second));
    }
  }
}

// Edges of the rim and of folds: those within flat pieces push no more than their points do.
void ClothSelf::findFolds(Backend& backend) {
  constexpr float kFlat = 0.97f;  // cosine between the two faces
  constexpr int kChunk = 1024;
  const int count = static_cast<int>(edges_.size());
  bent_.resize(count);
  const auto normal = [&](int t) {
    const std::array<int, 3>& c = tree_.triangle(t);
    return cross(x_[c[1]] - x_[c[0]], x_[c[2]] - x_[c[0]]);
  };
  backend.forChunks((count + kChunk - 1) / kChunk, [&](int chunk) {
    for (int e = chunk * kChunk; e < std::min(count, (chunk + 1) * kChunk); ++e) {
      bent_[e] = faces_[e][1] < 0;
      if (bent_[e]) continue;
      const Vec3f a = normal(faces_[e][0]), b = normal(faces_[e][1]);
      const float along = dot(a, b);
      bent_[e] = along <= 0 || along * along < kFlat * kFlat * dot(a, a) * dot(b, b);
    }
  });
}

// Sewn together, all held by pins, or near each other on a soft body: they may do as they like. Solid matter
// keeps its surface from folding onto itself; where it was crushed inside out, contacts would keep it so.
bool ClothSelf::related(const int point[4], Parts parts) const {
  const bool held = inv_mass_[point[0]] == 0 && inv_mass_[point[1]] == 0 && inv_mass_[point[2]] == 0 &&
                    inv_mass_[point[3]] == 0;
  const float last = std::min(seam_[point[2]], seam_[point[3]]);
  const float apart = parts == Parts::point_triangle ? seam_[point[0]] + std::min(seam_[point[1]], last)
                                                     : std::min(seam_[point[0]], seam_[point[1]]) + last;
  if (held || apart == 0) return true;
  if (!sameSolid(point)) return false;
  const float near = solid_[cloth_of_point_[point[0]]];
  const Vec3f rest[4] = {rest_[point[0]], rest_[point[1]], rest_[point[2]], rest_[point[3]]};
  return nearness(parts, rest).distance < near;
}

float ClothSelf::contactDistance(Parts parts, const int point[4], const StepParams& params) const {
  const int a = body_of_cloth_[cloth_of_point_[point[0]]], b = body_of_cloth_[cloth_of_point_[point[3]]];
  float distance = std::max(params.cloth[a].thickness + params.cloth[b].thickness, kLeastDistance);
  const float last = std::min(seam_[point[2]], seam_[point[3]]);
  distance = std::min(distance, kRestShare * (parts == Parts::point_triangle
                                                  ? seam_[point[0]] + std::min(seam_[point[1]], last)
                                                  : std::min(seam_[point[0]], seam_[point[1]]) + last));
  if (a != b) return distance;
  const Vec3f rest[4] = {rest_[point[0]], rest_[point[1]], rest_[point[2]], rest_[point[3]]};
  return std::min(distance, kRestShare * params.cloth[a].restscale * nearness(parts, rest).distance);
}

// No other triangle around the nearest place of a point is nearer.
bool ClothSelf::nearestOfAll(const Nearness& near, const int point[4], float share) const {
  int corner = 1;
  for (int k = 2; k < 4; ++k)
    if (near.weight[k] < near.weight[corner]) corner = k;
  const auto at = [&](int p) { return x_[p] + way_[p] * share; };
  for (const int* t = tree_.ringBegin(point[corner]); t != tree_.ringEnd(point[corner]); ++t) {
    const std::array<int, 3>& c = tree_.triangle(*t);
    if (c[0] == point[0] || c[1] == point[0] || c[2] == point[0]) continue;
    const Vec3f places[4] = {at(point[0]), at(c[0]), at(c[1]), at(c[2])};
    if (nearness(Parts::point_triangle, places).distance < (1 - 1e-4f) * near.distance) return false;
  }
  return true;
}

void ClothSelf::findTouch(Parts parts, const int point[4], std::uint64_t surface, const StepParams& params,
                          Found& found) const {
  const Vec3f x[4] = {x_[point[0]], x_[point[1]], x_[point[2]], x_[point[3]]};
  const Vec3f way[4] = {way_[point[0]], way_[point[1]], way_[point[2]], way_[point[3]]};
  if (apart(parts, x, way, reach_) || related(point, parts)) return;
  const float bound = approachBound(parts, way);
  Nearness near = nearness(parts, x);
  if (near.distance > reach_ + bound) return;
  const float distance = contactDistance(parts, point, params);
  const float soon = distance + margin_;
  if (near.distance > soon + bound) return;
  float share = 0;
  if (near.distance > distance) {
    Nearness then;
    share = shareUntil(parts, x, way, distance, then);
    if (share <= 1)
      near = then;
    else if (near.distance > soon)
      return;
    else
      share = 0;
  }
  if (!near.inside && (parts == Parts::edge_edge || !nearestOfAll(near, point, share))) return;
  Touch touch;
  Vec3f apart;
  for (int k = 0; k < 4; ++k) {
    touch.point[k] = point[k], touch.weight[k] = near.weight[k];
    apart += (x[k] - x[0]) * near.weight[k];
  }
  bool tangled = false;
  for (int k = 0; k < 4; ++k) tangled = tangled || tangled_[point[k]];
  if (tangled) {
    // the higher layer belongs in front of the lower one
    const int a = body_of_cloth_[cloth_of_point_[point[0]]], b = body_of_cloth_[cloth_of_point_[point[3]]];
    const int above = params.cloth[a].layer - params.cloth[b].layer;
    if (above == 0 || parts == Parts::edge_edge) return;
    const Vec3f upright = cross(x[2] - x[1], x[3] - x[1]);
    if ((dot(upright, near.normal) > 0) != (above > 0)) near.normal = -near.normal;
  }
  touch.normal = near.normal;
  touch.gap = dot(near.normal, apart) - distance;
  touch.body = body_of_cloth_[cloth_of_point_[point[0]]];
  touch.other = body_of_cloth_[cloth_of_point_[point[3]]];
  touch.surface = surface;
  (parts == Parts::point_triangle ? found.points : found.edges).push_back(touch);
}

const std::vector<ClothSelf::Touch>& ClothSelf::find(const Vec4f* x, const Vec4f* v, const StepParams& params,
                                                     Backend& backend) {
  const float h = params.h;
  for (std::size_t p = 0; p < x_.size(); ++p) x_[p] = xyz(x[p]), way_[p] = xyz(v[p]) * h;
  float thickest = 0.5f * kLeastDistance;
  for (std::size_t c = 0; c < body_of_cloth_.size(); ++c)
    if (meets_[c]) thickest = std::max(thickest, params.cloth[body_of_cloth_[c]].thickness);
  // cloth is pulled on harder than by gravity alone
  constexpr float kFalls = 4;
  margin_ = 2 * thickest * params.solver.contactmargin + kFalls * h * h * params.fall();
  reach_ = 2 * thickest + margin_;
  tree_.place(x_.data(), way_.data(), backend);
  tree_.findPairs(reach_, meets_, backend);
  if (tree_.tasks() > 0) findFolds(backend);
  if (look_for_tangles_) findTangles();
  if (static_cast<int>(found_.size()) < tree_.tasks()) found_.resize(tree_.tasks());
  backend.forChunks(tree_.tasks(), [&](int task) {
    Found& found = found_[task];
    found.points.clear(), found.edges.clear();
    for (const auto [s, t] : tree_.pairs(task))
      forParts(s, t, false, [&](Parts parts, const int point[4], std::uint64_t surface) {
        findTouch(parts, point, surface, params, found);
      });
  });
  choosePoints();
  chooseEdges();
  Touch touch;
  for (const std::array<int, 2>& crossing : crossings_)
    if (untangle(crossing, params, touch)) touches_.push_back(touch);
  return touches_;
}

// The nearest contacts of each point, one a direction.
void ClothSelf::choosePoints() {
  touches_.clear(), point_touches_.clear();
  for (int task = 0; task < tree_.tasks(); ++task)
    touches_.insert(touches_.end(), found_[task].points.begin(), found_[task].points.end());
  std::sort(touches_.begin(), touches_.end(), [](const Touch& a, const Touch& b) {
    return std::tie(a.point[0], a.gap, a.surface) < std::tie(b.point[0], b.gap, b.surface);
  });
  first_touch_.assign(x_.size() + 1, 0);
  for (std::size_t k = 0; k < touches_.size();) {
    const int point = touches_[k].point[0];
    const std::size_t first = point_touches_.size();
    for (; k < touches_.size() && touches_[k].point[0] == point; ++k) {
      bool fresh = point_touches_.size() < first + kMostTouches;
      for (std::size_t other = first; other < point_touches_.size(); ++other)
        fresh = fresh && dot(point_touches_[other].normal, touches_[k].normal) < kOneWay;
      if (fresh) point_touches_.push_back(touches_[k]);
    }
    first_touch_[point + 1] = static_cast<int>(point_touches_.size() - first);
  }
  for (std::size_t p = 0; p < x_.size(); ++p) first_touch_[p + 1] += first_touch_[p];
}

// Of edges only those that are nearer than all that their ends touch that way: where two flat pieces lie on
// each other the points are enough.
void ClothSelf::chooseEdges() {
  touches_ = point_touches_;
  const std::size_t first = touches_.size();
  for (int task = 0; task < tree_.tasks(); ++task)
    for (const Touch& edge : found_[task].edges) {
      bool needed = true;
      for (int k = 0; k < 4 && needed; ++k)
        for (int t = first_touch_[edge.point[k]]; t < first_touch_[edge.point[k] + 1] && needed; ++t) {
          const Touch& point = point_touches_[t];
          needed = std::abs(dot(point.normal, edge.normal)) < kOneWay ||
                   edge.gap < point.gap - 0.1f * std::abs(point.gap) - 1e-4f;
        }
      if (needed) touches_.push_back(edge);
    }
  std::sort(touches_.begin() + first, touches_.end(), [](const Touch& a, const Touch& b) {
    return std::tie(a.point[0], a.surface) < std::tie(b.point[0], b.surface);
  });
}

// Points of all that goes through something now: their sides are not known.
void ClothSelf::findTangles() {
  std::fill(tangled_.begin(), tangled_.end(), 0);
  crossings_.clear();
  for (int task = 0; task < tree_.tasks(); ++task)
    for (const auto [s, t] : tree_.pairs(task)) {
      if (!tree_.mayMeet(s, t, 0)) continue;
      for (int k = 0; k < 6; ++k) {
        const int from = k < 3 ? s : t, to = k < 3 ? t : s;
        if (!(owns_[from] >> (3 + k % 3) & 1)) continue;
        const int edge = edge_of_[from][k % 3];
        if (!crosses(edges_[edge], tree_.triangle(to))) continue;
        crossings_.push_back({edge, to});
        for (const int p : edges_[edge]) tangled_[p] = 1;
        for (const int p : tree_.triangle(to)) tangled_[p] = 1;
      }
    }
  std::sort(crossings_.begin(), crossings_.end());
  look_for_tangles_ = !crossings_.empty() || solid_meets_;
}

bool ClothSelf::crosses(const std::array<int, 2>& edge, const std::array<int, 3>& c) const {
  for (const int p : edge) {
    if (p == c[0] || p == c[1] || p == c[2]) return false;
    const int point[4] = {p, c[0], c[1], c[2]};
    if (related(point, Parts::point_triangle)) return false;
  }
  const Vec3f x[5] = {x_[edge[0]], x_[edge[1]], x_[c[0]], x_[c[1]], x_[c[2]]};
  return edgeCrosses(x);
}

// Pushes an edge and the triangle that it goes through to where their line of intersection gets shorter
// (Volino and Magnenat-Thalmann 2006): it needs no memory of sides, and parts cloth that is tangled at its
// rim. Of the triangle only two corners take part.
bool ClothSelf::untangle(const std::array<int, 2>& crossing, const StepParams& params, Touch& touch) const {
  const std::array<int, 2>& edge = edges_[crossing[0]];
  const std::array<int, 3>& c = tree_.triangle(crossing[1]);
  const auto unit = [](Vec3f a) {
    const float size = length(a);
    return size > 0 ? a * (1 / size) : Vec3f{};
  };
  touch.body = body_of_cloth_[cloth_of_point_[edge[0]]], touch.other = body_of_cloth_[cloth_of_point_[c[0]]];
  if (params.cloth[touch.body].layer != params.cloth[touch.other].layer) return false;
  const Vec3f upright = unit(cross(x_[c[1]] - x_[c[0]], x_[c[2]] - x_[c[0]]));
  const Vec3f span = x_[edge[1]] - x_[edge[0]], along = unit(span);
  constexpr float kLeastSlope = 0.1f;
  float slope = dot(along, upright);
  if (std::abs(slope) < kLeastSlope) slope = slope < 0 ? -kLeastSlope : kLeastSlope;
  Vec3f way;
  for (const int* t = tree_.ringBegin(edge[0]); t != tree_.ringEnd(edge[0]); ++t) {
    const std::array<int, 3>& face = tree_.triangle(*t);
    int other = -1, ends = 0;
    for (const int p : face) {
      if (p == edge[0] || p == edge[1])
        ++ends;
      else
        other = p;
    }
    if (ends < 2) continue;
    const Vec3f out = x_[other] - x_[edge[0]];
    Vec3f line = unit(cross(upright, cross(span, out)));
    if (dot(line, out - along * dot(along, out)) < 0) line = -line;
    way += line - upright * (2 * dot(along, line) / slope);
  }
  constexpr float kStraight = 0.05f;
  const float size = length(way);
  if (size < kStraight) return false;
  // where the edge goes through, of the nearest two corners
  const float height = dot(x_[edge[0]] - x_[c[0]], upright), drop = dot(span, upright);
  const float s = std::min(std::max(-height / drop, 0.0f), 1.0f);
  const int point[4] = {edge[0], c[0], c[1], c[2]};
  const Vec3f through[4] = {x_[edge[0]] + span * s, x_[c[0]], x_[c[1]], x_[c[2]]};
  const Nearness near = nearness(Parts::point_triangle, through);
  int least = 1;
  for (int k = 2; k < 4; ++k)
    if (near.weight[k] > near.weight[least]) least = k;
  touch.point[0] = edge[0], touch.point[1] = edge[1];
  touch.weight[0] = 1 - s, touch.weight[1] = s;
  for (int k = 1, slot = 2; k < 4; ++k) {
    if (k == least) continue;
    touch.point[slot] = point[k], touch.weight[slot] = near.weight[k] / (1 + near.weight[least]);
    ++slot;
  }
  touch.normal = way * (1 / size);
  const float thickness = params.cloth[touch.body].thickness + params.cloth[touch.other].thickness;
  touch.gap = -std::min(size, 1.0f) * std::max(thickness, kLeastDistance);
  touch.surface = kPointSurface | kEdgeSurface | static_cast<std::uint64_t>(crossing[0]) << 31 |
                  static_cast<std::uint64_t>(crossing[1]);
  return true;
}

// Pairs that would meet on the ways as they are now. Only what changed is looked at again. A solid is not
// held back from itself, which would tear at it: its surface that went through itself is told by its
// crossings.
bool ClothSelf::findHits(bool first, Backend& backend) {
  constexpr float kRounding = 1e-5f;  // [m]
  tree_.place(x_.data(), way_.data(), backend);
  tree_.findPairs(kRounding, meets_, backend);
  if (static_cast<int>(found_.size()) < tree_.tasks()) found_.resize(tree_.tasks());
  backend.forChunks(tree_.tasks(), [&](int task) {
    std::vector<Hit>& hits = found_[task].hits;
    hits.clear();
    for (const auto [s, t] : tree_.pairs(task)) {
      bool changed = first;
      for (int k = 0; k < 3; ++k)
        changed = changed || changed_[tree_.triangle(s)[k]] || changed_[tree_.triangle(t)[k]];
      if (!changed) continue;
      forParts(s, t, true, [&](Parts parts, const int point[4], std::uint64_t) {
        const Vec3f x[4] = {x_[point[0]], x_[point[1]], x_[point[2]], x_[point[3]]};
        const Vec3f way[4] = {way_[point[0]], way_[point[1]], way_[point[2]], way_[point[3]]};
        if (apart(parts, x, way, kRounding) || sameSolid(point) || related(point, parts)) return;
        for (int k = 0; k < 4; ++k)
          if (tangled_[point[k]]) return;
        const float share = safeShare(parts, x, way);
        if (share < 1) hits.push_back({parts, {point[0], point[1], point[2], point[3]}, share});
      });
    }
  });
  std::fill(changed_.begin(), changed_.end(), 0);
  bool any = false;
  for (int task = 0; task < tree_.tasks(); ++task) any = any || !found_[task].hits.empty();
  return any;
}

// Points that hit each other, at once or by way of others, are stopped in how they move among themselves.
// What they do together goes on: left where it was, a point of a body that flies would be torn out of it.
int ClothSelf::clusterOf(int point) {
  while (cluster_[point] != point) point = cluster_[point] = cluster_[cluster_[point]];
  return point;
}

void ClothSelf::joinClusters() {
  for (const Hit& h : hits_)
    for (const int p : h.point) {
      const int a = clusterOf(h.point[0]), b = clusterOf(p);
      cluster_[std::max(a, b)] = std::min(a, b);
    }
  constexpr float kHeld = 1e12f;  // [kg] of pins, which nothing moves
  common_.assign(x_.size(), Vec4f{});
  for (std::size_t p = 0; p < x_.size(); ++p) {
    Vec4f& sum = common_[clusterOf(static_cast<int>(p))];
    const float mass = inv_mass_[p] > 0 ? 1 / inv_mass_[p] : kHeld;
    sum = {sum.x + mass * full_way_[p].x, sum.y + mass * full_way_[p].y, sum.z + mass * full_way_[p].z,
           sum.w + mass};
  }
}

void ClothSelf::guard(State& state, Backend& backend) {
  constexpr int kPasses = 6, kMostPasses = 16;  // then, until all is well, what hits stays where it was
  full_way_.resize(x_.size());
  float off2 = 0;  // how far points are from where find() expected them
  for (std::size_t p = 0; p < x_.size(); ++p) {
    full_way_[p] = xyz(state.x[p]) - x_[p];
    const Vec3f off = full_way_[p] - way_[p];
    off2 = std::max(off2, dot(off, off));
  }
  // nothing was near, and nothing has come or turned much further than that
  constexpr float kTurned = 0.1f;
  const float off = std::sqrt(off2);
  if (tree_.tasks() == 0 && 2 * off < reach_ && off < kTurned * shortest_) return;
  way_ = full_way_;
  bool hit = findHits(true, backend);
  if (!hit) return;
  share_.assign(x_.size(), 1.0f), least_.assign(x_.size(), 1.0f);
  hits_.clear();
  cluster_.resize(x_.size());
  std::iota(cluster_.begin(), cluster_.end(), 0);
  for (int pass = 0; hit; ++pass) {
    if (pass == kMostPasses) {
      look_for_tangles_ = true;
      break;
    }
    for (int task = 0; task < tree_.tasks(); ++task)
      for (const Hit& h : found_[task].hits) {
        hits_.push_back(h);
        for (const int p : h.point)
          if (inv_mass_[p] > 0) least_[p] = std::min(least_[p], pass < kPasses ? h.share : 0.0f);
      }
    joinClusters();
    for (std::size_t p = 0; p < x_.size(); ++p) {
      share_[p] *= least_[p], least_[p] = 1;
      if (share_[p] == 1) continue;
      const Vec4f& sum = common_[clusterOf(static_cast<int>(p))];
      const Vec3f common = xyz(sum) * (1 / sum.w);
      changed_[p] = 1, way_[p] = common + (full_way_[p] - common) * share_[p];
    }
    hit = findHits(false, backend);
  }
  for (std::size_t p = 0; p < x_.size(); ++p) {
    if (share_[p] == 1) continue;
    const Vec3f at = x_[p] + way_[p];
    state.x[p] = {at.x, at.y, at.z, state.x[p].w};
    if (!state.x_low.empty()) state.x_low[p] = {};
  }
  stopHits(state);
}

// Takes away the speed at which those that hit come nearer; keeps the momentum.
void ClothSelf::stopHits(State& state) {
  std::sort(hits_.begin(), hits_.end(), [](const Hit& a, const Hit& b) {
    return std::lexicographical_compare(a.point, a.point + 4, b.point, b.point + 4);
  });
  for (const Hit& h : hits_) {
    Vec3f at[4];
    for (int k = 0; k < 4; ++k) at[k] = x_[h.point[k]] + way_[h.point[k]];
    const Nearness near = nearness(h.parts, at);
    float speed = 0, a = 0;
    for (int k = 0; k < 4; ++k) {
      speed += near.weight[k] * dot(near.normal, xyz(state.v[h.point[k]]));
      a += near.weight[k] * near.weight[k] * inv_mass_[h.point[k]];
    }
    if (!(speed < 0) || !(a > 0)) continue;
    for (int k = 0; k < 4; ++k) {
      Vec4f& v = state.v[h.point[k]];
      const Vec3f push = near.normal * (-speed / a * near.weight[k] * inv_mass_[h.point[k]]);
      v = {v.x + push.x, v.y + push.y, v.z + push.z, v.w};
    }
  }
}

std::size_t ClothSelf::bytes() const {
  std::size_t sum = tree_.bytes() + bytesOf(rest_) + bytesOf(seam_) + bytesOf(edge_of_) + bytesOf(edges_) +
                    bytesOf(owns_) + bytesOf(x_) + bytesOf(way_) + bytesOf(full_way_) + bytesOf(touches_) +
                    bytesOf(point_touches_) + bytesOf(first_touch_) + bytesOf(share_) + bytesOf(hits_) +
                    bytesOf(cloth_of_point_) + bytesOf(changed_) + bytesOf(tangled_) + bytesOf(inv_mass_) +
                    bytesOf(cluster_) + bytesOf(common_);
  for (const Found& found : found_) sum += bytesOf(found.points) + bytesOf(found.edges) + bytesOf(found.hits);
  return sum;
}

}  // namespace repose
