// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host draws beside the geometry: how thick things are, and what pushes them.
#pragma once
#include "houdini_nodes/cook.h"

namespace repose {
class Simulation;
}

namespace repose::nodes {

// Keeps the contacts of the last step on the detail, in the world; none where they are not wanted any more.
void writeContacts(const Simulation& simulation, bool wanted, NodeGeometry& geometry);
// Into the space that an object is shown in.
void placeContacts(const Placement& by, NodeGeometry& geometry);

// Whether the parameters ask for any guide.
bool showsGuide(const Parms& parms);
// By showthickness: of each point that touches with a radius three squares about it, their corners that
// radius away: grains by pscale, cloth by its thickness. By showcontacts: of each contact a line along what
// pushes there, contactscale metres for a newton. Of very many only every n-th is drawn.
NodeGeometry guideOf(const NodeGeometry& geometry, const Parms& parms);

}  // namespace repose::nodes
