// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Every example has the same bits on any number of threads, and what is built stands.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "solve/simulation.h"

namespace repose {
namespace {

std::set<std::string> exampleNames() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(REPOSE_SOURCE_DIR "/examples_hip"))
    if (entry.path().extension() == ".json") names.insert(entry.path().stem().string());
  return names;
}

class Example : public testing::TestWithParam<std::string> {};

TEST_P(Example, SameBitsOnAnyNumberOfThreads) {
  const SceneLoad load =
      loadScene(std::string(REPOSE_SOURCE_DIR "/examples_hip/") + GetParam() + ".json", {});
  ASSERT_TRUE(load.ok()) << load.errors[0];
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3}) {
    auto simulation = Simulation::create(load.scene, threads);
    ASSERT_TRUE(simulation.ok()) << simulation.status().message();
    StepReport report;
    for (int frame = 0; frame < 2; ++frame) ASSERT_TRUE((*simulation)->advance(1, report).ok());
    if (threads == 1) first = report.hash;
    EXPECT_EQ(report.hash, first) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::ValuesIn(exampleNames()),
                         [](const auto& test) { return test.param; });

// How far any piece of the first body has come after so many frames [m], and how far it leans [rad].
void expectStands(const std::string& name, int frames, float far, float lean) {
  const SceneLoad load = loadScene(REPOSE_SOURCE_DIR "/examples_hip/" + name + ".json", {});
  ASSERT_TRUE(load.ok()) << load.errors[0];
  auto simulation = std::move(*Simulation::create(load.scene, 1));
  RigidView before, after;
  simulation->readRigid(0, before);
  StepReport report;
  for (int frame = 0; frame < frames; ++frame) ASSERT_TRUE(simulation->advance(1, report).ok());
  simulation->readRigid(0, after);
  ASSERT_GT(after.poses.size(), 1u);
  for (std::size_t k = 0; k < after.poses.size(); ++k) {
    EXPECT_LT(length(after.poses[k].origin - before.poses[k].origin), far) << name << ", piece " << k;
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_LT(length(after.poses[k].axis[axis] - before.poses[k].axis[axis]), lean)
          << name << ", piece " << k;
    EXPECT_LT(length(after.velocities[k]), 0.01f) << name << ", piece " << k;
  }
}

TEST(ExampleStands, ACardHouseFor200Frames) { expectStands("card_house", 200, 0.01f, 0.02f); }
TEST(ExampleStands, AStackOfTwentyBoxesFor1000Frames) { expectStands("stack", 1000, 0.02f, 0.02f); }

}  // namespace
}  // namespace repose
