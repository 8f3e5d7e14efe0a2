// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Several objects of a host as one world: put together, stepped, and taken apart again.
#pragma once
#include <vector>

#include "houdini_nodes/cook.h"
#include "houdini_nodes/host_push.h"
#include "houdini_nodes/placement.h"

namespace repose::nodes {

class ObjectWorld {
 public:
  // Forces are those of the host on this object, without gravity.
  void addObject(NodeGeometry geometry, const Placement& at = {}, std::vector<HostForce> forces = {});
  void addCollider(NodeGeometry geometry, const Placement& at = {});

  // Goes on by so many seconds from the frame of the state, or begins at the start frame. As stepWorld().
  CookResult step(const Parms& parms, double seconds, CookControl& control, std::string& state,
                  std::unique_ptr<NodeMemory>& memory);
  const NodeGeometry& object(std::size_t k) const { return objects_[k]; }

 private:
  void takeApart(const NodeGeometry& whole);

  std::vector<NodeGeometry> objects_, colliders_;
  std::vector<Placement> placements_;  // of the objects
  std::vector<HostPush> pushes_;
  std::size_t points_ = 0;  // of all objects
  std::vector<std::string> notes_;
};

// Points, primitives and attributes of both; a detail attribute is that of the first that has it.
NodeGeometry joined(const NodeGeometry& a, const NodeGeometry& b);

}  // namespace repose::nodes
