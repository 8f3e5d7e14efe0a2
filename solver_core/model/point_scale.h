// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scene/geometry.h"

namespace repose {

// A point attribute that multiplies a parameter, or 1 everywhere.
class PointScale {
 public:
  PointScale(const Geometry& geometry, const char* name) {
    const Attribute* a = geometry.find(AttributeOwner::point, name);
    if (a && a->type == AttributeType::f32 && a->width == 1) values_ = &a->floats;
  }
  template <class... Points>
  float mean(Points... points) const {
    return values_ ? ((*values_)[points] + ...) / static_cast<float>(sizeof...(points)) : 1.0f;
  }

 private:
  const std::vector<float>* values_ = nullptr;
};

// The point attribute "v", or 0 everywhere [m/s].
class PointVelocity {
 public:
  explicit PointVelocity(const Geometry& geometry) {
    const Attribute* a = geometry.find(AttributeOwner::point, "v");
    if (a && a->type == AttributeType::f32 && a->width == 3) values_ = &a->floats;
  }
  Vec3f at(std::size_t point) const {
    if (!values_) return {};
    return {(*values_)[3 * point], (*values_)[3 * point + 1], (*values_)[3 * point + 2]};
  }

 private:
  const std::vector<float>* values_ = nullptr;
};

}  // namespace repose
