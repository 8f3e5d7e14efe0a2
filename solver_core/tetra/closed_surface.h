// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A polygon mesh as the skin of a solid: points at one place are one point, faces are triangles that look
// outwards.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "scene/geometry.h"

namespace repose {

class ClosedSurface {
 public:
  explicit ClosedSurface(const Geometry& geometry);

  // Why it encloses nothing, as "is open: ..."; "" when it does.
  const std::string& problem() const { return problem_; }
  const std::vector<Vec3f>& points() const { return points_; }
  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
  const Bounds& bounds() const { return bounds_; }
  double volume() const { return volume_; }  // [m^3]
  double area() const { return area_; }      // [m^2]
  bool wasInsideOut() const { return inside_out_; }

 private:
  void weld(const std::vector<Vec3f>& points, std::vector<int>& merged);
  std::string findOpenEdges() const;

  std::string problem_;
  std::vector<Vec3f> points_;
  std::vector<std::array<int, 3>> triangles_;
  Bounds bounds_;
  double volume_ = 0, area_ = 0;
  bool inside_out_ = false;
};

}  // namespace repose
