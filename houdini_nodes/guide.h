// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host draws beside the geometry to show how thick things are.
#pragma once
#include "houdini_nodes/node_geometry.h"

namespace repose::nodes {

// Of each point that touches with a radius three squares about it, their corners that radius away: grains by
// pscale, cloth by its thickness. Of very many points only every n-th has them.
NodeGeometry thicknessGuide(const NodeGeometry& geometry);

}  // namespace repose::nodes
