// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multilevel/soft_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/vectors.h"

namespace repose {

namespace {

// What Newton's quadratic model may miss in a step, over the weight times the size of the body.
constexpr double kTolerance = 1e-6;
constexpr int kStiffness = 37;  // ML_STIFFNESS of kernel/multilevel_soft.h
constexpr int kSides[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

int padded(int n) { return (n + 15) / 16 * 16; }

}  // namespace

SoftRows::SoftRows(const Model& model, BodySpan bodies, bool smoothing)
    : BodyPoints(model, bodies), smoothed(smoothing), from_(model.bodies[bodies.first].tets) {
  takeTets(model);
  takeShapes(model, model.tets.y);
  takeFibres(model);
  addPushes();
  addEdges();
  if (smoothed) addSmoothing();
}

void SoftRows::takeTets(const Model& model) {
  const TetElements& all = model.tets;
  tets = from_.padded();
  corner.resize(4 * tets);
  order_.resize(tets);
  scale.resize(tets);
  double volume = 0;
  for (int t = 0; t < tets; ++t) {
    const int at = from_.first + t;
    std::array<int, 4> order = {0, 1, 2, 3};
    const auto point = [&](int s) { return all.corner[s * all.size() + at] - first; };
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return point(a) != point(b) ? point(a) < point(b) : a < b; });
    order_[t] = static_cast<unsigned char>(order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6);
    for (int s = 0; s < 4; ++s) corner[s * tets + t] = point(order[s]);
    scale[t] = all.volume[at] * all.stiffness[at];
    volume += all.volume[at];
  }
  size_ = static_cast<float>(std::cbrt(volume));
}

// Gradients in the order of the sorted corners; that of corner 0 is minus the sum of the others.
void SoftRows::takeShapes(const Model& model, const std::vector<float>& source) {
  const int stride = model.tets.size();
  y.resize(9 * tets);
  for (int t = 0; t < tets; ++t)
    for (int k = 0; k < 3; ++k) {
      const int was = order_[t] >> (2 * (k + 1)) & 3;
      for (int c = 0; c < 3; ++c) {
        const auto of = [&](int s) { return source[(3 * (s - 1) + c) * stride + from_.first + t]; };
        y[(3 * k + c) * tets + t] = was > 0 ? of(was) : -(of(1) + of(2) + of(3));
      }
    }
}

void SoftRows::takeFibres(const Model& model) {
  fibre.resize(3 * tets);
  for (int t = 0; t < tets; ++t) {
    const Vec3f a = model.tets.fibre[from_.first + t];
    fibre[t] = a.x, fibre[tets + t] = a.y, fibre[2 * tets + t] = a.z;
  }
}

void SoftRows::addPushes() {
  std::vector<int> cursor(points(), 0);
  const auto each = [&](auto&& visit) {
    for (int t = 0; t < from_.count; ++t)
      for (int s = 0; s < 4; ++s) visit(corner[s * tets + t], s * tets + t);
  };
  each([&](int p, int) { ++cursor[p]; });
  pushes = SlicedLists(cursor);
  push.resize(4 * tets + 1);
  push_slot.assign(pushes.slots(), 4 * tets);
  std::fill(cursor.begin(), cursor.end(), 0);
  each([&](int p, int slot) { push_slot[pushes.slot(p, cursor[p]++)] = slot; });
}

void SoftRows::addEdges() {
  struct Side {
    std::uint64_t pair;
    int tet, side;
  };
  std::vector<Side> sides;
  for (int t = 0; t < from_.count; ++t)
    for (int e = 0; e < 6; ++e) {
      const auto a = static_cast<std::uint64_t>(corner[kSides[e][0] * tets + t]);
      const auto b = static_cast<std::uint32_t>(corner[kSides[e][1] * tets + t]);
      sides.push_back({a << 32 | b, t, e});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.pair != b.pair ? a.pair < b.pair : a.tet != b.tet ? a.tet < b.tet : a.side < b.side;
  });
  std::vector<std::uint64_t> pairs;
  std::vector<int> length, of(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (k == 0 || sides[k].pair != sides[k - 1].pair) pairs.push_back(sides[k].pair), length.push_back(0);
    of[k] = static_cast<int>(pairs.size()) - 1;
    ++length.back();
  }
  const auto count = static_cast<int>(pairs.size());
  matrix = padded(count);
  length.resize(matrix, 0);
  around = SlicedLists(length);

  // blocks of tetrahedra: one more place of zeros for free slots
  block.assign(12 * static_cast<std::size_t>(tets) + 2, Vec4f{});
  block_last.assign(6 * static_cast<std::size_t>(tets) + 1, 0.0f);
  around_block.assign(around.slots(), 6 * tets);
  if (smoothed) around_tet.assign(around.slots(), 0), tet_edge.assign(6 * tets, 0);
  std::vector<int> cursor(std::max(matrix, points()), 0);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const int s = around.slot(of[k], cursor[of[k]]++);
    around_block[s] = sides[k].side * tets + sides[k].tet;
    if (smoothed) around_tet[s] = sides[k].tet, tet_edge[sides[k].side * tets + sides[k].tet] = of[k];
  }

  std::vector<int> degree(points(), 0);
  for (const std::uint64_t pair : pairs) ++degree[pair >> 32], ++degree[pair & 0xffffffffu];
  edges = SlicedLists(degree);
  edge_point.resize(edges.slots());
  for (int slice = 0; slice < points() / 16; ++slice)
    for (int s = edges.start()[slice] * 16; s < edges.start()[slice + 1] * 16; ++s)
      edge_point[s] = slice * 16 + s % 16;
  const int nowhere = 9 * edges.slots();
  edge.assign(nowhere + 144, 0.0f);
  place.resize(2 * matrix);
  for (std::size_t k = 0; k < place.size(); ++k) place[k] = nowhere + static_cast<int>(k % 16);
  std::fill(cursor.begin(), cursor.end(), 0);
  for (int e = 0; e < count; ++e) {
    const auto a = static_cast<int>(pairs[e] >> 32), b = static_cast<int>(pairs[e] & 0xffffffffu);
    const int sa = edges.slot(a, cursor[a]++), sb = edges.slot(b, cursor[b]++);
    edge_point[sa] = b, edge_point[sb] = a;
    place[e] = sa / 16 * 144 + sa % 16, place[matrix + e] = sb / 16 * 144 + sb % 16;
  }
}

