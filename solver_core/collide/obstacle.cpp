// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/obstacle.h"

#include <fmt/format.h>

#include "collide/obstacle_kinds.h"

namespace repose {

namespace {

ObstacleResult makeKind(const Collider& collider) {
  switch (collider.shape) {
    case Collider::Shape::plane:
      return makePlane(collider);
    case Collider::Shape::volume:
      return makeVolume(collider);
    case Collider::Shape::heightfield:
      return makeHeightfield(collider);
    case Collider::Shape::mesh:
      return makeMesh(collider);
    case Collider::Shape::field:
      break;
  }
  return badInput("has a shape that this version does not know");
}

}  // namespace

ObstacleResult makeObstacle(const Collider& collider) {
  ObstacleResult made = makeKind(collider);
  if (made.ok()) return made;
  return Status(made.status().code(),
                fmt::format("collider \"{}\" {}", collider.name, made.status().message()));
}

}  // namespace repose
