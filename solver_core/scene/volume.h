// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Volumes by formula: names, sizes and scale, what is inside, and how deep. They are measured in a frame that
// is turned and moved against the world but has its lengths.
#pragma once
#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/status.h"
#include "scene/scene.h"

namespace repose {

// In the order of Volume::Shape.
inline constexpr std::string_view kVolumeNames[] = {"box", "sphere", "cylinder", "cone", "capsule", "torus"};

// The scale of a place that turns, moves and scales along its own axes.
Vec3f scaleOf(const Mat4d& place);
// Puts the scale of the place into the sizes, so that the place only turns and moves. Fails for a shape that
// would not stay one of its kind, as a sphere does with two scales, and for sizes that are not above zero.
Status foldScale(Volume& volume);

// A transform of a scene file taken apart: scale first, then a turn and a move.
struct Placement {
  Mat4d place, back;  // from the frame to the world without the scale, and the inverse
  Vec3f scale{1, 1, 1};

  Placement() = default;
  explicit Placement(const Mat4d& transform) : place(transform) {
    for (int c = 0; c < 3; ++c) {
      double square = 0;
      for (int r = 0; r < 3; ++r) square += transform.m[r][c] * transform.m[r][c];
      const double size = std::sqrt(square);
      scale[c] = static_cast<float>(size);
      for (int r = 0; r < 3; ++r) back.m[c][r] = place.m[r][c] = transform.m[r][c] / size;
    }
    for (int r = 0; r < 3; ++r) {
      back.m[r][3] = 0;
      for (int k = 0; k < 3; ++k) back.m[r][3] -= back.m[r][k] * place.m[k][3];
    }
  }
  Vec3f toWorld(Vec3f p) const { return transformPoint(place, p); }
  Vec3f toFrame(Vec3f p) const { return transformPoint(back, p); }
  float leastScale() const { return std::min({scale.x, scale.y, scale.z}); }
};

// Half the size of the box around a volume that is not scaled.
inline Vec3f halfExtent(const Volume& volume) {
  const float r = volume.radius, h = volume.height / 2;
  switch (volume.shape) {
    case Volume::Shape::box:
      return volume.size * 0.5f;
    case Volume::Shape::sphere:
      return {r, r, r};
    case Volume::Shape::cylinder:
    case Volume::Shape::cone:
      return {r, h, r};
    case Volume::Shape::capsule:
      return {r, h + r, r};
    case Volume::Shape::torus:
      return {r + volume.tuberadius, volume.tuberadius, r + volume.tuberadius};
  }
  return {};
}

// Distance of an inner place to the surface of a volume that is not scaled; negative outside.
inline float depthIn(const Volume& volume, Vec3f p) {
  const float r = volume.radius, h = volume.height / 2;
  const float from_axis = std::sqrt(p.x * p.x + p.z * p.z);
  switch (volume.shape) {
    case Volume::Shape::box:
      return std::min({volume.size.x / 2 - std::abs(p.x), volume.size.y / 2 - std::abs(p.y),
                       volume.size.z / 2 - std::abs(p.z)});
    case Volume::Shape::sphere:
      return r - length(p);
    case Volume::Shape::cylinder:
      return std::min(r - from_axis, h - std::abs(p.y));
    case Volume::Shape::cone:  // base and slant
      return std::min(p.y + h, ((r - from_axis) * 2 * h - (p.y + h) * r) / std::sqrt(4 * h * h + r * r));
    case Volume::Shape::capsule:
      return r - length(p - Vec3f{0, std::clamp(p.y, -h, h), 0});
    case Volume::Shape::torus:
      return volume.tuberadius - length({from_axis - r, p.y, 0});
  }
  return 0;
}

class PlacedVolume {
 public:
  explicit PlacedVolume(const Volume& volume) : volume_(volume), placement_(volume.place) {
    const Vec3f s = placement_.scale;
    if (volume_.shape == Volume::Shape::box) {  // a scaled box is a box
      for (int k = 0; k < 3; ++k) volume_.size[k] *= s[k];
      unscale_ = {1, 1, 1}, least_scale_ = 1;
    } else {
      unscale_ = {1 / s.x, 1 / s.y, 1 / s.z}, least_scale_ = placement_.leastScale();
    }
    const Vec3f half = halfExtent(volume_);
    for (int k = 0; k < 3; ++k) half_[k] = half[k] / unscale_[k];
  }

  const Placement& placement() const { return placement_; }
  // In the frame. A depth is exact for one scale in all directions, else at most the true one.
  Bounds bounds() const { return {-half_, half_}; }
  float depth(Vec3f p) const {
    return depthIn(volume_, {p.x * unscale_.x, p.y * unscale_.y, p.z * unscale_.z}) * least_scale_;
  }
  bool contains(Vec3f world) const { return depth(placement_.toFrame(world)) >= 0; }

 private:
  Volume volume_;
  Placement placement_;
  Vec3f unscale_, half_;
  float least_scale_;
};

}  // namespace repose
