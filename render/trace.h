// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Light: a frame becomes a picture. A soft sun, a studio sky, a floor that fades into the distance, and one
// bounce of light between surfaces. Every pixel is a pure function of the input: the same for any number of
// threads.
#pragma once
#include "render/camera.h"
#include "render/colormap.h"
#include "render/image.h"
#include "render/render_scene.h"

namespace repose {

struct Floor {
  bool shown = true;
  float height = 0;   // [m]
  float spacing = 0;  // of its faint lines [m]; 0 = no lines
  Vec3f center;       // lines and floor fade away from here,
  float reach = 10;   // over about this distance [m]
};

struct TraceSettings {
  int width = 960, height = 540;
  int samples = 32;    // most rays a pixel, rounded up to a power of two; calm pixels take a quarter
  Vec3f to_sun;        // direction; zero = over the camera's left shoulder
  float sun_size = 4;  // half of its apparent diameter [degrees]
  Floor floor;
  ValueRange range;  // of the values in the scene
  int threads = 0;   // 0 = all
};

// Floor below a space, with lines at a round spacing of which about ten lie below it.
Floor floorBelow(const Bounds& bounds);

Result<Image> trace(RenderScene scene, const Camera& camera, const TraceSettings& settings);

}  // namespace repose
