// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Jobs that nodes have written, run by the program.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace repose::houdini {

// A file of this process alone: the same tests run at the same time with seeded bugs.
inline std::string temporary(const std::string& name) {
  return ::testing::TempDir() + std::to_string(getpid()) + "_" + name;
}

// What the program makes of a job: the hash of its last frame.
inline std::string hashAfterRun(const std::string& job) {
  const std::string log = job + ".log", command = std::string(REPOSE_PROGRAM) + " sim " + job + " --out " +
                                                  job + ".abc --progress none --log-json " + log +
                                                  " > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(log);
  std::string line, hash;
  while (std::getline(in, line))
    if (const std::size_t at = line.find("\"hash\":"); at != std::string::npos)
      hash = line.substr(line.find('"', at + 7) + 1, 16);
  return hash;
}

}  // namespace repose::houdini
