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

// In place of what the density gives, points weigh what the attribute "pointmass" says where it is above 0
// [kg]; points that tears have made share that of the point they come from. Gives by how much each point has
// become heavier, or nothing.
inline std::vector<float> takePointMasses(const Geometry& geometry, const std::vector<std::int32_t>& copied,
                                          std::vector<float>& masses) {
  const Attribute* own = geometry.find(AttributeOwner::point, "pointmass");
  if (!own || own->type != AttributeType::f32 || own->width != 1) return {};
  const std::size_t whole = masses.size() - copied.size();
  std::vector<std::size_t> from(masses.size());
  std::vector<float> all(masses.size(), 0.0f), ratio(masses.size(), 1.0f);
  for (std::size_t p = 0; p < masses.size(); ++p) {
    from[p] = p < whole ? p : from[static_cast<std::size_t>(copied[p - whole])];
    all[from[p]] += masses[p];
  }
  for (std::size_t p = 0; p < masses.size(); ++p) {
    const float mass = own->floats[from[p]], together = all[from[p]];
    if (!(mass > 0) || !(together > 0)) continue;
    ratio[p] = mass / together;
    masses[p] = together == masses[p] ? mass : masses[p] * ratio[p];
  }
  return ratio;
}

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
