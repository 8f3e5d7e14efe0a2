// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A closed part of space that grains fill, in the frame of its placement (scene/volume.h).
#pragma once
#include <memory>
#include <string>

#include "base/status.h"
#include "scene/volume.h"

namespace repose {

class Region {
 public:
  virtual ~Region() = default;
  virtual Bounds bounds() const = 0;
  // Whether a sphere lies wholly inside; of radius 0, a point.
  virtual bool holds(Vec3f centre, float radius) const = 0;
};

std::unique_ptr<Region> makeVolumeRegion(const Volume& volume);
// Fails on a mesh that is open or whose faces do not all turn the same way.
Result<std::unique_ptr<Region>> makeMeshRegion(const Geometry& mesh);
// The first grid of a VDB file, which must be a level set, scaled; no sphere that is asked for is larger than
// `radius`.
Result<std::unique_ptr<Region>> readVdbRegion(const std::string& path, Vec3f scale, float radius);

}  // namespace repose
