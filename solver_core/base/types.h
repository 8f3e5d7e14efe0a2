// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Small value types of the host side. The solver's own formulas use kernel/vec.h instead.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace repose {

struct Vec3f {
  float x = 0, y = 0, z = 0;
  float& operator[](int i) { return (&x)[i]; }
  float operator[](int i) const { return (&x)[i]; }
};

inline Vec3f operator+(Vec3f a, Vec3f b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3f operator-(Vec3f a, Vec3f b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3f operator-(Vec3f a) { return {-a.x, -a.y, -a.z}; }
inline Vec3f operator*(Vec3f a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vec3f operator*(float s, Vec3f a) { return a * s; }
inline Vec3f& operator+=(Vec3f& a, Vec3f b) { return a = a + b; }
inline bool operator==(Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
inline bool operator!=(Vec3f a, Vec3f b) { return !(a == b); }
inline float dot(Vec3f a, Vec3f b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3f cross(Vec3f a, Vec3f b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(Vec3f a) { return std::sqrt(dot(a, a)); }
inline bool isFinite(Vec3f a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// Four floats as the solver stores a point: position and inverse mass, or velocity and nothing.
struct alignas(16) Vec4f {
  float x = 0, y = 0, z = 0, w = 0;
};
inline Vec3f xyz(Vec4f a) { return {a.x, a.y, a.z}; }

struct Bounds {
  Vec3f lo{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(),
           std::numeric_limits<float>::max()};
  Vec3f hi{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest(),
           std::numeric_limits<float>::lowest()};

  bool empty() const { return lo.x > hi.x; }
  void add(Vec3f p) {
    for (int k = 0; k < 3; ++k) {
      if (p[k] < lo[k]) lo[k] = p[k];
      if (p[k] > hi[k]) hi[k] = p[k];
    }
  }
  void add(const Bounds& b) {
    if (!b.empty()) {
      add(b.lo), add(b.hi);
    }
  }
};

// Row-major 4x4 transform for column vectors: p' = M p.
struct Mat4d {
  double m[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
};
inline Mat4d operator*(const Mat4d& a, const Mat4d& b) {
  Mat4d r;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      r.m[i][j] = 0;
      for (int k = 0; k < 4; ++k) r.m[i][j] += a.m[i][k] * b.m[k][j];
    }
  return r;
}
inline Vec3f transformPoint(const Mat4d& t, Vec3f p) {
  const auto row = [&](int i) {
    return static_cast<float>(t.m[i][0] * p.x + t.m[i][1] * p.y + t.m[i][2] * p.z + t.m[i][3]);
  };
  return {row(0), row(1), row(2)};
}
inline Vec3f transformVector(const Mat4d& t, Vec3f v) {
  const auto row = [&](int i) {
    return static_cast<float>(t.m[i][0] * v.x + t.m[i][1] * v.y + t.m[i][2] * v.z);
  };
  return {row(0), row(1), row(2)};
}

}  // namespace repose
