// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/rigid/joint_system.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace repose {

namespace {

// Joints that say the same twice have no single answer: a little softness, over the diagonal, picks one.
constexpr double kEven = 1e-7;
// Islands whose factors would have more blocks than this for each joint are swept instead.
constexpr int kMostFill = 40;
constexpr int kSweeps = 8;  // of those, in each pass

// M^-1 times the six numbers of a row.
void weigh(const JointSystem::Bodies& bodies, int i, const double* row, double* out) {
  const double w = bodies.v[i].w;
  const Vec4f a = bodies.turn_a[i], b = bodies.turn_b[i];
  for (int k = 0; k < 3; ++k) out[k] = w * row[k];
  const double x = row[3], y = row[4], z = row[5];
  out[3] = a.x * x + a.y * y + a.z * z;
  out[4] = a.y * x + a.w * y + b.x * z;
  out[5] = a.z * x + b.x * y + b.y * z;
}

// A -= L B^T
void subtract(std::array<double, 36>& a, const std::array<double, 36>& l, const std::array<double, 36>& b) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) sum += l[6 * i + k] * b[6 * j + k];
      a[6 * i + j] -= sum;
    }
}

// In place: the lower factor of a positive definite block, its diagonal inverted.
void cholesky(std::array<double, 36>& a) {
  for (int j = 0; j < 6; ++j) {
    double d = a[7 * j];
    for (int k = 0; k < j; ++k) d -= a[6 * j + k] * a[6 * j + k];
    const double inverse = d > 1e-300 ? 1 / std::sqrt(d) : 0;
    a[7 * j] = inverse;
    for (int i = j + 1; i < 6; ++i) {
      double s = a[6 * i + j];
      for (int k = 0; k < j; ++k) s -= a[6 * i + k] * a[6 * j + k];
      a[6 * i + j] = s * inverse;
    }
  }
}
void forward(const std::array<double, 36>& l, double* x) {
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= l[6 * i + k] * x[k];
    x[i] *= l[7 * i];
  }
}
void backward(const std::array<double, 36>& l, double* x) {
  for (int i = 5; i >= 0; --i) {
    for (int k = i + 1; k < 6; ++k) x[i] -= l[6 * k + i] * x[k];
    x[i] *= l[7 * i];
  }
}

}  // namespace

void JointSystem::arrange(const std::vector<char>& movable, int bodies) {
  const int count = static_cast<int>(blocks.size());
  // joints of one island have one root: the first of them
  std::vector<int> root(count), last(bodies, -1);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int j) {
    while (root[j] != j) j = root[j] = root[root[j]];
    return j;
  };
  for (int j = 0; j < count; ++j)
    for (const int body : {blocks[j].a, blocks[j].b}) {
      if (!movable[body]) continue;
      if (last[body] >= 0) {
        const int a = find(j), b = find(last[body]);
        root[std::max(a, b)] = std::min(a, b);
      }
      last[body] = j;
    }
  islands_.clear();
  std::vector<int> island_of(count, -1);
  for (int j = 0; j < count; ++j) {
    const int r = find(j);
    if (island_of[r] < 0) {
      island_of[r] = static_cast<int>(islands_.size());
      islands_.emplace_back();
    }
    islands_[island_of[r]].joint.push_back(j);
  }
  for (Island& island : islands_) orderIsland(island, movable);
}

// Two joints each and the body between them.
std::vector<std::array<int, 3>> JointSystem::sharedBodies(const Island& island,
                                                          const std::vector<char>& movable) const {
  std::vector<std::array<int, 2>> at;  // body, joint
  for (std::size_t k = 0; k < island.joint.size(); ++k)
    for (const int body : {blocks[island.joint[k]].a, blocks[island.joint[k]].b})
      if (movable[body]) at.push_back({body, static_cast<int>(k)});
  std::sort(at.begin(), at.end());
  std::vector<std::array<int, 3>> shared;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = i + 1; j < at.size() && at[j][0] == at[i][0]; ++j)
      shared.push_back({at[i][1], at[j][1], at[i][0]});
  return shared;
}

