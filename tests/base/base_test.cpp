// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/nearest.h"
#include "params/keyed.h"

namespace repose {

TEST(Hash, IsAConstantOfTheBytes) {
  Hasher h;
  h.add("repose", 6);
  EXPECT_EQ(hexHash(h.value()), "62da9ed1a567bc5f");
}

TEST(Hash, SeesEveryByteAndTheLength) {
  const unsigned char zeros[16] = {};
  std::uint64_t last = 0;
  for (std::size_t n = 0; n <= 16; ++n) {
    Hasher h;
    h.add(zeros, n);
    EXPECT_NE(h.value(), last);
    last = h.value();
  }
}

TEST(NearestName, FindsSlipsAndSwapsButNotStrangers) {
  const std::vector<std::string> names = {"iterations", "tolerance", "omega"};
  EXPECT_EQ(nearestName("iteratoins", names), "iterations");
  EXPECT_EQ(nearestName("Omega", names), "omega");
  EXPECT_EQ(nearestName("gravity", names), "");
}

TEST(Keys, BlendBetweenAndHoldOutside) {
  Keys<float> keys;
  keys.keys = {{1001, 2.0f}, {1011, 4.0f}};
  EXPECT_FLOAT_EQ(keys.at(990), 2.0f);
  EXPECT_FLOAT_EQ(keys.at(1006), 3.0f);
  EXPECT_FLOAT_EQ(keys.at(2000), 4.0f);
}

}  // namespace repose
