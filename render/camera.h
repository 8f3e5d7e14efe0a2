// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A pinhole camera, given or found from the space that a motion takes.
#pragma once
#include "render/shading_math.h"

namespace repose {

struct Ray {
  Vec3f origin, direction;  // direction has length 1
};

struct Camera {
  Vec3f eye{0, 1, 5}, target;
  float fov = 30;  // of the shorter side of the picture [degrees]
};

// A camera and a picture size. Pixel coordinates grow to the right and down; the centre of the top left pixel
// is (0.5, 0.5).
class View {
 public:
  View(const Camera& camera, int width, int height);
  Ray rayThrough(float x, float y) const;
  // Pixel coordinates in x and y, distance along the axis of view in z (negative: behind the camera).
  Vec3f project(Vec3f point) const;
  // Metres across one pixel at a distance of one metre.
  float pixelAngle() const { return pixel_; }

 private:
  Vec3f eye_, right_, up_, forward_;
  float pixel_, half_width_, half_height_;
};

// The nearest camera that looks down a little in three-quarter view at the broad side of the box and has its
// eight corners in the picture, with a margin given as a share of the picture.
Camera frameBounds(const Bounds& bounds, int width, int height, float margin = 0.08f);

}  // namespace repose
