// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One frame as the tracer takes it: plain arrays in world space [m].
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "render/shading_math.h"

namespace repose {

using Triangle = std::array<std::uint32_t, 3>;

// In all three, `values` is empty or has one number a point; it is shown by the colour map instead of
// `color`.
struct RenderMesh {
  std::vector<Vec3f> points;
  std::vector<Triangle> triangles;  // counter-clockwise seen from the front
  std::vector<float> values;
  Color color;
  bool only_inside =
      false;  // a container: the camera sees its walls from inside alone, light does not see it
};

struct RenderSpheres {
  std::vector<Vec3f> points;
  std::vector<float> radii;  // one a point
  std::vector<float> values;
  Color color;
  std::vector<float> tones = {};  // how light each is against the colour, about 1; empty: all the same
};

struct RenderCurves {
  std::vector<Vec3f> points;
  std::vector<std::int32_t> counts;  // points of each polyline
  std::vector<float> radii;          // one a point
  std::vector<float> values;
  Color color;
};

struct RenderScene {
  std::vector<RenderMesh> meshes;
  std::vector<RenderSpheres> spheres;
  std::vector<RenderCurves> curves;
};

// Cuts faces into fans of triangles; a face with less than three corners or with a corner outside the points
// gives none.
std::vector<Triangle> triangulate(const std::vector<std::int32_t>& face_counts,
                                  const std::vector<std::int32_t>& face_indices, std::size_t point_count);

// Takes out what has no place in a picture: triangles, spheres and curves with a point or radius that is not
// a number or is absurdly far. Returns the number of such points.
std::size_t removeUnplaced(RenderScene& scene);

// Of all points that are left, with their radii.
Bounds boundsOf(const RenderScene& scene);

// A pleasant, distinct colour for each object.
Color paletteColor(std::size_t object);
// A quiet colour for a rigid piece, by its name alone: the same in every cache and picture.
Color pieceColor(const std::string& name);
// Colours of sand for each body of grains, and how light a grain is: some are darker than others, and those
// that came one after another (of all `ids` that there will be) make layers.
Color sandColor(std::size_t object);
float sandTone(std::uint64_t id, std::uint64_t ids);

}  // namespace repose
