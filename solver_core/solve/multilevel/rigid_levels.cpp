// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A node moves its members by t + w x arm. With [a] the matrix of a x, a point's columns are P = [1, -[arm]],
// and a finer node's [1, -[arm]; 0, 1].
#include "solve/multilevel/rigid_levels.h"

#include <algorithm>
#include <cmath>

#include "base/vectors.h"

namespace repose {

namespace {

constexpr int kBottomNodes = 36;  // 216 unknowns
constexpr int kNodesInChunk = 8;
constexpr int kPowerSteps = 10, kVisits = 3;
constexpr double kPowerMargin = 1.1;
constexpr double kDropped = 1e-10;  // a pivot this small belongs to a rotation that moves nothing

using Mat3 = std::array<double, 9>;  // by rows

Vec3d row(const Mat3& m, int r) { return {m[3 * r], m[3 * r + 1], m[3 * r + 2]}; }
void setRow(Mat3& m, int r, Vec3d v) { m[3 * r] = v.x, m[3 * r + 1] = v.y, m[3 * r + 2] = v.z; }
// M [a]: rows times a.
Mat3 timesCross(const Mat3& m, Vec3d a) {
  Mat3 p;
  for (int r = 0; r < 3; ++r) setRow(p, r, cross(row(m, r), a));
  return p;
}
// [a] M: a times columns.
Mat3 crossTimes(Vec3d a, const Mat3& m) {
  Mat3 p;
  for (int c = 0; c < 3; ++c) {
    const Vec3d v = cross(a, {m[c], m[3 + c], m[6 + c]});
    p[c] = v.x, p[3 + c] = v.y, p[6 + c] = v.z;
  }
  return p;
}
void add(Mat3& sum, const Mat3& m, double s) {
  for (int k = 0; k < 9; ++k) sum[k] += s * m[k];
}
void addPart(Mat6& sum, int r, int c, const Mat3& m, double s) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum[6 * (3 * c + j) + 3 * r + i] += s * m[3 * i + j];
}
Mat3 part(const Mat6& m, int r, int c) {
  Mat3 p;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) p[3 * i + j] = m[6 * (3 * c + j) + 3 * r + i];
  return p;
}

void addProduct(const Mat6& m, const Vec6& x, Vec6& y) {
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r) y[r] += m[6 * c + r] * x[c];
}

// Inverse of a matrix that is not negative; directions that cost nothing get zero.
Mat6 inverseOf(const Mat6& a) {
  double l[6][6] = {}, inv[6] = {};
  for (int j = 0; j < 6; ++j) {
    double pivot = a[7 * j];
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    if (!(pivot > kDropped * a[7 * j])) continue;  // its column and row stay zero
    l[j][j] = std::sqrt(pivot), inv[j] = 1 / l[j][j];
    for (int i = j + 1; i < 6; ++i) {
      double s = a[6 * i + j];
      for (int k = 0; k < j; ++k) s -= l[i][k] * l[j][k];
      l[i][j] = s * inv[j];
    }
  }
  Mat6 r{};
  for (int c = 0; c < 6; ++c) {
    if (inv[c] == 0) continue;
    double x[6] = {};
    x[c] = 1;
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
      x[i] *= inv[i];
    }
    for (int i = 5; i >= 0; --i) {
      for (int k = i + 1; k < 6; ++k) x[i] -= l[k][i] * x[k];
      x[i] *= inv[i];
    }
    for (int i = 0; i < 6; ++i) r[6 * i + c] = x[i];
  }
  return r;
}

template <class Visit>
void eachNode(int nodes, Backend& backend, const Visit& visit) {
  backend.forChunks((nodes + kNodesInChunk - 1) / kNodesInChunk, [&](int chunk) {
    for (int n = chunk * kNodesInChunk; n < std::min(nodes, (chunk + 1) * kNodesInChunk); ++n) visit(n);
  });
}

double norm(const std::vector<Vec6>& v) {
  double sum = 0;
  for (const Vec6& a : v)
    for (const double c : a) sum += c * c;
  return std::sqrt(sum);
}

}  // namespace

