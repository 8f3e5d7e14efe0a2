// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Fills a region with spheres that lie wholly inside and do not overlap.
#pragma once
#include <cstdint>
#include <vector>

#include "scene/radius_law.h"
#include "scene/region.h"

namespace repose {

inline constexpr std::size_t kMostGrains = 50000000;

// hexagonal and lattice: spaced by the largest grain, from below upwards; random: thrown one by one, the
// large ones first.
enum class Packing : int { hexagonal, lattice, random };

struct Fill {
  Packing packing = Packing::hexagonal;
  float jitter = 0;  // share of the radius by which grains leave their place, which moves the places apart
  std::uint32_t seed = 0;
  std::size_t most = 0;  // grains; 0: as many as have room
};

struct FilledGrains {
  std::vector<Vec3f> centres;  // in the frame of the region
  std::vector<float> radii;
};

// Fails when no grain has room, or more than kMostGrains have.
Result<FilledGrains> fillRegion(const Region& region, const Fill& fill, const RadiusLaw& law);

}  // namespace repose
