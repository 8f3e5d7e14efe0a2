// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tetra/embed.h"

#include <algorithm>
#include <limits>

#include "base/box_tree.h"
#include "base/triangle.h"
#include "tetra/tet_surface.h"

namespace repose {

namespace {

constexpr double kNothing = 1e-6;  // weights below are 0: the place is a corner, on an edge or on a face
// Squared distances within this share are the same corner or edge, seen from several tetrahedra.
constexpr float kSame = 1e-3f;

struct Weights {
  double w[4];
  double least() const { return std::min({w[0], w[1], w[2], w[3]}); }
};

class Embedder {
 public:
  explicit Embedder(const TetMesh& mesh) : mesh_(mesh), tree_(boxes(mesh)) {}

  Embedded at(Vec3f p) const {
    const int first =
        tree_.nearest(p, std::numeric_limits<float>::max(), [&](int t) { return distance2(t, p); });
    int best = first;
    Weights weights = weightsIn(first, p);
    if (weights.least() < -kNothing) {
      // of all that are as near, the one in which it is least far outside: others would exaggerate
      float limit2 = distance2(first, p) * (1 + kSame);
      tree_.within(p, limit2, [&](int t) {
        if (distance2(t, p) > limit2) return;
        const Weights other = weightsIn(t, p);
        const double more = other.least() - weights.least();
        if (more > 0 || (more == 0 && t < best)) best = t, weights = other;
      });
    }
    return rounded(best, weights);
  }

 private:
  static std::vector<Bounds> boxes(const TetMesh& mesh) {
    std::vector<Bounds> all(mesh.tets.size());
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      for (const int p : mesh.tets[t]) all[t].add(mesh.geometry.points[p]);
    return all;
  }

  Weights weightsIn(int t, Vec3f at) const {
    const std::vector<Vec3f>& x = mesh_.geometry.points;
    const TetCorners& tet = mesh_.tets[t];
    const Vec3d o = toDouble(x[tet[0]]), p = toDouble(at) - o;
    const Vec3d e[3] = {toDouble(x[tet[1]]) - o, toDouble(x[tet[2]]) - o, toDouble(x[tet[3]]) - o};
    const double six = dot(e[0], cross(e[1], e[2]));
    Weights r{};
    for (int k = 0; k < 3; ++k) r.w[k + 1] = dot(p, cross(e[(k + 1) % 3], e[(k + 2) % 3])) / six;
    r.w[0] = 1 - (r.w[1] + r.w[2] + r.w[3]);
    return r;
  }

  float distance2(int t, Vec3f p) const {
    if (weightsIn(t, p).least() >= -kNothing) return 0;
    float least = std::numeric_limits<float>::max();
    for (const auto& face : kTetFaces) {
      Vec3f corner[3];
      for (int k = 0; k < 3; ++k) corner[k] = mesh_.geometry.points[mesh_.tets[t][face[k]]] - p;
      const Vec3f away =
          mix(nearestOnTriangle({}, corner[0], corner[1], corner[2]), corner[0], corner[1], corner[2]);
      least = std::min(least, dot(away, away));
    }
    return least;
  }

  static Embedded rounded(int tet, const Weights& weights) {
    Embedded at{tet, {}};
    double sum = 0;
    int largest = 0;
    for (int k = 0; k < 4; ++k) {
      const double w = std::abs(weights.w[k]) < kNothing ? 0 : weights.w[k];
      at.weight[k] = static_cast<float>(w);
      sum += at.weight[k];
      if (weights.w[k] > weights.w[largest]) largest = k;
    }
    at.weight[largest] += static_cast<float>(1 - sum);
    return at;
  }

  const TetMesh& mesh_;
  BoxTree tree_;
};

}  // namespace

std::vector<Embedded> embed(const TetMesh& mesh, const std::vector<Vec3f>& points) {
  std::vector<Embedded> all;
  if (mesh.tets.empty()) return all;
  const Embedder embedder(mesh);
  all.reserve(points.size());
  for (const Vec3f p : points) all.push_back(embedder.at(p));
  return all;
}

float outsideOf(const Embedded& at) {
  return std::max(-std::min({at.weight[0], at.weight[1], at.weight[2], at.weight[3]}), 0.0f);
}

}  // namespace repose
