// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Polygon meshes as surfaces: their triangles, and whether they enclose a volume.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "scene/geometry.h"

namespace repose {

using TriangleList = std::vector<std::array<int, 3>>;

// Each face as a fan from its first corner.
TriangleList fanTriangles(const Geometry& geometry);
// Whether a triangle has so little area that it has no normal.
bool isDegenerate(Vec3f a, Vec3f b, Vec3f c);
// Every side of a triangle is that of exactly one other, turned the other way.
bool isClosed(const TriangleList& triangles);
// What the triangles enclose [m^3]; below zero when they are inside out.
double enclosedVolume(const TriangleList& triangles, const std::vector<Vec3f>& points);

}  // namespace repose
