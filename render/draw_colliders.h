// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The colliders of a scene in a picture: caches hold only what moves by itself.
#pragma once
#include <optional>

#include "base/status.h"
#include "render/render_scene.h"
#include "scene/scene.h"

namespace repose {

// Adds the colliders as they stand at a frame, in a quiet grey. One looks into containers: of their walls
// only the far sides are seen, and thin lines along their edges. `extent` is the space of everything else; it
// says how large planes that are not the ground are drawn. Fails when a file of a collider cannot be read.
Status addColliders(const Scene& scene, double frame, const Bounds& extent, RenderScene& picture);

// Height of the highest level plane, which is the ground of the picture; none: there is no such plane.
std::optional<float> groundHeight(const Scene& scene, double frame);

}  // namespace repose
