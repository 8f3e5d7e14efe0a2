// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Volumes, centres and inertias, in double. Polyhedra are sums of tetrahedra over a common corner (Tonon
// 2004).
#include <cmath>

#include "shape/convex.h"

namespace repose {

namespace {

constexpr double kPi = 3.14159265358979323846;

struct Vec3d {
  double x = 0, y = 0, z = 0;
  double operator[](int k) const { return (&x)[k]; }
  double& operator[](int k) { return (&x)[k]; }
};
Vec3d widened(Vec3f v) { return {v.x, v.y, v.z}; }

// The integrals of 1, x and x x^T, from which mass, centre and inertia follow.
struct Moments {
  double volume = 0;
  Vec3d first;
  double second[3][3] = {};

  // The tetrahedron between the origin and three corners.
  void add(Vec3d a, Vec3d b, Vec3d c) {
    const double det =
        a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    volume += det / 6;
    for (int i = 0; i < 3; ++i) {
      const double sum = a[i] + b[i] + c[i];
      first[i] += det / 24 * sum;
      for (int j = 0; j < 3; ++j)
        second[i][j] += det / 120 * (sum * (a[j] + b[j] + c[j]) + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
  }
};

// inertia = trace(S) 1 - S of the second moments about the centre
void fromSecond(const double s[3][3], std::array<double, 6>& inertia) {
  inertia = {s[1][1] + s[2][2], s[0][0] + s[2][2], s[0][0] + s[1][1], -s[0][1], -s[0][2], -s[1][2]};
}

MassProperties finished(const Moments& m, Vec3d origin) {
  MassProperties mass;
  mass.volume = m.volume;
  if (m.volume == 0) return mass;
  double s[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s[i][j] = m.second[i][j] - m.first[i] * m.first[j] / m.volume;
  fromSecond(s, mass.inertia);
  for (int k = 0; k < 3; ++k) mass.centre[k] = origin[k] + m.first[k] / m.volume;
  return mass;
}

// Of a solid at its own origin with its axes as main axes, to where it is placed: R I R^T.
MassProperties placed(double volume, const double (&diagonal)[3], const Pose& place) {
  MassProperties mass;
  mass.volume = volume;
  double full[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        full[i][j] += diagonal[k] * static_cast<double>(place.axis[k][i]) * place.axis[k][j];
  mass.inertia = {full[0][0], full[1][1], full[2][2], full[0][1], full[0][2], full[1][2]};
  for (int k = 0; k < 3; ++k) mass.centre[k] = place.origin[k];
  return mass;
}

MassProperties hullMass(const Hull& hull, const Pose& place) {
  std::vector<Vec3f> points;
  for (const Vec3f p : hull.corners) points.push_back(place.world(p));
  std::vector<std::array<int, 3>> triangles;
  for (int f = 0; f < hull.faces(); ++f) {
    const int first = hull.face_first[f];
    for (int k = first + 1; k + 1 < hull.face_first[f + 1]; ++k)
      triangles.push_back({hull.face_corners[first], hull.face_corners[k], hull.face_corners[k + 1]});
  }
  return massOf(points, triangles);
}

}  // namespace

MassProperties massOf(const Convex& convex) {
  const double r = convex.radius, h = 2.0 * convex.half.y;
  switch (convex.kind) {
    case Convex::Kind::sphere: {
      const double volume = 4.0 / 3 * kPi * r * r * r, moment = 0.4 * volume * r * r;
      return placed(volume, {moment, moment, moment}, convex.place);
    }
    case Convex::Kind::cylinder: {
      const double volume = kPi * r * r * h, across = volume * (3 * r * r + h * h) / 12;
      return placed(volume, {across, volume * r * r / 2, across}, convex.place);
    }
    case Convex::Kind::capsule: {
      const double straight = kPi * r * r * h, ends = 4.0 / 3 * kPi * r * r * r;
      // two half balls, each with its centre 3/8 r beyond the straight part
      const double across =
          straight * (3 * r * r + h * h) / 12 + ends * (0.4 * r * r + h * h / 4 + 3.0 / 8 * h * r);
      return placed(straight + ends, {across, straight * r * r / 2 + ends * 0.4 * r * r, across},
                    convex.place);
    }
    case Convex::Kind::box: {
      const double x = 2.0 * convex.half.x, y = h, z = 2.0 * convex.half.z, volume = x * y * z;
      return placed(
          volume,
          {volume * (y * y + z * z) / 12, volume * (x * x + z * z) / 12, volume * (x * x + y * y) / 12},
          convex.place);
    }
    case Convex::Kind::hull:
      return hullMass(*convex.hull, convex.place);
  }
  return {};
}

MassProperties massOf(const std::vector<Vec3f>& points, const std::vector<std::array<int, 3>>& triangles) {
  if (points.empty()) return {};
  const Vec3d origin = widened(points[0]);  // near the mesh, so that little cancels
  const auto at = [&](int p) {
    const Vec3d v = widened(points[p]);
    return Vec3d{v.x - origin.x, v.y - origin.y, v.z - origin.z};
  };
  Moments moments;
  for (const std::array<int, 3>& t : triangles) moments.add(at(t[0]), at(t[1]), at(t[2]));
  return finished(moments, origin);
}

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  MassProperties sum;
  sum.volume = a.volume + b.volume;
  if (sum.volume == 0) return sum;
  for (int k = 0; k < 3; ++k) sum.centre[k] = (a.volume * a.centre[k] + b.volume * b.centre[k]) / sum.volume;
  sum.inertia = {};
  for (const MassProperties* part : {&a, &b}) {
    const double x = part->centre[0] - sum.centre[0], y = part->centre[1] - sum.centre[1],
                 z = part->centre[2] - sum.centre[2], v = part->volume;
    const double shift[6] = {v * (y * y + z * z), v * (x * x + z * z), v * (x * x + y * y),
                             -v * x * y,          -v * x * z,          -v * y * z};
    for (int k = 0; k < 6; ++k) sum.inertia[k] += part->inertia[k] + shift[k];
  }
  return sum;
}

// Cyclic Jacobi rotations (Golub and Van Loan, 8.5).
Pose principalAxes(const MassProperties& mass, std::array<double, 3>& moments) {
  const std::array<double, 6>& m = mass.inertia;
  double a[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // columns are the axes
  const double scale = std::abs(m[0]) + std::abs(m[1]) + std::abs(m[2]);
  for (int sweep = 0; sweep < 16; ++sweep) {
    if (std::abs(a[0][1]) + std::abs(a[0][2]) + std::abs(a[1][2]) <= 1e-15 * scale) break;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; ++k) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
          const double vp = v[k][p], vq = v[k][q];
          v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
        }
        a[p][q] = a[q][p] = 0;
      }
  }
  Pose pose;
  for (int k = 0; k < 3; ++k) {
    moments[k] = a[k][k];
    pose.origin[k] = static_cast<float>(mass.centre[k]);
    for (int i = 0; i < 3; ++i) pose.axis[k][i] = static_cast<float>(v[i][k]);
  }
  return pose;  // products of rotations are right handed
}

}  // namespace repose