// The joint with the fewest neighbours goes first; of equal ones the first.
void JointSystem::orderIsland(Island& island, const std::vector<char>& movable) {
  const int n = static_cast<int>(island.joint.size());
  std::vector<std::set<int>> near(n);
  std::vector<std::array<int, 3>> shared = sharedBodies(island, movable);
  for (const auto& [a, b, body] : shared) near[a].insert(b), near[b].insert(a);
  std::vector<int> place(n, -1), order;
  std::vector<std::vector<int>> below(n);
  std::set<std::array<int, 2>> queue;  // number of neighbours, joint
  for (int k = 0; k < n; ++k) queue.insert({static_cast<int>(near[k].size()), k});
  std::size_t fill = 0;
  while (!queue.empty()) {
    const int k = (*queue.begin())[1];
    queue.erase(queue.begin());
    place[k] = static_cast<int>(order.size());
    order.push_back(k);
    below[k].assign(near[k].begin(), near[k].end());
    fill += below[k].size();
    if (fill > static_cast<std::size_t>(kMostFill) * n) break;
    for (const int a : below[k]) queue.erase({static_cast<int>(near[a].size()), a});
    for (const int a : below[k]) {
      near[a].erase(k);
      for (const int b : below[k])
        if (a != b) near[a].insert(b);
    }
    for (const int a : below[k]) queue.insert({static_cast<int>(near[a].size()), a});
  }
  island.factorised = fill <= static_cast<std::size_t>(kMostFill) * n;
  if (!island.factorised) {
    order.resize(n);
    std::iota(order.begin(), order.end(), 0);
    place = order, below.assign(n, {}), shared.clear();
  }
  std::vector<int> joints(n);
  for (int k = 0; k < n; ++k) joints[k] = island.joint[order[k]];
  island.joint = std::move(joints);
  island.first.assign(1, 0);
  for (const int k : order) {
    std::vector<int> rows;
    for (const int a : below[k]) rows.push_back(place[a]);
    std::sort(rows.begin(), rows.end());
    island.row.insert(island.row.end(), rows.begin(), rows.end());
    island.first.push_back(static_cast<int>(island.row.size()));
  }
  for (const auto& [a, b, body] : shared) {
    const int column = std::min(place[a], place[b]), row = std::max(place[a], place[b]);
    const auto at = std::lower_bound(island.row.begin() + island.first[column],
                                     island.row.begin() + island.first[column + 1], row);
    island.pair.push_back({column, row, body});
    island.pair_entry.push_back(static_cast<int>(at - island.row.begin()));
  }
  island.lower.resize(island.row.size()), island.diagonal.resize(n), island.r.resize(6 * n);
}

void JointSystem::factorise(Island& island, const Bodies& bodies) {
  const int n = static_cast<int>(island.joint.size());
  for (Block& block : island.lower) block.fill(0);
  for (int k = 0; k < n; ++k) {
    const JointBlock& joint = blocks[island.joint[k]];
    Block& d = island.diagonal[k];
    d.fill(0);
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < joint.rows; ++j) {
        double heavy[6];
        weigh(bodies, side ? joint.b : joint.a, joint.along[side][j], heavy);
        for (int i = 0; i < joint.rows; ++i)
          for (int m = 0; m < 6; ++m) d[6 * i + j] += joint.along[side][i][m] * heavy[m];
      }
    for (int i = 0; i < 6; ++i) d[7 * i] = i < joint.rows ? d[7 * i] * (1 + kEven) + joint.gamma[i] : 1;
  }
  for (std::size_t p = 0; p < island.pair.size(); ++p) {
    const auto& [column, row, body] = island.pair[p];
    const JointBlock &c = blocks[island.joint[column]], &r = blocks[island.joint[row]];
    const int side_c = c.a == body ? 0 : 1, side_r = r.a == body ? 0 : 1;
    Block& entry = island.lower[island.pair_entry[p]];
    for (int j = 0; j < c.rows; ++j) {
      double heavy[6];
      weigh(bodies, body, c.along[side_c][j], heavy);
      for (int i = 0; i < r.rows; ++i)
        for (int m = 0; m < 6; ++m) entry[6 * i + j] += r.along[side_r][i][m] * heavy[m];
    }
  }
  for (int k = 0; k < n; ++k) {
    Block& d = island.diagonal[k];
    cholesky(d);
    const int begin = island.first[k], end = island.first[k + 1];
    // L = B D^-T, row after row
    for (int e = begin; e < end; ++e)
      for (int i = 0; i < 6; ++i) forward(d, island.lower[e].data() + 6 * i);
    for (int e = begin; e < end; ++e) {
      const int column = island.row[e];
      subtract(island.diagonal[column], island.lower[e], island.lower[e]);
      int at = island.first[column];
      for (int f = e + 1; f < end; ++f) {
        while (island.row[at] != island.row[f]) ++at;
        subtract(island.lower[at], island.lower[f], island.lower[e]);
      }
    }
  }
}

