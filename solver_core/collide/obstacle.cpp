// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/obstacle.h"

#include <fmt/format.h>

#include "collide/obstacle_kinds.h"

namespace repose {

namespace {

ObstacleResult makeKind(const Collider& collider, float reach) {
  switch (collider.shape) {
    case Collider::Shape::plane:
      return makePlane(collider);
    case Collider::Shape::volume:
      return makeVolume(collider);
    case Collider::Shape::heightfield:
      return makeHeightfield(collider);
    case Collider::Shape::mesh:
      return collider.voxel > 0 ? makeMeshField(collider, reach) : makeMesh(collider);
    case Collider::Shape::field:
      return makeFileField(collider, reach);
  }
  return badInput("has a shape that this version does not know");
}

}  // namespace

ObstacleResult makeObstacle(const Collider& collider, float reach) {
  ObstacleResult made = makeKind(collider, reach);
  if (made.ok()) return made;
  return Status(made.status().code(),
                fmt::format("collider \"{}\" {}", collider.name, made.status().message()));
}

}  // namespace repose
