// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/camera.h"

namespace repose {
namespace {

constexpr float kElevation = 14;          // of the automatic camera above the horizon [degrees]
constexpr float kTurnFromBroadSide = 28;  // [degrees]
constexpr float kSmallestSize = 1e-3f;    // a single point is framed as if it were this large [m]

struct Axes {
  Vec3f right, up, forward;
};

Axes axesAlong(Vec3f forward) {
  // Straight up or down has no horizon: any level direction serves as right.
  const Vec3f level = cross(forward, {0, 1, 0});
  const Vec3f right = length(level) > 1e-6f ? normalized(level) : Vec3f{1, 0, 0};
  return {right, cross(right, forward), forward};
}

// How far the points reach beyond the two planes through the origin that bound a field of view along one
// axis.
struct Reach {
  float positive = std::numeric_limits<float>::lowest(), negative = positive;
  void add(float across, float depth, float tangent) {
    positive = std::max(positive, across - depth * tangent);
    negative = std::max(negative, -across - depth * tangent);
  }
  float distance(float tangent) const { return (positive + negative) / (2 * tangent); }
  float offset() const { return (positive - negative) / 2; }
};

Bounds withSize(Bounds bounds) {
  if (bounds.empty()) return {{-1, 0, -1}, {1, 1, 1}};
  const Vec3f grow = Vec3f{1, 1, 1} * (length(bounds.hi - bounds.lo) < kSmallestSize ? kSmallestSize : 0);
  return {bounds.lo - grow, bounds.hi + grow};
}

}  // namespace

View::View(const Camera& camera, int width, int height)
    : eye_(camera.eye),
      pixel_(2 * std::tan(radians(camera.fov) / 2) / static_cast<float>(std::min(width, height))),
      half_width_(static_cast<float>(width) / 2),
      half_height_(static_cast<float>(height) / 2) {
  const Axes axes = axesAlong(normalized(camera.target - camera.eye));
  right_ = axes.right, up_ = axes.up, forward_ = axes.forward;
}

Ray View::rayThrough(float x, float y) const {
  const Vec3f across = right_ * ((x - half_width_) * pixel_) - up_ * ((y - half_height_) * pixel_);
  return {eye_, normalized(forward_ + across)};
}

Vec3f View::project(Vec3f point) const {
  const Vec3f d = point - eye_;
  const float depth = dot(d, forward_), scale = 1 / (depth * pixel_);
  return {half_width_ + dot(d, right_) * scale, half_height_ - dot(d, up_) * scale, depth};
}

Camera frameBounds(const Bounds& bounds, int width, int height, float margin) {
  const Bounds box = withSize(bounds);
  const Vec3f center = (box.lo + box.hi) * 0.5f, size = box.hi - box.lo;
  const float turn = radians(size.x >= size.z ? kTurnFromBroadSide : 90 - kTurnFromBroadSide);
  const float lift = radians(kElevation);
  const Axes axes =
      axesAlong({-std::sin(turn) * std::cos(lift), -std::sin(lift), -std::cos(turn) * std::cos(lift)});

  Camera camera;
  const float tangent = std::tan(radians(camera.fov) / 2) * (1 - 2 * margin);
  const float shorter = static_cast<float>(std::min(width, height));
  const float tangent_x = tangent * static_cast<float>(width) / shorter;
  const float tangent_y = tangent * static_cast<float>(height) / shorter;
  Reach across, upward;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3f p = Vec3f{corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                          corner & 4 ? box.hi.z : box.lo.z} -
                    center;
    across.add(dot(p, axes.right), dot(p, axes.forward), tangent_x);
    upward.add(dot(p, axes.up), dot(p, axes.forward), tangent_y);
  }
  const float distance = std::max(across.distance(tangent_x), upward.distance(tangent_y));
  camera.target = center + axes.right * across.offset() + axes.up * upward.offset();
  camera.eye = camera.target - axes.forward * distance;
  return camera;
}

}  // namespace repose