RigidLevels::RigidLevels(const SoftRows& rows) : places_(rows.points()) {
  Graph graph;
  graph.points = rows.points();
  graph.live.resize(graph.points);
  graph.neighbours.resize(graph.points);
  const auto& start = rows.edges.start();
  const auto eachEdge = [&](int p, auto&& visit) {
    for (int k = start[p / 16]; k < start[p / 16 + 1]; ++k)
      if (const int s = k * 16 + p % 16; rows.edge_point[s] != p) visit(s, rows.edge_point[s]);
  };
  for (int p = 0; p < graph.points; ++p) {
    graph.live[p] = rows.mass[p] > 0;
    eachEdge(p, [&](int, int other) { graph.neighbours[p].push_back(other); });
  }
  addLevel(graph, graph.points);
  Level& first = levels_.front();
  for (int p = 0; p < graph.points; ++p) first.weight[p] = rows.mass[p];
  connect(first, rows.edges.slots(), eachEdge);
  while (levels_.back().nodes > kBottomNodes) {
    const int before = levels_.back().nodes;
    addLevel(graphOf(levels_.back()), before);
    Level& level = levels_.back();
    if (level.nodes >= before) {
      levels_.pop_back();
      break;
    }
    const Level& finer = levels_[levels_.size() - 2];
    for (int n = 0; n < finer.nodes; ++n)
      for (int m = finer.member_start[n]; m < finer.member_start[n + 1]; ++m)
        level.weight[n] += finer.weight[finer.member[m]];
    connect(level, finer.column.size(), [&](int member, auto&& visit) {
      for (int k = finer.row_start[member]; k < finer.row_start[member + 1]; ++k) visit(k, finer.column[k]);
    });
  }
}

// Where each link between members goes; eachLink(member, visit) calls visit(link, other member).
template <class EachLink>
void RigidLevels::connect(Level& level, std::size_t links, const EachLink& eachLink) {
  level.target.assign(links, kInside);
  level.row_start.assign(1, 0);
  std::vector<int> columns;
  for (int n = 0; n < level.nodes; ++n) {
    const auto eachOutward = [&](auto&& visit) {
      for (int m = level.member_start[n]; m < level.member_start[n + 1]; ++m)
        eachLink(level.member[m], [&](int link, int member) {
          if (level.parent[member] != n) visit(link, level.parent[member]);
        });
    };
    columns.clear();
    eachOutward([&](int, int other) {
      if (other >= 0) columns.push_back(other);
    });
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const int base = level.row_start.back();
    eachOutward([&](int link, int other) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), other);
      level.target[link] = other < 0 ? kFixed : base + static_cast<int>(at - columns.begin());
    });
    level.column.insert(level.column.end(), columns.begin(), columns.end());
    level.row_start.push_back(static_cast<int>(level.column.size()));
  }
  level.block.resize(level.column.size());
  level.turned.resize(level.column.size());
  for (int n = 0; n < level.nodes; ++n)
    for (int k = level.row_start[n]; k < level.row_start[n + 1]; ++k) {
      const auto other = level.column.begin() + level.row_start[level.column[k]];
      const auto end = level.column.begin() + level.row_start[level.column[k] + 1];
      level.turned[k] = static_cast<int>(std::lower_bound(other, end, n) - level.column.begin());
    }
}

void RigidLevels::addLevel(const Graph& graph, int members) {
  Level level;
  level.parent = aggregate(graph, level.nodes);
  level.member_start.assign(level.nodes + 1, 0);
  for (const int n : level.parent)
    if (n >= 0) ++level.member_start[n + 1];
  for (int n = 0; n < level.nodes; ++n) level.member_start[n + 1] += level.member_start[n];
  level.member.resize(level.member_start.back());
  std::vector<int> cursor = level.member_start;
  for (int m = 0; m < members; ++m)
    if (level.parent[m] >= 0) level.member[cursor[level.parent[m]]++] = m;
  level.weight.assign(members, 0.0);
  level.arm.resize(members);
  level.centre.resize(level.nodes);
  level.diagonal.resize(level.nodes), level.inverse.resize(level.nodes);
  for (auto* v : {&level.r, &level.z, &level.t, &level.power}) v->resize(level.nodes);
  levels_.push_back(std::move(level));
}

Graph RigidLevels::graphOf(const Level& level) const {
  Graph graph;
  graph.points = level.nodes;
  graph.live.assign(level.nodes, true);
  graph.neighbours.resize(level.nodes);
  for (int n = 0; n < level.nodes; ++n)
    graph.neighbours[n].assign(level.column.begin() + level.row_start[n],
                               level.column.begin() + level.row_start[n + 1]);
  return graph;
}

