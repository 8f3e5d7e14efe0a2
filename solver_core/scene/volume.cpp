// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

// Scales that differ by less are one scale: what rounding does to a column of a rotation.
constexpr float kSameScale = 1e-5f;

bool same(float a, float b) { return std::abs(a - b) <= kSameScale * std::max(a, b); }

bool above(float a) { return a > 0 && std::isfinite(a); }

}  // namespace

Vec3f scaleOf(const Mat4d& place) {
  Vec3f scale;
  for (int k = 0; k < 3; ++k)
    scale[k] = static_cast<float>(std::sqrt(place.m[0][k] * place.m[0][k] + place.m[1][k] * place.m[1][k] +
                                            place.m[2][k] * place.m[2][k]));
  return scale;
}

Status foldScale(Volume& volume) {
  using Shape = Volume::Shape;
  const std::string_view name = kVolumeNames[static_cast<int>(volume.shape)];
  const Vec3f scale = scaleOf(volume.place);
  if (!above(scale.x) || !above(scale.y) || !above(scale.z))
    return badInput(fmt::format("the scale of a {} must be above 0", name));
  const bool upright = volume.shape == Shape::cylinder || volume.shape == Shape::cone;
  if (volume.shape != Shape::box && !same(scale.x, scale.z))
    return badInput(fmt::format("a {} must have the same scale along x and z, but has {} and {}", name,
                                scale.x, scale.z));
  if (volume.shape != Shape::box && !upright && !same(scale.x, scale.y))
    return badInput(fmt::format("a {} must have the same scale along x and y, but has {} and {}", name,
                                scale.x, scale.y));
  for (int k = 0; k < 3; ++k) {
    volume.size[k] *= scale[k];
    for (int i = 0; i < 3; ++i) volume.place.m[i][k] /= scale[k];
  }
  volume.radius *= scale.x;
  volume.tuberadius *= scale.x;
  volume.height *= scale.y;
  const bool sized = volume.shape == Shape::box
                         ? above(volume.size.x) && above(volume.size.y) && above(volume.size.z)
                         : above(volume.radius);
  const bool tall = volume.shape == Shape::box || volume.shape == Shape::sphere ||
                    volume.shape == Shape::torus || above(volume.height);
  const bool tube = volume.shape != Shape::torus || above(volume.tuberadius);
  if (sized && tall && tube) return {};
  return badInput(fmt::format("the sizes of a {} must be above 0", name));
}

}  // namespace repose
