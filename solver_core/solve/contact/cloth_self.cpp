// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/vectors.h"
#include "solve/contact/cloth_self_parts.h"

namespace repose {

namespace {

// of the distance at rest that parts of one cloth may come near each other
constexpr float kRestShare = 0.5f;
constexpr float kOneWay = 0.8f;  // cosine above which two contacts of a point are one
constexpr int kMostTouches = 6;  // of a point

}  // namespace

bool ClothSelf::sameSolid(const int point[4]) const {
  const int cloth = cloth_of_point_[point[0]];
  return solid_[cloth] > 0 && cloth == cloth_of_point_[point[3]];
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
