// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "tetra/lattice_mesh.h"
#include "tetra/quality.h"
#include "tetra/tet_surface.h"

namespace repose {

namespace {

// A cut nearer to a node than this share of its edge pulls the node onto the surface. These are the shares
// for which the paper proves its bounds of the angles.
constexpr double kNearLong = 0.24999, kNearShort = 0.41189;
constexpr double kOnSurface = 1e-6;  // of a cube's side: a node so near is on it
constexpr int kHalvings = 20;        // of an edge, to find where the surface cuts it

using Node = std::int64_t;

class Stuffing {
 public:
  Stuffing(const Lattice& lattice, const DistanceField& field, double level)
      : lattice_(lattice), field_(field), level_(level) {
    const auto count = static_cast<std::size_t>(lattice.nodeCount());
    place_.resize(count), side_.resize(count);
    for (std::size_t n = 0; n < count; ++n) {
      place_[n] = lattice.place(static_cast<Node>(n));
      const double d = distance(place_[n]);
      side_[n] = static_cast<signed char>(std::abs(d) <= kOnSurface * lattice.side() ? 0 : d < 0 ? 1 : -1);
    }
  }

  TetMesh make() {
    findCuts();
    pullNodes();
    point_of_node_.assign(place_.size(), -1);
    lattice_.forTets([&](const std::array<Node, 4>& tet) { fill(tet); });
    addSurface(mesh_);
    return std::move(mesh_);
  }

 private:
  struct Cut {
    Node a, b;  // a < b, one inside and one outside
    Vec3d place;
    bool there = true;  // until one of its ends is pulled
    std::int32_t point = -1;
  };

  static std::uint64_t keyOf(Node a, Node b) {
    return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
  }

  double distance(Vec3d at) const { return field_.at(at) - level_; }

  void findCuts() {
    lattice_.forTets([&](const std::array<Node, 4>& tet) {
      for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
          if (side_[tet[i]] * side_[tet[j]] >= 0) continue;
          const auto [entry, fresh] =
              cut_of_.try_emplace(keyOf(tet[i], tet[j]), static_cast<int>(cuts_.size()));
          if (fresh) addCut(std::min(tet[i], tet[j]), std::max(tet[i], tet[j]));
        }
    });
  }

  void addCut(Node a, Node b) {
    Vec3d in = place_[a], out = place_[b];
    if (side_[a] < 0) std::swap(in, out);
    for (int k = 0; k < kHalvings; ++k) {
      const Vec3d half = (in + out) * 0.5;
      (distance(half) < 0 ? in : out) = half;
    }
    for (const Node n : {a, b}) at_node_.push_back({n, static_cast<int>(cuts_.size())});
    cuts_.push_back({a, b, (in + out) * 0.5});
  }

  // Each node in turn goes to the nearest of the cuts that are too near; its other cuts are then gone.
  void pullNodes() {
    std::sort(at_node_.begin(), at_node_.end());
    for (std::size_t k = 0; k < at_node_.size();) {
      const Node node = at_node_[k].first;
      std::size_t end = k;
      int nearest = -1;
      double least = 1;  // of the distance, as a share of the one that is too near
      for (; end < at_node_.size() && at_node_[end].first == node; ++end) {
        const Cut& cut = cuts_[at_node_[end].second];
        if (!cut.there) continue;
        const double too_near = isLong(cut.a, cut.b) ? kNearLong : kNearShort * 0.8660254037844386;
        const double share = length(cut.place - place_[node]) / (too_near * lattice_.side());
        if (share < least) least = share, nearest = at_node_[end].second;
      }
      if (nearest >= 0) {
        place_[node] = cuts_[nearest].place;
        side_[node] = 0;
        for (std::size_t c = k; c < end; ++c) cuts_[at_node_[c].second].there = false;
      }
      k = end;
    }
  }

  bool isLong(Node a, Node b) const { return lattice_.isMiddle(a) == lattice_.isMiddle(b); }