void JointSystem::residual(const JointBlock& block, const Bodies& bodies, double hard, double* r) {
  for (int i = 0; i < 6; ++i) r[i] = 0;
  for (int i = 0; i < block.rows; ++i) {
    for (int side = 0; side < 2; ++side) {
      const int body = side ? block.b : block.a;
      const Vec4f v = bodies.v[body], s = bodies.spin[body];
      const double* along = block.along[side][i];
      r[i] -=
          along[0] * v.x + along[1] * v.y + along[2] * v.z + along[3] * s.x + along[4] * s.y + along[5] * s.z;
    }
    r[i] -= block.error[i] * (block.rate[i] > 0 ? block.rate[i] : hard) + block.gamma[i] * block.impulse[i];
  }
}

void JointSystem::push(JointBlock& block, const Bodies& bodies, const double* dp) {
  for (int side = 0; side < 2; ++side) {
    const int body = side ? block.b : block.a;
    double sum[6] = {}, heavy[6];
    for (int i = 0; i < block.rows; ++i)
      for (int m = 0; m < 6; ++m) sum[m] += block.along[side][i][m] * dp[i];
    weigh(bodies, body, sum, heavy);
    Vec4f &v = bodies.v[body], &s = bodies.spin[body];
    v.x = static_cast<float>(v.x + heavy[0]), v.y = static_cast<float>(v.y + heavy[1]);
    v.z = static_cast<float>(v.z + heavy[2]);
    s.x = static_cast<float>(s.x + heavy[3]), s.y = static_cast<float>(s.y + heavy[4]);
    s.z = static_cast<float>(s.z + heavy[5]);
  }
  for (int i = 0; i < block.rows; ++i) block.impulse[i] += dp[i];
}

void JointSystem::solveIsland(Island& island, const Bodies& bodies, double hard) {
  const int n = static_cast<int>(island.joint.size());
  double* r = island.r.data();
  if (!island.factorised) {
    for (int sweep = 0; sweep < kSweeps; ++sweep)
      for (int k = 0; k < n; ++k) {
        residual(blocks[island.joint[k]], bodies, hard, r);
        forward(island.diagonal[k], r), backward(island.diagonal[k], r);
        push(blocks[island.joint[k]], bodies, r);
      }
    return;
  }
  for (int k = 0; k < n; ++k) residual(blocks[island.joint[k]], bodies, hard, r + 6 * k);
  for (int k = 0; k < n; ++k) {
    forward(island.diagonal[k], r + 6 * k);
    for (int e = island.first[k]; e < island.first[k + 1]; ++e)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) r[6 * island.row[e] + i] -= island.lower[e][6 * i + j] * r[6 * k + j];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int e = island.first[k]; e < island.first[k + 1]; ++e)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) r[6 * k + j] -= island.lower[e][6 * i + j] * r[6 * island.row[e] + i];
    backward(island.diagonal[k], r + 6 * k);
  }
  for (int k = 0; k < n; ++k) push(blocks[island.joint[k]], bodies, r + 6 * k);
}

void JointSystem::prepare(const Bodies& bodies, Backend& backend) {
  backend.forChunks(static_cast<int>(islands_.size()), [&](int i) {
    for (const int j : islands_[i].joint) std::fill(blocks[j].impulse, blocks[j].impulse + 6, 0.0);
    factorise(islands_[i], bodies);
  });
}

void JointSystem::solve(const Bodies& bodies, double hard, Backend& backend) {
  backend.forChunks(static_cast<int>(islands_.size()),
                    [&](int i) { solveIsland(islands_[i], bodies, hard); });
}

}  // namespace repose
