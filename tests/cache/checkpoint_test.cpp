// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/checkpoint.h"

#include "cache_fixtures.h"

namespace repose {
namespace {

class CheckpointFile : public CacheTest {
 protected:
  static Checkpoint some(int frame) {
    return {frame, {{"simulation", std::string("\0state of many bytes", 20)}, {"run", ""}, {"scene", "a=1"}}};
  }
  std::string at(int frame) const { return checkpointPath(folder_.string(), frame); }
};

TEST_F(CheckpointFile, ComesBackAsItWas) {
  ASSERT_OK(writeCheckpoint(at(1001), some(1001)));
  const Result<Checkpoint> read = readCheckpoint(at(1001));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->frame, 1001);
  ASSERT_EQ(read->sections.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(read->sections[k].name, some(0).sections[k].name);
    EXPECT_EQ(read->sections[k].bytes, some(0).sections[k].bytes);
  }
  EXPECT_EQ(*read->find("scene"), "a=1");
  EXPECT_EQ(read->find("weather"), nullptr);
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(CheckpointFile, EveryChangedByteAndEveryLengthIsNoticed) {
  ASSERT_OK(writeCheckpoint(at(1), some(1)));
  const std::string good = readFile(at(1));
  for (std::size_t k = 0; k < good.size(); ++k) {
    // what is behind the end of a section's name says nothing
    std::string changed = good;
    changed[k] = static_cast<char>(changed[k] ^ 0x40);
    writeFile(at(1), changed);
    const Result<Checkpoint> read = readCheckpoint(at(1));
    ASSERT_FALSE(read.ok()) << "byte " << k;
    EXPECT_EQ(read.status().code(), Code::io);
    EXPECT_NE(read.status().message().find(at(1)), std::string::npos);
    writeFile(at(1), good.substr(0, k));
    EXPECT_FALSE(readCheckpoint(at(1)).ok()) << "length " << k;
  }
  writeFile(at(1), good + "x");
  EXPECT_FALSE(readCheckpoint(at(1)).ok());
}

TEST_F(CheckpointFile, WhatKilledRunsLeftOfAnOutputGoes) {
  for (const char* name : {"a.abc", "a.abc.tmp.12", "b.abc.tmp.12", "s.0007.vdb.tmp.3", "s.x.vdb.tmp.3"})
    writeFile((folder_ / name).string(), "");
  removeUnfinishedOutput((folder_ / "a.abc").string());
  removeUnfinishedOutput((folder_ / "s.%04d.vdb").string());
  EXPECT_EQ(filesInFolder(), 3u);
  for (const char* name : {"a.abc", "b.abc.tmp.12", "s.x.vdb.tmp.3"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / name)) << name;
}

TEST_F(CheckpointFile, AFolderKnowsTheNewestAndKeepsSome) {
  for (const int frame : {999, 1000, 1001, -3}) ASSERT_OK(writeCheckpoint(at(frame), some(frame)));
  writeFile((folder_ / "frame.x.checkpoint").string(), "");
  writeFile((folder_ / "frame.7.checkpoint.tmp.12").string(), "");
  const std::vector<std::int64_t> all = {1001, 1000, 999, -3}, two = {1001, 1000};
  EXPECT_EQ(checkpointsIn(folder_.string()), all);
  removeOldCheckpoints(folder_.string(), 2);
  EXPECT_EQ(checkpointsIn(folder_.string()), two);
  EXPECT_TRUE(checkpointsIn("/no/such/folder").empty());
}

TEST_F(CheckpointFile, AFolderThatIsNotThereIsSaid) {
  const Status status = writeCheckpoint("/no/such/folder/frame.1.checkpoint", some(1));
  EXPECT_EQ(status.code(), Code::io);
  EXPECT_NE(status.message().find("No such file"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace repose
