// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// S3 of peers.md: boxes of 0.4 m, turned at random, before they fall into a container.
#pragma once
#include "tests/solve/grain_world.h"
#include "tests/solve/rigid_world.h"

namespace repose {

// Of the container, for so many boxes side by side [m].
inline float halfWidth(int across) { return 0.36f * static_cast<float>(across) + 0.08f; }

// across x across a layer. start: place and quaternion of each, for peers.
inline std::unique_ptr<RigidWorld> makeBoxes(int n, int across, int threads,
                                             std::vector<float>* start = nullptr) {
  auto world = std::make_unique<RigidWorld>(threads);
  world->params.world.gravity = {0, -9.81f, 0};
  const int box = world->addBox({0.4f, 0.4f, 0.4f});
  Lcg random(1);
  const float middle = 0.5f * static_cast<float>(across - 1);
  for (int i = 0; i < n; ++i) {
    const int layer = i / (across * across), place = i % (across * across);
    const int column = place % across, row = place / across;
    const Quat turn = normalized({random.around(1), random.around(1), random.around(1), random.around(1)});
    const Vec3f at{(static_cast<float>(column) - middle) * 0.72f + random.around(0.01f),
                   0.4f + static_cast<float>(layer) * 0.72f,
                   (static_cast<float>(row) - middle) * 0.72f + random.around(0.01f)};
    world->place(box, at, turn);
    if (start) start->insert(start->end(), {at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w});
  }
  world->addPlane({}, {0, 1, 0});
  for (const float side : {-1.0f, 1.0f}) {
    world->addPlane({side * halfWidth(across), 0, 0}, {-side, 0, 0});
    world->addPlane({0, 0, side * halfWidth(across)}, {0, 0, -side});
  }
  world->setFriction(0.4f);
  return world;
}

}  // namespace repose