void RigidLevels::placeCentres(Level& level, const std::vector<Vec3d>& places) {
  for (int n = 0; n < level.nodes; ++n) {
    Vec3d sum;
    double weight = 0;
    for (int m = level.member_start[n]; m < level.member_start[n + 1]; ++m) {
      const int p = level.member[m];
      sum = sum + places[p] * level.weight[p], weight += level.weight[p];
    }
    level.centre[n] = sum * (1 / weight);
    for (int m = level.member_start[n]; m < level.member_start[n + 1]; ++m)
      level.arm[level.member[m]] = places[level.member[m]] - level.centre[n];
  }
}

void RigidLevels::build(const SoftRows& rows, const Vec4f* x, const std::vector<Vec4f>& off, float inv_h2,
                        const float* contact, int contact_stride, Backend& backend) {
  for (std::size_t p = 0; p < places_.size(); ++p)
    places_[p] = Vec3d{x[p].x, x[p].y, x[p].z} + Vec3d{off[p].x, off[p].y, off[p].z};
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    placeCentres(level, l == 0 ? places_ : levels_[l - 1].centre);
    if (l == 0)
      gatherPoints(rows, inv_h2, contact, contact_stride, backend);
    else
      gatherNodes(levels_[l - 1], level);
    if (l + 1 == levels_.size()) break;
    eachNode(level.nodes, backend, [&](int n) { level.inverse[n] = inverseOf(level.diagonal[n]); });
    chooseStep(level, backend);
  }
  factorBottom();
}

// P^T A P of the points. The columns of translations on the diagonal are minus the sum of those beside it, as
// a body that moves as a whole costs nothing: so they come from edges that leave the node alone.
void RigidLevels::gatherPoints(const SoftRows& rows, float inv_h2, const float* contact, int contact_stride,
                               Backend& backend) {
  Level& level = levels_.front();
  const auto& start = rows.edges.start();
  eachNode(level.nodes, backend, [&](int n) {
    for (int k = level.row_start[n]; k < level.row_start[n + 1]; ++k)
      if (level.column[k] > n) level.block[k] = {};
    Mat3 tt{}, rt{}, rr{};
    const auto hold = [&](const Mat3& b, Vec3d arm) {
      const Mat3 turned = crossTimes(arm, b);
      add(tt, b, 1), add(rt, turned, 1), add(rr, timesCross(turned, arm), -1);
    };
    for (int m = level.member_start[n]; m < level.member_start[n + 1]; ++m) {
      const int p = level.member[m];
      const Vec3d arm = level.arm[p];
      const double inertia = rows.mass[p] * inv_h2;
      hold({inertia, 0, 0, 0, inertia, 0, 0, 0, inertia}, arm);
      if (contact) {
        const float* b = contact + p;
        const int s = contact_stride;
        hold({b[0], b[s], b[2 * s], b[s], b[3 * s], b[4 * s], b[2 * s], b[4 * s], b[5 * s]}, arm);
      }
      for (int k = start[p / 16]; k < start[p / 16 + 1]; ++k) {
        const int s = k * 16 + p % 16, other = rows.edge_point[s];
        if (other == p) continue;
        const float* e = rows.edge.data() + k * 144 + p % 16;  // by columns
        const Mat3 edge = {e[0], e[48], e[96], e[16], e[64], e[112], e[32], e[80], e[128]};
        const int target = level.target[s];
        if (target == kInside) {
          add(rr, timesCross(crossTimes(arm, edge), level.arm[other] - arm), 1);
          continue;
        }
        hold(edge, arm);
        if (target == kFixed || level.column[target] < n) continue;
        Mat6& block = level.block[target];
        const Vec3d far = level.arm[other];
        const Mat3 turned = crossTimes(arm, edge);
        addPart(block, 0, 0, edge, -1), addPart(block, 0, 1, timesCross(edge, far), 1);
        addPart(block, 1, 0, turned, -1), addPart(block, 1, 1, timesCross(turned, far), 1);
      }
    }
    Mat6& d = level.diagonal[n];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        d[6 * i + j] = 0.5 * (tt[3 * i + j] + tt[3 * j + i]);
        d[6 * (3 + i) + 3 + j] = 0.5 * (rr[3 * i + j] + rr[3 * j + i]);
        d[6 * (3 + i) + j] = d[6 * j + 3 + i] = rt[3 * i + j];
      }
  });
  eachNode(level.nodes, backend, [&](int n) {
    for (int k = level.row_start[n]; k < level.row_start[n + 1]; ++k)
      if (level.column[k] < n)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) level.block[k][6 * i + j] = level.block[level.turned[k]][6 * j + i];
  });
}

