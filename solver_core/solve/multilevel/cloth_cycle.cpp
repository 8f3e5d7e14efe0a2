// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The coarse levels of a cloth: how they are made from its matrix, and a symmetric V(1,1) cycle through them.
#include <algorithm>
#include <cmath>

#include "solve/multilevel/multilevel_cloth.h"

namespace repose {

namespace {

constexpr int kFirstPowerSteps = 12, kPowerSteps = 2;
constexpr float kPowerMargin = 1.1f;

double norm(const std::vector<Vec4f>& v) {
  double sum = 0;
  for (const Vec4f& a : v) sum += a.x * a.x + a.y * a.y + a.z * a.z;
  return std::sqrt(sum);
}

}  // namespace

void MultilevelCloth::launchProduct(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y,
                                    Backend& backend) {
  auto a = productArgs<ml_edges_args>(x, mode, y);
  a.edge_start = rows_.edges.start().data(), a.edge_point = rows_.edge_point.data();
  a.edge = rows_.edge.data(), a.width = rows_.width();
  a.bend_start = rows_.bends.start().data(), a.bend_point = rows_.bend_point.data();
  a.bend_weight = rows_.bend_weight.data();
  launchBodies(a, backend);
}

void MultilevelCloth::productOn(CoarseLevel& level, const std::vector<Vec4f>& x, int mode, float omega,
                                std::vector<Vec4f>& y, Backend& backend) {
  ml_blocks_args a;
  a.x = x.data(), a.rhs = level.r.data(), a.block = level.block.data();
  a.row_start = level.rows.start().data(), a.row_node = level.row_node.data(), a.row = level.row.data();
  a.inverse = level.inverse.data(), a.y = y.data(), a.dot = level.dot.data();
  a.block_stride = level.blocks, a.stride = level.nodes, a.mode = mode, a.omega = omega;
  backend.launchLanes(level.nodes, a);
}

void MultilevelCloth::forgetCoarse() {
  for (CoarseLevel& level : levels_) level.omega = 0;
}

void MultilevelCloth::buildCoarse(Backend& backend) {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    CoarseLevel& level = levels_[l];
    ml_galerkin_args g;
    g.from_edges = l == 0 && rows_.width() == 4;
    g.fine = l == 0 ? rows_.edge.data() : levels_[l - 1].block.data();
    g.fine_stride = l == 0 ? 16 : levels_[l - 1].blocks;
    g.list_start = level.list.start().data(), g.source = level.source.data(), g.weight = level.weight.data();
    g.block_mass = level.block_mass.data(), g.block_bend = level.block_bend.data(),
    g.place = level.place.data();
    g.block = level.block.data(), g.row = level.row.data();
    g.stride = level.blocks, g.nodes = level.nodes, g.unit = kUnitSquared;
    // the finer blocks already carry their mass and bending
    g.inv_h2 = l == 0 ? inv_h2_ : 0, g.bend = l == 0 ? rows_.mean_bend : 0;
    backend.launchLanes(level.blocks, g);
    if (coupled_ && l == 0) {
      ml_lump_args c;
      c.contact = terms_.blocks(), c.contact_stride = terms_.points();
      c.down_start = level.down.start().data(), c.down_point = level.down_point.data();
      c.down_weight = level.down_weight.data();
      c.block = level.block.data(), c.block_stride = level.blocks;
      backend.launchLanes(level.nodes, c);
    }
    ml_invert_args i;
    i.block = level.block.data(), i.inverse = level.inverse.data();
    i.block_stride = level.blocks, i.stride = level.nodes;
    backend.launchLanes(level.nodes, i);
    if (l + 1 < levels_.size()) updateSmoother(level, backend);
  }
  if (!levels_.empty()) factorBottom();
}

// Largest eigenvalue of D^-1 A by power steps on 1 + D^-1 A, from the vector of the last time.
void MultilevelCloth::updateSmoother(CoarseLevel& level, Backend& backend) {
  int steps = kPowerSteps;
  if (level.omega == 0) {
    steps = kFirstPowerSteps;
    for (int n = 0; n < level.nodes; ++n) {
      const auto k = static_cast<float>(n % 7);
      level.power[n] = {1 + 0.1f * k, (n % 2 ? -1.0f : 1.0f) * (1 + 0.05f * k), 0.5f - 0.2f * k, 0};
    }
  }
  std::fill(level.r.begin(), level.r.end(), Vec4f{});
  double growth = 1;
  for (int k = 0; k < steps; ++k) {
    const double before = norm(level.power);
    const auto scale = static_cast<float>(1 / std::max(before, 1e-30));
    for (Vec4f& a : level.power) a = {a.x * scale, a.y * scale, a.z * scale, 0};
    productOn(level, level.power, kSmooth, -1, level.t, backend);
    growth = norm(level.t);
    level.power.swap(level.t);
  }
  level.omega = 1.5f / (kPowerMargin * static_cast<float>(std::max(growth - 1, 1e-3)));
}

