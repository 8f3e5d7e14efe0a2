// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid pieces of a cache that holds them as points.
#pragma once
#include <vector>

#include "cache/abc_reader.h"
#include "render/render_scene.h"
#include "scene/scene.h"

namespace repose {

// Whether points are rigid pieces: each has an `orient` (x y z w).
bool arePieces(const AbcPoints& points);
// Whether points are the hits between bodies, of which nothing is seen.
bool areHits(const AbcPoints& points);

// Adds a mesh for each: the shape that the scene has for its `name`, else a box of half size `half` [m].
// `values` is empty or has a number for each piece.
void addPieces(const AbcPoints& points, const std::vector<float>& values, const Scene* scene, float half,
               RenderScene& picture);

}  // namespace repose
