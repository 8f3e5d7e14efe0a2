// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/carried.h"

#include <cmath>

#include "base/vec3d.h"

namespace repose {

namespace {

// Jacobi has no digits left to gain after six. Ours, for what a library computes depends on its vector unit.
constexpr int kSweeps = 12;

Vec3d wide(Vec3f p) { return {p.x, p.y, p.z}; }

Vec3d middleOf(const std::vector<Vec3f>& points) {
  Vec3d sum;
  for (const Vec3f p : points) sum = sum + wide(p);
  return sum * (1.0 / static_cast<double>(points.size()));
}

// Turns the axes p and q of a symmetric matrix so that they have nothing to do with each other.
void turnAxes(double (&n)[4][4], double (&vectors)[4][4], int p, int q) {
  if (n[p][q] == 0) return;
  const double theta = (n[q][q] - n[p][p]) / (2 * n[p][q]);
  const double t = (theta < 0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (auto& row : n) {
    const double a = row[p], b = row[q];
    row[p] = c * a - s * b, row[q] = s * a + c * b;
  }
  for (int k = 0; k < 4; ++k) {
    const double a = n[p][k], b = n[q][k];
    n[p][k] = c * a - s * b, n[q][k] = s * a + c * b;
  }
  for (auto& row : vectors) {
    const double a = row[p], b = row[q];
    row[p] = c * a - s * b, row[q] = s * a + c * b;
  }
}

// The turn that brings `from` nearest to `to`, both about their middles: the greatest eigenvector of Horn's
// matrix.
Quat nearestTurn(const std::vector<Vec3f>& from, Vec3d from_middle, const std::vector<Vec3f>& to,
                 Vec3d to_middle) {
  double m[3][3] = {};
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Vec3d a = wide(from[k]) - from_middle, b = wide(to[k]) - to_middle;
    const double av[3] = {a.x, a.y, a.z}, bv[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] += av[i] * bv[j];
  }
  double n[4][4] = {{m[0][0] + m[1][1] + m[2][2], m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]},
                    {m[1][2] - m[2][1], m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[2][0] + m[0][2]},
                    {m[2][0] - m[0][2], m[0][1] + m[1][0], m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1]},
                    {m[0][1] - m[1][0], m[2][0] + m[0][2], m[1][2] + m[2][1], m[2][2] - m[0][0] - m[1][1]}};
  double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int p = 0; p < 3; ++p)
      for (int q = p + 1; q < 4; ++q) turnAxes(n, vectors, p, q);
  int best = 0;
  for (int k = 1; k < 4; ++k)
    if (n[k][k] > n[best][best]) best = k;
  const auto of = [&](int row) { return static_cast<float>(vectors[row][best]); };
  return normalized({of(1), of(2), of(3), of(0)});
}

}  // namespace

Pose carried(const Pose& pose, const std::vector<Vec3f>& from, const std::vector<Vec3f>& to) {
  if (from.empty() || from == to) return pose;
  const Vec3d from_middle = middleOf(from), to_middle = middleOf(to);
  const Pose turn = poseOf({}, nearestTurn(from, from_middle, to, to_middle));
  Pose result = turn * pose;
  const Vec3d lever = wide(pose.origin) - from_middle;
  for (int k = 0; k < 3; ++k) {
    const double turned = turn.axis[0][k] * lever.x + turn.axis[1][k] * lever.y + turn.axis[2][k] * lever.z;
    const double middle = k == 0 ? to_middle.x : k == 1 ? to_middle.y : to_middle.z;
    result.origin[k] = static_cast<float>(middle + turned);
  }
  return result;
}

}  // namespace repose
