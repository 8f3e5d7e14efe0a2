// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// dump_state SCENE FRAMES FILE: the positions and velocities of the first body, frame after frame, as plain
// floats. The tests compare them with what other programs read from the cache.
#include <cstdio>
#include <cstdlib>

#include "solve/simulation.h"

int main(int argc, char** argv) {
  using namespace repose;
  if (argc != 4) return 2;
  const SceneLoad load = loadScene(argv[1], {});
  std::FILE* file = std::fopen(argv[3], "wb");
  if (!load.ok() || !file) return 2;
  auto simulation = Simulation::create(load.scene, 0);
  if (!simulation) return 2;
  const int frames = std::atoi(argv[2]);
  BodyView view;
  for (int frame = 0; frame < frames; ++frame) {
    StepReport report{};
    if (frame > 0 && !(*simulation)->advance(1, report)) return 3;
    (*simulation)->readBody(0, view);
    for (const auto* vectors : {&view.positions, &view.velocities})
      std::fwrite(vectors->data(), sizeof(Vec3f), vectors->size(), file);
  }
  return std::fclose(file) == 0 ? 0 : 4;
}