  std::int32_t addPoint(Vec3d p) {
    mesh_.geometry.points.push_back(
        {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    return static_cast<std::int32_t>(mesh_.geometry.points.size() - 1);
  }
  std::int32_t point(Node n) {
    if (point_of_node_[n] < 0) point_of_node_[n] = addPoint(place_[n]);
    return point_of_node_[n];
  }
  std::int32_t point(Node a, Node b) {
    Cut& cut = cuts_[cut_of_.at(keyOf(a, b))];
    if (cut.point < 0) cut.point = addPoint(cut.place);
    return cut.point;
  }

  void add(TetCorners tet) {
    const double six = sixVolumes(tet, mesh_.geometry.points);
    if (six < 0) std::swap(tet[2], tet[3]);
    if (six != 0) mesh_.tets.push_back(tet);
  }

  // Of the side of a tetrahedron with the nodes a and b inside and `out` outside, a quadrilateral is left;
  // whether its diagonal starts at a. It must follow from this side alone, as both neighbours ask, and a
  // node with a long edge to `out` must come before or after both others, so that the answers fit together.
  bool diagonalFrom(Node a, Node b, Node out) {
    if (isLong(a, out) != isLong(b, out)) return isLong(a, out);
    const Vec3d from_a = cuts_[cut_of_.at(keyOf(b, out))].place - place_[a];
    const Vec3d from_b = cuts_[cut_of_.at(keyOf(a, out))].place - place_[b];
    const double difference = dot(from_a, from_a) - dot(from_b, from_b);
    return difference != 0 ? difference < 0 : a < b;
  }

  // Between the triangles u and v: `order` says whose diagonals start at u.
  void addPrism(const std::int32_t (&u)[3], const std::int32_t (&v)[3], const std::array<int, 3>& order) {
    const auto [x, y, z] = order;
    add({u[x], u[y], u[z], v[z]});
    add({u[x], u[y], v[y], v[z]});
    add({u[x], v[x], v[y], v[z]});
  }

  void fill(const std::array<Node, 4>& tet) {
    Node in[4] = {}, on[4] = {}, out[4] = {};
    int ins = 0, ons = 0, outs = 0;
    for (const Node n : tet) (side_[n] > 0 ? in[ins++] : side_[n] < 0 ? out[outs++] : on[ons++]) = n;
    if (ins == 0) return;
    if (outs == 0) return add({point(tet[0]), point(tet[1]), point(tet[2]), point(tet[3])});
    if (ins == 1) {
      TetCorners corners{point(in[0])};
      int at = 1;
      for (int k = 0; k < ons; ++k) corners[at++] = point(on[k]);
      for (int k = 0; k < outs; ++k) corners[at++] = point(in[0], out[k]);
      return add(corners);
    }
    if (ins == 3) return fillThreeInside(in, out[0]);
    if (outs == 2) return fillTwoInside(in, out);
    // two inside, one on the surface, one outside: a pyramid
    const std::int32_t a = point(in[0]), b = point(in[1]), c = point(on[0]);
    const std::int32_t a_out = point(in[0], out[0]), b_out = point(in[1], out[0]);
    if (diagonalFrom(in[0], in[1], out[0]))
      add({a, b, c, b_out}), add({a, b_out, c, a_out});
    else
      add({a, b, c, a_out}), add({b, b_out, c, a_out});
  }

  void fillThreeInside(const Node (&in)[4], Node out) {
    std::int32_t u[3], v[3];
    int later[3] = {0, 0, 0};  // how many others come before it
    for (int k = 0; k < 3; ++k) {
      u[k] = point(in[k]), v[k] = point(in[k], out);
      const int next = (k + 1) % 3;
      ++later[diagonalFrom(in[k], in[next], out) ? next : k];
    }
    std::array<int, 3> order{};
    for (int k = 0; k < 3; ++k) order[later[k]] = k;
    addPrism(u, v, order);
  }

  // The quadrilateral on the surface is this tetrahedron's own: the better of the orders that fit the others.
  void fillTwoInside(const Node (&in)[4], const Node (&out)[4]) {
    const std::int32_t u[3] = {point(in[0]), point(in[0], out[0]), point(in[0], out[1])};
    const std::int32_t v[3] = {point(in[1]), point(in[1], out[0]), point(in[1], out[1])};
    const bool first[2] = {diagonalFrom(in[0], in[1], out[0]), diagonalFrom(in[0], in[1], out[1])};
    std::vector<std::array<int, 3>> orders;
    if (first[0] && first[1])
      orders = {{0, 1, 2}, {0, 2, 1}};
    else if (!first[0] && !first[1])
      orders = {{1, 2, 0}, {2, 1, 0}};
    else
      orders = {first[0] ? std::array<int, 3>{2, 0, 1} : std::array<int, 3>{1, 0, 2}};
    const std::size_t start = mesh_.tets.size();
    std::vector<TetCorners> best;
    double best_angle = -1;
    for (const std::array<int, 3>& order : orders) {
      addPrism(u, v, order);
      double least = 180;
      for (std::size_t t = start; t < mesh_.tets.size(); ++t)
        least = std::min(least, angleRange(mesh_.tets[t], mesh_.geometry.points).least);
      if (least > best_angle)
        best_angle = least,
        best.assign(mesh_.tets.begin() + static_cast<std::ptrdiff_t>(start), mesh_.tets.end());
      mesh_.tets.resize(start);
    }
    mesh_.tets.insert(mesh_.tets.end(), best.begin(), best.end());
  }

  const Lattice& lattice_;
  const DistanceField& field_;
  double level_;
  std::vector<Vec3d> place_;       // of each node
  std::vector<signed char> side_;  // 1 inside, 0 on the surface, -1 outside
  std::vector<Cut> cuts_;
  std::unordered_map<std::uint64_t, int> cut_of_;  // by the two nodes; never walked through
  std::vector<std::pair<Node, int>> at_node_;      // cuts of each node
  std::vector<std::int32_t> point_of_node_;
  TetMesh mesh_;
};

}  // namespace

TetMesh stuff(const Lattice& lattice, const DistanceField& field, double level) {
  return Stuffing(lattice, field, level).make();
}

}  // namespace repose
