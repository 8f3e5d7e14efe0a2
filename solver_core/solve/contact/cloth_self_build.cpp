// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What cloth is at rest: its edges, its seams, and which of it is the skin of something solid.
#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "solve/contact/cloth_self.h"

namespace repose {

namespace {

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
  cloth_.resize(body_of_cloth_.size());
  for (std::size_t c = 0; c < cloth_.size(); ++c)
    cloth_[c].z = scene.bodies[body_of_cloth_[c]].kind == BodyKind::soft && count[c] > 0
                      ? static_cast<float>(kEdges * sum[c] / count[c])
                      : 0.0f;
  for (std::size_t c = 0; c < cloth_.size(); ++c)
    solid_meets_ = solid_meets_ || (meets_[c] && cloth_[c].z > 0);
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

}  // namespace repose
