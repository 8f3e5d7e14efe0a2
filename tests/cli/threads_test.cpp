// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/threads.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>

namespace repose {
namespace {

constexpr const char* kFarmNames[] = {"SLURM_CPUS_PER_TASK", "NSLOTS", "OMP_NUM_THREADS"};

class Threads : public testing::Test {
 protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    for (const char* name : kFarmNames) unsetenv(name);
  }
};

TEST_F(Threads, TheRequestComesFirstThenTheFarm) {
  setenv("OMP_NUM_THREADS", "3", 1);
  EXPECT_EQ(chooseThreads(0), 3);
  setenv("NSLOTS", "4", 1);
  EXPECT_EQ(chooseThreads(0), 4);
  setenv("SLURM_CPUS_PER_TASK", "5", 1);
  EXPECT_EQ(chooseThreads(0), 5);
  EXPECT_EQ(chooseThreads(7), 7);
}

TEST_F(Threads, SenselessFarmValuesAreSkipped) {
  setenv("SLURM_CPUS_PER_TASK", "many", 1);
  setenv("NSLOTS", "-2", 1);
  setenv("OMP_NUM_THREADS", "6", 1);
  EXPECT_EQ(chooseThreads(0), 6);
}

TEST_F(Threads, TheAffinityMaskLimits) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &one);
      break;
    }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(chooseThreads(0), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_LE(chooseThreads(0), CPU_COUNT(&before));
}

}  // namespace
}  // namespace repose