void RigidLevels::gatherNodes(const Level& finer, Level& level) {
  const auto take = [](Mat6& sum, const Mat6& k, Vec3d a, Vec3d b) {
    const Mat3 tt = part(k, 0, 0), rt = part(k, 1, 0);
    Mat3 tr = part(k, 0, 1), rr = part(k, 1, 1);
    add(tr, timesCross(tt, b), -1), add(rr, timesCross(rt, b), -1);
    addPart(sum, 0, 0, tt, 1), addPart(sum, 0, 1, tr, 1);
    addPart(sum, 1, 0, rt, 1), addPart(sum, 1, 0, crossTimes(a, tt), 1);
    addPart(sum, 1, 1, rr, 1), addPart(sum, 1, 1, crossTimes(a, tr), 1);
  };
  std::fill(level.block.begin(), level.block.end(), Mat6{});
  for (int n = 0; n < level.nodes; ++n) {
    level.diagonal[n] = {};
    for (int m = level.member_start[n]; m < level.member_start[n + 1]; ++m) {
      const int p = level.member[m];
      take(level.diagonal[n], finer.diagonal[p], level.arm[p], level.arm[p]);
      for (int k = finer.row_start[p]; k < finer.row_start[p + 1]; ++k)
        take(level.target[k] == kInside ? level.diagonal[n] : level.block[level.target[k]], finer.block[k],
             level.arm[p], level.arm[finer.column[k]]);
    }
  }
}

// Largest eigenvalue of D^-1 A by power steps.
void RigidLevels::chooseStep(Level& level, Backend& backend) {
  if (level.omega > 0) return;
  for (int n = 0; n < level.nodes; ++n)
    for (int c = 0; c < 6; ++c) level.power[n][c] = (n % 2 ? -1.0 : 1.0) * (1 + 0.1 * ((n + 3 * c) % 7));
  double growth = 1;
  for (int k = 0; k < kPowerSteps; ++k) {
    const double scale = 1 / std::max(norm(level.power), 1e-300);
    for (Vec6& v : level.power)
      for (double& c : v) c *= scale;
    product(level, level.power, level.t, backend);
    eachNode(level.nodes, backend, [&](int n) {
      level.power[n] = {};
      addProduct(level.inverse[n], level.t[n], level.power[n]);
    });
    growth = norm(level.power);
  }
  level.omega = 1.5 / (kPowerMargin * std::max(growth, 1e-3));
}

void RigidLevels::factorBottom() {
  const Level& level = levels_.back();
  bottom_.resize(6 * level.nodes);
  bottom_rhs_.resize(6 * level.nodes);
  const auto put = [&](int n, int other, const Mat6& m) {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) bottom_.row(6 * n + i)[6 * other + j] = m[6 * j + i];
  };
  for (int n = 0; n < level.nodes; ++n) {
    put(n, n, level.diagonal[n]);
    for (int k = level.row_start[n]; k < level.row_start[n + 1]; ++k) put(n, level.column[k], level.block[k]);
  }
  // rotations that move nothing get something to divide by
  for (int i = 0; i < 6 * level.nodes; ++i) {
    double& d = bottom_.row(i)[i];
    d = d > 0 ? d * (1 + 1e-9) : 1;
  }
  bottom_.factor();
}

void RigidLevels::product(const Level& level, const std::vector<Vec6>& x, std::vector<Vec6>& y,
                          Backend& backend) const {
  eachNode(level.nodes, backend, [&](int n) {
    Vec6 sum{};
    addProduct(level.diagonal[n], x[n], sum);
    for (int k = level.row_start[n]; k < level.row_start[n + 1]; ++k)
      addProduct(level.block[k], x[level.column[k]], sum);
    y[n] = sum;
  });
}

// z += omega D^-1 (r - A z).
void RigidLevels::smooth(Level& level, Backend& backend) {
  product(level, level.z, level.t, backend);
  eachNode(level.nodes, backend, [&](int n) {
    Vec6 left, step{};
    for (int c = 0; c < 6; ++c) left[c] = level.r[n][c] - level.t[n][c];
    addProduct(level.inverse[n], left, step);
    for (int c = 0; c < 6; ++c) level.z[n][c] += level.omega * step[c];
  });
}

