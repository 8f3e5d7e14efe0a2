// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace repose::nodes {

// Points that a host moves: where they were at one frame and where they are at the next.
class HostMotion : public Motion {
 public:
  void begin(double frame, std::vector<Vec3f> points) {
    from_ = to_ = frame;
    first_ = last_ = std::move(points);
  }
  void goTo(double frame, std::vector<Vec3f> points) {
    from_ = to_, first_ = std::move(last_);
    to_ = frame, last_ = std::move(points);
  }
  const std::vector<Vec3f>& last() const { return last_; }

  Status positionsAt(double frame, std::vector<Vec3f>& points) override {
    points = frame >= to_ ? last_ : first_;
    if (frame <= from_ || frame >= to_) return {};
    const auto weight = static_cast<float>((frame - from_) / (to_ - from_));
    for (std::size_t k = 0; k < points.size(); ++k) points[k] = points[k] + weight * (last_[k] - points[k]);
    return {};
  }

 private:
  double from_ = 0, to_ = 0;
  std::vector<Vec3f> first_, last_;
};

}  // namespace repose::nodes
