// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Volumes by formula: names, sizes and scale.
#pragma once
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

}  // namespace repose
