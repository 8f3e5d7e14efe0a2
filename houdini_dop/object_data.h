// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the data of DOP objects say to the world: where they stand, what they collide with, what pulls them.
#pragma once
#include <SIM/SIM_ObjectArray.h>

#include "houdini_nodes/object_world.h"

class SIM_Geometry;
class SIM_Object;

namespace repose::houdini {

// Where the object of a geometry stands.
nodes::Placement placementOf(const SIM_Geometry& geometry);
// Colliders of all objects, each once; what is solved itself is none.
void addColliders(const SIM_ObjectArray& objects, nodes::ObjectWorld& world);
// Gravity of all forces of an object together.
void takeGravity(const SIM_Object& object, nodes::Parms& parms);
// All its other forces; they live as long as the object.
std::vector<nodes::HostForce> forcesOf(const SIM_Object& object);

}  // namespace repose::houdini
