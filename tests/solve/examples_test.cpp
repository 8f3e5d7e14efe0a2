// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Every example has the same bits on any number of threads.
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

}  // namespace
}  // namespace repose
