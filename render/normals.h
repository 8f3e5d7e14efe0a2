// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Normals that make a mesh look smooth where it is meant to be.
#pragma once
#include <vector>

#include "render/render_scene.h"

namespace repose {

// Three unit normals a triangle. At each corner the triangles around its point are averaged, weighted by
// area, except those that lean away by more than the crease angle: cloth stays smooth and a box keeps its
// edges.
std::vector<std::array<Vec3f, 3>> cornerNormals(const RenderMesh& mesh);

}  // namespace repose