// z of a level from its r: straight at the bottom, else some cycles, as one alone is far from an answer where
// aggregates are not smoothed.
void RigidLevels::solve(std::size_t l, Backend& backend) {
  Level& level = levels_[l];
  if (l + 1 == levels_.size()) {
    for (int n = 0; n < level.nodes; ++n)
      std::copy(level.r[n].begin(), level.r[n].end(), &bottom_rhs_[6 * n]);
    bottom_.solve(bottom_rhs_);
    for (int n = 0; n < level.nodes; ++n) std::copy_n(&bottom_rhs_[6 * n], 6, level.z[n].begin());
    return;
  }
  eachNode(level.nodes, backend, [&](int n) {
    level.z[n] = {};
    addProduct(level.inverse[n], level.r[n], level.z[n]);
    for (double& c : level.z[n]) c *= level.omega;
  });
  for (int visit = 0; visit < kVisits; ++visit) {
    if (visit > 0) smooth(level, backend);
    descend(l, backend);
    smooth(level, backend);
  }
}

// z += the coarser level's answer to r - A z.
void RigidLevels::descend(std::size_t l, Backend& backend) {
  Level& level = levels_[l];
  product(level, level.z, level.t, backend);
  Level& coarse = levels_[l + 1];
  eachNode(coarse.nodes, backend, [&](int n) {
    Vec6 sum{};
    for (int m = coarse.member_start[n]; m < coarse.member_start[n + 1]; ++m) {
      const int p = coarse.member[m];
      Vec6 left;
      for (int c = 0; c < 6; ++c) left[c] = level.r[p][c] - level.t[p][c];
      const Vec3d turn = cross(coarse.arm[p], {left[0], left[1], left[2]});
      left[3] += turn.x, left[4] += turn.y, left[5] += turn.z;
      for (int c = 0; c < 6; ++c) sum[c] += left[c];
    }
    coarse.r[n] = sum;
  });
  solve(l + 1, backend);
  eachNode(coarse.nodes, backend, [&](int n) {
    const Vec6& z = coarse.z[n];
    for (int m = coarse.member_start[n]; m < coarse.member_start[n + 1]; ++m) {
      const int p = coarse.member[m];
      const Vec3d turn = cross({z[3], z[4], z[5]}, coarse.arm[p]);
      const double way[6] = {z[0] + turn.x, z[1] + turn.y, z[2] + turn.z, z[3], z[4], z[5]};
      for (int c = 0; c < 6; ++c) level.z[p][c] += way[c];
    }
  });
}

void RigidLevels::correct(const std::vector<Vec4f>& t, std::vector<Vec4f>& z, Backend& backend) {
  Level& level = levels_.front();
  if (level.nodes == 0) return;
  eachNode(level.nodes, backend, [&](int n) {
    Vec6 sum{};
    for (int m = level.member_start[n]; m < level.member_start[n + 1]; ++m) {
      const int p = level.member[m];
      const Vec3d push = {t[p].x, t[p].y, t[p].z}, turn = cross(level.arm[p], push);
      sum[0] += push.x, sum[1] += push.y, sum[2] += push.z;
      sum[3] += turn.x, sum[4] += turn.y, sum[5] += turn.z;
    }
    level.r[n] = sum;
  });
  solve(0, backend);
  eachNode(level.nodes, backend, [&](int n) {
    const Vec6& c = level.z[n];
    for (int m = level.member_start[n]; m < level.member_start[n + 1]; ++m) {
      const int p = level.member[m];
      const Vec3d way = Vec3d{c[0], c[1], c[2]} + cross({c[3], c[4], c[5]}, level.arm[p]);
      z[p].x += static_cast<float>(way.x), z[p].y += static_cast<float>(way.y);
      z[p].z += static_cast<float>(way.z);
    }
  });
}

void RigidLevels::forget() {
  for (Level& level : levels_) level.omega = 0;
}

std::size_t RigidLevels::bytes() const {
  std::size_t all = bytesOf(places_, bottom_rhs_) + bottom_rhs_.size() * bottom_rhs_.size() * sizeof(double);
  for (const Level& l : levels_)
    all += bytesOf(l.member_start, l.member, l.parent, l.centre, l.arm, l.weight, l.row_start, l.column,
                   l.turned, l.target, l.block, l.diagonal, l.inverse, l.r, l.z, l.t, l.power);
  return all;
}

}  // namespace repose
