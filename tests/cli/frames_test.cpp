// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <gtest/gtest.h>

#include "progress.h"

namespace repose {
namespace {

using Frames = std::vector<int>;

Frames parsed(const std::string& text) {
  const Result<Frames> frames = parseFrameList(text);
  EXPECT_TRUE(frames.ok()) << text << ": " << frames.status().message();
  return frames ? *frames : Frames{};
}

std::string refusal(const std::string& text) {
  const Result<Frames> frames = parseFrameList(text);
  EXPECT_FALSE(frames.ok()) << text;
  EXPECT_EQ(frames.status().code(), Code::bad_input) << text;
  return frames.status().message();
}

TEST(Frames, RangesStepsListsAndNegatives) {
  EXPECT_EQ(parsed("1001"), (Frames{1001}));
  EXPECT_EQ(parsed("1001-1004"), (Frames{1001, 1002, 1003, 1004}));
  EXPECT_EQ(parsed("1-7x2"), (Frames{1, 3, 5, 7}));
  EXPECT_EQ(parsed("1-8:3"), (Frames{1, 4, 7}));
  EXPECT_EQ(parsed("-2-1"), (Frames{-2, -1, 0, 1}));
  EXPECT_EQ(parsed("-5--3"), (Frames{-5, -4, -3}));
  EXPECT_EQ(parsed("7,1-3,2"), (Frames{1, 2, 3, 7}));
}

TEST(Frames, WrongRangesAreRefusedWithAReason) {
  EXPECT_NE(refusal("5-1").find("runs backwards; write 1-5"), std::string::npos);
  EXPECT_NE(refusal("1-5x0").find("step 0"), std::string::npos);
  EXPECT_NE(refusal("1-2000000000").find("more than"), std::string::npos);
  for (const char* text : {"", "a", "1-", "1-5x", "1,", "1;2", "1-5x2y", "1.5", "99999999999", "1-2-3", " 1"})
    EXPECT_NE(refusal(text).find("is not understood"), std::string::npos) << text;
}

TEST(Frames, StepOfEvenAndUnevenLists) {
  EXPECT_EQ(frameStep({4}), 1);
  EXPECT_EQ(frameStep({4, 5, 6}), 1);
  EXPECT_EQ(frameStep({4, 7, 10}), 3);
  EXPECT_EQ(frameStep({4, 5, 7}), 0);
}

TEST(Progress, DurationsReadLikeAClock) {
  EXPECT_EQ(durationText(4.24), "4.2 s");
  EXPECT_EQ(durationText(200), "3 min 20 s");
  EXPECT_EQ(durationText(3725), "1 h 02 min");
}

}  // namespace
}  // namespace repose
