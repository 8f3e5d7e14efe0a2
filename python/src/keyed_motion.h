// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Points that a script moves: where they are at some frames.
#pragma once
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace repose_python {

class KeyedMotion : public repose::Motion {
 public:
  void set(double frame, std::vector<repose::Vec3f> points) { keys_[frame] = std::move(points); }
  bool empty() const { return keys_.empty(); }

  repose::Status positionsAt(double frame, std::vector<repose::Vec3f>& points) override {
    const auto after = keys_.lower_bound(frame);
    points = (after == keys_.end() ? std::prev(after) : after)->second;
    if (after == keys_.end() || after == keys_.begin() || after->first == frame) return {};
    const auto& [from, start] = *std::prev(after);
    const auto weight = static_cast<float>((frame - from) / (after->first - from));
    for (std::size_t k = 0; k < points.size(); ++k) points[k] = start[k] + weight * (points[k] - start[k]);
    return {};
  }

 private:
  std::map<double, std::vector<repose::Vec3f>> keys_;
};

}  // namespace repose_python
