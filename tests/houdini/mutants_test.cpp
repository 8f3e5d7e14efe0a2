// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Every seeded bug in the glue (mutants.cmake) makes some test of SOPs or DOPs fail.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <string>

namespace {

const char* const kMutants[] = {
#include "mutant_names.inc"
};

bool passes(int mutant) {
  const std::string command = "REPOSE_MUTANT=" + std::to_string(mutant) + " " + MUTANTS_PROGRAM +
                              " --gtest_brief=1 --gtest_fail_fast > /dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

}  // namespace

TEST(Mutants, TheHealthyGluePasses) { EXPECT_TRUE(passes(0)); }

TEST(Mutants, AreMany) { EXPECT_GE(std::size(kMutants), 15u); }

// A test for each, so that none waits for the others.
class Mutant : public testing::TestWithParam<int> {};

TEST_P(Mutant, IsCaught) { EXPECT_FALSE(passes(GetParam())) << "not caught: " << kMutants[GetParam() - 1]; }

INSTANTIATE_TEST_SUITE_P(Mutants, Mutant, testing::Range(1, static_cast<int>(std::size(kMutants)) + 1));
