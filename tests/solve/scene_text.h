// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Scenes that a test writes as a user would.
#pragma once
#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "solve/simulation.h"

namespace repose {

inline std::unique_ptr<Simulation> start(const std::string& text, int threads = 1) {
  const auto file =
      std::filesystem::temp_directory_path() / ("repose_test_" + std::to_string(getpid()) + ".json");
  std::ofstream(file) << text;
  const SceneLoad load = loadScene(file.string(), {});
  std::filesystem::remove(file);
  for (const std::string& error : load.errors) ADD_FAILURE() << error;
  Result<std::unique_ptr<Simulation>> simulation = Simulation::create(load.scene, threads);
  if (!simulation) {
    ADD_FAILURE() << simulation.status().message();
    std::abort();
  }
  return std::move(*simulation);
}

inline StepReport run(Simulation& simulation, int frames) {
  StepReport report;
  for (int f = 0; f < frames; ++f) {
    const Status moved = simulation.advance(1, report);
    EXPECT_TRUE(moved.ok()) << moved.message();
  }
  return report;
}

}  // namespace repose
