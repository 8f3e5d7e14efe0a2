// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A body as a host or a cache sees it. A view is filled again and again, and keeps its memory.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scene/geometry.h"

namespace repose {

// Where the grains of a body are in the state, which keeps them in space order: id << 32 | place, ascending.
struct GrainOrder {
  std::vector<std::uint64_t> keys, spare;
};

// One body as it is now; pointers stay valid until the next advance().
struct BodyView {
  std::string name;
  const Geometry* geometry;        // topology, attributes, rest points
  std::vector<Vec3f> positions;    // [m], in the order of the geometry's points; grains in that of their ids
  std::vector<Vec3f> velocities;   // [m/s]
  std::vector<std::uint64_t> ids;  // grains only, ascending; never used again after a grain's end
  std::vector<float> widths;       // grains only: diameters [m]
  GrainOrder order;                // grains only
};

}  // namespace repose