// Every tetrahedron gives a sixth of its volume to each of its edges.
void SoftRows::addSmoothing() {
  std::vector<double> volume(matrix, 0.0), stiff(matrix, 0.0);
  std::vector<std::array<double, 3>> fibres(matrix, {0, 0, 0});
  const auto volumeOf = [&](int t) {
    const auto g = [&](int k, int c) { return static_cast<double>(y[(3 * k + c) * tets + t]); };
    const double det = g(0, 0) * (g(1, 1) * g(2, 2) - g(1, 2) * g(2, 1)) -
                       g(0, 1) * (g(1, 0) * g(2, 2) - g(1, 2) * g(2, 0)) +
                       g(0, 2) * (g(1, 0) * g(2, 1) - g(1, 1) * g(2, 0));
    return 1 / (6 * std::abs(det));
  };
  for (int t = 0; t < from_.count; ++t)
    for (int e = 0; e < 6; ++e) {
      const int at = tet_edge[e * tets + t];
      volume[at] += volumeOf(t) / 6;
      stiff[at] += scale[t] / 6;
      for (int c = 0; c < 3; ++c) fibres[at][c] += volumeOf(t) * fibre[c * tets + t];
    }
  tet_weight.assign(6 * tets, 0.0f);
  for (int t = 0; t < from_.count; ++t)
    for (int e = 0; e < 6; ++e)
      tet_weight[e * tets + t] = static_cast<float>(volumeOf(t) / 6 / volume[tet_edge[e * tets + t]]);
  around_weight.assign(around.slots(), 0.0f);
  for (int slice = 0; slice < matrix / 16; ++slice)
    for (int s = around.start()[slice] * 16; s < around.start()[slice + 1] * 16; ++s)
      if (around_block[s] < 6 * tets) around_weight[s] = tet_weight[around_block[s]];
  edge_scale.resize(matrix);
  edge_fibre.resize(3 * matrix);
  for (int e = 0; e < matrix; ++e) {
    edge_scale[e] = static_cast<float>(stiff[e]);
    const double l =
        std::sqrt(fibres[e][0] * fibres[e][0] + fibres[e][1] * fibres[e][1] + fibres[e][2] * fibres[e][2]);
    for (int c = 0; c < 3; ++c)
      edge_fibre[c * matrix + e] = l > 0 ? static_cast<float>(fibres[e][c] / l) : 0.0f;
  }
  stiffness.assign(static_cast<std::size_t>(kStiffness) * matrix, 0.0f);
  gradient.resize(2 * tets), change.resize(2 * tets), stress.resize(3 * matrix);
  gradient_last.resize(tets), change_last.resize(tets);
}

double SoftRows::energyTolerance(const WorldParams& world) const {
  return kTolerance * total_mass * size_ * std::max(1.0f, length(world.gravity));
}

void SoftRows::weigh(const Model& model, const State& state, const StepParams& params) {
  const SoftParams& soft = params.soft[span.first];
  if (!state.tet_y.empty()) takeShapes(model, state.tet_y);
  const float nu = soft.poissonratio;
  mu = soft.youngsmodulus / (2 * (1 + nu));
  lambda = soft.youngsmodulus * nu / ((1 + nu) * (1 - 2 * nu));
  fibre_stiffness = soft.fibrestiffness;
  rho = soft.stiffdamping / params.h;
  material = static_cast<int>(soft.material);
  if (rho > 0 && start.empty()) start.resize(6 * (smoothed ? std::max(matrix, tets) : tets));
}

std::size_t SoftRows::bytes() const {
  return pushes.bytes() + around.bytes() + edges.bytes() +
         bytesOf(mass, corner, y, scale, fibre, start, push, push_slot, block, block_last, around_block,
                 place, edge_point, edge, around_tet, around_weight, tet_edge, tet_weight, edge_scale,
                 edge_fibre, stiffness, gradient, change, stress, gradient_last, change_last, order_);
}

}  // namespace repose