void MultilevelCloth::factorBottom() {
  CoarseLevel& level = levels_.back();
  const auto live = [&](int n) { return level.block_mass[n] > 0; };
  int nodes = 0;
  while (nodes < level.nodes && live(nodes)) ++nodes;
  bottom_.resize(3 * nodes);
  bottom_rhs_.resize(3 * nodes);
  const auto put = [&](int i, int j, const float* a, int stride) {
    const float m[3][3] = {{a[0], a[stride], a[2 * stride]},
                           {a[stride], a[3 * stride], a[4 * stride]},
                           {a[2 * stride], a[4 * stride], a[5 * stride]}};
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) bottom_.row(3 * i + k)[3 * j + l] += m[k][l];
  };
  for (int n = 0; n < nodes; ++n) {
    put(n, n, level.block.data() + n, level.blocks);
    for (int k = level.rows.start()[n / 16]; k < level.rows.start()[n / 16 + 1]; ++k) {
      const int other = level.row_node[k * 16 + n % 16];
      put(n, other, level.row.data() + k * 96 + n % 16, 16);
    }
  }
  bottom_.factor();
}

// r = P^T t of a coarse level, with its first smoothing.
void MultilevelCloth::restrictTo(CoarseLevel& coarse, const std::vector<Vec4f>& t, Backend& backend) {
  ml_restrict_args a;
  a.t = t.data();
  a.down_start = coarse.down.start().data(), a.down_point = coarse.down_point.data();
  a.down_weight = coarse.down_weight.data(), a.inverse = coarse.inverse.data();
  a.r = coarse.r.data(), a.z = coarse.z.data(), a.stride = coarse.nodes, a.omega = coarse.omega;
  backend.launchLanes(coarse.nodes, a);
}

// z += P c, c the coarse level's answer.
void MultilevelCloth::prolongFrom(const CoarseLevel& coarse, std::vector<Vec4f>& z, Backend& backend) {
  ml_prolong_args a;
  a.c = coarse.z.data(), a.up_start = coarse.up.start().data(), a.up_node = coarse.up_node.data();
  a.up_weight = coarse.up_weight.data(), a.z = z.data();
  backend.launchLanes(16 * static_cast<int>(coarse.up.start().size() - 1), a);
}

void MultilevelCloth::correct(const std::vector<Vec4f>& t, std::vector<Vec4f>& z, Backend& backend) {
  if (levels_.empty()) return;
  restrictTo(levels_.front(), t, backend);
  descend(0, backend);
  prolongFrom(levels_.front(), z, backend);
}

// z of a level from its r: straight at the bottom, else smooth, coarser, smooth.
void MultilevelCloth::descend(std::size_t l, Backend& backend) {
  CoarseLevel& level = levels_[l];
  if (l + 1 == levels_.size()) return solveBottom(backend);
  productOn(level, level.z, kResidual, 0, level.t, backend);
  restrictTo(levels_[l + 1], level.t, backend);
  descend(l + 1, backend);
  prolongFrom(levels_[l + 1], level.z, backend);
  productOn(level, level.z, kSmooth, level.omega, level.t, backend);
  level.z.swap(level.t);
}

void MultilevelCloth::solveBottom(Backend& backend) {
  CoarseLevel& level = levels_.back();
  backend.look(level.r.data());
  const int nodes = bottom_.size() / 3;
  for (int n = 0; n < nodes; ++n)
    bottom_rhs_[3 * n] = level.r[n].x, bottom_rhs_[3 * n + 1] = level.r[n].y,
                    bottom_rhs_[3 * n + 2] = level.r[n].z;
  bottom_.solve(bottom_rhs_);
  for (int n = 0; n < nodes; ++n)
    level.z[n] = {static_cast<float>(bottom_rhs_[3 * n]), static_cast<float>(bottom_rhs_[3 * n + 1]),
                  static_cast<float>(bottom_rhs_[3 * n + 2]), 0};
  backend.changed(level.z.data());
}

}  // namespace repose
