// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/build.h"
#include "model/topology.h"

namespace repose {

// A membrane triangle for every triangle of the mesh, in place of springs (docs/membranes.md).
void addMembrane(const Geometry& geometry, const MeshTopology& topology, const ClothParams& params,
                 ModelBuilder& builder);

}  // namespace repose
