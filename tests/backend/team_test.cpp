// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Every piece of a launch runs once and before the launch ends, for any number of threads, launch after
// launch.
#include "backend/team.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <numeric>
#include <stdexcept>
#include <vector>

namespace repose {
namespace {

template <class Visit>
struct Call {
  const Visit& visit;
  static void run(int piece, const void* context) { static_cast<const Call*>(context)->visit(piece); }
};

template <class Visit>
void runPieces(Team& team, tbb::task_arena& arena, int pieces, const Visit& visit) {
  team.run(arena, pieces, Call<Visit>::run, Call<Visit>{visit});
}

class TeamTest : public testing::TestWithParam<int> {
 public:
  ~TeamTest() override { team->dismiss(); }

 protected:
  tbb::global_control limit{tbb::global_control::max_allowed_parallelism,
                            static_cast<std::size_t>(GetParam())};
  tbb::task_arena arena{GetParam()};
  std::shared_ptr<Team> team = std::make_shared<Team>(GetParam());
};

TEST_P(TeamTest, EveryPieceRunsOnceInEachOfManyLaunches) {
  std::vector<int> visits(100), expected(100);
  for (int launch = 0; launch < 3000; ++launch) {
    const int pieces = 1 + launch * 7 % 100;
    runPieces(*team, arena, pieces, [&](int piece) { ++visits[piece]; });
    for (int piece = 0; piece < pieces; ++piece) ++expected[piece];
    ASSERT_EQ(visits, expected) << "launch " << launch;
  }
}

// A launch reads what others wrote in the one before, with nothing in between: sums double each time.
TEST_P(TeamTest, ALaunchSeesAllOfTheOneBefore) {
  std::vector<std::uint32_t> from(64, 1), to(64);
  for (int launch = 0; launch < 2000; ++launch) {
    runPieces(*team, arena, 64, [&](int piece) { to[piece] = from[piece] + from[63 - piece]; });
    from.swap(to);
    const std::uint32_t value = launch < 31 ? 2u << launch : 0;
    ASSERT_EQ(from, std::vector<std::uint32_t>(64, value)) << "launch " << launch;
  }
}

TEST_P(TeamTest, ALaunchWithinAPieceRunsWhereItIs) {
  std::vector<int> visits(64);
  runPieces(*team, arena, 8,
            [&](int outer) { runPieces(*team, arena, 8, [&](int inner) { ++visits[8 * outer + inner]; }); });
  EXPECT_EQ(visits, std::vector<int>(64, 1));
}

TEST_P(TeamTest, WhatAPieceThrowsReachesTheCallerAfterAllOthersEnded) {
  for (int thrower = 0; thrower < 16; ++thrower) {
    std::vector<int> visits(16);
    const auto visit = [&](int piece) {
      ++visits[piece];
      if (piece == thrower) throw std::runtime_error("piece");
    };
    EXPECT_THROW(runPieces(*team, arena, 16, visit), std::runtime_error);
    EXPECT_EQ(visits, std::vector<int>(16, 1));
  }
  int sum = 0;
  runPieces(*team, arena, 1, [&](int) { ++sum; });
  EXPECT_EQ(sum, 1);
}

TEST_P(TeamTest, EndsWhileHelpersAreStillThere) {
  for (int k = 0; k < 200; ++k) {
    auto other = std::make_shared<Team>(GetParam());
    std::vector<int> visits(50);
    runPieces(*other, arena, 50, [&](int piece) { ++visits[piece]; });
    EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), 50);
    other->dismiss();
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, TeamTest, testing::Values(1, 2, 3, 7, 16));

}  // namespace
}  // namespace repose
